import type { LoadRow } from './row.ts';
import { blobPlan } from './rows/blob-plan.ts';
import { bundles } from './rows/bundles.ts';
import { clusterReports } from './rows/cluster-reports.ts';
import { fleetHistories } from './rows/fleet-histories.ts';
import { fullSync } from './rows/full-sync.ts';
import { graphReading } from './rows/graph-reading.ts';
import { graphReads } from './rows/graph-reads.ts';
import { mixedReads } from './rows/mixed-reads.ts';
import { overload } from './rows/overload.ts';
import { pathSolves } from './rows/path-solves.ts';
import { soak } from './rows/soak.ts';

/** In the order of the specification. */
export const LOAD_ROWS: readonly LoadRow[] = [
  graphReads,
  mixedReads,
  pathSolves,
  graphReading,
  fullSync,
  fleetHistories,
  blobPlan,
  clusterReports,
  soak,
  overload,
  bundles,
];
