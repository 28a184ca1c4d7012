/** Update status of a cluster at one moment. */
export interface UpdateStatus {
  readonly at: string;
  readonly updating: boolean;
  readonly state: UpdateState;
  /** One line for people. */
  readonly summary: string;
  readonly startedAt: string | null;
  /** Null if no update is in progress, like `controlPlane`. */
  readonly target: UpdateTarget | null;
  readonly controlPlane: ControlPlaneStatus | null;
  /** Null if no update is in progress. */
  readonly forecast: UpdateForecast | null;
  /** In the order of the documents. */
  readonly pools: readonly PoolStatus[];
  readonly nodesWithoutPool: number;
  readonly insights: readonly Insight[];
  /** Resources that were not sent, and `times` if transition times are missing or wrong. */
  readonly missing: readonly string[];
}

/** States that a single report can show. */
type UpdateState = Exclude<(typeof UPDATE_STATES)[number], 'silent' | 'completed'>;

/** The first that applies counts. */
export const UPDATE_STATES = [
  'none',
  'silent',
  'stalled',
  'slow',
  'held',
  'control-plane',
  'workers',
  'completed',
] as const;

/** A single report shows the first two. */
export const STALLED_REASONS = [
  'OverEstimate',
  'Failing',
  'NoOperatorProgress',
  'NoControlPlaneNodeProgress',
  'NoNodeProgress',
  'PoolBlocked',
] as const;

export const RUN_STATES = ['in-progress', 'completed', 'superseded'] as const;

export const REGRESSED_KINDS = ['ClusterOperator', 'Node'] as const;

export const FORECAST_BASES = ['own', 'fleet', 'model', 'progress', 'nodes'] as const;

/** When an update is likely to end; null for what is done, and for what nothing is known of. */
export interface UpdateForecast {
  readonly controlPlane: Forecast | null;
  readonly workers: Forecast | null;
  readonly whole: Forecast | null;
  /** Outdated nodes of paused pools, which have no end. */
  readonly heldNodes: number;
}

export interface Forecast {
  readonly likelyAt: string;
  readonly earliestAt: string;
  readonly latestAt: string;
  readonly basis: (typeof FORECAST_BASES)[number];
  readonly samples: number;
  readonly restsOn: string;
  /** How long the likely end has passed; `likelyAt` is then the moment of the assessment. */
  readonly overdueSeconds: number;
}

export const TARGET_KINDS = ['update', 'install', 'multi-arch'] as const;

export interface UpdateTarget {
  readonly version: string;
  /** Null for an installation. */
  readonly previous: string | null;
  readonly kind: (typeof TARGET_KINDS)[number];
  readonly previousIncomplete: boolean;
  /** `4.14.1 (from 4.14.0)` */
  readonly text: string;
}

export const CONTROL_PLANE_ASSESSMENTS = [
  'Progressing',
  'ProgressingSlow',
  'Stalled',
  'Completed',
  'Unknown',
] as const;

export interface ControlPlaneStatus {
  readonly assessment: (typeof CONTROL_PLANE_ASSESSMENTS)[number];
  readonly completion: Completion;
  readonly durationSeconds: number;
  readonly duration: string;
  /** Null until the history has it. */
  readonly completedAt: string | null;
  readonly remaining: Remaining | null;
  readonly health: { readonly healthy: number; readonly unavailable: number; readonly degraded: number };
  /** In the order of the documents. */
  readonly updatingOperators: readonly UpdatingOperator[];
  readonly waitingOperators: readonly string[];
  readonly unavailableOperators: readonly string[];
  readonly degradedOperators: readonly string[];
}

export interface Completion {
  /** Null without operators. */
  readonly percent: number | null;
  readonly updated: number;
  readonly updating: number;
  readonly waiting: number;
  readonly total: number;
  /** A migration to multi-arch is running, and the Deployment that shows its end was not sent. */
  readonly uncertain: boolean;
}

export const REMAINING_BASES = ['progress', 'baseline'] as const;

/** Heuristic: fitted to past updates, not measured. */
export interface Remaining {
  /** Negative if the update is late. */
  readonly seconds: number;
  /** Null if nothing remains. */
  readonly text: string | null;
  readonly estimatedTotalSeconds: number;
  /** `progress`: projected from the operators that are updated. `baseline`: a former update, or one hour. */
  readonly basis: (typeof REMAINING_BASES)[number];
}

export interface UpdatingOperator {
  readonly name: string;
  readonly since: string | null;
  readonly reason: string | null;
  readonly message: string;
}

export const POOL_ROLES = ['control-plane', 'worker'] as const;

export const POOL_ASSESSMENTS = [
  'Empty',
  'Completed',
  'Pending',
  'Degraded',
  'Excluded',
  'Progressing',
] as const;

export interface PoolStatus {
  readonly name: string;
  readonly role: (typeof POOL_ROLES)[number];
  readonly assessment: (typeof POOL_ASSESSMENTS)[number];
  readonly paused: boolean;
  readonly maxUnavailable: number | string;
  readonly completion: { readonly percent: number | null };
  readonly counts: NodeCounts;
  /** By assessment, phase and name. */
  readonly nodes: readonly NodeStatus[];
}

export interface NodeCounts {
  readonly total: number;
  readonly updated: number;
  readonly outdated: number;
  readonly available: number;
  readonly progressing: number;
  readonly draining: number;
  readonly excluded: number;
  readonly degraded: number;
}

/** In the order of a list of nodes. */
export const NODE_ASSESSMENTS = [
  'Degraded',
  'Unavailable',
  'Progressing',
  'Excluded',
  'Outdated',
  'Completed',
] as const;

/** In the order of a list of nodes. */
export const NODE_PHASES = ['Draining', 'Updating', 'Rebooting', 'Paused', 'Pending', 'Updated'] as const;

export interface NodeStatus {
  readonly name: string;
  readonly assessment: (typeof NODE_ASSESSMENTS)[number];
  readonly phase: (typeof NODE_PHASES)[number];
  /** Null if the release of its configuration is unknown. */
  readonly version: string | null;
  /** Fixed per phase, not measured: `+10m`, `+5m`, `?`, `-`. */
  readonly estimate: string;
  readonly message: string;
  readonly unavailable: boolean;
  readonly degraded: boolean;
}

/** Worst first. */
export const INSIGHT_LEVELS = ['Critical', 'Error', 'Warning', 'Info'] as const;
export const INSIGHT_IMPACTS = [
  'API Availability',
  'Update Stalled',
  'Update Speed',
  'None',
  'Unknown',
] as const;
export const INSIGHT_SCOPES = ['ControlPlane', 'WorkerPool', 'Cluster'] as const;
/** `oc`: as `oc adm upgrade status` shows it. `cairn`: only Cairn has it. */
export const INSIGHT_ORIGINS = ['oc', 'cairn'] as const;

export const INSIGHT_TYPES = [
  'ClusterOperatorUnavailable',
  'ClusterOperatorDegraded',
  'ClusterVersionFailing',
  'ClusterVersionMayBeFailing',
  'ClusterVersionFailingUnknown',
  'PreviousUpdateIncomplete',
  'NodeUnavailable',
  'NodeDegraded',
  'PoolPaused',
  'AlertFiring',
  'ProceedingWell',
  'NoPlatformOperators',
  'UpdateStalled',
  'NodeStuck',
  'ClockSkew',
  'EarlierMoment',
] as const;

export interface Insight {
  readonly origin: (typeof INSIGHT_ORIGINS)[number];
  readonly type: (typeof INSIGHT_TYPES)[number];
  readonly level: (typeof INSIGHT_LEVELS)[number];
  readonly impact: (typeof INSIGHT_IMPACTS)[number];
  /** Null for the whole update. */
  readonly scope: (typeof INSIGHT_SCOPES)[number] | null;
  readonly since: string | null;
  readonly message: string;
  readonly description: string;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly resources: readonly InsightResource[];
  /** Only of `PreviousUpdateIncomplete`. */
  readonly previous?: string;
  readonly lastCompleted?: string;
}

export interface InsightResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
}

/** Minutes without progress. */
export interface StalledAfter {
  readonly operators: number;
  readonly controlPlaneNodes: number;
  readonly workers: number;
}

/**
 * The Cluster Version Operator suspects an operator after 30 minutes, the Machine Config Operator reports a failed drain
 * after 60, and a control plane node takes a third of 40 at most.
 */
export const STALLED_AFTER: StalledAfter = { operators: 30, controlPlaneNodes: 40, workers: 60 };

/** Minutes that a setting may have. */
export const STALLED_AFTER_RANGE = [10, 1440] as const;

/** Of a cluster. What is not set is as in the service. */
export interface UpdateSettings {
  readonly stalledAfterMinutes?: { readonly [Part in keyof StalledAfter]?: number | undefined } | undefined;
}
