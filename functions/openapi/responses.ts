import * as z from 'zod/mini';
import { ChannelChangePage, ChannelDetail, ChannelIndex, ChannelPage } from '../channels/schema.ts';
import { ClusterDetail, ClusterHistory, ClusterSettings } from '../clusters/schema.ts';
import { ClusterPage, FleetSummary, FleetUpdates } from '../fleet/schema.ts';
import { UpdateGraph } from '../graph/schema.ts';
import { News, NewsWebhook } from '../notifications/schema.ts';
import { UpgradePathAnswer, UpgradePathsAnswer } from '../paths/schema.ts';
import { UpgradePlanAnswer } from '../plans/plan-schema.ts';
import { ImageEvaluation } from '../prune-evaluations/images-schema.ts';
import { HistoryEvaluation, ResourceEvaluation } from '../prune-evaluations/schema.ts';
import { ImagePrunerRun, ImagePrunerRunAccepted, ImagePrunerRuns } from '../prune-runs/schema.ts';
import { ImagePruner, ImagePrunerPage, ImagesInUse } from '../pruners/schema.ts';
import { RiskAcceptance, RiskAcceptancePage } from '../risk-acceptances/schema.ts';
import { RiskClusters, RiskEvaluation, RiskQueries, Risks } from '../risks/schema.ts';
import type { JsonRouteId } from '../routes.ts';
import { lazy } from '../runtime/lazy.ts';
import { SignIn, ServiceIndex, Health, OpenapiDocument } from '../site/schema.ts';
import { Switch, Switches } from '../switches/schema.ts';
import { SyncStatus, SyncRunAccepted } from '../sync/schema.ts';
import { ClusterUpdates, UpdateStatusAnswer } from '../update-status/schema.ts';
import { UploadCreated } from '../uploads/schema.ts';
import {
  OpenshiftVersions,
  ReleaseSources,
  Support,
  VersionDetail,
  VersionPage,
} from '../versions/schema.ts';

/** RFC 9457, the error format of all routes without a legacy protocol. */
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

/** Error format of assisted-service, kept for its clients on `/v2`. */
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

/** Error format of the update protocol. */
const CincinnatiErrorBody = /* @__PURE__ */ lazy(() =>
  z
    .object({ kind: z.string(), value: z.string().check(z.describe('What went wrong, for a person')) })
    .check(z.meta({ id: 'CincinnatiError', description: 'Error in the shape of an update service' })),
);

/** Refused before the route is known: by API Gateway, or by the local front. */
export const RefusalBody = /* @__PURE__ */ lazy(() =>
  z
    .union([
      ProblemBody(),
      z
        .object({ message: z.string() })
        .check(z.meta({ id: 'GatewayError', description: 'Error in the shape of API Gateway' })),
    ])
    .check(z.meta({ id: 'Refusal', description: 'Error of a deployment or of a local run' })),
);

/** Only the OpenAPI document and tests use it, so the route list, which every function loads, omits it. */
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
  listVersions: VersionPage,
  getVersion: VersionDetail,
  listSupport: Support,
  findUpgradePath: UpgradePathAnswer,
  findUpgradePaths: UpgradePathsAnswer,
  planUpgrade: UpgradePlanAnswer,
  planClusterUpgrade: UpgradePlanAnswer,
  assessUpdate: UpdateStatusAnswer,
  getClusterUpdateStatus: UpdateStatusAnswer,
  getClusterUpdates: ClusterUpdates,
  evaluateRisks: RiskEvaluation,
  getClusterRisks: RiskEvaluation,
  listRisks: Risks,
  listRiskClusters: RiskClusters,
  listRiskQueries: RiskQueries,
  getSync: SyncStatus,
  startSyncRun: SyncRunAccepted,
  listClusters: ClusterPage,
  getFleetSummary: FleetSummary,
  listFleetUpdates: FleetUpdates,
  getClusterSettings: ClusterSettings,
  putClusterSettings: ClusterSettings,
  getCluster: ClusterDetail,
  getClusterHistory: ClusterHistory,
  putCluster: ClusterDetail,
  listRiskAcceptances: RiskAcceptancePage,
  getRiskAcceptance: RiskAcceptance,
  putRiskAcceptance: RiskAcceptance,
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
  getNotifications: News,
  putNotificationsWebhook: NewsWebhook,
  getNews: News,
  putNewsWebhook: NewsWebhook,
} as const satisfies Readonly<Record<JsonRouteId, () => z.ZodMiniType>>;

export const ERRORS = {
  problem: ProblemBody,
  assisted: AssistedErrorBody,
  cincinnati: CincinnatiErrorBody,
} as const;
