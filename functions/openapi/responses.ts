import * as z from 'zod/mini';
import { lazy } from '../runtime/lazy.ts';
import { METHODS } from '../http/route.ts';
import type { JsonRouteId } from '../routes.ts';
import {
  ChannelChangePage,
  ChannelDetail,
  ChannelIndex,
  ChannelPage,
  VersionDetail,
} from '../channels/schema.ts';
import {
  ClusterDetail,
  ClusterHistory,
  ClusterPage,
  FleetSummary,
  clusterSettings,
} from '../clusters/schema.ts';
import { ImageEvaluation } from '../prune-evaluations/images-schema.ts';
import { ImagePruner, ImagePrunerPage } from '../pruners/schema.ts';
import {
  ImagePrunerRun,
  ImagePrunerRunAccepted,
  ImagePrunerRuns,
  ImagesInUse,
} from '../prune-runs/schema.ts';
import { News, NewsWebhook, SkippedJobRun } from '../notifications/schema.ts';
import { HistoryEvaluation, ResourceEvaluation } from '../prune-evaluations/schema.ts';
import { SignIn } from '../site/sign-in.ts';
import { Switch, Switches } from '../switches/schema.ts';
import { UpgradePathAnswer, UpgradePathsAnswer } from '../paths/schema.ts';
import { UpgradePlanAnswer } from '../plans/schema.ts';
import { UploadCreated } from '../uploads/schema.ts';
import { SUPPORT_LEVELS } from '@cairn/shared/releases/support';
import { CPU_ARCHITECTURES } from '@cairn/shared/version/arch';
import { RUN_OUTCOMES, RUN_TRIGGERS } from '../store/run-records.ts';
import { UPSTREAM_KINDS } from '../releases/sync-state.ts';

/** RFC 9457, the error of every route of our own. */
export const ProblemBody = /* @__PURE__ */ lazy(() =>
  z
    .object({
      type: z.string().check(z.describe('Stable identifier of the kind of problem, see docs/problems.md')),
      title: z.string(),
      status: z.int(),
      detail: z.string(),
      instance: z.optional(z.string().check(z.describe('Identifier of the request, as found in the logs'))),
      errors: z.optional(
        z.array(
          z.object({
            parameter: z.optional(z.string()),
            document: z.optional(
              z
                .int()
                .check(z.describe('Which of several documents in a row, from 0: `pointer` is into that one')),
            ),
            pointer: z.optional(z.string().check(z.describe('JSON pointer into the request body'))),
            value: z.optional(z.unknown()),
            detail: z.string(),
            nearest: z.optional(
              z.array(z.string()).check(z.describe('What may have been meant, nearest first')),
            ),
          }),
        ),
      ),
    })
    .check(z.meta({ id: 'Problem', description: 'What went wrong and how to mend it' })),
);

/** The error of assisted-service, kept for its clients on `/v2`. */
export const AssistedErrorBody = /* @__PURE__ */ lazy(() =>
  z
    .object({
      kind: z.literal('Error'),
      id: z.int(),
      href: z.string(),
      code: z.string(),
      reason: z.string(),
    })
    .check(z.meta({ id: 'AssistedError', description: 'Error in the shape of assisted-service' })),
);

/** The error of the update protocol. */
export const CincinnatiErrorBody = /* @__PURE__ */ lazy(() =>
  z
    .object({ kind: z.string(), value: z.string().check(z.describe('What went wrong, for a person')) })
    .check(z.meta({ id: 'CincinnatiError', description: 'Error in the shape of an update service' })),
);

const CpuArchitectureName = /* @__PURE__ */ lazy(() => z.enum(CPU_ARCHITECTURES));

export const OpenshiftVersion = /* @__PURE__ */ lazy(() =>
  z
    .object({
      display_name: z.string(),
      support_level: z.enum(SUPPORT_LEVELS),
      default: z.optional(z.boolean()),
      cpu_architectures: z.array(CpuArchitectureName()),
    })
    .check(z.meta({ id: 'OpenshiftVersion', description: 'A version that can be installed' })),
);

export const OpenshiftVersions = /* @__PURE__ */ lazy(() =>
  z
    .record(z.string(), OpenshiftVersion())
    .check(z.meta({ id: 'OpenshiftVersions', description: 'Versions by display name, newest first' })),
);

export const ReleaseSources = /* @__PURE__ */ lazy(() =>
  z
    .array(
      z.object({
        openshift_version: z.string(),
        multi_cpu_architectures: z.array(z.string()),
        upgrade_channels: z.array(z.object({ cpu_architecture: z.string(), channels: z.array(z.string()) })),
      }),
    )
    .check(z.meta({ id: 'ReleaseSources', description: 'The release sources in force' })),
);

const ConditionalUpdate = /* @__PURE__ */ lazy(() => z.object({ from: z.string(), to: z.string() }));
const UpdateRisk = /* @__PURE__ */ lazy(() =>
  z.object({
    name: z.string(),
    message: z.string(),
    url: z.string(),
    matchingRules: z.array(
      z.union([
        z.object({ type: z.literal('Always') }),
        z.object({ type: z.literal('PromQL'), promql: z.object({ promql: z.string() }) }),
      ]),
    ),
  }),
);

export const UpdateGraph = /* @__PURE__ */ lazy(() =>
  z
    .object({
      version: z.literal(1),
      nodes: z.array(
        z.object({ version: z.string(), payload: z.string(), metadata: z.record(z.string(), z.string()) }),
      ),
      edges: z
        .array(z.array(z.int()).check(z.length(2)))
        .check(z.describe('From and to of each update, as positions in `nodes` counted from 0')),
      conditionalEdges: z.array(
        z.object({ edges: z.array(ConditionalUpdate()), risks: z.array(UpdateRisk()) }),
      ),
    })
    .check(z.meta({ id: 'UpdateGraph', description: 'Releases and the updates between them' })),
);

export const ServiceIndex = /* @__PURE__ */ lazy(() =>
  z.object({
    name: z.string(),
    version: z.string(),
    routes: z.array(z.object({ method: z.enum(METHODS), path: z.string(), summary: z.string() })),
  }),
);

export const Health = /* @__PURE__ */ lazy(() => z.object({ status: z.literal('ok') }));

export const OpenapiDocument = /* @__PURE__ */ lazy(() => z.record(z.string(), z.unknown()));

const At = /* @__PURE__ */ lazy(() => z.string().check(z.describe('Time in ISO 8601, UTC')));

export const SyncRun = /* @__PURE__ */ lazy(() =>
  z
    .object({
      slot: z.string().check(z.describe('The time the run was scheduled for; identifies it')),
      trigger: z.enum(RUN_TRIGGERS),
      outcome: z.enum(RUN_OUTCOMES),
      durationMs: z.number(),
      pairs: z.object({
        published: z.int(),
        unchanged: z.int(),
        held: z.int(),
        failed: z.int(),
        skipped: z.int(),
      }),
      versionsAdded: z.int(),
      notes: z.array(z.string()),
    })
    .check(z.meta({ id: 'SyncRun', description: 'One run of the sync' })),
);

export const PAIR_STATES = ['Current', 'Held', 'Failing', 'Skipped', 'Unknown'] as const;

export const SyncPair = /* @__PURE__ */ lazy(() =>
  z
    .object({
      channel: z.string(),
      arch: z.string(),
      state: z
        .enum(PAIR_STATES)
        .check(z.describe('`Unknown` when the time of the last good answer is in the future')),
      stale: z
        .boolean()
        .check(z.describe('No good answer for more than two intervals, or its time is in the future')),
      lastAttemptAt: z.nullable(At()),
      lastSuccessAt: z.nullable(At()),
      lastChangeAt: z.nullable(At()),
      nodes: z.int(),
      edges: z.int(),
      error: z.nullable(z.object({ code: z.string(), detail: z.string() })),
      held: z.nullable(z.object({ reason: z.string(), detail: z.string(), since: At(), rounds: z.int() })),
      missing: z.array(z.object({ version: z.string(), since: At(), withdrawn: z.boolean() })),
      repairs: z.array(z.object({ code: z.string(), count: z.int(), examples: z.array(z.string()) })),
      payloadConflicts: z.array(z.string()),
    })
    .check(z.meta({ id: 'SyncPair', description: 'A followed channel on one architecture' })),
);

export const SyncStatus = /* @__PURE__ */ lazy(() =>
  z
    .object({
      upstream: z.nullable(z.object({ kind: z.enum(UPSTREAM_KINDS), url: z.string() })),
      running: z.boolean(),
      lastRun: z.nullable(SyncRun()),
      lastSkipped: z
        .nullable(SkippedJobRun())
        .check(z.describe('The last run of the sync that did nothing, and why; null when none was skipped')),
      watch: z
        .object({
          lastSlot: z
            .nullable(z.string())
            .check(z.describe('The last run that began; null before the first')),
          lastSkipped: z.nullable(SkippedJobRun()),
        })
        .check(z.describe('The job that keeps histories, run records and pruners in order')),
      futureTimes: z
        .nullable(
          z.object({
            count: z.int(),
            times: z.array(z.object({ field: z.string(), at: At() })).check(z.describe('At most 20 of them')),
            note: z.string(),
          }),
        )
        .check(
          z.describe(
            'Stored times of a clock that was wrong; null when there are none. The next run replaces them',
          ),
        ),
      runs: z.array(SyncRun()),
      retiredMinors: z.array(
        z.object({
          minor: z.string(),
          since: At(),
          rowsDeletedAfter: At(),
          heldBecause: z.nullable(z.string()),
        }),
      ),
      pairs: z.array(SyncPair()),
    })
    .check(z.meta({ id: 'SyncStatus', description: 'State of the sync and of every followed channel' })),
);

export const SyncRunAccepted = /* @__PURE__ */ lazy(() =>
  z
    .object({ slot: z.string(), status: z.string().check(z.describe('Where the outcome will be found')) })
    .check(z.meta({ id: 'SyncRunAccepted' })),
);

/** What routes answer. Only the OpenAPI document and tests need it, so the route list, which every function loads, is without. */
export const RESPONSES = {
  getIndex: ServiceIndex,
  getHealth: Health,
  getOpenapi: OpenapiDocument,
  getSignIn: SignIn,
  listOpenshiftVersions: OpenshiftVersions,
  listOpenshiftVersionsAssisted: OpenshiftVersions,
  listReleaseSources: ReleaseSources,
  listReleaseSourcesAssisted: ReleaseSources,
  getGraph: UpdateGraph,
  getGraphUnversioned: UpdateGraph,
  getGraphShort: UpdateGraph,
  getGraphShortUnversioned: UpdateGraph,
  listChannels: ChannelPage,
  getChannelIndex: ChannelIndex,
  getChannel: ChannelDetail,
  listChannelChanges: ChannelChangePage,
  getVersion: VersionDetail,
  findUpgradePath: UpgradePathAnswer,
  findUpgradePaths: UpgradePathsAnswer,
  planUpgrade: UpgradePlanAnswer,
  planClusterUpgrade: UpgradePlanAnswer,
  getSync: SyncStatus,
  startSyncRun: SyncRunAccepted,
  listClusters: ClusterPage,
  getFleetSummary: FleetSummary,
  getClusterSettings: clusterSettings,
  putClusterSettings: clusterSettings,
  getCluster: ClusterDetail,
  getClusterHistory: ClusterHistory,
  putCluster: ClusterDetail,
  listImagePruners: ImagePrunerPage,
  getImagePruner: ImagePruner,
  putImagePruner: ImagePruner,
  startImagePrunerRun: ImagePrunerRunAccepted,
  listImagePrunerRuns: ImagePrunerRuns,
  getImagePrunerRun: ImagePrunerRun,
  putImagesInUse: ImagesInUse,
  evaluateHistoryPruning: HistoryEvaluation,
  evaluateResourcePruning: ResourceEvaluation,
  evaluateImagePruning: ImageEvaluation,
  createUpload: UploadCreated,
  listSwitches: Switches,
  putSwitch: Switch,
  getNews: News,
  putNewsWebhook: NewsWebhook,
} as const satisfies Readonly<Record<JsonRouteId, () => z.ZodMiniType>>;

export const ERRORS = {
  problem: ProblemBody,
  assisted: AssistedErrorBody,
  cincinnati: CincinnatiErrorBody,
} as const;
