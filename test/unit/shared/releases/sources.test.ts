import { readFileSync } from 'node:fs';
import { describeMistake } from '@cairn/shared/input/input-value';
import { combineReleaseConfig, configPairs, parseReleaseConfig } from '@cairn/shared/releases/sources';
import { describe, expect, it } from 'vitest';
import { anImage, configOf } from '../../../helpers/path/builders.ts';

const FOUR = ['x86_64', 'arm64', 'ppc64le', 's390x'];

/** The two examples of the seed: keyed by minor, and an array where 4.11 comes twice. */
const SEED_KEYED = {
  '4.11': { upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable'] }] },
  '4.12': {
    upgrade_channels: [
      { cpu_architecture: 'x86_64', channels: ['candidate', 'stable'] },
      { cpu_architecture: 'arm64', channels: ['candidate', 'stable'] },
      { cpu_architecture: 'multi', channels: ['candidate', 'stable'] },
    ],
  },
};
const SEED_TWICE = [
  { openshift_version: '4.11', upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable'] }] },
  {
    openshift_version: '4.11',
    upgrade_channels: [
      { cpu_architecture: 'x86_64', channels: ['candidate', 'stable'] },
      { cpu_architecture: 'arm64', channels: ['candidate', 'stable'] },
    ],
  },
];
const SHIPPED = [
  {
    openshift_version: '4.14',
    multi_cpu_architectures: ['x86_64', 'arm64', 's390x', 'ppc64le'],
    upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable', 'candidate'] }],
  },
];

describe('release sources', () => {
  it('S15: an object keyed by minor equals the array', () => {
    const list = Object.entries(SEED_KEYED).map(([minor, source]) => ({
      openshift_version: minor,
      ...source,
    }));
    const keyed = configOf({ release_sources: SEED_KEYED });
    expect(keyed).toEqual(configOf({ release_sources: list }));
    expect(keyed.sources.map(({ minor }) => minor)).toEqual(['4.11', '4.12']);
  });

  it('unites the channels of a minor that comes twice', () => {
    const config = configOf({ release_sources: SEED_TWICE });
    expect(config.sources).toEqual([
      {
        minor: '4.11',
        multiCpuArchitectures: FOUR,
        upgradeChannels: [
          { cpuArchitecture: 'x86_64', channels: ['stable', 'candidate'] },
          { cpuArchitecture: 'arm64', channels: ['candidate', 'stable'] },
        ],
      },
    ]);
    expect(config.asConfigured).toEqual(
      SEED_TWICE.map((source) => ({ ...source, multi_cpu_architectures: FOUR })),
    );
  });

  it('answers the shipped shape exactly as it was given', () => {
    expect(JSON.stringify(configOf({ release_sources: SHIPPED }).asConfigured)).toBe(JSON.stringify(SHIPPED));
  });

  it('keeps order and spelling in the answer, and normalises what is followed', () => {
    const release_sources = [
      {
        openshift_version: '5.0',
        multi_cpu_architectures: ['aarch64', 'amd64', 'x86_64'],
        upgrade_channels: [],
      },
      {
        openshift_version: '4.9',
        multi_cpu_architectures: [],
        upgrade_channels: [
          { cpu_architecture: 'multi', channels: ['eus'] },
          { cpu_architecture: 'aarch64', channels: ['stable', 'fast', 'stable'] },
          { cpu_architecture: 'amd64', channels: [] },
          { cpu_architecture: 'arm64', channels: ['prerelease'] },
        ],
      },
    ];
    const config = configOf({ release_sources });
    expect(config.asConfigured).toEqual(release_sources);
    expect(config.sources).toEqual([
      {
        minor: '4.9',
        multiCpuArchitectures: [],
        upgradeChannels: [
          { cpuArchitecture: 'x86_64', channels: [] },
          { cpuArchitecture: 'arm64', channels: ['stable', 'fast', 'prerelease'] },
          { cpuArchitecture: 'multi', channels: ['eus'] },
        ],
      },
      { minor: '5.0', multiCpuArchitectures: ['x86_64', 'arm64'], upgradeChannels: [] },
    ]);
  });

  it('a list of architectures counts for every entry of its minor', () => {
    const [first, second] = SEED_TWICE;
    const release_sources = [{ ...first, multi_cpu_architectures: ['x86_64'] }, second];
    const config = configOf({ release_sources });
    expect(config.sources[0]?.multiCpuArchitectures).toEqual(['x86_64']);
    expect(config.asConfigured[1]?.multi_cpu_architectures).toEqual(['x86_64']);
  });

  it.each([
    {},
    { release_sources: [] },
    { release_sources: {} },
    { release_sources: [{ openshift_version: '4.14', multi_cpu_architectures: [], upgrade_channels: [] }] },
    { release_sources: { '4.14': { upgrade_channels: [{ cpu_architecture: 'multi', channels: [] }] } } },
    { release_images: [], ignored_openshift_versions: [], support_levels: {}, confirm_removal: [] },
  ])('S11: accepts the empty lists of %j', (file) => {
    const config = configOf(file);
    expect(configPairs(config)).toEqual([]);
    expect(config.staticReleases).toEqual([]);
  });

  it('lists every pair once, in order', () => {
    const config = configOf({
      release_sources: [
        ...SEED_TWICE,
        { openshift_version: '4.9', upgrade_channels: SEED_KEYED['4.12'].upgrade_channels },
      ],
    });
    expect(configPairs(config).map(({ channel, arch, minor }) => `${channel}/${arch}/${minor}`)).toEqual([
      'candidate-4.9/amd64/4.9',
      'stable-4.9/amd64/4.9',
      'candidate-4.9/arm64/4.9',
      'stable-4.9/arm64/4.9',
      'candidate-4.9/multi/4.9',
      'stable-4.9/multi/4.9',
      'candidate-4.11/amd64/4.11',
      'stable-4.11/amd64/4.11',
      'candidate-4.11/arm64/4.11',
      'stable-4.11/arm64/4.11',
    ]);
  });
});

describe('the rest of the file', () => {
  it('reads static releases: names, defaults and the seed example', () => {
    const seed = {
      openshift_version: '4.12-multi',
      cpu_architecture: 'multi',
      cpu_architectures: FOUR,
      url: 'quay.io/openshift-release-dev/ocp-release:4.12.0-rc.4-multi',
      version: '4.12.0-rc.4',
    };
    const arm = anImage('4.11.9', 'aarch64', {
      openshift_version: '4.11.9',
      default: true,
      support_level: 'beta',
    });
    const twin = anImage('4.11.9', 'multi', {
      version: '4.11.9-multi',
      openshift_version: '4.11.9-multi',
      default: true,
    });
    expect(
      configOf({ release_images: [seed, twin, { ...arm, default: false }, arm] }).staticReleases,
    ).toEqual([
      {
        minor: '4.11',
        version: '4.11.9',
        cpuArchitecture: 'arm64',
        cpuArchitectures: ['arm64'],
        url: arm.url,
        default: true,
        supportLevel: 'beta',
      },
      {
        minor: '4.11',
        version: '4.11.9',
        cpuArchitecture: 'multi',
        cpuArchitectures: FOUR,
        url: twin.url,
        default: true,
      },
      {
        minor: '4.12',
        version: '4.12.0-rc.4',
        cpuArchitecture: 'multi',
        cpuArchitectures: FOUR,
        url: seed.url,
        default: false,
      },
    ]);
  });

  it.each([
    'registry.example.com:5000/a/b/c:4.14.3',
    `localhost/ocp@sha256:${'0'.repeat(64)}`,
    `quay.io/o/r:4.14.3-x86_64@sha256:${'f'.repeat(64)}`,
  ])('accepts the image %s', (url) => {
    expect(configOf({ release_images: [anImage('4.14.3', 'x86_64', { url })] }).staticReleases[0]?.url).toBe(
      url,
    );
  });

  it('reads ignored versions, levels and confirmations, sorted and once each', () => {
    const config = configOf({
      ignored_openshift_versions: ['>=4.14.0 <4.14.5', '4.12', '4.11.0-rc.1', '4.12'],
      support_levels: { '4.20': 'production', '4.9': 'maintenance' },
      confirm_removal: ['4.12', '4.9', '4.12'],
    });
    expect(config.ignored).toEqual(['4.11.0-rc.1', '4.12', '>=4.14.0 <4.14.5']);
    expect(Object.entries(config.supportLevels)).toEqual([
      ['4.9', 'maintenance'],
      ['4.20', 'production'],
    ]);
    expect(config.confirmRemoval).toEqual(['4.9', '4.12']);
  });

  it('withholds updates to excluded versions unless the file says otherwise', () => {
    expect(configOf({}).excludedInGraph).toBe('withhold');
    expect(configOf({ excluded_in_graph: 'serve' }).excludedInGraph).toBe('serve');
  });
});

const source = (more: Record<string, unknown>) => ({
  release_sources: [{ openshift_version: '4.14', upgrade_channels: [], ...more }],
});
const upgrade = (more: Record<string, unknown>) =>
  source({ upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable'], ...more }] });
const image = (more: Record<string, unknown>) => ({ release_images: [anImage('4.14.3', 'x86_64', more)] });
const without = (record: Record<string, unknown>, key: string) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

const SOURCE = '/release_sources/0';
const UPGRADE = `${SOURCE}/upgrade_channels/0`;
const IMAGE = '/release_images/0';

/** Input, where the one mistake is, the value that is named, a part of the message, a part of what is accepted. */
type MistakeCase = [unknown, string, unknown, string, string];
type FileWith = (more: Record<string, unknown>) => unknown;

/** A field with a bad value: the field and the place in it, the value, a part of the message and of what is accepted. */
const fields = (place: string, fileWith: FileWith, rows: [string, unknown, string, string][]) =>
  rows.map(([field, value, message, accepted]): MistakeCase => {
    const [name = '', index] = field.split('/');
    // The items before the bad one are fine.
    const list = [...Array(Number(index ?? 0)).fill(name === 'channels' ? 'stable' : 'x86_64'), value];
    const given = index === undefined ? value : list;
    return [fileWith({ [name]: given }), `${place}/${field}`, value, message, accepted];
  });

/** A key that nothing has, and its nearest name. */
const unknownKeys = (place: string, fileWith: FileWith, rows: [string, string, string][]) =>
  rows.map(([key, message, accepted]): MistakeCase => [
    fileWith({ [key]: [] }),
    `${place}/${key.replace('~', '~0').replace('/', '~1')}`,
    key,
    message,
    accepted,
  ]);

const missing = (place: string, fileOf: (key: string) => unknown, rows: [string, string][]) =>
  rows.map(([key, accepted]): MistakeCase => [
    fileOf(key),
    `${place}/${key}`,
    undefined,
    `${key} is missing`,
    accepted,
  ]);

const NO_IGNORED = ['', '*', '4', '4.14.x', 'v4.14.1', '4.14.1-multi', 'latest', '>=banana', '>'];

const MISTAKES: MistakeCase[] = [
  // The document
  [undefined, '', undefined, 'undefined is not an object', 'release_sources'],
  [null, '', null, 'null is not an object', 'release_sources'],
  ['{}', '', '{}', '"{}" is not an object', 'release_sources'],
  [[], '', [], 'an array is not an object', 'release_sources'],
  ...unknownKeys('', (file) => file, [
    ['release_source', 'did you mean "release_sources"?', 'release_images'],
    ['RELEASE_IMAGES', 'did you mean "release_images"?', 'release_images'],
    ['a/b~c', 'unknown key "a/b~c"', 'confirm_removal'],
  ]),
  [JSON.parse('{"__proto__": {}}'), '/__proto__', '__proto__', 'unknown key "__proto__"', 'support_levels'],
  // S10: release sources
  ...fields('', (file) => file, [
    ['release_sources', null, 'null is not an object', 'keyed by minor'],
    ['release_sources', 'x', '"x" is not an object', 'an array of release sources'],
    ['release_sources/0', '4.14', '"4.14" is not an object', 'openshift_version'],
  ]),
  ...fields(SOURCE, source, [
    ['openshift_version', 'invalidVersion', 'is not a minor', '"4.14"'],
    ['openshift_version', '4.14.3', '"4.14.3" is not a minor', '"4.14"'],
    ['openshift_version', '4', '"4" is not a minor', '"4.14"'],
    ['openshift_version', 4.1, '4.1 is not a text', 'a minor as text'],
    ['upgrade_channels', {}, 'an object is not an array', 'an array'],
    ['upgrade_channels/0', 'stable', '"stable" is not an object', 'cpu_architecture'],
    ['multi_cpu_architectures', 'x86_64', 'is not an array', 'amd64'],
    ['multi_cpu_architectures/1', 'multi', '"multi" is not a single architecture', 's390x'],
    ['multi_cpu_architectures/0', 'arm', 'did you mean "arm64"?', 'aarch64'],
    ['multi_cpu_architectures/0', 64, '64 is not a text', 'aarch64'],
  ]),
  ...unknownKeys(SOURCE, source, [
    ['chanels', 'unknown key "chanels"', 'upgrade_channels'],
    ['upgrade_channel', 'mean "upgrade_channels"?', 'openshift_version'],
  ]),
  ...missing(SOURCE, (key) => ({ release_sources: [without(SHIPPED[0]!, key)] }), [
    ['openshift_version', 'upgrade_channels'],
    ['upgrade_channels', 'openshift_version'],
  ]),
  ...missing(
    UPGRADE,
    (key) => source({ upgrade_channels: [without({ cpu_architecture: 'x86_64', channels: [] }, key)] }),
    [
      ['cpu_architecture', 'channels'],
      ['channels', 'cpu_architecture'],
    ],
  ),
  ...fields(UPGRADE, upgrade, [
    ['cpu_architecture', 'sparc', '"sparc" is not an architecture', 'x86_64, amd64, arm64'],
    ['cpu_architecture', 'X86-64', 'did you mean "x86_64"?', 'multi'],
    ['cpu_architecture', null, 'null is not a text', 'multi'],
    ['channels', 'stable', '"stable" is not an array', 'candidate, fast, stable, eus, prerelease'],
    ['channels/1', 'stabel', 'did you mean "stable"?', 'one of candidate'],
    ['channels/0', 'stable-4.14', 'is not a channel name', 'eus'],
    ['channels/0', 'Stable', 'did you mean "stable"?', 'eus'],
    ['channels/0', ['stable'], 'an array is not a text', 'eus'],
  ]),
  ...unknownKeys(UPGRADE, upgrade, [['channel', 'did you mean "channels"?', 'cpu_architecture']]),
  ...['4.x', '__proto__'].map((key): MistakeCase => [
    JSON.parse(`{"release_sources": {"${key}": {"upgrade_channels": []}}}`),
    `/release_sources/${key}`,
    key,
    `the key "${key}" is not a minor`,
    '"4.14"',
  ]),
  ...fields('/release_sources', (keyed) => ({ release_sources: keyed }), [
    ['4.14', [], 'an array is not an object', 'upgrade_channels'],
  ]),
  ...missing('/release_sources/4.14', () => ({ release_sources: { '4.14': {} } }), [
    ['upgrade_channels', 'upgrade_channels'],
  ]),
  // Static releases
  ...fields('', (file) => file, [['release_images', {}, 'an object is not an array', 'release images']]),
  ...missing(IMAGE, (key) => ({ release_images: [without(anImage('4.14.3', 'x86_64'), key)] }), [
    ['openshift_version', 'support_level'],
    ['cpu_architecture', 'support_level'],
    ['url', 'support_level'],
    ['version', 'support_level'],
  ]),
  ...fields(IMAGE, image, [
    ['version', '4.14', '"4.14" is not a version', '"4.14.3"'],
    ['version', 'v4.14.3', 'is not a version', '"4.14.3-multi"'],
    ['openshift_version', '4', '"4" is not a minor or version', '"4.14-multi"'],
    ['openshift_version', '4.13', 'the version 4.14.3 is not of 4.13', '"4.14"'],
    ['cpu_architecture', 'x86', '"x86" is not an architecture', 'x86_64'],
    ['cpu_architectures', ['x86_64', 'arm64'], 'arm64 is not in a release for x86_64', '["x86_64"]'],
    ['cpu_architectures/0', 'multi', 'is not a single architecture', 'x86_64'],
    ['url', 'https://quay.io/o/r:4.14.3', 'is not an image reference', 'quay.io'],
    ['url', 'quay.io:443/o/r', 'is not an image reference', 'by tag or digest'],
    ['url', 'quay.io/o/r@sha256:abc', 'is not an image reference', 'digest'],
    ['url', 7, '7 is not a text', 'digest'],
    ['default', 'true', '"true" is not a boolean', 'true or false'],
    ['support_level', 'full', '"full" is not a support level', 'beta, production, maintenance, end-of-life'],
  ]),
  ...unknownKeys(IMAGE, image, [['suport_level', 'did you mean "support_level"?', 'default']]),
  ...[{ openshift_version: '4.14-multi' }, { version: '4.14.3-multi' }].map((more): MistakeCase => [
    image(more),
    `${IMAGE}/cpu_architecture`,
    'x86_64',
    'a multi version has the architecture x86_64',
    '"multi"',
  ]),
  // Ignored versions, support levels and confirmations
  ...fields('', (file) => file, [
    ['ignored_openshift_versions', '4.14', '"4.14" is not an array', '>=4.14.0'],
    ['ignored_openshift_versions/0', 4.14, '4.14 is not a text', '"4.14.3"'],
    ...[...NO_IGNORED, `>=4.14.0 ${'|| >=4.14.0 '.repeat(20)}`].map(
      (entry): [string, string, string, string] => [
        'ignored_openshift_versions/0',
        entry,
        'is not a version, a minor or a range',
        '>=4.14.0 <4.14.5',
      ],
    ),
    ['excluded_in_graph', 'hide', '"hide" is not a choice', 'one of withhold, serve'],
    ['excluded_in_graph', true, 'true is not a text', 'one of withhold, serve'],
    ['support_levels', [], 'an array is not an object', '{"4.20": "maintenance"}'],
    ['confirm_removal', '4.11', '"4.11" is not an array', '"4.14"'],
    ['confirm_removal/0', 'all', '"all" is not a minor', '"4.14"'],
  ]),
  ...fields('/support_levels', (levels) => ({ support_levels: levels }), [
    ['4.20', 'supported', 'is not a support level', 'maintenance'],
    ['4.20', 'maintenence', 'did you mean "maintenance"?', 'beta'],
  ]),
  [{ support_levels: { '4.20.1': 'beta' } }, '/support_levels/4.20.1', '4.20.1', 'is not a minor', '"4.14"'],
];

describe('mistakes', () => {
  it.each(MISTAKES)('%j is a mistake at %j', (file, pointer, value, message, accepted) => {
    expect(parseReleaseConfig(file)).toEqual({
      ok: false,
      mistakes: [
        {
          source: 'file',
          pointer,
          value,
          detail: expect.stringContaining(message),
          accepted: expect.stringContaining(accepted),
        },
      ],
    });
  });

  it('are in good style: lower case or the value first, no period at the end', () => {
    const messages = MISTAKES.flatMap(([file]) => {
      const reading = parseReleaseConfig(file);
      return reading.ok ? [] : reading.mistakes.map(({ detail }) => detail);
    });
    expect(messages.length).toBeGreaterThanOrEqual(MISTAKES.length);
    expect(messages.filter((message) => !/^["a-z\d].*[^.]$/.test(message))).toEqual([]);
  });

  it('are reported all at once', () => {
    const reading = parseReleaseConfig({
      release_sources: [
        {
          openshift_version: '4',
          upgrade_channels: [{ cpu_architecture: 'sparc', channels: ['stabel', 'fats'] }],
        },
        { upgrade_channels: 7 },
      ],
      release_images: [{}],
      ignored_openshift_versions: ['?'],
      nonsense: true,
    });
    expect(!reading.ok && reading.mistakes.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/ignored_openshift_versions/0',
      '/nonsense',
      '/release_images/0/cpu_architecture',
      '/release_images/0/openshift_version',
      '/release_images/0/url',
      '/release_images/0/version',
      '/release_sources/0/openshift_version',
      '/release_sources/0/upgrade_channels/0/channels/0',
      '/release_sources/0/upgrade_channels/0/channels/1',
      '/release_sources/0/upgrade_channels/0/cpu_architecture',
      '/release_sources/1/openshift_version',
      '/release_sources/1/upgrade_channels',
    ]);
  });

  it('are static releases that contradict each other', () => {
    const reading = parseReleaseConfig({
      release_images: [
        anImage('4.14.3', 'x86_64', { default: true }),
        anImage('4.14.3', 'amd64', { url: 'registry.example.com/other/release:4.14.3' }),
        anImage('4.14.4', 'x86_64', { default: true }),
      ],
    });
    expect(!reading.ok && reading.mistakes).toMatchObject([
      { pointer: '/release_images/1', detail: expect.stringContaining('4.14.3 for x86_64 is given twice') },
      { pointer: '/release_images/2', detail: '4.14.3 is the default already' },
    ]);
  });

  it('read as one line each', () => {
    const reading = combineReleaseConfig({ file: { confirm_removal: ['4'] }, RELEASE_IMAGES: '{}' });
    expect(!reading.ok && reading.mistakes.map(describeMistake)).toEqual([
      'file /confirm_removal/0: "4" is not a minor (accepted: a minor as text, such as "4.14")',
      'RELEASE_IMAGES: an object is not an array (accepted: an array of release images)',
    ]);
  });

  it('name long values shortly', () => {
    const reading = parseReleaseConfig({ confirm_removal: ['x'.repeat(10_000)] });
    expect(!reading.ok && reading.mistakes[0]!.detail.length).toBeLessThan(120);
  });
});

describe('combining the file with the variables of the peers', () => {
  const shipped = JSON.stringify(SHIPPED);

  it('takes each thing from where it is given', () => {
    const reading = combineReleaseConfig({
      file: { support_levels: { '4.14': 'production' } },
      RELEASE_SOURCES: shipped,
      DYNAMIC_OPENSHIFT_RELEASES_CONFIG: '',
      RELEASE_IMAGES: JSON.stringify([anImage('4.14.3', 'x86_64')]),
      IGNORED_OPENSHIFT_VERSIONS: ' ["4.13"] ',
    });
    expect(reading).toEqual({
      ok: true,
      config: configOf({
        release_sources: SHIPPED,
        release_images: [anImage('4.14.3', 'x86_64')],
        ignored_openshift_versions: ['4.13'],
        support_levels: { '4.14': 'production' },
      }),
    });
  });

  it.each([{}, { file: {} }, { file: '{}' }, { RELEASE_SOURCES: ' \n' }, { RELEASE_SOURCES: undefined }])(
    'nothing at all (%j) is the empty configuration',
    (parts) => {
      expect(combineReleaseConfig(parts)).toEqual({ ok: true, config: configOf({}) });
    },
  );

  it('accepts the same thing twice, however it is spelled; the file is what is answered', () => {
    const keyed = {
      '4.14': {
        upgrade_channels: [
          { channels: ['stable'], cpu_architecture: 'amd64' },
          { channels: ['candidate'], cpu_architecture: 'x86_64' },
        ],
      },
    };
    const reading = combineReleaseConfig({
      file: JSON.stringify({ release_sources: keyed, ignored_openshift_versions: ['4.11', '4.10'] }),
      RELEASE_SOURCES: shipped,
      DYNAMIC_OPENSHIFT_RELEASES_CONFIG: shipped,
      IGNORED_OPENSHIFT_VERSIONS: '["4.10", "4.11"]',
    });
    expect(reading).toEqual({
      ok: true,
      config: configOf({ release_sources: keyed, ignored_openshift_versions: ['4.10', '4.11'] }),
    });
  });

  it.each([
    [
      { file: { release_sources: [] }, RELEASE_SOURCES: shipped },
      'RELEASE_SOURCES and release_sources of the file differ',
    ],
    [
      { RELEASE_SOURCES: shipped, DYNAMIC_OPENSHIFT_RELEASES_CONFIG: '{}' },
      'DYNAMIC_OPENSHIFT_RELEASES_CONFIG and RELEASE_SOURCES differ',
    ],
    [
      { file: { ignored_openshift_versions: ['4.11'] }, IGNORED_OPENSHIFT_VERSIONS: '["4.12"]' },
      'IGNORED_OPENSHIFT_VERSIONS and ignored_openshift_versions of the file differ',
    ],
    [
      { file: { release_images: [anImage('4.14.3', 'x86_64')] }, RELEASE_IMAGES: '[]' },
      'RELEASE_IMAGES and release_images of the file differ',
    ],
  ])('refuses two that differ: %j', (parts, detail) => {
    expect(combineReleaseConfig(parts)).toMatchObject({ ok: false, mistakes: [{ detail, pointer: '' }] });
  });

  it.each([
    [{ file: '{"release_sources": [}' }, 'file', 'not JSON at line 1, column 22: expected a value or "]"'],
    [{ file: '' }, 'file', 'not JSON at line 1, column 1: the text ends before a value'],
    [{ RELEASE_SOURCES: '[\n  {"a" 1}\n]' }, 'RELEASE_SOURCES', 'not JSON at line 2, column 8: expected ":"'],
    [{ RELEASE_IMAGES: 'none' }, 'RELEASE_IMAGES', 'not JSON at line 1, column 1: expected a value'],
    [
      { DYNAMIC_OPENSHIFT_RELEASES_CONFIG: '{"4.11": {}, "4.11": {}}' },
      'DYNAMIC_OPENSHIFT_RELEASES_CONFIG',
      'not JSON at line 1, column 14: the key "4.11" is given twice',
    ],
  ])('says where %j is not JSON', (parts, source, detail) => {
    expect(combineReleaseConfig(parts)).toMatchObject({ ok: false, mistakes: [{ source, detail }] });
  });

  it('reports the mistakes of all parts at once, and no contradiction with a part it could not read', () => {
    const reading = combineReleaseConfig({
      file: { release_sources: SHIPPED, confirm_removal: ['x'] },
      RELEASE_SOURCES: '[{}]',
      RELEASE_IMAGES: '[',
      IGNORED_OPENSHIFT_VERSIONS: '["x"]',
    });
    expect(!reading.ok && reading.mistakes.map(({ source, pointer }) => `${source} ${pointer}`)).toEqual([
      'file /confirm_removal/0',
      'RELEASE_SOURCES /0/openshift_version',
      'RELEASE_SOURCES /0/upgrade_channels',
      'RELEASE_IMAGES ',
      'IGNORED_OPENSHIFT_VERSIONS /0',
    ]);
  });
});

describe('the shipped configuration', () => {
  const shippedFile = JSON.parse(
    readFileSync(new URL('../../../../infra/releases.json', import.meta.url), 'utf8'),
  ) as object;
  const pairs = configPairs(configOf(shippedFile));

  it('follows 4.14 to 4.22 and 5.0', () => {
    const minors = Array.from({ length: 9 }, (_, index) => `4.${index + 14}`);
    expect([...new Set(pairs.map(({ minor }) => minor))]).toEqual([...minors, '5.0']);
  });

  it.each([
    [
      '4.14',
      'candidate/amd64 eus/amd64 fast/amd64 stable/amd64 eus/arm64 stable/arm64 stable/ppc64le stable/s390x eus/multi stable/multi',
    ],
    ['4.15', 'candidate/amd64 fast/amd64 stable/amd64 stable/arm64 stable/ppc64le stable/s390x stable/multi'],
    ['5.0', 'candidate/amd64 candidate/arm64 candidate/multi'],
  ])('%s: %s', (minor, expected) => {
    const found = pairs.filter((pair) => pair.minor === minor);
    const names = found.map(({ channel, arch }) => `${channel.replace(`-${minor}`, '')}/${arch}`);
    expect(names.join(' ')).toBe(expected);
  });
});
