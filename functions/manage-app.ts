import { STALLED_AFTER, type StalledAfter } from '@cairn/shared/update-status/answer';
import { type Endpoint, onDemand } from './http/endpoint.ts';
import { httpHandler } from './http/pipeline.ts';
import type { RunLauncher } from './jobs/launcher.ts';
import { type ManageRouteId, manageRoutes } from './manage-routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import type { ImagePrunerDependencies } from './pruners/endpoints.ts';
import type { ImagesInUseDependencies } from './pruners/in-use.ts';
import { PairStates } from './releases/sync-state.ts';
import { riskAcceptanceRoutes } from './risk-acceptances/routes.ts';
import { riskRoutes } from './risks/routes.ts';
import { jsonLog, type Log } from './runtime/log.ts';
import { PublicationCache } from './store/publication-cache.ts';
import type { Table } from './store/table.ts';
import { switchEndpoints } from './switches/endpoints.ts';
import { refuseStopped } from './switches/refuse-stopped.ts';
import { SwitchReader } from './switches/store.ts';
import { syncRunEndpoints } from './sync/endpoints.ts';
import { uploadEndpoints } from './uploads/endpoints.ts';
import type { OpenUploads } from './uploads/store.ts';

interface ManageDependencies {
  readonly table: Table;
  readonly launcher: RunLauncher;
  readonly openUploads: OpenUploads;
  readonly sync: { readonly intervalMs: number };
  /** Entries kept in the history of a cluster. */
  readonly historyLimit: number;
  /** @default 30, 40 and 60 */
  readonly stalledAfter?: StalledAfter;
  /** Whether a webhook may be on the local machine, as in a local run. */
  readonly allowLoopback?: boolean;
  /** Called with the first request that needs it. */
  readonly openPruning?: () => Promise<Pruning>;
  readonly clock?: () => number;
  readonly log?: Log;
}

type Pruning = Pick<ImagePrunerDependencies, 'schedules' | 'grantedBuckets'> &
  Pick<ImagesInUseDependencies, 'openRunFiles'>;

const acceptanceIds = riskAcceptanceRoutes.map(({ id }) => id);
const notificationIds = notificationRoutes.map(({ id }) => id);
const riskIds = riskRoutes.map(({ id }) => id);
const allRoutes = async () => (await import('./routes.ts')).routes;

/** Without a registry there is no pruner to schedule. */
const withoutRegistry = async (): Promise<Pruning> => ({
  grantedBuckets: [],
  schedules: { put: async () => {}, holds: async () => true, remove: async () => {} },
  openRunFiles: () => Promise.reject(new Error('there is no bucket for the files of runs')),
});

async function planEndpoints({
  table,
  documents,
  openUploads,
  sync,
  clock,
}: Pick<ManageDependencies, 'table' | 'openUploads' | 'sync'> & {
  readonly documents: PublicationCache;
  readonly clock: () => number;
}) {
  const [plans, { ReleaseReader }, { readFleetDurations }] = await Promise.all([
    import('./plans/endpoints.ts'),
    import('./releases/release-reader.ts'),
    import('./notifications/store.ts'),
  ]);
  const sources = {
    reader: new ReleaseReader(documents),
    states: new PairStates(table, clock),
    clock,
    sync,
    readFleet: () => readFleetDurations(table),
  };
  return {
    ...plans.planUpgradeEndpoint(sources, openUploads),
    ...plans.planClusterUpgradeEndpoint(sources, table),
  };
}

async function riskEndpoints({
  table,
  documents,
  openUploads,
  clock,
}: Pick<ManageDependencies, 'table' | 'openUploads'> & {
  readonly documents: PublicationCache;
  readonly clock: () => number;
}) {
  const [fleet, { riskEvaluationEndpoints }, { ReleaseReader }] = await Promise.all([
    import('./risks/endpoints.ts'),
    import('./risks/evaluations.ts'),
    import('./releases/release-reader.ts'),
  ]);
  const sources = { reader: new ReleaseReader(documents), documents };
  return {
    ...riskEvaluationEndpoints(sources, openUploads),
    ...fleet.riskEndpoints({ ...sources, table, clock }),
  };
}

function pruningEndpoints({
  table,
  launcher,
  openUploads,
  openPruning,
  switches,
  clock,
}: Pick<ManageDependencies, 'table' | 'launcher' | 'openUploads'> &
  Pick<ImagePrunerDependencies, 'switches' | 'clock'> & { readonly openPruning: () => Promise<Pruning> }) {
  return {
    ...onDemand(['listImagePruners', 'getImagePruner', 'putImagePruner', 'deleteImagePruner'], async () => {
      const { imagePrunerEndpoints } = await import('./pruners/endpoints.ts');
      return imagePrunerEndpoints({ table, switches, clock, ...(await openPruning()) });
    }),
    ...onDemand(['startImagePrunerRun', 'listImagePrunerRuns', 'getImagePrunerRun'], async () => {
      const { imagePrunerRunEndpoints } = await import('./prune-runs/endpoints.ts');
      return imagePrunerRunEndpoints({ table, launcher, clock, ...(await openPruning()) });
    }),
    ...onDemand(['putImagesInUse'], async () => {
      const { imagesInUseEndpoints } = await import('./pruners/in-use.ts');
      return imagesInUseEndpoints({ table, openUploads, clock, ...(await openPruning()) });
    }),
  };
}

/** Serves the routes that change data or read clusters. */
export function createManageApp({
  table,
  launcher,
  openUploads,
  sync,
  historyLimit,
  stalledAfter = STALLED_AFTER,
  allowLoopback = false,
  openPruning = withoutRegistry,
  clock = Date.now,
  log = jsonLog,
}: ManageDependencies) {
  const switches = new SwitchReader(table, clock);
  const documents = new PublicationCache(table, clock);
  const clusters = { table, openUploads, historyLimit, stalledAfter, clock };
  const served: { [Id in ManageRouteId]: Endpoint<Id> } = {
    ...syncRunEndpoints(table, clock, launcher),
    ...uploadEndpoints(openUploads, clock),
    ...switchEndpoints({ table, switches, clock }),
    ...onDemand(['listClusters', 'getFleetSummary', 'listFleetUpdates'], async () =>
      (await import('./fleet/endpoints.ts')).fleetEndpoints({ table, documents, clock }),
    ),
    ...onDemand(['getClusterSettings', 'putClusterSettings'], async () =>
      (await import('./clusters/settings.ts')).clusterSettingsEndpoints({ table, clock }),
    ),
    ...onDemand(['getCluster', 'getClusterHistory', 'putCluster', 'deleteCluster'], async () =>
      (await import('./clusters/endpoints.ts')).clusterEndpoints(clusters),
    ),
    ...onDemand(acceptanceIds, async () =>
      (await import('./risk-acceptances/endpoints.ts')).riskAcceptanceEndpoints({ table, clock }),
    ),
    ...onDemand(['planUpgrade', 'planClusterUpgrade'], () =>
      planEndpoints({ table, documents, openUploads, sync, clock }),
    ),
    ...onDemand(riskIds, () => riskEndpoints({ table, documents, openUploads, clock })),
    ...onDemand(['assessUpdate'], async () =>
      (await import('./update-status/endpoints.ts')).updateStatusEndpoints({ openUploads, clock }),
    ),
    ...onDemand(['getClusterUpdateStatus', 'getClusterUpdates'], async () =>
      (await import('./update-status/cluster-updates.ts')).clusterUpdateEndpoints(clusters),
    ),
    ...pruningEndpoints({ table, launcher, openUploads, openPruning, switches, clock }),
    ...onDemand(['evaluateHistoryPruning', 'evaluateResourcePruning', 'evaluateImagePruning'], async () =>
      (await import('./prune-evaluations/endpoints.ts')).pruneEvaluationEndpoints({ openUploads, clock }),
    ),
    ...onDemand(notificationIds, async () =>
      (await import('./notifications/endpoints.ts')).notificationEndpoints({ table, clock, allowLoopback }),
    ),
  };
  const extra = [refuseStopped(switches)];
  return httpHandler({ routes: { own: manageRoutes, all: allRoutes }, endpoints: served, log, extra });
}
