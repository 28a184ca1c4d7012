import {
  BASES,
  CALIBRATION_SOURCES,
  STEP_KINDS,
  STEP_PLACES,
  POOL_KINDS,
  ROLL_REASONS,
  FITS,
} from '@cairn/shared/plan/values';
import {
  SKEW_POLICIES,
  STRATEGIES,
  CONDITION_STATUSES,
  EFFECTS,
  NOTE_EFFECTS,
  ORIGINS,
  HOP_VERDICTS,
  VERDICTS,
} from '@cairn/shared/safety/values';
import { UPDATE_TYPES } from '@cairn/shared/version/release-line';
import * as z from 'zod/mini';
import { ReadInput } from '../documents/schema.ts';
import { At, riskAnswer } from '../http/schema-fields.ts';
import { MirrorEntries, PathAnswer } from '../paths/schema.ts';
import { lazy } from '../runtime/lazy.ts';
import { Rescheduling } from './rescheduling-schema.ts';

const texts = /* @__PURE__ */ lazy(() => z.array(z.string()));
const textOrNull = /* @__PURE__ */ lazy(() => z.nullable(z.string()));
const Minutes = /* @__PURE__ */ lazy(() => ({ min: z.int(), expected: z.int(), max: z.int() }));

const Condition = /* @__PURE__ */ lazy(() =>
  z
    .object({
      type: z.string(),
      status: z.enum(CONDITION_STATUSES).check(z.describe('`True`: nothing stands against the hop')),
      reason: z.string(),
      title: z.string().check(z.describe('For people; programs use `type` and `reason`')),
      message: z.string(),
      effect: z
        .enum(EFFECTS)
        .check(z.describe('`inform`: will stand in the way when the cluster gets there')),
      origin: z.enum(ORIGINS),
      objects: z.optional(
        z.array(
          z.object({
            kind: z.string(),
            namespace: z.optional(z.string()),
            name: z.string(),
            detail: z.optional(z.record(z.string(), z.unknown())),
          }),
        ),
      ),
      remediation: z.optional(texts()),
      since: z.optional(At()),
      url: z.optional(z.string()),
      accepted: z.optional(z.literal(true)),
      docs: z.string().check(z.describe('Where the type is explained')),
    })
    .check(z.meta({ id: 'Condition', description: 'What a check has to say of a hop' })),
);

const PoolHop = /* @__PURE__ */ lazy(() => ({
  hop: z.int(),
  kubeletsBefore: z.array(z.int()),
  kubeletsAfter: z.array(z.int()),
  lag: z.nullable(z.int()),
  limit: z.nullable(z.int()),
  isWithinLimit: z.nullable(z.boolean()),
}));

const HopDuration = /* @__PURE__ */ lazy(() =>
  z
    .object({ ...Minutes(), serialNetwork: z.boolean() })
    .check(z.meta({ id: 'HopDuration', description: 'Minutes of a hop' })),
);

const PlannedHop = /* @__PURE__ */ lazy(() =>
  z
    .object({
      index: z.int(),
      from: z.string(),
      to: z.string(),
      updateType: z.enum(UPDATE_TYPES),
      kubeFrom: z.string(),
      kubeTo: z.string(),
      minorDistance: z.int().check(z.describe('Minors from where the cluster is now')),
      verdict: z.enum(HOP_VERDICTS),
      conditions: z.array(Condition()),
      risks: z
        .array(
          z
            .object({ name: z.string(), url: z.string(), message: z.string(), ...riskAnswer() })
            .check(z.meta({ id: 'HopRisk', description: 'A risk of a hop, and whether it applies' })),
        )
        .check(z.describe('Known risks, by name; empty for a recommended update')),
      upgradeable: Condition(),
      pools: z.array(z.object({ pool: textOrNull(), ...PoolHop() })),
      duration: z.nullable(HopDuration()),
    })
    .check(z.meta({ id: 'PlannedHop', description: 'A step of the way, and whether it is safe' })),
);

const PlanStep = /* @__PURE__ */ lazy(() =>
  z
    .object({
      id: z.string().check(z.describe('Position and kind, unique in the plan')),
      kind: z.enum(STEP_KINDS),
      hop: z.nullable(z.int()).check(z.describe('Index of the hop; null after the last hop')),
      text: z.string(),
      command: z.optional(z.string()),
      commands: z.optional(
        z
          .array(z.string())
          .check(z.describe('In order, if there are several. Lines that begin with `#` are comments')),
      ),
      objects: z.optional(
        z
          .array(z.object({ kind: z.string(), namespace: z.optional(z.string()), name: z.string() }))
          .check(z.describe('Objects of the cluster that it is about')),
      ),
      resolves: z.optional(
        z
          .array(z.object({ type: z.string(), reason: z.string() }))
          .check(z.describe('Conditions that it resolves')),
      ),
      blocking: z.boolean().check(z.describe('The plan cannot go on without it')),
      timeoutMinutes: z.optional(z.int().check(z.describe('A wait that takes longer has failed'))),
      where: z.optional(z.enum(STEP_PLACES)),
    })
    .check(z.meta({ id: 'PlanStep', description: 'An instruction of a run sheet' })),
);

const Notes = /* @__PURE__ */ lazy(() =>
  z.array(z.object({ type: z.string(), effect: z.enum(NOTE_EFFECTS), text: z.string() })),
);

const PlannedPool = /* @__PURE__ */ lazy(() =>
  z
    .object({
      pool: textOrNull().check(z.describe('Null for nodes that no pool manages')),
      kind: z.enum(POOL_KINDS),
      nodes: z.nullable(z.int()),
      paused: z.boolean(),
      staysBehind: z.boolean(),
      rolls: z.array(
        z.object({
          version: z.string(),
          beforeHop: z.nullable(z.int()),
          reason: z.enum(ROLL_REASONS),
          text: z.string(),
        }),
      ),
      rebootsSaved: z.int(),
      hops: z.array(z.object(PoolHop())),
      assumed: z.boolean(),
      unreadableNodes: texts(),
    })
    .check(
      z.meta({ id: 'PlannedPool', description: 'Where the machines of a pool are rebooted on the way' }),
    ),
);

const PastUpdates = /* @__PURE__ */ lazy(() =>
  z.array(
    z
      .object({ version: z.string(), minutes: z.number(), ratio: z.number() })
      .check(
        z.meta({ id: 'PastUpdate', description: 'A former update of the cluster, as a basis of estimates' }),
      ),
  ),
);

const Duration = /* @__PURE__ */ lazy(() =>
  z
    .union([
      z
        .strictObject({
          total: z.object({ ...Minutes(), worst: z.int() }),
          hops: z.array(HopDuration()),
          calibration: z.object({
            scale: z.number(),
            source: z.enum(CALIBRATION_SOURCES),
            samples: PastUpdates(),
            outliers: PastUpdates(),
          }),
          assumptions: texts(),
          excludes: texts(),
        })
        .check(z.meta({ id: 'KnownPlanDuration', description: 'Estimated duration of an upgrade' })),
      z
        .strictObject({ total: z.null(), reason: z.string() })
        .check(
          z.meta({ id: 'UnknownPlanDuration', description: 'The reason why the duration is not known' }),
        ),
    ])
    .check(z.meta({ id: 'PlanDuration', description: 'Minutes until the control plane is updated' })),
);

const minutesOrNull = /* @__PURE__ */ lazy(() => z.nullable(z.int()));
const LocalTime = /* @__PURE__ */ lazy(() =>
  z.string().check(z.describe('Local time in ISO 8601, with its offset')),
);
const DatedWindow = /* @__PURE__ */ lazy(() =>
  z
    .object({
      start: LocalTime(),
      end: z.nullable(LocalTime()).check(z.describe('Null when the windows never close')),
      minutes: minutesOrNull().check(
        z.describe('How long it is open, also when clocks are changed meanwhile'),
      ),
    })
    .check(z.meta({ id: 'DatedWindow', description: 'A maintenance window on a date' })),
);

const HopWindow = /* @__PURE__ */ lazy(() =>
  z
    .object({
      index: z.int(),
      from: z.string(),
      to: z.string(),
      minutes: z
        .object({
          workersBefore: minutesOrNull(),
          controlPlane: minutesOrNull(),
          workersAfter: minutesOrNull(),
          total: minutesOrNull(),
        })
        .check(z.describe('At most; null for what is not known')),
      fit: z
        .enum(FITS)
        .check(
          z.describe(
            '`control-plane`: all but the workers that follow it; `waiting`: for a hop before it that has no end',
          ),
        ),
      window: z.nullable(DatedWindow()),
      startsAt: z.nullable(LocalTime()).check(z.describe('The first moment at which it may be begun')),
      endsAt: z.nullable(LocalTime()).check(z.describe('When it is done at the latest')),
      leaves: minutesOrNull().check(z.describe('Minutes of the window that are left then')),
      longest: z
        .nullable(DatedWindow())
        .check(z.describe('The longest window for a hop that does not fit whole')),
      missing: minutesOrNull().check(z.describe('Minutes that the longest window is too short by')),
      text: z.string(),
    })
    .check(z.meta({ id: 'HopWindow', description: 'The window of a hop, by the longest that it may take' })),
);

const PlanWindows = /* @__PURE__ */ lazy(() =>
  z
    .object({
      timeZone: z.string(),
      weekly: z.array(
        z.object({
          day: z.string(),
          start: z.string(),
          end: z.string(),
        }),
      ),
      hops: z.array(HopWindow()),
      finishesAt: z
        .nullable(LocalTime())
        .check(z.describe('When all is done at the latest, if that is known')),
      summary: z.string(),
    })
    .check(z.meta({ id: 'PlanWindows', description: 'Which hops fit in which maintenance window' })),
);

const MirrorOperators = /* @__PURE__ */ lazy(() =>
  z
    .object({
      catalogs: z
        .nullable(
          z.array(
            z.object({
              minor: z.string(),
              catalog: textOrNull().check(z.describe('The index image; null for a catalog of your own')),
              sources: texts().check(
                z.describe('The CatalogSources and ClusterCatalogs that the packages come from'),
              ),
              packages: z.array(
                z.object({
                  name: z.string(),
                  channels: texts().check(z.describe('None where the channel is not known')),
                }),
              ),
            }),
          ),
        )
        .check(z.describe('By minor; null when neither Subscriptions nor ClusterServiceVersions are known')),
      notes: texts().check(z.describe('What was left out, what is assumed, and what to do about it')),
    })
    .check(
      z.meta({
        id: 'MirrorOperators',
        description: 'What a disconnected cluster needs of operators, beside `mirror`',
      }),
    ),
);

const PlanInput = /* @__PURE__ */ lazy(() =>
  z
    .object({
      ...z.partial(z.object(ReadInput().shape)).shape,
      missing: z
        .array(
          z.object({
            kind: z.string().check(z.describe('Kinds that the command prints, joined by commas')),
            command: z.string(),
            decides: texts().check(
              z.describe('Condition types, reasons and admin gates that the document decides'),
            ),
          }),
        )
        .check(z.describe('Documents that were not sent, or that the reporter may not read')),
    })
    .check(
      z.meta({ id: 'PlanInput', description: 'Documents of a plan. Only `missing` for a stored cluster' }),
    ),
);

export const UpgradePlanAnswer = /* @__PURE__ */ lazy(() =>
  z
    .object({
      basis: z
        .enum(BASES)
        .check(z.describe('`reported`: from documents of the cluster; `assumed`: from versions alone')),
      cluster: z.object({
        id: textOrNull(),
        channel: textOrNull(),
        hosted: z.optional(
          z.string().check(z.describe('HostedCluster, of a plan from its management cluster')),
        ),
      }),
      current: textOrNull(),
      lastCompleted: z.nullable(z.object({ version: z.string(), assumed: z.boolean() })),
      target: textOrNull(),
      targetReason: textOrNull().check(z.describe('Why this is the target; null when it was requested')),
      alsoPossible: z
        .array(z.object({ version: z.string(), reason: z.string() }))
        .check(z.describe('Other updates to choose: the newest patch of the current minor')),
      policy: z.enum(SKEW_POLICIES),
      strategy: z.enum(STRATEGIES),
      verdict: z.enum(VERDICTS),
      blockers: z.int(),
      informs: z.int(),
      nextStep: z.string(),
      pathExists: Condition(),
      conditions: z.optional(
        z
          .array(Condition())
          .check(z.describe('What is wrong with a cluster that is at its target; absent if nothing is')),
      ),
      hops: z.array(PlannedHop()),
      plan: z.object({
        steps: z.array(PlanStep()),
        pools: z.array(PlannedPool()),
        workerRollouts: z.array(
          z.object({
            version: z.string(),
            beforeHop: z.nullable(z.int()),
            pools: z.array(
              z.object({
                pool: z.string(),
                nodes: z.int(),
                maxUnavailable: z.int(),
                iterations: z.int(),
                ...Minutes(),
                measuredNodes: z
                  .optional(z.int())
                  .check(z.describe('Nodes of past updates of the cluster that the minutes come from')),
              }),
            ),
            minutes: z.nullable(z.object(Minutes())),
          }),
        ),
        caveats: Notes(),
      }),
      duration: Duration(),
      windows: z.nullable(PlanWindows()).check(z.describe('Null when no maintenance windows are given')),
      rescheduling: Rescheduling(),
      evaluatedAt: At(),
      path: PathAnswer(),
      ...MirrorEntries(),
      mirrorOperators: MirrorOperators(),
      input: PlanInput(),
    })
    .check(z.meta({ id: 'UpgradePlan', description: 'Whether a cluster may be updated, and how' })),
);
