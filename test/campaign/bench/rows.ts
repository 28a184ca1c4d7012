import { channelSets } from './channel-set.ts';
import type { Row } from './row.ts';
import { apiRequestCounts } from './rows/api-request-counts.ts';
import { clusterPlan } from './rows/cluster-plan.ts';
import { clusterWriters } from './rows/cluster-writers.ts';
import { coldStart } from './rows/cold-start.ts';
import { consolePages } from './rows/console-page.ts';
import { followFleetRow } from './rows/follow-fleet.ts';
import { graphCheck } from './rows/graph-check.ts';
import { historyPrune } from './rows/history-prune.ts';
import { pathSolve } from './rows/path-solve.ts';
import { registryPlan } from './rows/registry-plan.ts';
import { riskEvaluation } from './rows/risk-evaluation.ts';
import { unchangedSync } from './rows/unchanged-sync.ts';
import { updateForecast } from './rows/update-forecast.ts';
import { versionList } from './rows/version-list.ts';
import { warmGraph } from './rows/warm-graph.ts';

/** Every row, those about graphs on each set of channels. */
export const ROWS: readonly Row[] = [
  apiRequestCounts,
  clusterPlan,
  historyPrune,
  clusterWriters,
  followFleetRow,
  updateForecast,
  registryPlan,
  riskEvaluation,
  ...[graphCheck, coldStart, pathSolve, unchangedSync, versionList, warmGraph].flatMap((rowOf) =>
    channelSets.map(rowOf),
  ),
  ...consolePages,
];
