import { imageSet, type ImageSetRelease } from '@cairn/shared/path/image-set';
import { type OperatorContent, PLATFORM_ONLY } from '@cairn/shared/path/mirror-list';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const release = (version: string, ...channels: string[]): ImageSetRelease => ({
  version,
  arch: 'amd64',
  channels,
});

/** `[['stable-4.14', '4.14.20'], …]` of one file. */
function entries(yaml: string): [string, string][] {
  const pattern = /- name: (\S+)\n\s+type: ocp\n\s+minVersion: (\S+)\n\s+maxVersion: (\S+)\n/g;
  return [...yaml.matchAll(pattern)].map(([, name, min, max]) => {
    expect(min).toBe(max);
    return [name!, min!];
  });
}

const platformOnly = PLATFORM_ONLY.notes.map((note) => `# ${note}\n`).join('');

describe('imageSet', () => {
  it('writes what oc-mirror v2 reads', () => {
    const { files, splitBecause } = imageSet([
      release('4.15.3', 'stable-4.15'),
      release('4.14.20', 'stable-4.14', 'stable-4.15'),
    ]);
    expect(splitBecause).toBeNull();
    expect(files).toEqual([
      {
        name: 'imageset-config.yaml',
        yaml: `${platformOnly}kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
mirror:
  platform:
    architectures:
      - amd64
    graph: true
    channels:
      - name: stable-4.14
        type: ocp
        minVersion: 4.14.20
        maxVersion: 4.14.20
      - name: stable-4.15
        type: ocp
        minVersion: 4.15.3
        maxVersion: 4.15.3
`,
      },
    ]);
  });

  it('gives way where a later release has no other channel', () => {
    const both = imageSet([release('4.14.20', 'stable-4.14', 'eus-4.14'), release('4.14.30', 'stable-4.14')]);
    expect(both.files.map(({ yaml }) => entries(yaml))).toEqual([
      [
        ['eus-4.14', '4.14.20'],
        ['stable-4.14', '4.14.30'],
      ],
    ]);
  });

  it('prefers stable, then eus, fast, candidate, and the lower minor', () => {
    const channels = ['candidate-4.14', 'fast-4.14', 'eus-4.14', 'stable-4.15', 'stable-4.9', 'odd'];
    for (const expected of ['stable-4.9', 'stable-4.15', 'eus-4.14', 'fast-4.14', 'candidate-4.14', 'odd']) {
      const { files } = imageSet([release('4.14.1', ...channels.toReversed())]);
      expect(entries(files[0]!.yaml)).toEqual([[expected, '4.14.1']]);
      channels.splice(channels.indexOf(expected), 1);
    }
  });

  it('writes several files when the releases share too few channels, and says so', () => {
    const { files, splitBecause } = imageSet(
      ['4.14.1', '4.14.2', '4.14.3'].map((version) => release(version, 'stable-4.14')),
    );
    expect(files.map(({ name }) => name)).toEqual([
      'imageset-config-1.yaml',
      'imageset-config-2.yaml',
      'imageset-config-3.yaml',
    ]);
    expect(splitBecause).toContain('once per file');
  });

  it('unites the architectures of one version', () => {
    const { files } = imageSet([
      release('4.14.1', 'stable-4.14'),
      { ...release('4.14.1', 'stable-4.14'), arch: 'arm64' },
    ]);
    expect(files[0]!.yaml).toContain('      - amd64\n      - arm64\n');
    expect(entries(files[0]!.yaml)).toHaveLength(1);
  });

  it('has no file for nothing, and refuses a release that no channel holds', () => {
    expect(imageSet([])).toEqual({ files: [], splitBecause: null });
    expect(() => imageSet([release('4.14.1')])).toThrow('no channel is known for 4.14.1');
  });

  it('names no channel twice in a file, holds every release once and only in its channels, in few files', () => {
    const channel = fc.constantFrom('stable-4.14', 'eus-4.14', 'fast-4.14', 'stable-4.15', 'candidate-4.15');
    const some = fc
      .array(fc.uniqueArray(channel, { minLength: 1 }), { maxLength: 8 })
      .map((sets) => sets.map((channels, patch) => release(`4.14.${patch}`, ...channels)));
    fc.assert(
      fc.property(some, (releases) => {
        const listed = imageSet(releases).files.map(({ yaml }) => entries(yaml));
        for (const file of listed) expect(new Set(file.map(([name]) => name)).size).toBe(file.length);
        expect(
          listed
            .flat()
            .map(([, version]) => version)
            .toSorted(),
        ).toEqual(releases.map(({ version }) => version).toSorted());
        for (const [name, version] of listed.flat()) {
          expect(releases.find((other) => other.version === version)!.channels).toContain(name);
        }
        const first = listed[0]?.length ?? 0;
        expect(first).toBe(largestMatching(releases));
      }),
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
  const yamlWith = (operators: OperatorContent) =>
    imageSet([release('4.15.3', 'stable-4.15')], operators).files[0]!.yaml;
  const platform = `kind: ImageSetConfiguration
apiVersion: mirror.openshift.io/v2alpha1
mirror:
  platform:
    architectures:
      - amd64
    graph: true
    channels:
      - name: stable-4.15
        type: ocp
        minVersion: 4.15.3
        maxVersion: 4.15.3
`;

  it('stand beside the platform, each catalog with its packages; what is not known is a comment', () => {
    expect(yamlWith(content(RED_HAT, OWN))).toBe(`# One thing
# another thing kind: Secret
${platform}  operators:
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
`);
  });

  it('are read by a parser of YAML as they are meant', () => {
    expect(parse(yamlWith(content(RED_HAT, OWN)))).toMatchObject({
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
    const yaml = yamlWith(content(OWN));
    expect(Object.keys((parse(yaml) as { mirror: object }).mirror)).toEqual(['platform']);
    const filledIn = yaml
      .replace(/^ *# The catalog of .*\n/m, '')
      .replace('IMAGE', 'registry.example/index:v1')
      .replace(/^( {2,})# /gm, '$1');
    expect(parse(filledIn)).toMatchObject({
      mirror: { operators: [{ catalog: 'registry.example/index:v1', packages: [{ name: 'mine' }] }] },
    });
  });

  it('are left out where there are none', () => {
    expect(yamlWith({ catalogs: [], notes: [] })).toBe(platform);
    expect(yamlWith(PLATFORM_ONLY)).toBe(`${platformOnly}${platform}`);
  });

  it('stand in the first file only, and the others say so', () => {
    const two = [release('4.15.3', 'stable-4.15'), release('4.15.4', 'stable-4.15')];
    const [first, second] = imageSet(two, content(RED_HAT)).files.map(({ yaml }) => yaml);
    expect(first).toContain('  operators:\n');
    expect(second).toMatch(/^# The operators are in the first file\nkind: ImageSetConfiguration\n/);
    expect(second).not.toContain('operators:');
    for (const none of [PLATFORM_ONLY, { catalogs: [], notes: ['None'] }]) {
      expect(imageSet(two, none).files[1]!.yaml).toMatch(/^kind: /);
    }
  });
});

/** By trying everything. */
function largestMatching(
  [first, ...others]: readonly ImageSetRelease[],
  used: ReadonlySet<string> = new Set(),
): number {
  if (!first) return 0;
  const free = first.channels.filter((channel) => !used.has(channel));
  const taking = free.map((channel) => 1 + largestMatching(others, new Set([...used, channel])));
  return Math.max(largestMatching(others, used), ...taking);
}
