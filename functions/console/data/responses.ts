import type * as z from 'zod/mini';
import type { ChannelChangePage } from '../../channels/schema.ts';
import type { ClusterDetail, ClusterSettingsRequest } from '../../clusters/schema.ts';
import type { ImagePruner, ImagePrunerPage } from '../../pruners/schema.ts';
import type { ImagePrunerRun, ImagePrunerRunAccepted, ImagePrunerRuns } from '../../prune-runs/schema.ts';
import type { News } from '../../notifications/schema.ts';
import type { UpgradePlanAnswer } from '../../plans/schema.ts';
import type { OpenshiftVersions, VersionDetail } from '../../versions/schema.ts';
import type { SyncStatus } from '../../sync/schema.ts';
import type { ClusterPage, FleetSummary } from '../../fleet/schema.ts';

// The answers of the service, by the schemas that its interface document is made from; nothing of them is in the page.
export type ClusterPageAnswer = z.output<ReturnType<typeof ClusterPage>>;
export type ClusterSummary = ClusterPageAnswer['clusters'][number];
export type FleetSummaryAnswer = z.output<ReturnType<typeof FleetSummary>>;
/** Settings are sent as they are answered. */
export type SettingsAnswer = ClusterSettingsRequest;
export type NewsAnswer = z.output<ReturnType<typeof News>>;
export type ClusterAnswer = z.output<ReturnType<typeof ClusterDetail>>;
export type PrunerPageAnswer = z.output<ReturnType<typeof ImagePrunerPage>>;
export type PrunerAnswer = z.output<ReturnType<typeof ImagePruner>>;
export type PrunerRunsAnswer = z.output<ReturnType<typeof ImagePrunerRuns>>;
export type PrunerRunAnswer = z.output<ReturnType<typeof ImagePrunerRun>>;
export type RunAcceptedAnswer = z.output<ReturnType<typeof ImagePrunerRunAccepted>>;
export type VersionsAnswer = z.output<ReturnType<typeof OpenshiftVersions>>;
export type SyncAnswer = z.output<ReturnType<typeof SyncStatus>>;
export type PlanAnswer = z.output<ReturnType<typeof UpgradePlanAnswer>>;
export type ChannelChangesAnswer = z.output<ReturnType<typeof ChannelChangePage>>;
export type VersionAnswer = z.output<ReturnType<typeof VersionDetail>>;
/** What a check has to say of a hop. */
export type Finding = PlanAnswer['hops'][number]['conditions'][number];
