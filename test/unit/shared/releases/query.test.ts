import { type Catalogue, listedReleases } from '@cairn/shared/releases/catalogue';
import { listVersions, type VersionQuery } from '@cairn/shared/releases/query';
import { describe, expect, it } from 'vitest';
import { aRow, anImage, catalogueOf } from '../../../helpers/path/builders.ts';

const ALL = { onlyLatest: false };
const LATEST = { onlyLatest: true };

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
  ])('V5: pattern %j lists %j, newest first', (pattern, expected) => {
    expect(Object.keys(list(catalogueOf(fourRows), [], { pattern, onlyLatest: false }))).toEqual(expected);
  });

  it('V5: the pattern is case-sensitive and sees the suffix of multi', () => {
    const catalogue = catalogueOf([aRow('4.15.0-rc.1', 'multi'), aRow('4.15.0-rc.1', 'arm64')]);
    expect(Object.keys(list(catalogue, [], { ...ALL, pattern: 'RC' }))).toEqual([]);
    expect(Object.keys(list(catalogue, [], { ...ALL, pattern: '-multi' }))).toEqual(['4.15.0-rc.1-multi']);
  });

  it('V6: the latest of each minor, on all its architectures; beta only where there is nothing else', () => {
    const rows = [
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
    const all = ['x86_64', 'arm64', 'ppc64le', 's390x'];
    expect(architectures(list(catalogueOf(rows), [], LATEST))).toEqual({
      '4.14.0-ec.3': ['x86_64'],
      '4.14.0-ec.3-multi': all,
      '4.13.2': ['x86_64', 'arm64'],
      '4.13.2-multi': all,
      '4.12.1': ['x86_64', 'arm64'],
      '4.11.2': ['x86_64'],
      '4.11.2-multi': all,
    });
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
  ])('V7: only the latest and pattern %s is the intersection, %j', (pattern, expected) => {
    expect(Object.keys(list(catalogueOf(fiveRows), [], { pattern, onlyLatest: true }))).toEqual(expected);
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
