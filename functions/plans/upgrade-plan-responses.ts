import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { MirrorEntries, PathAnswer } from '../paths/upgrade-path-responses.ts';
import { UPDATE_TYPES } from '@cairn/shared/version/release-line';
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
import { CALIBRATION_SOURCES, STEP_KINDS, POOL_KINDS, ROLL_REASONS, FITS } from '@cairn/shared/plan/values';

const At = /* @__PURE__ */ lazy(() => z.string().check(z.describe('Time in ISO 8601, UTC')));
const text = /* @__PURE__ */ lazy(() => z.string());
const texts = /* @__PURE__ */ lazy(() => z.array(text()));
const textOrNull = /* @__PURE__ */ lazy(() => z.nullable(text()));

export const ReadInput = /* @__PURE__ */ lazy(() =>
  z.object({
    documents: z.int(),
    objects: z.int(),
    emptyLists: z.int(),
    ignored: z
      .array(z.object({ kind: text(), count: z.int() }))
      .check(z.describe('Objects of kinds that are not read, the most frequent first')),
  }),
);

const Minutes = /* @__PURE__ */ lazy(() => ({ min: z.int(), expected: z.int(), max: z.int() }));

const Condition = /* @__PURE__ */ lazy(() =>
  z
    .object({
      type: text(),
      status: z.enum(CONDITION_STATUSES).check(z.describe('`True`: nothing stands against the hop')),
      reason: text(),
      message: text(),
      effect: z
        .enum(EFFECTS)
        .check(z.describe('`inform`: will stand in the way when the cluster gets there')),
      origin: z.enum(ORIGINS),
      objects: z.optional(
        z.array(
          z.object({
            kind: text(),
            namespace: z.optional(text()),
            name: text(),
            detail: z.optional(z.record(text(), z.unknown())),
          }),
        ),
      ),
      remediation: z.optional(texts()),
      since: z.optional(At()),
      url: z.optional(text()),
      accepted: z.optional(z.literal(true)),
      docs: text().check(z.describe('Where the type is explained')),
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

const HopDuration = /* @__PURE__ */ lazy(() => z.object({ ...Minutes(), serialNetwork: z.boolean() }));

const PlannedHop = /* @__PURE__ */ lazy(() =>
  z
    .object({
      index: z.int(),
      from: text(),
      to: text(),
      updateType: z.enum(UPDATE_TYPES),
      kubeFrom: text(),
      kubeTo: text(),
      minorDistance: z.int().check(z.describe('Minors from where the cluster is now')),
      verdict: z.enum(HOP_VERDICTS),
      conditions: z.array(Condition()),
      upgradeable: Condition(),
      pools: z.array(z.object({ pool: textOrNull(), ...PoolHop() })),
      duration: z.nullable(HopDuration()),
    })
    .check(z.meta({ id: 'PlannedHop', description: 'A step of the way, and whether it is safe' })),
);

const PlanStep = /* @__PURE__ */ lazy(() =>
  z
    .object({
      kind: z.enum(STEP_KINDS),
      hop: z.nullable(z.int()),
      text: text(),
      command: z.optional(text()),
      blocking: z.boolean().check(z.describe('The plan cannot go on without it')),
    })
    .check(z.meta({ id: 'PlanStep' })),
);

const Notes = /* @__PURE__ */ lazy(() =>
  z.array(z.object({ type: text(), effect: z.enum(NOTE_EFFECTS), text: text() })),
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
          version: text(),
          beforeHop: z.nullable(z.int()),
          reason: z.enum(ROLL_REASONS),
          text: text(),
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
  z.array(z.object({ version: text(), minutes: z.number(), ratio: z.number() })),
);

const Duration = /* @__PURE__ */ lazy(() =>
  z
    .union([
      z.strictObject({
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
      }),
      z.strictObject({ total: z.null(), reason: text() }),
    ])
    .check(z.meta({ id: 'PlanDuration', description: 'Minutes until the control plane is updated' })),
);

const minutesOrNull = /* @__PURE__ */ lazy(() => z.nullable(z.int()));
const LocalTime = /* @__PURE__ */ lazy(() =>
  text().check(z.describe('Local time in ISO 8601, with its offset')),
);
const DatedWindow = /* @__PURE__ */ lazy(() =>
  z.object({
    start: LocalTime(),
    end: z.nullable(LocalTime()).check(z.describe('Null when the windows never close')),
    minutes: minutesOrNull().check(z.describe('How long it is open, also when clocks are changed meanwhile')),
  }),
);

const HopWindow = /* @__PURE__ */ lazy(() =>
  z
    .object({
      index: z.int(),
      from: text(),
      to: text(),
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
      text: text(),
    })
    .check(z.meta({ id: 'HopWindow', description: 'The window of a hop, by the longest that it may take' })),
);

const PlanWindows = /* @__PURE__ */ lazy(() =>
  z
    .object({
      timeZone: text(),
      weekly: z.array(z.object({ day: text(), start: text(), end: text() })),
      hops: z.array(HopWindow()),
      finishesAt: z
        .nullable(LocalTime())
        .check(z.describe('When all is done at the latest, if that is known')),
      summary: text(),
    })
    .check(z.meta({ id: 'PlanWindows', description: 'Which hops fit in which maintenance window' })),
);

const PodsMovedTwice = /* @__PURE__ */ lazy(() =>
  z.object({
    optimum: z.int().check(z.describe('As few as can be')),
    observed: z.int().check(z.describe('As many as is usual')),
  }),
);

const Rescheduling = /* @__PURE__ */ lazy(() =>
  z
    .union([
      z.object({
        optimum: z.number(),
        observedBaseline: z.number(),
        avoidable: z.number(),
        perRoll: z
          .optional(PodsMovedTwice())
          .check(
            z.describe(
              'Pods that are moved more than once when each pool restarts once; only when the pods were supplied',
            ),
          ),
        wholeWay: z.optional(PodsMovedTwice()).check(z.describe('The same with all restarts on the path')),
        domains: z.array(
          z.object({
            pool: text(),
            zone: text(),
            nodes: z.int(),
            pods: z
              .optional(z.int())
              .check(z.describe('That a drain moves; only when the pods were supplied')),
            optimum: z.number(),
            expectedPodsMovedTwice: z.optional(z.int()),
            rolls: z.int().check(z.describe('How many times the pool restarts on the path')),
          }),
        ),
        advice: z.array(
          z.object({ type: text(), effect: z.enum(NOTE_EFFECTS), text: text(), nodes: z.optional(texts()) }),
        ),
      }),
      z.strictObject({ optimum: z.null(), reason: text() }),
    ])
    .check(
      z.meta({ id: 'Rescheduling', description: 'How many pods a rolling restart moves more than once' }),
    ),
);

const MirrorOperators = /* @__PURE__ */ lazy(() =>
  z
    .object({
      catalogs: z
        .nullable(
          z.array(
            z.object({
              minor: text(),
              catalog: textOrNull().check(z.describe('The index image; null for a catalog of your own')),
              sources: texts().check(z.describe('The CatalogSources that the packages come from')),
              packages: z.array(
                z.object({
                  name: text(),
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

export const UpgradePlanAnswer = /* @__PURE__ */ lazy(() =>
  z
    .object({
      cluster: z.object({ id: textOrNull(), channel: textOrNull() }),
      current: textOrNull(),
      lastCompleted: z.nullable(z.object({ version: text(), assumed: z.boolean() })),
      target: textOrNull(),
      policy: z.enum(SKEW_POLICIES),
      strategy: z.enum(STRATEGIES),
      verdict: z.enum(VERDICTS),
      blockers: z.int(),
      informs: z.int(),
      nextStep: text(),
      pathExists: Condition(),
      hops: z.array(PlannedHop()),
      plan: z.object({
        steps: z.array(PlanStep()),
        pools: z.array(PlannedPool()),
        workerRollouts: z.array(
          z.object({
            version: text(),
            beforeHop: z.nullable(z.int()),
            pools: z.array(
              z.object({
                pool: text(),
                nodes: z.int(),
                maxUnavailable: z.int(),
                iterations: z.int(),
                ...Minutes(),
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
      input: z.optional(ReadInput()),
    })
    .check(z.meta({ id: 'UpgradePlan', description: 'Whether a cluster may be updated, and how' })),
);
