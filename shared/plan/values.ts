/** Field values without the code of plans: schemas list them too. */

/** Origin of the facts: reported by a cluster, or assumed from a version. */
export const BASES = ['reported', 'assumed'] as const;
export type Basis = (typeof BASES)[number];

export const STEP_KINDS = [
  'accept',
  'ack',
  'backup',
  'check',
  'fix',
  'mirror',
  'update',
  'roll-pool',
  'update-operator',
  'migrate-api',
  'pause',
  'unpause',
  'suspend',
  'resume',
  'verify',
  'wait',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Whether the cluster can ask an update service; `auto` reads it from its ClusterVersion. The first is the default. */
export const UPDATE_SERVICES = ['auto', 'present', 'none'] as const;
export type UpdateServiceChoice = (typeof UPDATE_SERVICES)[number];

/** Clusters that steps of a hosted control plane are for. */
export const STEP_PLACES = ['management', 'hosted'] as const;
export type StepPlace = (typeof STEP_PLACES)[number];

export const POOL_KINDS = ['control-plane', 'workers', 'unmanaged'] as const;
export type PoolKind = (typeof POOL_KINDS)[number];

/** Reason of a rollout: every hop has one, skew forces it, the minor is EUS, or the path ends. */
export const ROLL_REASONS = ['every-hop', 'skew', 'extended-support', 'target'] as const;
export type RollReason = (typeof ROLL_REASONS)[number];

export const FITS = ['whole', 'control-plane', 'too-long', 'not-known', 'waiting'] as const;

export const CALIBRATION_SOURCES = ['cluster', 'fleet', 'none'] as const;

/** Limit on maintenance windows after expansion: each day of a span counts. */
export const MOST_WINDOWS = 50;
