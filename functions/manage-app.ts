import { httpHandler } from './http/pipeline.ts';
import { type Endpoint } from './http/endpoint.ts';
import type { RunLauncher } from './jobs/launcher.ts';
import { jsonLog, type Log } from './runtime/log.ts';
import { DocumentCache } from './store/publication-cache.ts';
import { PairStates } from './releases/freshness.ts';
import { SwitchReader } from './switches/store.ts';
import type { Table } from './store/table.ts';
import type { OpenUploads } from './uploads/store.ts';
import type { clusterEndpoints } from './clusters/endpoints.ts';
import type { ImagesInUseDependencies } from './pruners/in-use.ts';
import type { imagePrunerRunEndpoints } from './prune-runs/endpoints.ts';
import type { ImagePrunerDependencies, imagePrunerEndpoints } from './pruners/endpoints.ts';
import type { pruneEvaluationEndpoints } from './prune-evaluations/endpoints.ts';
import { type ManageRouteId, manageRoutes } from './manage-routes.ts';
import { lazy } from './runtime/lazy.ts';
import { syncRunEndpoints } from './sync/endpoints.ts';
import { refuseStopped, switchEndpoints } from './switches/endpoints.ts';
import { uploadEndpoints } from './uploads/endpoints.ts';
import type { planClusterUpgradeEndpoint, planUpgradeEndpoint } from './plans/endpoints.ts';

export interface ManageDependencies {
  readonly table: Table;
  readonly launcher: RunLauncher;
  readonly openUploads: OpenUploads;
  readonly sync: { readonly intervalMs: number };
  /** How many entries of the history of a cluster are kept. */
  readonly historyLimit: number;
  /** Whether messages may be posted to this machine, as a local run may. */
  readonly allowLoopback?: boolean;
  /** Asked for with the first request that needs it. */
  readonly openPruning?: () => Promise<Pruning>;
  readonly clock?: () => number;
  readonly log?: Log;
}

type Pruning = Pick<ImagePrunerDependencies, 'schedules' | 'grantedBuckets'> &
  Pick<ImagesInUseDependencies, 'openRunFiles'>;

/** Without a registry there is no pruner, and so nothing to schedule. */
const withoutRegistry = async (): Promise<Pruning> => ({
  grantedBuckets: [],
  schedules: { put: async () => {}, holds: async () => true, remove: async () => {} },
  openRunFiles: () => Promise.reject(new Error('there is no bucket for the files of runs')),
});

/** The routes that change something. */
export function createManageApp({
  table,
  launcher,
  openUploads,
  sync,
  historyLimit,
  allowLoopback = false,
  openPruning = withoutRegistry,
  clock = Date.now,
  log = jsonLog,
}: ManageDependencies) {
  const switches = new SwitchReader(table, clock);
  // Loaded with its first request, as it reads the documents of a cluster.
  let loadedClusters: ReturnType<typeof clusterEndpoints> | undefined;
  const clusters = async () => {
    const { clusterEndpoints: create } = await import('./clusters/endpoints.ts');
    return (loadedClusters ??= create({ table, openUploads, historyLimit, clock }));
  };
  const fleet = lazy(async () => (await import('./fleet/endpoints.ts')).fleetEndpoints({ table, clock }));
  const settings = lazy(async () =>
    (await import('./clusters/settings.ts')).clusterSettingsEndpoints({ table, clock }),
  );
  const news = lazy(async () =>
    (await import('./notifications/endpoints.ts')).newsEndpoints({ table, clock, allowLoopback }),
  );
  // Reading documents and checking hops is most of the code here, and few requests need it.
  let loadedPlans:
    | (ReturnType<typeof planUpgradeEndpoint> & ReturnType<typeof planClusterUpgradeEndpoint>)
    | undefined;
  const upgradePlans = async () => {
    if (loadedPlans) return loadedPlans;
    const [plans, { ReleaseReader }] = await Promise.all([
      import('./plans/endpoints.ts'),
      import('./releases/release-reader.ts'),
    ]);
    const reader = new ReleaseReader(new DocumentCache(table, clock));
    const sources = { reader, states: new PairStates(table, clock), clock, sync };
    return (loadedPlans ??= {
      ...plans.planUpgradeEndpoint(sources, openUploads),
      ...plans.planClusterUpgradeEndpoint(sources, table),
    });
  };
  let loadedPruners: ReturnType<typeof imagePrunerEndpoints> | undefined;
  const imagePruners = async () => {
    if (loadedPruners) return loadedPruners;
    const [{ imagePrunerEndpoints: create }, pruning] = await Promise.all([
      import('./pruners/endpoints.ts'),
      openPruning(),
    ]);
    return (loadedPruners ??= create({ table, switches, clock, ...pruning }));
  };
  let loadedRuns: ReturnType<typeof imagePrunerRunEndpoints> | undefined;
  const imagePrunerRuns = async () => {
    if (loadedRuns) return loadedRuns;
    const [{ imagePrunerRunEndpoints: create }, pruning] = await Promise.all([
      import('./prune-runs/endpoints.ts'),
      openPruning(),
    ]);
    return (loadedRuns ??= create({ table, launcher, clock, ...pruning }));
  };
  const imagesInUse = async () => {
    const [{ imagesInUseEndpoints: create }, pruning] = await Promise.all([
      import('./pruners/in-use.ts'),
      openPruning(),
    ]);
    return create({ table, openUploads, clock, ...pruning });
  };
  let loadedEvaluations: ReturnType<typeof pruneEvaluationEndpoints> | undefined;
  const pruneEvaluations = async () => {
    const { pruneEvaluationEndpoints: create } = await import('./prune-evaluations/endpoints.ts');
    return (loadedEvaluations ??= create({ openUploads, clock }));
  };
  const served: { [Id in ManageRouteId]: Endpoint<Id> } = {
    listClusters: async (call) => (await fleet()).listClusters(call),
    getFleetSummary: async (call) => (await fleet()).getFleetSummary(call),
    getClusterSettings: async (call) => (await settings()).getClusterSettings(call),
    putClusterSettings: async (call) => (await settings()).putClusterSettings(call),
    getCluster: async (call) => (await clusters()).getCluster(call),
    getClusterHistory: async (call) => (await clusters()).getClusterHistory(call),
    putCluster: async (call) => (await clusters()).putCluster(call),
    deleteCluster: async (call) => (await clusters()).deleteCluster(call),
    ...syncRunEndpoints(table, clock, launcher),
    ...uploadEndpoints(openUploads, clock),
    planUpgrade: async (call) => (await upgradePlans()).planUpgrade(call),
    planClusterUpgrade: async (call) => (await upgradePlans()).planClusterUpgrade(call),
    listImagePruners: async (call) => (await imagePruners()).listImagePruners(call),
    getImagePruner: async (call) => (await imagePruners()).getImagePruner(call),
    putImagePruner: async (call) => (await imagePruners()).putImagePruner(call),
    deleteImagePruner: async (call) => (await imagePruners()).deleteImagePruner(call),
    startImagePrunerRun: async (call) => (await imagePrunerRuns()).startImagePrunerRun(call),
    listImagePrunerRuns: async (call) => (await imagePrunerRuns()).listImagePrunerRuns(call),
    getImagePrunerRun: async (call) => (await imagePrunerRuns()).getImagePrunerRun(call),
    putImagesInUse: async (call) => (await imagesInUse()).putImagesInUse(call),
    evaluateHistoryPruning: async (call) => (await pruneEvaluations()).evaluateHistoryPruning(call),
    evaluateResourcePruning: async (call) => (await pruneEvaluations()).evaluateResourcePruning(call),
    evaluateImagePruning: async (call) => (await pruneEvaluations()).evaluateImagePruning(call),
    getNews: async (call) => (await news()).getNews(call),
    putNewsWebhook: async (call) => (await news()).putNewsWebhook(call),
    deleteNewsWebhook: async (call) => (await news()).deleteNewsWebhook(call),
    ...switchEndpoints({ table, switches, clock }),
  };
  const all = async () => (await import('./routes.ts')).routes;
  return httpHandler({ own: manageRoutes, all }, served, log, refuseStopped(switches));
}
