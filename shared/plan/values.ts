/** Values of fields, apart from what makes a plan: the interface lists them as well. */

/** Where the facts of a plan are from: a cluster reported them, or they are assumed of one whose version is known. */
export const BASES = ['reported', 'assumed'] as const;
export type Basis = (typeof BASES)[number];

export const STEP_KINDS = [
  'ack',
  'check',
  'fix',
  'update',
  'roll-pool',
  'update-operator',
  'migrate-api',
  'pause',
  'unpause',
  'verify',
  'wait',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export const POOL_KINDS = ['control-plane', 'workers', 'unmanaged'] as const;
export type PoolKind = (typeof POOL_KINDS)[number];

/** Why a pool is rolled there: it follows every hop, skew forces it, the minor has extended support, the way ends. */
export const ROLL_REASONS = ['every-hop', 'skew', 'extended-support', 'target'] as const;
export type RollReason = (typeof ROLL_REASONS)[number];

/** How far a hop fits in a window. */
export const FITS = ['whole', 'control-plane', 'too-long', 'not-known', 'waiting'] as const;

/** Where the past updates are from. */
export const CALIBRATION_SOURCES = ['cluster', 'fleet', 'none'] as const;
