import type { UpgradePlan } from '@cairn/shared/plan/plan';
import type * as z from 'zod/mini';
import type { ChannelChangePage } from '../../channels/schema.ts';
import type { ClusterDetail, ClusterHistory, ClusterSettingsRequest } from '../../clusters/schema.ts';
import type { ClusterPage, FleetSummary, FleetUpdates } from '../../fleet/schema.ts';
import type { News } from '../../notifications/schema.ts';
import type { ProblemBody } from '../../openapi/responses.ts';
import type { UpgradePlanAnswer } from '../../plans/plan-schema.ts';
import type { ImagePrunerRun, ImagePrunerRunAccepted, ImagePrunerRuns } from '../../prune-runs/schema.ts';
import type { ImagePruner, ImagePrunerPage } from '../../pruners/schema.ts';
import type { RiskAcceptancePage } from '../../risk-acceptances/schema.ts';
import type { RiskClusters, RiskQueries, Risks } from '../../risks/schema.ts';
import type { SyncStatus } from '../../sync/schema.ts';
import type { ClusterUpdates, UpdateStatusAnswer } from '../../update-status/schema.ts';
import type { VersionDetail, OpenshiftVersions, ReleaseSources, Support } from '../../versions/schema.ts';

// Response types from the schemas of the API description; types only, so no schema is in the bundle.
export type ClusterPageAnswer = z.output<ReturnType<typeof ClusterPage>>;
export type ClusterSummary = ClusterPageAnswer['clusters'][number];
export type FleetSummaryAnswer = z.output<ReturnType<typeof FleetSummary>>;
export type FleetUpdatesAnswer = z.output<ReturnType<typeof FleetUpdates>>;
export type UpdateStatusView = z.output<ReturnType<typeof UpdateStatusAnswer>>;
export type ClusterUpdatesAnswer = z.output<ReturnType<typeof ClusterUpdates>>;
export type ClusterHistoryAnswer = z.output<ReturnType<typeof ClusterHistory>>;
export type SettingsAnswer = ClusterSettingsRequest;
export type NotificationsAnswer = z.output<ReturnType<typeof News>>;
export type ClusterAnswer = z.output<ReturnType<typeof ClusterDetail>>;
export type PrunerPageAnswer = z.output<ReturnType<typeof ImagePrunerPage>>;
export type PrunerAnswer = z.output<ReturnType<typeof ImagePruner>>;
export type PrunerRunsAnswer = z.output<ReturnType<typeof ImagePrunerRuns>>;
export type PrunerRunAnswer = z.output<ReturnType<typeof ImagePrunerRun>>;
export type RunAcceptedAnswer = z.output<ReturnType<typeof ImagePrunerRunAccepted>>;
export type VersionsAnswer = z.output<ReturnType<typeof OpenshiftVersions>>;
export type SourcesAnswer = z.output<ReturnType<typeof ReleaseSources>>;
export type SyncAnswer = z.output<ReturnType<typeof SyncStatus>>;
type ServedPlan = z.output<ReturnType<typeof UpgradePlanAnswer>>;
/** Engine result with the additions of the service. */
type Planned = Omit<UpgradePlan, 'input'>;
export type PlanAnswer = Planned & Omit<ServedPlan, keyof Planned>;
export type PlannedRisk = PlanAnswer['hops'][number]['risks'][number];
export type RisksAnswer = z.output<ReturnType<typeof Risks>>;
export type FleetRisk = RisksAnswer['risks'][number];
export type RiskClustersAnswer = z.output<ReturnType<typeof RiskClusters>>;
export type RiskCluster = RiskClustersAnswer['clusters'][number];
export type RiskAcceptancesAnswer = z.output<ReturnType<typeof RiskAcceptancePage>>;
export type RiskAcceptance = RiskAcceptancesAnswer['acceptances'][number];
export type RiskQueriesAnswer = z.output<ReturnType<typeof RiskQueries>>;
export type ChannelChangesAnswer = z.output<ReturnType<typeof ChannelChangePage>>;
export type VersionAnswer = z.output<ReturnType<typeof VersionDetail>>;
export type SupportAnswer = z.output<ReturnType<typeof Support>>;
export type FieldFault = NonNullable<z.output<ReturnType<typeof ProblemBody>>['errors']>[number];

type ErrorParts = Pick<ApiError, 'status' | 'code' | 'title'> &
  Partial<Pick<ApiError, 'faults' | 'requestId' | 'retryAfter'>>;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 without a response. */
  declare readonly status: number;
  /** Last part of the problem type: `unknown-channel`. */
  declare readonly code: string;
  declare readonly title: string;
  readonly faults: readonly FieldFault[] = [];
  readonly requestId: string | null = null;
  /** Seconds until a retry; null if the service sent none. */
  readonly retryAfter: number | null = null;

  constructor(detail: string, parts: ErrorParts) {
    super(detail);
    Object.assign(this, parts);
  }

  get needsToken(): boolean {
    return this.status === 401 || this.status === 403;
  }

  /** A retry of the same request can succeed. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}
