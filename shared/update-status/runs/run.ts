/**
 * Updates of a cluster as its reports showed them. Everything is a minimum, a maximum or a union of what single reports
 * show, so that the order of their arrival does not matter. Times are milliseconds since 1970.
 */
export interface UpdateRuns {
  /** Newest first, with all details. */
  readonly recent: readonly UpdateRun[];
  /** Former runs, newest first. */
  readonly past: readonly PastRun[];
}

export const NO_RUNS: UpdateRuns = { recent: [], past: [] };

/** The newest history entry of a ClusterVersion; start and image identify the run. */
export interface RunIdentity {
  /** As the history has it. */
  readonly startedAt: string;
  readonly image: string;
  readonly version: string;
  /** Null for an installation. */
  readonly previous: string | null;
  readonly kind: 'update' | 'install' | 'multi-arch';
}

export interface UpdateRun extends RunIdentity {
  /** Start by the clock of the service. */
  readonly beganAt: number;
  /** First report with the update in progress; null if only reports of its end arrived so far. */
  readonly openedAt: number | null;
  /** As the history has it. */
  readonly controlPlaneCompletedAt: number | null;
  /** First report with a completed history entry and every pool updated. Later reports are not part of the run. */
  readonly completedAt: number | null;
  /** Former releases kept none. */
  readonly forecasts?: RunForecasts;
  /** One per collection time, oldest first. */
  readonly points: readonly RunPoint[];
  /** By name. */
  readonly operators: readonly OperatorTimes[];
  /** By name. A node that changed its pool is in both. */
  readonly pools: readonly PoolTimes[];
}

/** The run of an entry of the history; null if no report showed it in progress. */
export function runOf(
  { recent }: UpdateRuns,
  entry: { readonly startedTime: string | null; readonly image: string } | undefined,
): UpdateRun | null {
  const run = recent.find(
    ({ startedAt, image }) => startedAt === entry?.startedTime && image === entry.image,
  );
  return run === undefined || run.openedAt === null ? null : run;
}

/** What was forecast by the first report in progress, and by the first with half of the operators updated. */
export interface RunForecasts {
  readonly begin: MadeForecast | null;
  readonly half: MadeForecast | null;
}

export interface MadeForecast {
  readonly at: number;
  /** Likely ends; null if nothing was known. */
  readonly controlPlane: number | null;
  readonly whole: number | null;
}

/** What the reports of one collection time showed. */
export interface RunPoint {
  readonly at: number;
  /** Last arrival, by the clock of the service. */
  readonly receivedAt: number;
  /** Null if the report had no ClusterOperators. */
  readonly operators: {
    readonly updated: number;
    readonly total: number;
    /** Last transition of an operator, or the collection time. */
    readonly lastTransition: number;
    /** At most 100; former releases kept none. */
    readonly unusual?: readonly UnusualCondition[];
  } | null;
  /** Null if the report had no nodes. Only pools with nodes. */
  readonly pools: readonly PoolPoint[] | null;
}

/** A condition with another status than a healthy cluster has. */
export interface UnusualCondition {
  /** Null for the ClusterVersion. */
  readonly operator: string | null;
  readonly type: string;
  readonly status: string;
}

/** Statuses in a healthy cluster, of the conditions that insights are derived from. */
export const USUAL_STATUS: Readonly<Record<string, string>> = {
  Available: 'True',
  Degraded: 'False',
  Failing: 'False',
};

export interface PoolPoint {
  readonly name: string;
  readonly paused: boolean;
  /** Unavailable nodes keep the Machine Config Operator from updating the next node. */
  readonly blocked: boolean;
  /** Nodes by rank, see `NODE_RANKS`. */
  readonly ranks: readonly number[];
  /** At most 100 names. */
  readonly degraded: readonly string[];
  /** Nodes that are not unavailable; former releases kept none. */
  readonly available?: number;
}

export interface OperatorTimes {
  readonly name: string;
  /** First report that showed it updating, and the transition time in that report. */
  readonly updating: { readonly at: number; readonly since: number } | null;
  /** First report that showed it updated. */
  readonly updated: number | null;
}

export interface PoolTimes {
  readonly name: string;
  /** By name. */
  readonly nodes: readonly NodeTimes[];
}

export interface NodeTimes {
  readonly name: string;
  /** First report that showed the node at each rank, see `NODE_RANKS`. */
  readonly ranks: readonly (number | null)[];
}

export interface PastRun extends RunIdentity {
  readonly beganAt: number;
  readonly controlPlaneCompletedAt: number | null;
  /** Null for a superseded run. */
  readonly completedAt: number | null;
  readonly forecasts?: RunForecasts;
  readonly reports: number;
  readonly pools: readonly PastPool[];
  /** At most five, slowest first. */
  readonly slowestOperators: readonly { readonly name: string; readonly minutes: number }[];
  readonly slowestNodes: readonly {
    readonly pool: string;
    readonly name: string;
    readonly minutes: number;
  }[];
  readonly stalls: readonly RunStall[];
}

/** Progress ceased for longer than the reason allows. */
export interface RunStall {
  readonly reason: string;
  readonly pool: string | null;
  readonly since: number;
  readonly until: number;
}

export interface PastPool {
  readonly name: string;
  readonly nodes: number;
  /** First node that began, and last node that ended; null if no report showed it. */
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  /** Minutes of single nodes, ascending; at most 100, evenly chosen. */
  readonly nodeMinutes: readonly number[];
  /** Minutes in each rank before the next one, likewise. */
  readonly phaseMinutes: readonly (readonly number[])[];
}
