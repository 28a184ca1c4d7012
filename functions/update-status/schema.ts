import {
  CONTROL_PLANE_ASSESSMENTS,
  FORECAST_BASES,
  INSIGHT_IMPACTS,
  INSIGHT_LEVELS,
  INSIGHT_ORIGINS,
  INSIGHT_SCOPES,
  INSIGHT_TYPES,
  NODE_ASSESSMENTS,
  NODE_PHASES,
  POOL_ASSESSMENTS,
  POOL_ROLES,
  REGRESSED_KINDS,
  REMAINING_BASES,
  RUN_STATES,
  STALLED_REASONS,
  TARGET_KINDS,
  UPDATE_STATES,
} from '@cairn/shared/update-status/answer';
import * as z from 'zod/mini';
import { moment } from '../documents/schema.ts';
import { bodyObject } from '../http/aliases.ts';
import { At, oneOf } from '../http/schema-fields.ts';
import { lazy } from '../runtime/lazy.ts';

/** The first is the default. */
export const STATUS_FORMATS = ['json', 'text', 'markdown'] as const;
export const STATUS_DETAILS = ['none', 'operators', 'nodes', 'health', 'all'] as const;
export type StatusDetails = (typeof STATUS_DETAILS)[number];

const fields = () => ({
  at: moment('Moment of the assessment, at most 24 hours ahead; now when not given'),
  format: z.optional(oneOf(STATUS_FORMATS, '`json` when not given')),
  details: z.optional(
    oneOf(
      STATUS_DETAILS,
      'Of text and Markdown: `operators` adds the updating operators, `nodes` all nodes, `health` the descriptions of insights; `none` when not given',
    ),
  ),
});

export const updateStatusQuery = /* @__PURE__ */ lazy(() => z.strictObject(fields()));
export const clusterUpdateStatusQuery = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    ...fields(),
    at: moment(
      'Moment of the assessment, from the first report of the last update to 24 hours ahead. A moment before the last report is judged by the reports up to then. When not given, now, but at most 10 minutes after the last report',
    ),
  }),
);
export const updateStatusBody = /* @__PURE__ */ lazy(() => bodyObject(fields()));

const textOrNull = /* @__PURE__ */ lazy(() => z.nullable(z.string()));
const timeOrNull = /* @__PURE__ */ lazy(() => z.nullable(At()));
const names = /* @__PURE__ */ lazy(() => z.array(z.string()));
const Percent = /* @__PURE__ */ lazy(() =>
  z.nullable(z.int()).check(z.describe('Halves are rounded to even; null if there is nothing to count')),
);

const Target = /* @__PURE__ */ lazy(() =>
  z.object({
    version: z.string(),
    previous: textOrNull().check(z.describe('Null for an installation')),
    kind: z.enum(TARGET_KINDS),
    previousIncomplete: z.boolean(),
    text: z.string(),
  }),
);

const Remaining = /* @__PURE__ */ lazy(() =>
  z.object({
    seconds: z.int().check(z.describe('Heuristic; negative if the update is late')),
    text: textOrNull(),
    estimatedTotalSeconds: z.int(),
    basis: z
      .enum(REMAINING_BASES)
      .check(
        z.describe(
          '`progress`: projected from the updated operators; `baseline`: a former update, or one hour',
        ),
      ),
  }),
);

const ControlPlane = /* @__PURE__ */ lazy(() =>
  z.object({
    assessment: z.enum(CONTROL_PLANE_ASSESSMENTS),
    completion: z.object({
      percent: Percent(),
      updated: z.int(),
      updating: z.int(),
      waiting: z.int(),
      total: z.int(),
      uncertain: z
        .boolean()
        .check(
          z.describe('A migration to multi-arch runs, and the Deployment that shows its end was not sent'),
        ),
    }),
    durationSeconds: z.int(),
    duration: z.string(),
    completedAt: timeOrNull().check(z.describe('Null until the history of the ClusterVersion has it')),
    remaining: z.nullable(Remaining()),
    health: z.object({ healthy: z.int(), unavailable: z.int(), degraded: z.int() }),
    updatingOperators: z.array(
      z.object({ name: z.string(), since: timeOrNull(), reason: textOrNull(), message: z.string() }),
    ),
    waitingOperators: names(),
    unavailableOperators: names(),
    degradedOperators: names(),
  }),
);

const Node = /* @__PURE__ */ lazy(() =>
  z.object({
    name: z.string(),
    assessment: z.enum(NODE_ASSESSMENTS),
    phase: z.enum(NODE_PHASES),
    version: textOrNull().check(z.describe('Null if the release of its MachineConfig is not known')),
    estimate: z.string().check(z.describe('Fixed for each phase, not measured')),
    message: z.string(),
    phaseSince: timeOrNull().check(z.describe('Known only of a cluster that reports')),
    unavailable: z.boolean(),
    degraded: z.boolean(),
    stuck: z.boolean().check(z.describe('Known only of a cluster that reports')),
  }),
);

const Pool = /* @__PURE__ */ lazy(() =>
  z.object({
    name: z.string(),
    role: z.enum(POOL_ROLES),
    assessment: z.enum(POOL_ASSESSMENTS),
    paused: z.boolean(),
    pausedSince: timeOrNull().check(z.describe('Known only of a cluster that reports')),
    maxUnavailable: z.union([z.int(), z.string()]),
    completion: z.object({ percent: Percent() }),
    counts: z.object({
      total: z.int(),
      updated: z.int(),
      outdated: z.int(),
      available: z.int(),
      progressing: z.int(),
      draining: z.int(),
      excluded: z.int(),
      degraded: z.int(),
    }),
    lastProgressAt: timeOrNull().check(z.describe('Known only of a cluster that reports')),
    nodes: z.array(Node()),
  }),
);

const Insight = /* @__PURE__ */ lazy(() =>
  z.object({
    origin: z
      .enum(INSIGHT_ORIGINS)
      .check(z.describe('`oc`: as `oc adm upgrade status` shows it; `cairn`: only Cairn has it')),
    type: z.enum(INSIGHT_TYPES),
    level: z.enum(INSIGHT_LEVELS),
    impact: z.enum(INSIGHT_IMPACTS),
    scope: z.nullable(z.enum(INSIGHT_SCOPES)).check(z.describe('Null for the whole update')),
    since: timeOrNull(),
    message: z.string(),
    description: z.string(),
    reason: textOrNull(),
    reference: textOrNull().check(
      z.describe(
        'Address of the runbook; else the page of the documentation, such as `docs/reference/update-status.md#nodestuck`; null for alerts without a runbook',
      ),
    ),
    resources: z.array(
      z.object({ group: z.string(), kind: z.string(), namespace: textOrNull(), name: z.string() }),
    ),
    previous: z.optional(z.string()),
    lastCompleted: z.optional(z.string()),
  }),
);

const Forecast = /* @__PURE__ */ lazy(() =>
  z.object({
    likelyAt: At(),
    earliestAt: At(),
    latestAt: At(),
    basis: z
      .enum(FORECAST_BASES)
      .check(
        z.describe(
          '`own`: former updates of the cluster; `fleet`: updates of other clusters; `progress`: updated operators; `nodes`: nodes of this update; `model`: usual durations',
        ),
      ),
    samples: z.int().check(z.describe('Past durations behind it')),
    restsOn: z.string().check(z.describe('`basis` in words')),
    overdueSeconds: z.int().check(z.describe('How long the likely end has passed')),
  }),
);
const Forecasts = /* @__PURE__ */ lazy(() =>
  z.object({
    controlPlane: z.nullable(Forecast()),
    workers: z.nullable(Forecast()),
    whole: z.nullable(Forecast()),
    heldNodes: z.int().check(z.describe('Outdated nodes of paused pools')),
  }),
);

const Run = /* @__PURE__ */ lazy(() =>
  z
    .object({
      startedAt: At(),
      controlPlaneCompletedAt: timeOrNull(),
      lastProgressAt: timeOrNull().check(
        z.describe('When an operator or node last reached something for the first time'),
      ),
      completedAt: timeOrNull(),
      stalled: z.array(
        z.object({ reason: z.enum(STALLED_REASONS), pool: textOrNull(), since: timeOrNull() }),
      ),
      reports: z.int().check(z.describe('Reports of the update that count; at most 300')),
      points: z
        .array(z.object({ at: At(), operators: z.int(), nodes: z.int() }))
        .check(z.describe('Updated operators and nodes over time, the oldest first; at most 200 points')),
      regressed: z
        .array(z.object({ kind: z.enum(REGRESSED_KINDS), name: z.string() }))
        .check(z.describe('Operators and nodes that went back to an earlier state')),
      clockSkewSeconds: z
        .int()
        .check(z.describe('How far the clock of the cluster is ahead; 0 up to 10 minutes')),
    })
    .check(z.describe('What the reports of the update prove together')),
);

const minutesOrNull = /* @__PURE__ */ lazy(() => z.nullable(z.number()));

const MadeForecast = /* @__PURE__ */ lazy(() =>
  z.nullable(
    z.object({
      at: At(),
      controlPlaneAt: timeOrNull(),
      wholeAt: timeOrNull(),
      minutesLate: z
        .object({ controlPlane: minutesOrNull(), whole: minutesOrNull() })
        .check(z.describe('How much later the end was; negative if it was earlier, null before the end')),
    }),
  ),
);

export const ClusterUpdates = /* @__PURE__ */ lazy(() =>
  z
    .object({
      id: z.string(),
      updates: z.array(
        z.object({
          version: z.string(),
          previous: textOrNull().check(z.describe('Null for an installation')),
          kind: z.enum(TARGET_KINDS),
          state: z.enum(RUN_STATES).check(z.describe('`superseded`: another update replaced it')),
          startedAt: At(),
          controlPlaneCompletedAt: timeOrNull(),
          completedAt: timeOrNull().check(z.describe('First report without an outdated node')),
          minutes: z.object({ controlPlane: minutesOrNull(), whole: minutesOrNull() }),
          pools: z.array(
            z.object({
              name: z.string(),
              nodes: z.int(),
              startedAt: timeOrNull().check(z.describe('First report with a node that began')),
              completedAt: timeOrNull(),
              minutes: minutesOrNull(),
              minutesPerNode: minutesOrNull().check(z.describe('Median, from drain to end')),
            }),
          ),
          slowestOperators: z.array(z.object({ name: z.string(), minutes: z.number() })),
          slowestNodes: z.array(z.object({ pool: z.string(), name: z.string(), minutes: z.number() })),
          stalls: z
            .array(
              z.object({
                reason: z.string(),
                pool: textOrNull(),
                since: At(),
                until: At(),
                minutes: z.number(),
              }),
            )
            .check(z.describe('Times without progress of an operator or node')),
          forecasts: z
            .object({ begin: MadeForecast(), half: MadeForecast() })
            .check(
              z.describe(
                'By the first report of the update, and by the first with half of its operators updated',
              ),
            ),
          reports: z.int(),
        }),
      ),
    })
    .check(z.meta({ id: 'ClusterUpdates', description: 'Updates of a cluster, newest first' })),
);

export const UpdateStatusAnswer = /* @__PURE__ */ lazy(() =>
  z
    .object({
      at: At(),
      cluster: textOrNull().check(z.describe('Null for documents that were sent')),
      collectedAt: At(),
      updating: z.boolean(),
      state: z.enum(UPDATE_STATES),
      summary: z.string().check(z.describe('One line for people')),
      startedAt: timeOrNull(),
      target: z.nullable(Target()).check(z.describe('Null if no update is in progress, like `controlPlane`')),
      controlPlane: z.nullable(ControlPlane()),
      forecast: z
        .nullable(Forecasts())
        .check(z.describe('When the update is likely to end; null without one')),
      pools: z.array(Pool()),
      nodesWithoutPool: z.int(),
      nodesOmitted: z
        .int()
        .check(z.describe('Nodes that do not fit into the response; completed ones are left out first')),
      insights: z.array(Insight()).check(z.describe('Worst first, then the latest')),
      run: z.nullable(Run()).check(z.describe('Null without an update, and for documents that were sent')),
      missing: names().check(
        z.describe('Resources that were not sent; `times` if transition times are missing or wrong'),
      ),
    })
    .check(z.meta({ id: 'UpdateStatus', description: 'Progress of an update at one moment' })),
);
