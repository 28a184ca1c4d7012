import type { Effect, ConditionStatus, Origin } from './values.ts';

/** An object of the cluster that a condition is about. */
export interface ConditionObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** What a check has to say of a hop. `True` always means that nothing stands against the hop. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  readonly effect: Effect;
  readonly origin: Origin;
  /** All of them, sorted. */
  readonly objects?: readonly ConditionObject[];
  /** Commands or steps. */
  readonly remediation?: readonly string[];
  readonly since?: string;
  readonly url?: string;
  /** It was accepted by who asked, and no longer drives the verdict. */
  readonly accepted?: true;
}

/**
 * A condition as its check sees it, with the effect it would have on the very next minor. What it comes to for the hop at
 * hand is decided in one place, `effects.ts`, after all checks.
 */
export interface Finding extends Condition {
  readonly effect: Exclude<Effect, 'inform'>;
  /** Holds for patch updates too: going back, versions that are none, a lost control plane. */
  readonly evenForPatches?: true;
  /** May not be accepted away. */
  readonly notAcceptable?: true;
}
