import { imageSetName, imageSets, type ImageSetRelease } from '@cairn/shared/path/image-set';
import { type OperatorContent, PLATFORM_ONLY } from '@cairn/shared/path/mirror-list';
import type { Arch } from '@cairn/shared/version/arch';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadImageSet, resolveFiles } from '../../../helpers/path/oc-mirror.ts';
import { sized } from '../../../helpers/size.ts';

const release = (version: string, ...channels: string[]): ImageSetRelease => ({
  version,
  arch: 'amd64',
  channels,
});
const on = (arch: Arch, one: ImageSetRelease): ImageSetRelease => ({ ...one, arch });

/** `stable-4.14 4.14.20 amd64,arm64` of each file. */
function entries(releases: readonly ImageSetRelease[]): string[] {
  return imageSets(releases).files.map(({ file, channel, version, text }, index) => {
    const { architectures, channels } = loadImageSet(text);
    expect(file).toBe(index + 1);
    expect(channels).toEqual([{ name: channel, type: 'ocp', minVersion: version, maxVersion: version }]);
    return `${channel} ${version} ${architectures.join()}`;
  });
}

const platformOnly = PLATFORM_ONLY.notes.map((note) => `# ${note}\n`).join('');

describe('image sets', () => {
  it('are what oc-mirror v2 reads, one file per release in release order', () => {
    const { files, unlisted } = imageSets([
      release('4.15.3', 'stable-4.15'),
      release('4.14.20', 'stable-4.14', 'stable-4.15'),
    ]);
    expect(unlisted).toEqual([]);
    const platform = (version: string, channel: string) => `kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
mirror:
  platform:
    architectures:
      - amd64
    graph: true
    channels:
      - name: ${channel}
        type: ocp
        minVersion: ${version}
        maxVersion: ${version}
`;
    const order = '. Mirror the files in this order\n';
    expect(files).toEqual([
      {
        file: 1,
        channel: 'stable-4.14',
        version: '4.14.20',
        text: `# File 1 of 2: release 4.14.20 from stable-4.14${order}${platformOnly}${platform('4.14.20', 'stable-4.14')}`,
      },
      {
        file: 2,
        channel: 'stable-4.15',
        version: '4.15.3',
        text: `# File 2 of 2: release 4.15.3 from stable-4.15${order}${platform('4.15.3', 'stable-4.15')}`,
      },
    ]);
    expect(files.map(imageSetName)).toEqual(['01-4.14.20.yaml', '02-4.15.3.yaml']);
    expect(imageSets([release('4.14.20', 'stable-4.14')]).files[0]!.text).toMatch(
      /^# File 1 of 1: release 4\.14\.20 from stable-4\.14\n/,
    );
  });

  it('prefer stable, then eus, fast, candidate, and the lower minor', () => {
    const channels = ['candidate-4.14', 'fast-4.14', 'eus-4.14', 'stable-4.15', 'stable-4.9', 'odd'];
    for (const expected of ['stable-4.9', 'stable-4.15', 'eus-4.14', 'fast-4.14', 'candidate-4.14', 'odd']) {
      expect(entries([release('4.14.1', ...channels.toReversed())])).toEqual([`${expected} 4.14.1 amd64`]);
      channels.splice(channels.indexOf(expected), 1);
    }
  });

  it('share a file between architectures only where one channel holds the release on all of them', () => {
    const both = release('4.14.1', 'stable-4.14', 'stable-4.15');
    expect(entries([both, on('arm64', both), both])).toEqual(['stable-4.14 4.14.1 amd64,arm64']);
    // The lower minor gives way.
    expect(entries([both, on('arm64', release('4.14.1', 'stable-4.15'))])).toEqual([
      'stable-4.15 4.14.1 amd64,arm64',
    ]);
    // The better prefix does not.
    expect(
      entries([release('4.14.1', 'stable-4.14', 'fast-4.14'), on('arm64', release('4.14.1', 'fast-4.14'))]),
    ).toEqual(['stable-4.14 4.14.1 amd64', 'fast-4.14 4.14.1 arm64']);
    expect(
      entries([release('4.14.1', 'stable-4.14'), on('multi', release('4.14.1', 'stable-4.15'))]),
    ).toEqual(['stable-4.14 4.14.1 amd64', 'stable-4.15 4.14.1 multi']);
  });

  it('are none for nothing, and none if a release is in no channel', () => {
    expect(imageSets([])).toEqual({ files: [], unlisted: [] });
    const lost = release('4.14.1');
    expect(imageSets([lost, release('4.14.2', 'stable-4.14')])).toEqual({ files: [], unlisted: [lost] });
  });

  it('keep architectures, and explain it from 5.0 on, where oc-mirror reports them as deprecated', () => {
    const textOf = (version: string) => imageSets([release(version, 'candidate-5.0')]).files[0]!.text;
    expect(textOf('5.0.0-ec.1')).toContain(
      '    # Keep architectures, which oc-mirror 2.0 reports as deprecated',
    );
    expect(loadImageSet(textOf('5.0.0-ec.1')).architectures).toEqual(['amd64']);
    // 4.23 is 5.0 by its other name.
    expect(textOf('4.23.1')).toContain('deprecated');
    expect(textOf('4.22.9')).not.toContain('deprecated');
  });

  it('select exactly the releases, whatever channels and releases there are', () => {
    const names = ['stable-4.14', 'eus-4.14', 'fast-4.14', 'stable-4.15', 'candidate-4.15'] as const;
    const arches = ['amd64', 'arm64', 'multi'] as const;
    const held = fc.array(
      fc.record({
        version: fc.constantFrom('4.14.1', '4.14.2', '4.14.3-rc.1', '4.14.3', '4.15.0', '4.15.10'),
        arch: fc.constantFrom(...arches),
        channels: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
        isWanted: fc.boolean(),
      }),
      { maxLength: 14 },
    );
    const payload = (version: string, arch: string) => `${version}/${arch}`;
    fc.assert(
      fc.property(held, (drawn) => {
        const known = [...new Map(drawn.map((each) => [payload(each.version, each.arch), each])).values()];
        const wanted = known.filter(({ isWanted }) => isWanted);
        const { files } = imageSets(wanted);
        const images = resolveFiles(
          files.map(({ text }) => text),
          (channel, arch) => ({
            nodes: known
              .filter((each) => each.arch === arch && each.channels.some((name) => name === channel))
              .map(({ version }) => ({ version, payload: payload(version, arch) })),
            edges: [],
          }),
        );
        expect([...images.values()].flatMap((list) => [...list]).toSorted()).toEqual(
          wanted.map(({ version, arch }) => payload(version, arch)).toSorted(),
        );
      }),
      { numRuns: sized(100, 2000) },
    );
  });
});

describe('operators in an image set', () => {
  const content = (...catalogs: OperatorContent['catalogs'] & {}): OperatorContent => ({
    catalogs,
    notes: ['One thing', 'another\u2028thing\r\nkind: Secret'],
  });
  const RED_HAT = {
    minor: '4.15',
    catalog: 'registry.redhat.io/redhat/redhat-operator-index:v4.15',
    sources: ['openshift-marketplace/redhat-operators'],
    packages: [
      { name: 'cluster-logging', channels: ['4.10', 'stable-5.8'] },
      { name: 'true', channels: [] },
    ],
  };
  const OWN = {
    minor: '4.15',
    catalog: null,
    sources: ['openshift-marketplace/my-own'],
    packages: [{ name: 'mine', channels: ['beta'] }],
  };
  const filesWith = (operators: OperatorContent) =>
    imageSets([release('4.15.3', 'stable-4.15')], operators).files;
  const head = `kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
mirror:
`;

  it('are the last file, each catalog with its packages; unknown images are comments', () => {
    const [platform, operators, ...others] = filesWith(content(RED_HAT, OWN));
    expect(others).toEqual([]);
    expect(platform!.text).toMatch(/^# File 1 of 2: .*\nkind: /);
    expect(platform!.text).not.toContain('operators');
    expect(operators).toEqual({
      file: 2,
      channel: null,
      version: null,
      text: `# File 2 of 2: operators. Mirror the files in this order
# One thing
# another thing kind: Secret
${head}  operators:
    - catalog: registry.redhat.io/redhat/redhat-operator-index:v4.15
      packages:
        - name: "cluster-logging"
          defaultChannel: "stable-5.8"
          channels:
            - name: "4.10"
            - name: "stable-5.8"
        - name: "true"
    # The catalog of openshift-marketplace/my-own for 4.15:
    # - catalog: IMAGE
    #   packages:
    #     - name: "mine"
    #       defaultChannel: "beta"
    #       channels:
    #         - name: "beta"
`,
    });
    expect(imageSetName(operators!)).toBe('02-operators.yaml');
  });

  it('are read by a parser of YAML as they are meant', () => {
    const { text } = filesWith(content(RED_HAT, OWN)).at(-1)!;
    expect(loadImageSet(text).catalogs).toEqual([RED_HAT.catalog]);
    expect(parse(text)).toMatchObject({
      mirror: {
        operators: [
          {
            catalog: RED_HAT.catalog,
            packages: [
              {
                name: 'cluster-logging',
                defaultChannel: 'stable-5.8',
                channels: [{ name: '4.10' }, { name: 'stable-5.8' }],
              },
              { name: 'true' },
            ],
          },
        ],
      },
    });
  });

  it('are what their owner fills in, where no image is known', () => {
    const { text } = filesWith(content(OWN)).at(-1)!;
    expect(loadImageSet(text)).toEqual({ architectures: [], channels: [], catalogs: [] });
    const filledIn = text
      .replace(/^ *# The catalog of .*\n/m, '')
      .replace('IMAGE', 'registry.example/index:v1')
      .replace(/^( {2,})# /gm, '$1');
    expect(parse(filledIn)).toMatchObject({
      mirror: { operators: [{ catalog: 'registry.example/index:v1', packages: [{ name: 'mine' }] }] },
    });
  });

  it('have no file where there are none; their notes are in the first', () => {
    for (const none of [PLATFORM_ONLY, { catalogs: [], notes: ['None'] }]) {
      const [first, second, ...others] = imageSets(
        [release('4.15.3', 'stable-4.15'), release('4.15.4', 'stable-4.15')],
        none,
      ).files;
      expect(others).toEqual([]);
      expect(first!.text).toContain(`order\n${none.notes.map((note) => `# ${note}\n`).join('')}kind: `);
      expect(second!.text).toMatch(/^# File 2 of 2: .*\nkind: /);
    }
  });
});
