import { describe, expect, it } from 'vitest';
import type { ClusterSummary } from '../../../../functions/console/data/answers.ts';
import {
  archOfCluster,
  fleetRows,
  fleetSummary,
  type FleetOrder,
} from '../../../../functions/console/fleet/fleet-rows.ts';
import type { Outlook } from '../../../../functions/console/fleet/outlook.ts';

const cluster = (id: string, version: string | null, more: Partial<ClusterSummary> = {}): ClusterSummary => ({
  id,
  clusterId: null,
  version,
  updating: false,
  channel: 'stable-4.14',
  nodes: 6,
  arches: ['amd64'],
  pausedPools: 0,
  historyEntries: 1,
  firstSeenAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  collectedAt: null,
  minor: null,
  verdict: null,
  target: null,
  nextHop: null,
  hops: null,
  newerPatch: null,
  blockers: [],
  removedApis: [],
  expectedMinutes: null,
  outlookSince: null,
  supportEnds: null,
  extendedSupportEnds: null,
  reportAgeSeconds: 0,
  overdue: false,
  ...more,
});

const outlook = (rank: number): Outlook => ({
  tone: 'ok',
  verdict: '',
  rank,
  isBlocked: rank === 0,
  nextHop: null,
  skew: null,
  findings: [],
  nextStep: '',
});

const FLEET = [
  cluster('b', '4.9.10'),
  cluster('a', '4.14.2', { arches: ['arm64'] }),
  cluster('d', null, { channel: 'eus-4.16' }),
  cluster('c', '4.14.10'),
];
const OUTLOOKS = new Map([
  ['b', outlook(4)],
  ['c', outlook(0)],
  ['d', outlook(4)],
]);
const ids = (find: string, by: FleetOrder['by'], descending = false): string =>
  fleetRows(FLEET, OUTLOOKS, find, { by, descending })
    .map(({ id }) => id)
    .join('');

describe('the rows of the fleet', () => {
  it.each([
    ['id', false, 'abcd'],
    ['id', true, 'dcba'],
    // By number, not by letter; the one without a version comes last either way.
    ['version', false, 'bacd'],
    ['version', true, 'cabd'],
    ['verdict', false, 'cbda'],
    ['verdict', true, 'bdca'],
  ] as const)('by %s, descending %s', (by, descending, order) => {
    expect(ids('', by, descending)).toBe(order);
  });

  it.each([
    ['4.14', 'abc'],
    [' ARM ', 'a'],
    ['eus', 'd'],
    ['nothing', ''],
  ])('that hold %j', (find, found) => {
    expect(ids(find, 'id')).toBe(found);
  });

  it('leaves the list as it was', () => {
    ids('', 'id');
    expect(FLEET[0]!.id).toBe('b');
  });
});

describe('the line above', () => {
  it('counts what is known', () => {
    expect(fleetSummary(FLEET, OUTLOOKS, false)).toBe(
      '4 clusters on 3 versions; 1 blocked, 1 not looked at yet',
    );
    expect(fleetSummary(FLEET.slice(0, 1), OUTLOOKS, false)).toBe('1 cluster on 1 version; 0 blocked');
    expect(fleetSummary(FLEET.slice(0, 1), OUTLOOKS, true)).toBe(
      'The first 1 clusters on 1 version; 0 blocked',
    );
    expect(fleetSummary([cluster('d', null)], OUTLOOKS, false)).toBe('1 cluster; 0 blocked');
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
