import type { ClusterSummary } from '../../../../../functions/console/data/responses.ts';

/** A cluster of the list that was looked at and may go on. */
export function aLine(changes: Partial<ClusterSummary> = {}): ClusterSummary {
  return {
    id: 'prod',
    clusterId: null,
    update: null,
    version: '4.14.20',
    updating: false,
    channel: 'stable-4.14',
    nodes: 6,
    arches: ['amd64'],
    pausedPools: 0,
    historyEntries: 1,
    firstSeenAt: '2026-11-01T00:00:00.000Z',
    updatedAt: '2026-11-01T00:00:00.000Z',
    collectedAt: null,
    minor: '4.14',
    verdict: 'ready',
    target: '4.15.7',
    nextHop: { from: '4.14.20', to: '4.15.7', risks: [] },
    hops: 1,
    newerPatch: null,
    blockers: [],
    upcomingBlockers: [],
    removedApis: [],
    unsupportedStops: [],
    expectedMinutes: 90,
    outlookSince: '2026-11-01T00:00:00.000Z',
    supportEnds: null,
    extendedSupportEnds: null,
    supportPhase: null,
    reportAgeSeconds: 0,
    overdue: false,
    ...changes,
  };
}
