import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { Cursor } from '../channels/schema.ts';
import { HISTORY_STATES } from '@cairn/shared/cluster/facts';
import { HISTORY_CLASSES } from '@cairn/shared/prune/history/values';
import { VERDICTS } from '@cairn/shared/safety/values';

const At = /* @__PURE__ */ lazy(() => z.string().check(z.describe('Time in ISO 8601, UTC')));

const summary = /* @__PURE__ */ lazy(() => ({
  id: z.string().check(z.describe('As chosen by who reports it')),
  clusterId: z.nullable(z.string()).check(z.describe('`spec.clusterID` of its ClusterVersion')),
  version: z.nullable(z.string()).check(z.describe('What it runs, or is being updated to')),
  updating: z.boolean().check(z.describe('The update to that version is under way')),
  channel: z.nullable(z.string()),
  nodes: z.nullable(z.int()).check(z.describe('Null when nodes were never reported')),
  arches: z.array(z.string()).check(z.describe('Architectures of its nodes')),
  pausedPools: z.int(),
  historyEntries: z.int().check(z.describe('Updates of its history that are kept')),
  firstSeenAt: At(),
  updatedAt: At().check(z.describe('When it last reported')),
  collectedAt: z
    .nullable(At())
    .check(z.describe('When the oldest of its facts was collected, but for those that never change')),
}));

const Verdict = /* @__PURE__ */ lazy(() => z.enum(VERDICTS));
const Day = /* @__PURE__ */ lazy(() => z.nullable(z.string()).check(z.describe('A day, as 2027-04-21')));

const line = /* @__PURE__ */ lazy(() => ({
  ...summary(),
  minor: z.nullable(z.string()),
  verdict: z
    .nullable(Verdict())
    .check(z.describe('Whether it may go on to its target; null while it was not looked at yet')),
  target: z.nullable(z.string()).check(z.describe('Where it is going; see the settings of a cluster')),
  nextHop: z
    .nullable(z.object({ from: z.string(), to: z.string(), risks: z.array(z.string()) }))
    .check(z.describe('The next update on its way; null when there is none')),
  hops: z
    .nullable(z.int())
    .check(z.describe('How many updates lead to the target; null when there is no way')),
  newerPatch: z
    .nullable(z.string())
    .check(z.describe('The newest release of its minor, when it does not run it')),
  blockers: z.array(z.string()).check(z.describe('Types of the conditions that stand in the way')),
  removedApis: z.array(z.string()).check(z.describe('APIs in use that the next minor takes away')),
  expectedMinutes: z.nullable(z.number()).check(z.describe('Of the whole way, without workers')),
  outlookSince: z.nullable(At()).check(z.describe('Since when what lies ahead has been so')),
  supportEnds: Day(),
  extendedSupportEnds: Day(),
  reportAgeSeconds: z.int(),
  overdue: z.boolean().check(z.describe('It has not reported for longer than `overdue_after`')),
}));

export const ClusterPage = /* @__PURE__ */ lazy(() =>
  z
    .object({ clusters: z.array(z.object(line())), nextCursor: Cursor() })
    .check(z.meta({ id: 'ClusterPage', description: 'Clusters by id' })),
);

const Count = /* @__PURE__ */ lazy(() => z.int());

export const FleetSummary = /* @__PURE__ */ lazy(() =>
  z
    .object({
      clusters: Count(),
      byMinor: z
        .array(z.object({ minor: z.nullable(z.string()), clusters: Count() }))
        .check(z.describe('The newest first; null for those that do not say what they run')),
      byVerdict: z
        .object({
          ready: Count(),
          'ready-with-warnings': Count(),
          'action-required': Count(),
          blocked: Count(),
          unknown: Count(),
          pending: Count(),
        })
        .check(z.describe('`pending` are those that were not looked at yet')),
      byBlocker: z
        .array(z.object({ blocker: z.string(), clusters: Count() }))
        .check(z.describe('The most frequent first')),
      overdue: Count().check(z.describe('Clusters that have not reported for longer than `overdue_after`')),
      updating: Count(),
      withNewerPatch: Count(),
      unsupported: Count().check(
        z.describe('Clusters whose minor gets no more fixes, with whatever is bought'),
      ),
      oldestReportAt: z.nullable(At()),
    })
    .check(z.meta({ id: 'FleetSummary', description: 'All clusters in numbers' })),
);

const Names = /* @__PURE__ */ lazy(() => z.array(z.string()));

export const ClusterDetail = /* @__PURE__ */ lazy(() =>
  z
    .object({
      ...summary(),
      collected: z
        .record(z.string(), At())
        .check(z.describe('When each kind of facts was last collected, of those that were ever reported')),
      platform: z.nullable(z.string()),
      controlPlaneTopology: z.nullable(z.string()),
      networkType: z.nullable(z.string()),
      kubelets: z
        .array(z.object({ version: z.string(), nodes: z.int() }))
        .check(z.describe('The most frequent version first')),
      pools: z
        .nullable(
          z.array(
            z.object({
              name: z.string(),
              paused: z.boolean(),
              pausedSince: z.nullable(At()).check(z.describe('When it was first seen paused')),
              machines: z.object({
                total: z.int(),
                updated: z.int(),
                ready: z.int(),
                unavailable: z.int(),
                degraded: z.int(),
              }),
            }),
          ),
        )
        .check(z.describe('MachineConfigPools; null, as of all kinds below, when never reported')),
      clusterOperators: z.nullable(
        z.object({ total: z.int(), unavailable: Names(), degraded: Names(), notUpgradeable: Names() }),
      ),
      operators: z.nullable(z.int()).check(z.describe('Operators installed beside the release')),
      subscriptions: z
        .nullable(z.int())
        .check(z.describe('Subscriptions, which keep operators installed from a catalog')),
      apisGoingAway: z.nullable(
        z.array(
          z.object({
            name: z.string(),
            removedInRelease: z.nullable(z.string()),
            requests: z.int().check(z.describe('In 24 hours')),
            users: z.optional(
              z
                .array(z.object({ username: z.string(), userAgent: z.string(), requests: z.int() }))
                .check(z.describe('Only when asked for; the busiest first, at most 100')),
            ),
          }),
        ),
      ),
      pods: z.nullable(z.int()).check(z.describe('Pods that a drain moves')),
      digests: z.optional(
        z
          .record(z.string(), z.string())
          .check(z.describe('Only when asked for; of each kind that was reported, but for the history')),
      ),
    })
    .check(z.meta({ id: 'ClusterDetail', description: 'What is known of a cluster' })),
);

const release = /* @__PURE__ */ lazy(() => ({
  state: z.enum(HISTORY_STATES),
  version: z.string().check(z.describe('Empty for an image without a version')),
  image: z.string(),
  startedTime: z.nullable(z.string()),
}));
const HistoryClass = /* @__PURE__ */ lazy(() =>
  z
    .enum(HISTORY_CLASSES)
    .check(z.describe('What it is to the history; `minor-edge` is the first or last completed of a minor')),
);
const Rank = /* @__PURE__ */ lazy(() => z.number().check(z.describe('The lowest goes first')));

export const ClusterHistory = /* @__PURE__ */ lazy(() =>
  z
    .object({
      id: z.string(),
      limit: z.int().check(z.describe('How many are kept')),
      entries: z
        .array(
          z.object({
            index: z.int(),
            ...release(),
            completionTime: z
              .nullable(z.string())
              .check(z.describe('Of a partial update, when the next one began')),
            verified: z.boolean(),
            acceptedRisks: z.string(),
            removedAfter: z
              .int()
              .check(z.describe('How many are known to be removed between it and the next older one')),
            rank: z.optional(Rank()),
            class: z.optional(HistoryClass()),
            reason: z.optional(z.string()),
            terms: z.optional(
              z
                .array(z.object({ name: z.string(), weight: z.number(), counted: z.boolean() }))
                .check(z.describe('What holds for it; of the criteria only the first counts')),
            ),
          }),
        )
        .check(z.describe('Newest first; ranks only when asked for')),
      removed: z.object({
        total: z.int(),
        recent: z
          .array(
            z.object({
              ...release(),
              removedAt: At(),
              rank: Rank(),
              class: HistoryClass(),
              reason: z.string(),
            }),
          )
          .check(z.describe('The last 200, the newest removal first')),
      }),
    })
    .check(z.meta({ id: 'ClusterHistory', description: 'The updates of a cluster' })),
);
