import { buildCatalogue, type Catalogue } from '@cairn/shared/releases/catalogue';
import { describe, expect, it } from 'vitest';
import { CALENDAR, aRow, anImage, catalogueOf, configOf } from '../../../helpers/path/builders.ts';

const SOURCES_4_14 = [
  {
    openshift_version: '4.14',
    upgrade_channels: [
      { cpu_architecture: 'x86_64', channels: ['stable', 'candidate'] },
      { cpu_architecture: 'arm64', channels: ['stable'] },
    ],
  },
];

/** 4.14 was in production in the peer's test tables. */
const PRODUCTION = { '4.14': 'production' };

function defaults({ releases }: Catalogue): string[] {
  return releases.filter((release) => release.default).map((release) => release.version);
}

function levels({ releases }: Catalogue): Record<string, string> {
  return Object.fromEntries(releases.map((release) => [release.version, release.supportLevel]));
}

const S1_ROWS = [
  aRow('4.14.4', 'x86_64'),
  aRow('4.14.2', 'x86_64'),
  aRow('4.14.7', 'arm64'),
  aRow('4.14.5', 'arm64'),
  aRow('4.14.6', 'x86_64', ['candidate']),
  aRow('4.14.3', 'x86_64', ['candidate']),
];

describe('the default', () => {
  it('S1: is the newest x86_64 release in production', () => {
    const images = [
      anImage('4.11.2', 'x86_64'),
      anImage('4.14.9', 'x86_64', { support_level: 'production' }),
    ];
    const file = { release_sources: SOURCES_4_14, release_images: images, support_levels: PRODUCTION };
    expect(defaults(buildCatalogue({ config: configOf(file), rows: S1_ROWS, calendar: CALENDAR }))).toEqual([
      '4.14.4',
    ]);
  });

  it('S2: is the static one if there is any', () => {
    const images = [anImage('4.11.2', 'x86_64', { default: true })];
    expect(defaults(catalogueOf(S1_ROWS, PRODUCTION, images))).toEqual(['4.11.2']);
  });

  it('S3: is not there without x86_64', () => {
    const rows = ['s390x', 'arm64', 'ppc64le', 'multi'].map((cpu) => aRow('4.14.4', cpu));
    expect(defaults(catalogueOf(rows, PRODUCTION))).toEqual([]);
  });

  it('is not there without production', () => {
    expect(defaults(catalogueOf(S1_ROWS, { '4.14': 'maintenance' }))).toEqual([]);
  });

  it('S14: passes over a withdrawn release', () => {
    const withdrawn = aRow('4.14.8', 'x86_64', ['stable'], { withdrawnAt: '2026-11-02T00:00:00Z' });
    expect(defaults(catalogueOf([...S1_ROWS, withdrawn], PRODUCTION))).toEqual(['4.14.4']);
  });

  it('survives pinning the release that has it', () => {
    const images = [anImage('4.14.4', 'x86_64')];
    const { releases } = catalogueOf(S1_ROWS, PRODUCTION, images);
    expect(releases.find((release) => release.default)).toMatchObject({
      version: '4.14.4',
      origin: 'static',
    });
  });

  it('is the newest by version, not by text', () => {
    const rows = ['4.9.9', '4.14.9', '4.14.10'].map((version) => aRow(version, 'x86_64'));
    expect(defaults(catalogueOf(rows, { '4.9': 'production', '4.14': 'production' }))).toEqual(['4.14.10']);
  });
});

describe('support levels', () => {
  it('S4: pre-releases are beta, the rest is as the table says', () => {
    const rows = ['4.9.0', '4.11.0', '4.13.0', '4.15.0-ec.2', '5.3.0-ec.2', '5.2.0'].map((version) =>
      aRow(version, 'x86_64'),
    );
    const table = {
      '4.11': 'maintenance',
      '4.13': 'production',
      '4.15': 'production',
      '5.3': 'production',
      '5.2': 'end-of-life',
    };
    expect(levels(catalogueOf(rows, table))).toEqual({
      '4.9.0': 'end-of-life',
      '4.11.0': 'maintenance',
      '4.13.0': 'production',
      '4.15.0-ec.2': 'beta',
      '5.3.0-ec.2': 'beta',
      '5.2.0': 'end-of-life',
    });
  });

  it('S4: the shipped table, state of November 2026', () => {
    const minors = Array.from({ length: 22 }, (_, index) => `4.${index + 1}`);
    const found = levels(catalogueOf(minors.map((minor) => aRow(`${minor}.1`, 'x86_64'))));
    const alive = Object.entries(found).filter(([, level]) => level !== 'end-of-life');
    expect(Object.fromEntries(alive)).toEqual({
      '4.16.1': 'maintenance',
      '4.18.1': 'maintenance',
      '4.19.1': 'maintenance',
      '4.20.1': 'maintenance',
      '4.21.1': 'maintenance',
      '4.22.1': 'production',
    });
    expect(Object.keys(found)).toHaveLength(22);
  });

  it('S5: one release per version; only what candidate channels alone hold is beta', () => {
    const everywhere = ['stable', 'candidate', 'fast', 'eus'];
    const rows = [
      aRow('4.14.0-ec.2', 'x86_64', everywhere),
      aRow('4.14.2', 'x86_64', everywhere),
      aRow('4.14.3', 'x86_64', everywhere),
      aRow('4.14.4', 'x86_64', ['candidate', 'fast']),
      aRow('4.14.5', 'x86_64', ['candidate']),
    ];
    const catalogue = catalogueOf(rows, PRODUCTION);
    expect(levels(catalogue)).toEqual({
      '4.14.5': 'beta',
      '4.14.4': 'production',
      '4.14.3': 'production',
      '4.14.2': 'production',
      '4.14.0-ec.2': 'beta',
    });
    expect(defaults(catalogue)).toEqual(['4.14.4']);
  });

  it('S13: a GA minor that no table knows is taken to be in production', () => {
    expect(catalogueOf([aRow('5.0.0', 'x86_64')]).releases).toMatchObject([
      { supportLevel: 'production', supportLevelSource: 'assumed', default: true },
    ]);
  });

  it.each([
    ['prerelease', aRow('4.22.0-rc.1', 'x86_64'), 'beta'],
    ['candidate-only', aRow('4.22.1', 'x86_64', ['candidate']), 'beta'],
    ['candidate-only', aRow('4.1.1', 'x86_64', ['prerelease', 'candidate']), 'beta'],
    ['candidate-only', aRow('4.14.1', 'x86_64', ['candidate', 'stable-4.15']), 'beta'],
    ['table', aRow('4.21.1', 'x86_64', ['candidate', 'fast']), 'maintenance'],
    ['table', aRow('4.22.1', 'x86_64', []), 'production'],
    ['assumed', aRow('5.7.1', 'x86_64'), 'production'],
  ])('says where a level comes from: %s', (supportLevelSource, row, supportLevel) => {
    expect(catalogueOf([row]).releases).toMatchObject([{ supportLevel, supportLevelSource }]);
  });

  it.each([
    [{ support_level: 'maintenance' }, 'maintenance', 'static'],
    [{}, 'beta', 'prerelease'],
  ])('a static level wins, and %j is %s', (more, supportLevel, supportLevelSource) => {
    const { releases } = catalogueOf([], {}, [anImage('4.22.0-rc.1', 'x86_64', more)]);
    expect(releases).toMatchObject([{ supportLevel, supportLevelSource }]);
  });

  it('a static release is not beta because of the channels it is in', () => {
    const rows = [aRow('4.22.1', 'x86_64', ['candidate'])];
    expect(catalogueOf(rows, {}, [anImage('4.22.1', 'x86_64')]).releases).toMatchObject([
      { supportLevel: 'production', supportLevelSource: 'table' },
    ]);
  });
});

describe('merging', () => {
  it('S6: a static release replaces the channel release of its version and architecture', () => {
    const images = [anImage('4.14.1', 'x86_64'), anImage('4.14.2', 'x86_64', { default: true })];
    const rows = [aRow('4.14.1', 'x86_64'), aRow('4.14.3', 'x86_64')];
    const { releases } = catalogueOf(rows, PRODUCTION, images);
    expect(releases.map(({ version, origin, default: isDefault }) => [version, origin, isDefault])).toEqual([
      ['4.14.3', 'channel', false],
      ['4.14.2', 'static', true],
      ['4.14.1', 'static', false],
    ]);
  });

  it('S6: and keeps what the channels know of it', () => {
    const withdrawnAt = '2026-11-02T00:00:00Z';
    const row = aRow('4.14.1', 'x86_64', ['stable'], { withdrawnAt });
    const [release] = catalogueOf([row], {}, [anImage('4.14.1', 'x86_64')]).releases;
    expect(release).toMatchObject({
      url: 'registry.example.com/ocp/release:4.14.1-x86_64',
      payload: row.payload,
      channels: ['stable-4.14'],
      withdrawnAt,
    });
  });

  it('S6: but its own digest stays', () => {
    const url = `registry.example.com/ocp/release@sha256:${'a'.repeat(64)}`;
    const [release] = catalogueOf([aRow('4.14.1', 'x86_64')], {}, [
      anImage('4.14.1', 'x86_64', { url }),
    ]).releases;
    expect(release).toMatchObject({ url, payload: url });
  });

  it('S7: disjoint ones are all there', () => {
    const images = [anImage('4.14.1', 'x86_64'), anImage('4.14.2', 'arm64')];
    const rows = [aRow('4.14.1', 'arm64'), aRow('4.14.3', 'x86_64')];
    expect(catalogueOf(rows, {}, images).releases).toHaveLength(4);
  });

  it('S8: multi is named in version, minor and tag, and holds what its source says', () => {
    const config = configOf({
      release_sources: [
        {
          openshift_version: '4.16',
          multi_cpu_architectures: ['s390x', 'aarch64', 'x86_64'],
          upgrade_channels: [{ cpu_architecture: 'multi', channels: ['candidate'] }],
        },
      ],
    });
    const row = aRow('4.16.0-ec.2', 'multi', ['candidate']);
    expect(buildCatalogue({ config, rows: [row], calendar: CALENDAR })).toEqual({
      releases: [
        {
          version: '4.16.0-ec.2-multi',
          upstreamVersion: '4.16.0-ec.2',
          minor: '4.16',
          openshiftVersion: '4.16-multi',
          cpuArchitecture: 'multi',
          cpuArchitectures: ['x86_64', 'arm64', 's390x'],
          url: 'quay.io/openshift-release-dev/ocp-release:4.16.0-ec.2-multi',
          payload: row.payload,
          supportLevel: 'beta',
          supportLevelSource: 'prerelease',
          default: false,
          channels: ['candidate-4.16'],
          origin: 'channel',
        },
      ],
    });
  });

  it.each([
    ['x86_64', '4.14.3-x86_64'],
    ['arm64', '4.14.3-aarch64'],
    ['ppc64le', '4.14.3-ppc64le'],
    ['s390x', '4.14.3-s390x'],
    ['multi', '4.14.3-multi'],
  ])('S8: the tag of %s is %s', (cpu, tag) => {
    expect(catalogueOf([aRow('4.14.3', cpu)]).releases[0]?.url).toBe(
      `quay.io/openshift-release-dev/ocp-release:${tag}`,
    );
  });

  it('S9: a channel gives only releases of its minor', () => {
    const rows = ['4.12.9', '4.13.9', '4.14.9'].map((version) => aRow(version, 'x86_64', ['stable-4.14']));
    expect(Object.keys(levels(catalogueOf(rows)))).toEqual(['4.14.9']);
  });

  it('S14: withdrawn releases stay, with the flag', () => {
    const withdrawnAt = '2026-11-02T00:00:00Z';
    const catalogue = catalogueOf([aRow('4.14.1', 'x86_64', ['stable'], { withdrawnAt })]);
    expect(catalogue.releases).toMatchObject([{ version: '4.14.1', withdrawnAt }]);
  });

  it('S14: a minor, channel or architecture that left the configuration is gone at once', () => {
    const rows = [
      aRow('4.13.1', 'x86_64'),
      aRow('4.14.1', 'arm64'),
      aRow('4.14.2', 's390x'),
      aRow('4.14.3', 'arm64', ['fast', 'candidate']),
      aRow('4.14.4', 'x86_64', ['fast', 'candidate']),
    ];
    const config = configOf({ release_sources: SOURCES_4_14 });
    expect(Object.keys(levels(buildCatalogue({ config, rows, calendar: CALENDAR })))).toEqual([
      '4.14.4',
      '4.14.1',
    ]);
  });

  it('S14: an empty configuration hides nothing', () => {
    const rows = [aRow('4.13.1', 'x86_64'), aRow('4.14.1', 's390x')];
    expect(Object.keys(levels(catalogueOf(rows)))).toEqual(['4.14.1', '4.13.1']);
  });

  it('keeps a pinned release whose minor is not configured', () => {
    const config = configOf({ release_sources: SOURCES_4_14, release_images: [anImage('4.11.2', 'x86_64')] });
    expect(
      buildCatalogue({ config, rows: [aRow('4.11.2', 'x86_64')], calendar: CALENDAR }).releases,
    ).toMatchObject([{ version: '4.11.2', origin: 'static', channels: [] }]);
  });

  it('is in order: newest first, static before channel, x86_64 to multi', () => {
    const rows = [
      ...['multi', 's390x', 'x86_64', 'ppc64le'].map((cpu) => aRow('4.14.10', cpu)),
      aRow('4.14.9', 'x86_64'),
      aRow('5.0.0-ec.1', 'x86_64', ['candidate']),
    ];
    const { releases } = catalogueOf(rows, {}, [anImage('4.14.10', 'arm64')]);
    expect(releases.map((release) => `${release.version}/${release.cpuArchitecture}`)).toEqual([
      '5.0.0-ec.1/x86_64',
      '4.14.10/arm64',
      '4.14.10/x86_64',
      '4.14.10/ppc64le',
      '4.14.10/s390x',
      '4.14.10-multi/multi',
      '4.14.9/x86_64',
    ]);
  });

  it('leaves out a row whose version it cannot read, and changes no input', () => {
    const row = Object.freeze({
      ...aRow('4.14.1', 'x86_64'),
      channels: Object.freeze(['stable-4.14', 'eus-4.14']),
    });
    const rows = Object.freeze([row, { ...row, version: '4.14' }, { ...row, version: '__proto__' }]);
    expect(catalogueOf(rows).releases).toMatchObject([
      { version: '4.14.1', channels: ['eus-4.14', 'stable-4.14'] },
    ]);
  });
});
