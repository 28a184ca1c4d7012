import { type Catalogue, listedReleases } from '@cairn/shared/releases/catalogue';
import { componentTest, listVersions, type VersionQuery } from '@cairn/shared/releases/query';
import { describe, expect, it } from 'vitest';
import { aRow, anImage, catalogueOf } from '../../../helpers/path/builders.ts';

const ALL = { onlyLatest: false };
const LATEST = { onlyLatest: true };

/** The architectures of some minors do not have the same newest version. */
const LAGGING = [
  aRow('4.11.1', 'x86_64'),
  aRow('4.11.1', 'arm64'),
  aRow('4.11.2', 'x86_64'),
  aRow('4.11.2', 'multi'),
  aRow('4.12.1', 'x86_64'),
  aRow('4.12.1', 'arm64'),
  aRow('4.12.2', 'x86_64', ['candidate']),
  ...['4.13.1', '4.13.2'].flatMap((version) => [
    aRow(version, 'x86_64', ['candidate']),
    aRow(version, 'arm64', ['candidate']),
  ]),
  aRow('4.13.2', 'multi', ['candidate']),
  aRow('4.14.0-ec.2', 'x86_64', ['candidate']),
  aRow('4.14.0-ec.3', 'x86_64', ['candidate']),
  aRow('4.14.0-ec.3', 'multi', ['candidate']),
];

const list = (catalogue: Catalogue, ignored: readonly string[], query: VersionQuery) =>
  listVersions(listedReleases(catalogue, ignored), query);

/** What each name lists: `{'4.11.1': ['x86_64', 'arm64']}`. */
function architectures(listed: ReturnType<typeof listVersions>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(listed).map(([name, entry]) => [name, entry.cpu_architectures]));
}

describe('listVersions', () => {
  it('V1: an empty catalogue lists nothing', () => {
    const listed = list({ releases: [] }, [], ALL);
    expect(JSON.stringify(listed)).toBe('{}');
  });

  it('V2: one entry per version, with every architecture (there is no OS-image gate)', () => {
    const catalogue = catalogueOf([aRow('4.14.11', 'arm64'), aRow('4.14.11', 'x86_64')], {
      '4.14': 'production',
    });
    expect(list(catalogue, [], ALL)).toEqual({
      '4.14.11': {
        display_name: '4.14.11',
        support_level: 'production',
        default: true,
        cpu_architectures: ['x86_64', 'arm64'],
      },
    });
  });

  it('V3: multi is a separate entry', () => {
    const multi = anImage('4.11.1', 'multi', { cpu_architectures: ['x86_64', 'arm64'] });
    const catalogue = catalogueOf([aRow('4.11.1', 'x86_64'), aRow('4.11.1', 'arm64')], {}, [multi]);
    expect(architectures(list(catalogue, [], ALL))).toEqual({
      '4.11.1': ['x86_64', 'arm64'],
      '4.11.1-multi': ['x86_64', 'arm64'],
    });
  });

  it.each(['4.11.1', '4.11.1-multi'])(
    'V4: a multi release written as %s is listed as 4.11.1-multi',
    (version) => {
      const catalogue = catalogueOf([], {}, [anImage(version, 'multi')]);
      expect(architectures(list(catalogue, [], ALL))).toEqual({
        '4.11.1-multi': ['x86_64', 'arm64', 'ppc64le', 's390x'],
      });
    },
  );

  const fourRows = ['4.11.1', '4.11.2', '4.12.2', '4.111.2'].map((version) => aRow(version, 'x86_64'));
  it.each([
    ['4.10', []],
    ['4.', ['4.111.2', '4.12.2', '4.11.2', '4.11.1']],
    ['4.11.', ['4.11.2', '4.11.1']],
    [undefined, ['4.111.2', '4.12.2', '4.11.2', '4.11.1']],
    ['', ['4.111.2', '4.12.2', '4.11.2', '4.11.1']],
    ['4.11.*', []],
    ['.1', ['4.111.2', '4.12.2', '4.11.2', '4.11.1']],
  ])('V5: text %j lists %j, newest first', (pattern, expected) => {
    expect(Object.keys(list(catalogueOf(fourRows), [], { text: pattern, onlyLatest: false }))).toEqual(
      expected,
    );
  });

  it('V5: the text is case-sensitive and sees the suffix of multi', () => {
    const catalogue = catalogueOf([aRow('4.15.0-rc.1', 'multi'), aRow('4.15.0-rc.1', 'arm64')]);
    expect(Object.keys(list(catalogue, [], { ...ALL, text: 'RC' }))).toEqual([]);
    expect(Object.keys(list(catalogue, [], { ...ALL, text: '-multi' }))).toEqual(['4.15.0-rc.1-multi']);
  });

  it('V6: the latest of each minor and architecture; beta only where there is nothing else', () => {
    const all = ['x86_64', 'arm64', 'ppc64le', 's390x'];
    expect(architectures(list(catalogueOf(LAGGING), [], LATEST))).toEqual({
      '4.14.0-ec.3': ['x86_64'],
      '4.14.0-ec.3-multi': all,
      '4.13.2': ['x86_64', 'arm64'],
      '4.13.2-multi': all,
      '4.12.1': ['x86_64', 'arm64'],
      '4.11.2': ['x86_64'],
      '4.11.2-multi': all,
      '4.11.1': ['arm64'],
    });
  });

  it.each([
    ['arm64', ['4.14.0-ec.3-multi', '4.13.2', '4.13.2-multi', '4.12.1', '4.11.2-multi', '4.11.1']],
    ['multi', ['4.14.0-ec.3-multi', '4.13.2-multi', '4.11.2-multi']],
    ['s390x', ['4.14.0-ec.3-multi', '4.13.2-multi', '4.11.2-multi']],
  ] as const)('narrows the latest to %s', (cpuArchitecture, expected) => {
    const listed = list(catalogueOf(LAGGING), [], { ...LATEST, cpuArchitecture });
    expect(Object.keys(listed)).toEqual(expected);
    for (const { cpu_architectures: cpus } of Object.values(listed))
      expect(cpus.length === 4 || cpus.join() === cpuArchitecture).toBe(true);
  });

  it('keeps the default in a narrowed list, and the beta of an architecture that has nothing else', () => {
    const rows = [
      aRow('4.22.1', 'x86_64'),
      aRow('4.22.1', 'arm64'),
      aRow('4.21.2', 'arm64', ['candidate']),
      aRow('4.21.1', 'x86_64'),
    ];
    const narrowed = list(catalogueOf(rows), [], { ...LATEST, cpuArchitecture: 'arm64' });
    expect(narrowed).toMatchObject({
      '4.22.1': { default: true, cpu_architectures: ['arm64'] },
      '4.21.2': { support_level: 'beta' },
    });
    expect(Object.keys(list(catalogueOf(rows), [], LATEST))).toEqual(['4.22.1', '4.21.2', '4.21.1']);
  });

  it('compares the level of each architecture on its own', () => {
    const rows = [
      aRow('4.21.3', 'x86_64', ['candidate']),
      aRow('4.21.3', 'arm64'),
      aRow('4.21.2', 'x86_64'),
      aRow('4.21.2', 'arm64'),
    ];
    expect(architectures(list(catalogueOf(rows), [], LATEST))).toEqual({
      '4.21.3': ['arm64'],
      '4.21.2': ['x86_64'],
    });
  });

  it('is as in assisted-service where all architectures agree', () => {
    const rows = ['4.11.1', '4.11.2', '4.12.0-rc.1'].flatMap((version) =>
      ['x86_64', 'arm64', 'multi'].map((cpu) =>
        aRow(version, cpu, [version.includes('rc') || cpu === 'arm64' ? 'candidate' : 'stable']),
      ),
    );
    expect(JSON.stringify(list(catalogueOf(rows), [], LATEST))).toBe(
      '{"4.12.0-rc.1":{"display_name":"4.12.0-rc.1","support_level":"beta","cpu_architectures":["x86_64","arm64"]},"4.12.0-rc.1-multi":{"display_name":"4.12.0-rc.1-multi","support_level":"beta","cpu_architectures":["x86_64","arm64","ppc64le","s390x"]},"4.11.2":{"display_name":"4.11.2","support_level":"end-of-life","cpu_architectures":["x86_64","arm64"]},"4.11.2-multi":{"display_name":"4.11.2-multi","support_level":"end-of-life","cpu_architectures":["x86_64","arm64","ppc64le","s390x"]}}',
    );
  });

  it.each([
    ['4', '4.1.3 4.12.0-rc.1 4.12.0-rc.10 4.12.0 4.12.10 4.12.10-multi'],
    ['4.1', '4.1.3'],
    ['4.12', '4.12.0-rc.1 4.12.0-rc.10 4.12.0 4.12.10 4.12.10-multi'],
    ['4.12.', '4.12.0-rc.1 4.12.0-rc.10 4.12.0 4.12.10 4.12.10-multi'],
    ['4.12.1', ''],
    ['4.12.10', '4.12.10 4.12.10-multi'],
    ['4.12.0', '4.12.0'],
    ['4.12.0-rc', '4.12.0-rc.1 4.12.0-rc.10'],
    ['4.12.0-rc.1', '4.12.0-rc.1'],
    ['4.12-multi', '4.12.10-multi'],
    ['4.12.0-multi', ''],
    ['14', '14.12.0'],
    ['', '4.1.3 4.12.0-rc.1 4.12.0-rc.10 4.12.0 4.12.10 4.12.10-multi 14.12.0'],
  ])('pattern %j matches %j by component', (pattern, expected) => {
    const all = ['4.1.3', '4.12.0-rc.1', '4.12.0-rc.10', '4.12.0', '4.12.10', '4.12.10-multi', '14.12.0'];
    expect(all.filter(componentTest(pattern)).join(' ')).toBe(expected);
  });

  it('V6: an end-of-life release still beats a beta one', () => {
    const catalogue = catalogueOf([aRow('4.9.1', 'x86_64'), aRow('4.9.2', 'x86_64', ['candidate'])]);
    expect(Object.keys(list(catalogue, [], LATEST))).toEqual(['4.9.1']);
  });

  const fiveRows = ['4.11.1', '4.11.2', '4.12.1', '4.12.2', '4.13.1'].map((version) =>
    aRow(version, 'x86_64'),
  );
  it.each([
    ['4.12', ['4.12.2']],
    ['4', ['4.13.1', '4.12.2', '4.11.2']],
    ['4.14', []],
    ['4.12.1', []],
  ])('V7: only the latest and text %s is the intersection, %j', (pattern, expected) => {
    expect(Object.keys(list(catalogueOf(fiveRows), [], { text: pattern, onlyLatest: true }))).toEqual(
      expected,
    );
  });

  const threeRows = ['4.11.1', '4.11.2', '4.12.1'].map((version) => aRow(version, 'x86_64'));
  it.each([
    [['4.11.1', '4.12.1'], ['4.11.2']],
    [['4.11'], ['4.12.1']],
    [['4.13.1'], ['4.12.1', '4.11.2', '4.11.1']],
    [['>=4.11.2 <4.12.1'], ['4.12.1', '4.11.1']],
    [['~4.11.1', '^4.12.0'], []],
  ])('V8: ignoring %j leaves %j', (ignored, expected) => {
    expect(Object.keys(list(catalogueOf(threeRows), ignored, ALL))).toEqual(expected);
  });

  it('V8: ignoring a version hides its multi release, and lets the one before be the latest', () => {
    const catalogue = catalogueOf(
      ['x86_64', 'multi'].flatMap((cpu) => [aRow('4.16.1', cpu), aRow('4.16.2', cpu)]),
    );
    expect(Object.keys(list(catalogue, ['4.16.2'], LATEST))).toEqual(['4.16.1', '4.16.1-multi']);
  });

  it('V8: a range reaches the pre-releases between its ends', () => {
    const catalogue = catalogueOf(
      ['4.16.0-rc.1', '4.16.0', '4.17.0-ec.1'].map((version) => aRow(version, 'x86_64')),
    );
    expect(Object.keys(list(catalogue, ['>=4.16.0'], ALL))).toEqual(['4.16.0-rc.1']);
  });

  it('keeps the level of the first release of a version: static before channel, then x86_64', () => {
    const rows = [aRow('4.22.1', 'arm64', ['candidate']), aRow('4.22.1', 'x86_64')];
    expect(list(catalogueOf(rows), [], ALL)['4.22.1']?.support_level).toBe('production');
    const pinned = anImage('4.22.1', 'arm64', { support_level: 'maintenance' });
    expect(list(catalogueOf(rows, {}, [pinned]), [], ALL)['4.22.1']).toMatchObject({
      support_level: 'maintenance',
      default: true,
      cpu_architectures: ['x86_64', 'arm64'],
    });
  });

  it('leaves default out where it is not, and lists withdrawn releases unless asked not to', () => {
    const withdrawnAt = '2026-11-02T00:00:00Z';
    const catalogue = catalogueOf([
      aRow('4.22.1', 'x86_64'),
      aRow('4.22.2', 'x86_64', ['stable'], { withdrawnAt }),
    ]);
    expect(Object.keys(list(catalogue, [], LATEST))).toEqual(['4.22.2']);
    expect(list(catalogue, [], LATEST)['4.22.2']).not.toHaveProperty('default');
    expect(Object.keys(list(catalogue, [], { ...LATEST, excludeWithdrawn: true }))).toEqual(['4.22.1']);
  });

  it('takes x86_64 for granted where a source says that multi holds nothing', () => {
    const { releases } = catalogueOf([aRow('4.16.1', 'multi')]);
    const bare = { releases: releases.map((release) => ({ ...release, cpuArchitectures: [] })) };
    expect(architectures(list(bare, [], ALL))).toEqual({ '4.16.1-multi': ['x86_64'] });
  });
});
