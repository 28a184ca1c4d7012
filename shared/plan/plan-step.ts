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

export interface PlanStep {
  readonly kind: StepKind;
  /** The hop it belongs to; null for what comes after the last. */
  readonly hop: number | null;
  readonly text: string;
  readonly command?: string;
  /** Whether the plan cannot go on without it. */
  readonly blocking: boolean;
}
