import { collectCommands } from '../cluster/document-kinds.ts';
import type { ReportedKind } from '../cluster/facts.ts';
import { entersMinor, type Hop, type SafetyOptions, type HopContext } from './hop.ts';
import type { Effect, ConditionStatus, Origin } from './values.ts';

const PAGE = 'docs/reference/checks.md';

/** `docs/reference/checks.md#poolsready` for `PoolsReady`. */
export function docsOf(type: string): string {
  return `${PAGE}#${type.toLowerCase()}`;
}

export interface ConditionObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Result of a check for a hop. `True` always means that the check does not block it. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  readonly effect: Effect;
  readonly origin: Origin;
  /** Complete and sorted. */
  readonly objects?: readonly ConditionObject[];
  readonly remediation?: readonly string[];
  readonly since?: string;
  readonly url?: string;
  /** Accepted by the caller, so it no longer affects the verdict. */
  readonly accepted?: true;
}

/** Condition with the effect it would have on the next minor. `settleFinding` derives the effect on the actual hop. */
export interface Finding extends Condition {
  readonly effect: Exclude<Effect, 'inform'>;
  /** Blocks patch updates too: rollback, invalid versions, a lost control plane. */
  readonly evenForPatches?: true;
  readonly notAcceptable?: true;
  /** Names that accept it, beside its type and reason. */
  readonly acceptedAs?: readonly string[];
}

/** The main condition first, then additional findings. */
export type Check = (context: HopContext) => readonly Finding[];

export const INPUT_MISSING = 'InputMissing';
/** An optional document was not sent; the verdict does not depend on it. */
export const NOT_CHECKED = 'NotChecked';

/** Reasons with another name in `oc adm upgrade recommend --accept`. */
const NAMES_IN_OC: ReadonlyMap<string, string> = new Map([
  ['UpdateInProgress', 'Progressing'],
  ['UpdateFailing', 'Failing'],
]);

/**
 * The next minor keeps the effect; later minors turn a blocker into an upcoming blocker; a patch is blocked only by
 * `evenForPatches`. Runs after all checks, so that no finding bypasses it.
 */
export function settleFinding(finding: Finding, hop: Hop, options: SafetyOptions): Condition {
  const { evenForPatches, notAcceptable, acceptedAs = [], ...condition } = finding;
  const isMissing = finding.reason === INPUT_MISSING || (finding.effect === 'warn' && isUndecided(finding));
  const found = options.strict && isMissing ? 'block' : finding.effect;
  const effect = found === 'block' && !evenForPatches ? effectOf(hop) : found;
  const isAccepted =
    effect !== 'ok' &&
    effect !== 'info' &&
    !notAcceptable &&
    [finding.type, finding.reason, NAMES_IN_OC.get(finding.reason), ...acceptedAs].some(
      (name) => name !== undefined && options.accept.includes(name),
    );
  return { ...condition, effect, ...(isAccepted && { accepted: true as const }) };
}

function effectOf(hop: Hop): 'warn' | 'block' | 'inform' {
  // A later patch is blocked by the minor before it, not by itself.
  if (!entersMinor(hop)) return 'warn';
  return hop.minorDistance === 1 ? 'block' : 'inform';
}

/** A row of a table that a missing document leaves open, unlike the missing input of a whole check. */
export function isUndecided({ status, objects = [] }: Pick<Condition, 'status' | 'objects'>): boolean {
  return status === 'Unknown' && objects.some(({ detail }) => detail?.['cannotTell'] !== undefined);
}

export function finding({
  type,
  status,
  reason,
  message,
  effect,
}: Pick<Finding, 'type' | 'status' | 'reason' | 'message' | 'effect'>): Finding {
  return { type, status, reason, message, effect, origin: 'computed' };
}

export function asExpected(type: string, message: string): Finding {
  return finding({ type, status: 'True', reason: 'AsExpected', message, effect: 'ok' });
}

export function invalidCurrentVersion(type: string, version: string, unknown: string): Finding {
  const message = `The cluster runs "${version}", which is not a version such as 4.14.3, so ${unknown}`;
  return finding({ type, status: 'Unknown', reason: 'InvalidCurrentVersion', message, effect: 'warn' });
}

/** The message names the commands whose output is missing. */
export function inputMissing(type: string, what: string, commands: readonly string[]): Finding {
  const printed = commands.map((command) => `\`${command}\``).join(' and ');
  const message = `Not known, because ${what} not supplied; send what ${printed} ${commands.length === 1 ? 'prints' : 'print'}`;
  return {
    ...finding({ type, status: 'Unknown', reason: INPUT_MISSING, message, effect: 'warn' }),
    remediation: commands,
  };
}

/** An optional document was not sent, which affects no verdict. */
export function notChecked(type: string, what: string, needs: readonly ReportedKind[]): Finding {
  const message = `Not checked: ${what} not supplied`;
  return {
    ...finding({ type, status: 'Unknown', reason: NOT_CHECKED, message, effect: 'info' }),
    remediation: collectCommands(...needs),
  };
}
