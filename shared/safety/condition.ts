import { entersMinor, type Hop, type SkewOptions, type HopContext } from './hop.ts';
import type { Effect, ConditionStatus, Origin } from './values.ts';

const PAGE = 'docs/upgrade-safety.md';

/** Where a type of condition is explained: `docs/upgrade-safety.md#poolsready` for `PoolsReady`. */
export function docsOf(type: string): string {
  return `${PAGE}#${type.toLowerCase()}`;
}

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
 * hand is decided in one place, `settleFinding`, after all checks.
 */
export interface Finding extends Condition {
  readonly effect: Exclude<Effect, 'inform'>;
  /** Holds for patch updates too: going back, versions that are none, a lost control plane. */
  readonly evenForPatches?: true;
  /** May not be accepted away. */
  readonly notAcceptable?: true;
}

/** Its condition first, then what else it noticed. */
export type Check = (context: HopContext) => readonly Finding[];

export const INPUT_MISSING = 'InputMissing';

/** Reasons that `oc adm upgrade recommend --accept` knows under another name. */
const NAMES_IN_OC: ReadonlyMap<string, string> = new Map([['UpdateInProgress', 'Progressing']]);

/**
 * What a finding comes to for a hop. On the next minor it counts as found; further on what stands in the way is only
 * announced; a patch is blocked only by what holds `evenForPatches`. Applied after all checks, so that none escapes.
 */
export function settleFinding(finding: Finding, hop: Hop, options: SkewOptions): Condition {
  const { evenForPatches, notAcceptable, ...condition } = finding;
  const found = options.strict && finding.reason === INPUT_MISSING ? 'block' : finding.effect;
  const effect = found === 'block' && !evenForPatches ? effectOf(hop) : found;
  const isAccepted =
    effect !== 'ok' &&
    effect !== 'info' &&
    !notAcceptable &&
    [finding.type, finding.reason, NAMES_IN_OC.get(finding.reason)].some(
      (name) => name !== undefined && options.accept.includes(name),
    );
  return { ...condition, effect, ...(isAccepted && { accepted: true as const }) };
}

function effectOf(hop: Hop): 'warn' | 'block' | 'inform' {
  // A patch further on is held by the minor before it, not by itself.
  if (!entersMinor(hop)) return 'warn';
  return hop.minorDistance === 1 ? 'block' : 'inform';
}

/** A finding that we computed. */
export function finding({
  type,
  status,
  reason,
  message,
  effect,
}: Pick<Finding, 'type' | 'status' | 'reason' | 'message' | 'effect'>): Finding {
  return { type, status, reason, message, effect, origin: 'computed' };
}

/** Nothing stands against the hop. */
export function asExpected(type: string, message: string): Finding {
  return finding({ type, status: 'True', reason: 'AsExpected', message, effect: 'ok' });
}

/** A check that cannot tell, because the cluster says that it runs something else than a version. */
export function invalidCurrentVersion(type: string, version: string, unknown: string): Finding {
  const message = `The cluster runs "${version}", which is not a version such as 4.14.3, so ${unknown}`;
  return finding({ type, status: 'Unknown', reason: 'InvalidCurrentVersion', message, effect: 'warn' });
}

/** A check that cannot tell, because what it looks at was not supplied: says what to send. */
export function inputMissing(type: string, what: string, commands: readonly string[]): Finding {
  const printed = commands.map((command) => `\`${command}\``).join(' and ');
  const message = `Not known, because ${what} not supplied; send what ${printed} ${commands.length === 1 ? 'prints' : 'print'}`;
  return {
    ...finding({ type, status: 'Unknown', reason: INPUT_MISSING, message, effect: 'warn' }),
    remediation: commands,
  };
}
