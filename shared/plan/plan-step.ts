import type { StepKind } from './values.ts';

export interface PlanStep {
  readonly kind: StepKind;
  /** The hop it belongs to; null for what comes after the last. */
  readonly hop: number | null;
  readonly text: string;
  readonly command?: string;
  /** Whether the plan cannot go on without it. */
  readonly blocking: boolean;
}
