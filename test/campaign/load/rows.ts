import type { LoadRow } from './row.ts';

export interface ListedRow {
  /** As the specification numbers them: `L1`. */
  readonly name: string;
  readonly title: string;
  /** Loaded where it runs, so that the memory of a row is not that of what other rows need. */
  readonly open: () => Promise<LoadRow>;
}

/** In the order of the specification. */
export const LOAD_ROWS: readonly ListedRow[] = [
  { name: 'L1', title: 'graph reads', open: async () => (await import('./rows/graph-reads.ts')).graphReads },
  { name: 'L2', title: 'mixed reads', open: async () => (await import('./rows/mixed-reads.ts')).mixedReads },
  { name: 'L3', title: 'path solves', open: async () => (await import('./rows/path-solves.ts')).pathSolves },
  {
    name: 'L4',
    title: 'reading a large answer',
    open: async () => (await import('./rows/graph-reading.ts')).graphReading,
  },
  { name: 'L5', title: 'full sync', open: async () => (await import('./rows/full-sync.ts')).fullSync },
  {
    name: 'L6',
    title: 'histories of a fleet',
    open: async () => (await import('./rows/fleet-histories.ts')).fleetHistories,
  },
  {
    name: 'L7',
    title: 'plan of a registry',
    open: async () => (await import('./rows/blob-plan.ts')).blobPlan,
  },
  {
    name: 'L8',
    title: 'cluster reports',
    open: async () => (await import('./rows/cluster-reports.ts')).clusterReports,
  },
  { name: 'L9', title: 'soak', open: async () => (await import('./rows/soak.ts')).soak },
  { name: 'L10', title: 'overload', open: async () => (await import('./rows/overload.ts')).overload },
  { name: 'L11', title: 'cold start bundles', open: async () => (await import('./rows/bundles.ts')).bundles },
];
