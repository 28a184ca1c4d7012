import type { FaultStage } from './harness/stage.ts';

/**
 * What goes wrong in a trial. `any` is a mixture with one to three kills; the others are mostly of their own kind, so
 * that each is tried often enough.
 */
export type FaultKind = 'any' | 'lost-answers' | 'duplicates' | 'clock' | 'concurrent' | 'throttled';

export interface TrialOptions {
  readonly seed: number;
  readonly kind: FaultKind;
  /** The name of a planted bug. */
  readonly bug?: string;
  /** Faults that are left out, by their number in the list of the outcome: by this a failure is made small. */
  readonly without?: ReadonlySet<number>;
}

export interface TrialOutcome {
  readonly seed: number;
  readonly violations: readonly string[];
  /** What happened, for whoever looks into a violation; the same for the same options. */
  readonly steps: readonly string[];
  /** What was done to the program, in order: faults, kills, pauses, jumps of the clock. */
  readonly faults: readonly string[];
  /** `reads` are those of readers, `faults` and `kills` what was injected; scenarios add their own. */
  readonly counts: Readonly<Record<string, number>>;
}

/** A step that is cut at every call of its clients. */
export interface CrashCase {
  readonly name: string;
  /** The calls of the undisturbed step. */
  calls(stage: FaultStage): Promise<number>;
  /** Cuts the step at a call, counted from 1, and lets at most two further runs follow. */
  crashAt(stage: FaultStage, call: number, side: 'before' | 'after'): Promise<TrialOutcome>;
}

/** A part of the product among faults: whoever runs a trial of it learns which promises were broken. */
export interface Scenario {
  readonly name: 'sync' | 'clusters' | 'fleet' | 'prune';
  readonly kinds: readonly FaultKind[];
  trial(stage: FaultStage, options: TrialOptions): Promise<TrialOutcome>;
  readonly crashCases: readonly CrashCase[];
  /** By name, what a program with this bug would do; `kind` is the kind of trials that finds it soonest. */
  readonly bugs: Readonly<Record<string, { readonly what: string; readonly kind: FaultKind }>>;
}
