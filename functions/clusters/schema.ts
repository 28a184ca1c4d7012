import { REPORTED_KINDS, HISTORY_STATES } from '@cairn/shared/cluster/facts';
import { parseDuration } from '@cairn/shared/text/duration';
import * as z from 'zod/mini';
import { page, Cursor } from '../channels/schema.ts';
import {
  channelList,
  inWords,
  oneOf,
  text,
  TEXT_FORMATS,
  channels,
  names,
  target,
} from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';
import { flag } from '../graph/schema.ts';
import { CLUSTER_VERDICTS, VERDICTS } from '@cairn/shared/safety/values';
import { HISTORY_CLASSES } from '@cairn/shared/prune/history/values';
import { planOptions, timeZone, windows } from '../plans/schema.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const LIST_FORMATS = ['json', 'csv'] as const;
const TIME_ACCEPTED = 'a time such as 2026-11-01T12:00:00Z is accepted';

/** What may be said beside the documents of a cluster. */
export const clusterReport = /* @__PURE__ */ lazy(() =>
  z
    .strictObject({
      collected_at: z.optional(
        z.string({ error: TIME_ACCEPTED }).check(
          z.refine((text) => TIME.test(text) && !Number.isNaN(Date.parse(text)), { error: TIME_ACCEPTED }),
          z.describe('When the documents were collected; now when not given'),
        ),
      ),
      usernames: z.optional(
        z
          .boolean({ error: 'true or false is accepted' })
          .check(z.describe('Keep the names of people who use APIs that go away')),
      ),
      replace: z.optional(
        z
          .boolean({ error: 'true or false is accepted' })
          .check(
            z.describe(
              'Forget the kinds that are not in the documents, and take these even if they are of another cluster',
            ),
          ),
      ),
      unchanged: z.optional(
        z
          .array(oneOf(REPORTED_KINDS, ''), { error: `a list is accepted, of ${REPORTED_KINDS.join(', ')}` })
          .check(
            z.maxLength(REPORTED_KINDS.length),
            z.describe(
              'Kinds that are still as they were last reported and so are not in the documents; best with `If-Match`',
            ),
          ),
      ),
    })
    .check(z.meta({ id: 'ClusterReport' })),
);

const VERDICT = CLUSTER_VERDICTS.join('|');

const overdueAfter = () =>
  z.optional(
    z.string().check(
      z.refine((value) => (parseDuration(value) ?? 0) > 0, {
        error: 'a duration such as 24h or 7d is accepted',
      }),
      z.describe('After how long without a report a cluster is overdue; 24h when not given'),
    ),
  );

export const clustersQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    name: z.optional(text(/^.{1,100}$/, 'a part of an id is accepted', 'Keep those whose id has this in it')),
    minor: z.optional(
      text(
        /^\d{1,2}\.\d{1,3}(,\d{1,2}\.\d{1,3}){0,49}$/,
        'minors such as 4.14 are accepted, with commas between them',
        'Keep those that run one of these minors. With commas, or repeated',
      ),
    ),
    channel: z.optional(channelList('Keep those that follow one of these channels')),
    verdict: z.optional(
      text(
        new RegExp(`^(${VERDICT})(,(${VERDICT})){0,5}$`),
        `${inWords(CLUSTER_VERDICTS)} is accepted`,
        'Keep those with one of these verdicts; `pending` are those that were not looked at yet. With commas, or repeated',
      ),
    ),
    blocker: z.optional(
      text(/^[A-Za-z]{1,64}$/, 'a type of a condition is accepted', 'Keep those that this condition blocks'),
    ),
    overdue: flag('Keep those whose report is overdue; `false` those whose report is not'),
    overdue_after: overdueAfter(),
    format: z.optional(oneOf(LIST_FORMATS, '`csv`: a sheet of up to 10,000 rows; `json` when not given')),
    ...page(),
  }),
);

export type ClustersQuery = Output<typeof clustersQuery>;

export const fleetSummaryQuery = /* @__PURE__ */ lazy(() => z.object({ overdue_after: overdueAfter() }));

export const clusterQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    usernames: flag('Tell who uses APIs that go away, as far as that is stored'),
    digests: flag('Tell a digest of each kind, by which a reporter knows what has changed'),
  }),
);

export const clusterHistoryQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    explain: flag('Tell how each entry ranks: the lowest goes first when there are more than are kept'),
    format: z.optional(oneOf(TEXT_FORMATS, '`json` when not given')),
  }),
);

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

/** What people say of a cluster. */
export const clusterSettings = /* @__PURE__ */ lazy(() => {
  const { policy, strategy } = planOptions();
  return z
    .strictObject({
      target: z.optional(
        target().check(
          z.describe(
            'Where it is to go: a version, a minor or `latest`. When not given, the minor of its channel, or the next minor',
          ),
        ),
      ),
      channel: z.optional(channels('Channels to go by; the best that lead there when not given')),
      accept_risk: z.optional(names('Names of risks that are accepted on the way')),
      accept: z.optional(names('Reasons or types of findings that are accepted')),
      policy,
      strategy,
      windows: z.optional(windows()),
      time_zone: timeZone(),
    })
    .check(z.meta({ id: 'ClusterSettings' }));
});

export type ClusterSettingsRequest = Output<typeof clusterSettings>;
