import { describe, expect, it } from 'vitest';
import type { ClusterSummary } from '../../../../../functions/console/data/responses.ts';
import {
  archOfCluster,
  fleetRows,
  supportEnd,
  verdictMark,
  pathInWords,
  type FleetOrder,
} from '../../../../../functions/console/fleet/rows.ts';
import { aLine } from './lines.ts';

const FLEET = [
  aLine({ id: 'b', version: '4.9.10', verdict: 'ready' }),
  aLine({ id: 'a', version: '4.14.2', verdict: null }),
  aLine({ id: 'd', version: null, verdict: 'ready' }),
  aLine({ id: 'c', version: '4.14.10', verdict: 'blocked' }),
];
const ids = (by: FleetOrder['by'], descending = false): string =>
  fleetRows(FLEET, { by, descending })
    .map(({ id }) => id)
    .join('');

describe('the rows of the fleet', () => {
  it.each([
    ['id', false, 'abcd'],
    ['id', true, 'dcba'],
    // By number, not by letter; the one without a version comes last either way.
    ['version', false, 'bacd'],
    ['version', true, 'cabd'],
    // As does the one that was not looked at yet.
    ['verdict', false, 'cbda'],
    ['verdict', true, 'bdca'],
  ] as const)('by %s, descending %s', (by, descending, order) => {
    expect(ids(by, descending)).toBe(order);
  });

  it('come by urgency', () => {
    const verdicts = ['ready', 'unknown', 'action-required', 'blocked', 'ready-with-warnings'] as const;
    const rows = fleetRows(
      verdicts.map((verdict) => aLine({ id: verdict, verdict })),
      { by: 'verdict', descending: false },
    );
    expect(rows.map(({ verdict }) => verdict)).toEqual([
      'blocked',
      'unknown',
      'action-required',
      'ready-with-warnings',
      'ready',
    ]);
  });

  it('leave the list as it was', () => {
    ids('id');
    expect(FLEET[0]!.id).toBe('b');
  });
});

it.each([
  [[], 'amd64'],
  [['arm64'], 'arm64'],
  [['amd64', 'arm64'], 'multi'],
  [['riscv'], 'amd64'],
])('nodes of %j run the image for %s', (arches, arch) => {
  expect(archOfCluster({ arches })).toBe(arch);
});

describe('the verdict of a cluster', () => {
  it.each<[Partial<ClusterSummary>, words: string, why: string | null]>([
    [{}, 'Ready', null],
    [{ verdict: 'ready-with-warnings' }, 'Ready with warnings', null],
    [
      { verdict: 'blocked', blockers: ['PoolsReady', 'AdminAcksCompleted'] },
      'Blocked',
      'Blocked by AdminAcksCompleted and PoolsReady',
    ],
    [
      { verdict: 'blocked', blockers: ['APIRemovals'], removedApis: ['a', 'b'] },
      'Blocked',
      'Blocked by APIRemovals. 2 APIs in use are removed on the path',
    ],
    [
      { verdict: 'action-required', removedApis: ['a'] },
      'Action required',
      '1 API in use is removed on the path',
    ],
    [{ verdict: 'blocked', hops: null }, 'No path', null],
    [{ hops: 0 }, 'At its target', null],
    [
      { hops: 0, verdict: 'blocked', blockers: ['NodesHealthy'] },
      'At its target, blocked',
      'Blocked by NodesHealthy',
    ],
    [{ verdict: null, hops: null }, 'Not assessed yet', 'It will be within minutes'],
    // Nobody will ever look at it as it is.
    [{ verdict: null, version: null }, 'Not assessed', 'The report has no version'],
  ])('%j', (changes, words, why) => {
    expect(verdictMark(aLine(changes))).toMatchObject({ words, why });
  });

  it('has its own tone where something is wrong', () => {
    expect(verdictMark(aLine({ verdict: 'blocked', hops: null })).tone).toBe('block');
    expect(verdictMark(aLine({ verdict: 'unknown' })).tone).toBe('cond');
    expect(verdictMark(aLine()).tone).toBe('ok');
    expect(verdictMark(aLine({ verdict: null })).tone).toBe('plain');
  });
});

it.each<[Partial<ClusterSummary>, words: string | null]>([
  [{ hops: 1, expectedMinutes: 90 }, '1 hop, about 90 min'],
  [{ hops: 3, expectedMinutes: 180.4 }, '3 hops, about 3 h'],
  [{ hops: 2, expectedMinutes: null }, '2 hops'],
  [{ hops: 0 }, null],
  [{ hops: null }, null],
])('says how far it is: %j', (changes, words) => {
  expect(pathInWords(aLine(changes))).toBe(words);
});

describe('the end of support', () => {
  it.each<
    [
      end: string | null,
      extended: string | null,
      expected: readonly (string | null)[] | null,
      phase?: 'ended' | 'maintenance',
    ]
  >([
    [null, null, null],
    ['2027-04-21', null, [null, '2027-04-21']],
    // Extended support is not told of before it counts.
    ['2027-04-21', '2028-10-21', [null, '2027-04-21']],
    ['2027-02-16', null, [null, '2027-02-16']],
    ['2027-02-15', null, ['cond Ends in 90 days', '2027-02-15']],
    ['2026-11-18', '2028-02-25', ['cond Ends in 1 day', '2026-11-18']],
    ['2026-11-17', null, ['cond Ends today', '2026-11-17']],
    ['2026-11-16', null, ['block End of life', '2026-11-16'], 'ended'],
    ['2026-08-25', '2028-02-25', ['cond Only if extended', '2028-02-25']],
    ['2025-05-01', '2027-02-15', ['cond Extended ends in 90 days', '2027-02-15']],
    ['2025-05-01', '2026-11-17', ['cond Extended ends today', '2026-11-17']],
    ['2025-05-01', '2026-11-16', ['block End of life', '2026-11-16'], 'ended'],
    ['2025-12-27', '2027-06-27', ['block End of life', '2025-12-27'], 'ended'],
    [null, null, ['block End of life', null], 'ended'],
  ])('%s, extended %s', (supportEnds, extendedSupportEnds, expected, supportPhase = 'maintenance') => {
    const end = supportEnd({ supportEnds, extendedSupportEnds, supportPhase }, '2026-11-17');
    expect(end && [end.mark && `${end.mark.tone} ${end.mark.words}`, end.day]).toEqual(expected);
  });
});
