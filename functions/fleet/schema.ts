import { FLEET_UPDATE_STATES } from '@cairn/shared/fleet/update-list';
import { SUPPORT_PHASES } from '@cairn/shared/releases/values';
import { CLUSTER_VERDICTS, VERDICTS } from '@cairn/shared/safety/values';
import { DURATION, parseDuration } from '@cairn/shared/text/duration';
import { FORECAST_BASES, INSIGHT_LEVELS, POOL_ROLES, TARGET_KINDS } from '@cairn/shared/update-status/answer';
import * as z from 'zod/mini';
import { summary } from '../clusters/schema.ts';
import {
  text,
  channelList,
  inWords,
  flag,
  oneOf,
  page,
  since,
  Cursor,
  At,
  RiskyUpdate,
} from '../http/schema-fields.ts';
import { lazy, type Output } from '../runtime/lazy.ts';

const LIST_FORMATS = ['json', 'csv'] as const;

const VERDICT = CLUSTER_VERDICTS.join('|');

const overdueAfter = () =>
  z.optional(
    z.string().check(
      z.refine((value) => (parseDuration(value) ?? 0) > 0, {
        error: 'a duration such as 24h or 7d is accepted',
      }),
      z.describe('After how long without a report a cluster is overdue; 24h when not given'),
      z.meta({ pattern: DURATION.source }),
    ),
  );

const partOfId = () =>
  z.optional(text(/^.{1,100}$/, 'a part of an id is accepted', 'Keep those whose id has this in it'));

const minors = (description: string) =>
  z.optional(
    text(
      /^\d{1,2}\.\d{1,3}(,\d{1,2}\.\d{1,3}){0,49}$/,
      'minors such as 4.14 are accepted, with commas between them',
      `${description}. With commas, or repeated`,
    ),
  );

export const clustersQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    name: partOfId(),
    minor: minors('Keep those that run one of these minors'),
    channel: z.optional(channelList('Keep those that follow one of these channels')),
    verdict: z.optional(
      text(
        new RegExp(`^(${VERDICT})(,(${VERDICT})){0,5}$`),
        `${inWords(CLUSTER_VERDICTS)} is accepted`,
        'Keep those with one of these verdicts; `pending` are those that were not looked at yet. With commas, or repeated',
      ),
    ),
    blocker: z.optional(
      text(
        /^[A-Za-z]{1,64}$/,
        'a type of a condition is accepted',
        'Keep those that this condition blocks, now or at a later hop',
      ),
    ),
    overdue: flag('Keep those whose report is overdue; `false` those whose report is not'),
    overdue_after: overdueAfter(),
    format: z.optional(oneOf(LIST_FORMATS, '`csv`: a sheet of up to 10,000 rows; `json` when not given')),
    ...page(),
  }),
);

export type ClustersQuery = Output<typeof clustersQuery>;

export const UPDATES_SINCE = '24h';

const UPDATE_STATE = FLEET_UPDATE_STATES.join('|');

export const fleetUpdatesQuery = /* @__PURE__ */ lazy(() =>
  z.object({
    state: z.optional(
      text(
        new RegExp(`^(${UPDATE_STATE})(,(${UPDATE_STATE})){0,6}$`),
        `${inWords(FLEET_UPDATE_STATES)} is accepted`,
        'Keep those in one of these states. With commas, or repeated',
      ),
    ),
    minor: minors('Keep those that update to one of these minors'),
    name: partOfId(),
    since: since(`Since when completed updates are listed, at most 30 days; ${UPDATES_SINCE} when not given`),
    format: z.optional(oneOf(LIST_FORMATS, '`csv`: a sheet; `json` when not given')),
    ...page(),
  }),
);

export type FleetUpdatesQuery = Output<typeof fleetUpdatesQuery>;

export const fleetSummaryQuery = /* @__PURE__ */ lazy(() => z.object({ overdue_after: overdueAfter() }));

const Day = /* @__PURE__ */ lazy(() => z.nullable(z.string()).check(z.describe('A day, as 2027-04-21')));

const UpdateState = /* @__PURE__ */ lazy(() => z.enum(FLEET_UPDATE_STATES));
const Percent = /* @__PURE__ */ lazy(() =>
  z.nullable(z.int()).check(z.describe('Of the control plane; null if unknown')),
);

const line = /* @__PURE__ */ lazy(() => ({
  ...summary(),
  update: z
    .nullable(z.object({ state: UpdateState(), percent: Percent(), likelyAt: z.nullable(At()) }))
    .check(z.describe('Null without an update under way or completed within a day')),
  minor: z.nullable(z.string()),
  verdict: z
    .nullable(z.enum(VERDICTS))
    .check(z.describe('Whether it may go on to its target; null while it was not looked at yet')),
  target: z.nullable(z.string()).check(z.describe('Where it is going; see the settings of a cluster')),
  nextHop: z.nullable(RiskyUpdate()).check(z.describe('The next update on its way; null when there is none')),
  hops: z
    .nullable(z.int())
    .check(z.describe('How many updates lead to the target; null when there is no way')),
  newerPatch: z
    .nullable(z.string())
    .check(z.describe('The newest release of its minor, when it does not run it')),
  blockers: z
    .array(z.string())
    .check(z.describe('Types of the conditions that block the next minor or the whole path')),
  upcomingBlockers: z
    .array(z.string())
    .check(z.describe('Types of the conditions that will block a later hop to the target')),
  removedApis: z
    .array(z.string())
    .check(
      z.describe(
        'APIs in use that a hop to the target removes; without a setting, at least up to the next EUS minor',
      ),
    ),
  unsupportedStops: z
    .array(z.string())
    .check(z.describe('End-of-life minors that the path stops in; see `StopAtUnsupportedMinor`')),
  expectedMinutes: z.nullable(z.number()).check(z.describe('Of the whole way, without workers')),
  outlookSince: z.nullable(At()).check(z.describe('Since when what lies ahead has been so')),
  supportEnds: Day(),
  extendedSupportEnds: Day(),
  supportPhase: z
    .nullable(z.enum(SUPPORT_PHASES))
    .check(z.describe('Of its minor today; null when it reports no version')),
  reportAgeSeconds: z.int(),
  overdue: z.boolean().check(z.describe('It has not reported for longer than `overdue_after`')),
}));

const FleetCluster = /* @__PURE__ */ lazy(() =>
  z.object(line()).check(z.meta({ id: 'FleetCluster', description: 'A cluster in the list of the fleet' })),
);

export const ClusterPage = /* @__PURE__ */ lazy(() =>
  z
    .object({ clusters: z.array(FleetCluster()), nextCursor: Cursor() })
    .check(z.meta({ id: 'ClusterPage', description: 'Clusters by id' })),
);

const Count = /* @__PURE__ */ lazy(() => z.int());

const Progress = /* @__PURE__ */ lazy(() => ({ updated: Count(), total: Count() }));

const Waiting = /* @__PURE__ */ lazy(() => ({
  draining: Count().check(z.describe('Nodes that drain')),
  stuck: Count().check(z.describe('Nodes that have been in a phase for too long')),
}));

const FleetUpdate = /* @__PURE__ */ lazy(() =>
  z
    .object({
      id: z.string(),
      state: UpdateState(),
      from: z.nullable(z.string()).check(z.describe('Null for an installation')),
      to: z.string(),
      kind: z.enum(TARGET_KINDS),
      percent: Percent(),
      operators: z.object(Progress()),
      nodes: z.object(Progress()),
      pools: z
        .array(
          z.object({
            name: z.string(),
            role: z.enum(POOL_ROLES),
            ...Progress(),
            progressing: Count().check(
              z.describe('Nodes that drain, update or reboot, without degraded ones'),
            ),
            ...Waiting(),
            paused: z.boolean(),
          }),
        )
        .check(z.describe('At most 8')),
      poolsOmitted: Count(),
      ...Waiting(),
      worstLevel: z.nullable(z.enum(INSIGHT_LEVELS)),
      attention: z
        .nullable(
          z.object({
            subject: z.string().check(z.describe('The node, operator or pool that it is about')),
            what: z.string(),
            since: z.nullable(At()),
            detail: z.string(),
            command: z.nullable(z.string()).check(z.describe('A command that tells more')),
          }),
        )
        .check(z.describe('What to look at first; null if nothing needs attention')),
      startedAt: At(),
      lastProgressAt: z.nullable(At()),
      completedAt: z.nullable(At()),
      forecast: z
        .nullable(
          z.object({ likelyAt: At(), earliestAt: At(), latestAt: At(), basis: z.enum(FORECAST_BASES) }),
        )
        .check(z.describe('When the whole update is likely to end')),
      lastReportAt: At(),
    })
    .check(z.meta({ id: 'FleetUpdate', description: 'The update of a cluster, as of its last report' })),
);

const UpdateCounts = /* @__PURE__ */ lazy(() =>
  z.object({
    stalled: Count(),
    silent: Count(),
    slow: Count(),
    held: Count(),
    'control-plane': Count(),
    workers: Count(),
    completed: Count(),
  }),
);

export const FleetUpdates = /* @__PURE__ */ lazy(() =>
  z
    .object({
      clusters: z.array(FleetUpdate()),
      counts: UpdateCounts().check(z.describe('Of all pages and states')),
      forecastError: z
        .nullable(z.object({ runs: Count(), medianPercent: z.number() }))
        .check(
          z.describe(
            'How far the forecasts at the begin were off in the last 100 runs, in percent of their duration; null while nothing is known',
          ),
        ),
      nextCursor: Cursor(),
    })
    .check(z.meta({ id: 'FleetUpdates', description: 'Updates of the fleet, worst first' })),
);

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
        .check(z.describe('Now or at a later hop; the most frequent first')),
      overdue: Count().check(z.describe('Clusters that have not reported for longer than `overdue_after`')),
      updating: Count(),
      updates: UpdateCounts().check(z.describe('As `GET /v1/fleet/updates` counts them')),
      withNewerPatch: Count(),
      unsupported: Count().check(
        z.describe('Clusters whose minor is end of life, with the support terms of the deployment'),
      ),
      oldestReportAt: z.nullable(At()),
      countedAt: z
        .nullable(At())
        .check(z.describe('Above 200 clusters, when the fleet job last counted them; null if counted now')),
    })
    .check(z.meta({ id: 'FleetSummary', description: 'All clusters in numbers' })),
);
