import { collectCommands } from '../../../cluster/document-kinds.ts';
import type { ReportedKind } from '../../../cluster/facts.ts';
import { joinInWords } from '../../../text/words.ts';
import { type Minor, minorOf } from '../../../version/minor.ts';
import { ordinalOf } from '../../../version/release-line.ts';
import { mustParseVersion } from '../../../version/release-version.ts';
import {
  asExpected,
  type Check,
  type ConditionObject,
  type Finding,
  finding,
  NOT_CHECKED,
} from '../../condition.ts';
import { type Decision, NO } from '../../decision.ts';
import { type GuardReport, guardReports } from '../../evidence/guard-reports.ts';
import type { GuardSubject } from '../../evidence/guarded-settings.ts';
import { isHosted } from '../../evidence/hosted.ts';
import { SIGNATURES_NEEDED } from '../../evidence/mirrors.ts';
import { operatorObject, quotedMessage } from '../../evidence/operator-health.ts';
import { entersMinor, type Hop, type HopContext } from '../../hop.ts';
import { SIGNATURE_GATE } from '../../tables/admin-gates.ts';
import { FORWARD_GUARDS, type ForwardGuard } from '../../tables/forward-guards.ts';
import { adminAcks } from './admin-acks.ts';

const TYPE = 'ForwardGuards';

/**
 * Known causes for which a cluster refuses a minor, on this hop or a later one. What the cluster operators report today
 * counts more than the documents.
 */
export const forwardGuards: Check = (context) => {
  const reports = guardReports(context.facts);
  const decided = FORWARD_GUARDS.map((guard) => decide(guard, context, reports.get(guard.reason)));
  const findings = decided.flatMap(({ finding: found }) => found ?? []);
  const isQuiet = findings.every(({ effect }) => effect === 'info');
  const unchecked = [...new Set(decided.flatMap(({ unchecked: missing }) => missing))];
  return [
    ...(isQuiet ? [asExpected(TYPE, `No known cause blocks the update to ${context.hop.to.raw}`)] : []),
    ...findings,
    ...notChecked(unchecked),
  ];
};

interface Decided {
  readonly finding?: Finding;
  /** Documents that were not sent, and that the cluster operators make up for. */
  readonly unchecked: readonly ReportedKind[];
}

const NOTHING: Decided = { unchecked: [] };

function decide(guard: ForwardGuard, context: HopContext, report: GuardReport | undefined): Decided {
  const { hop } = context;
  if (report && (isAboutNow(hop) || isReportedToday(guard, context))) {
    return report.isMixed ? NOTHING : { finding: reported(guard, context, report), unchecked: [] };
  }
  const decision = isRelevant(guard, context) ? guard.applies(context) : NO;
  if (decision.answer === 'no' || isPartOfGate(guard, context)) return NOTHING;
  if (decision.answer === 'yes') return { finding: found(guard, decision, hop), unchecked: [] };
  if (isDecidedByReports(guard, context)) {
    const isRepeated = hop.index > 0 && isReportedToday(guard, context);
    return { unchecked: isRepeated ? [] : decision.missing };
  }
  // Guards of one minor are asked about only at the hop that leaves it.
  if (!entersMinor(hop) && guard.leaves !== 'any') return NOTHING;
  return { finding: undecided(guard, decision, hop), unchecked: [] };
}

/** The hop that the cluster operators report about: a patch of today's minor, or the next minor. */
function isAboutNow(hop: Hop): boolean {
  return hop.minorDistance === 0 || (hop.minorDistance === 1 && entersMinor(hop));
}

/** The cluster is in a minor of the guard already, so its operators report the cause for later hops too. */
function isReportedToday(guard: ForwardGuard, context: HopContext): boolean {
  const [today] = context.hops;
  return (
    guard.leaves === 'any' ||
    (today !== undefined && isInRange(guard.leaves, today) && isInRange(guard.leaves, context.hop))
  );
}

/** Whether the guard can apply to the hop. */
export function isRelevant(
  { leaves, isStandaloneOnly }: ForwardGuard,
  { facts, hop }: GuardSubject,
): boolean {
  if (hop.updateType === 'rollback' || hop.updateType === 'same') return false;
  if (isStandaloneOnly && isHosted(facts)) return false;
  return leaves === 'any' || isInRange(leaves, hop);
}

function isInRange({ first, last }: Exclude<ForwardGuard['leaves'], 'any'>, { from }: Hop): boolean {
  const ordinal = ordinalOf(from);
  return ordinal >= ordinalOfMinor(first) && ordinal <= ordinalOfMinor(last ?? minorOf(from));
}

function ordinalOfMinor(minor: Minor): number {
  return ordinalOf(mustParseVersion(`${minor}.0`));
}

/** The gate of 4.20 asks for the same signatures. */
function isPartOfGate({ reason }: ForwardGuard, context: HopContext): boolean {
  return (
    reason === SIGNATURES_NEEDED &&
    adminAcks(context).some(
      ({ status, objects = [] }) => status !== 'True' && objects.some(({ name }) => name === SIGNATURE_GATE),
    )
  );
}

/** Operators report these causes for the next minor, so a cluster without a report does not have them. */
function isDecidedByReports(guard: ForwardGuard, context: HopContext): boolean {
  const { facts, hop } = context;
  if (guard.isUnreported || (facts.clusterOperators ?? []).length === 0) return false;
  return isAboutNow(hop) || (isReportedToday(guard, context) && !guard.isPerTarget);
}

function found(
  guard: ForwardGuard,
  decision: Extract<Decision, { readonly answer: 'yes' }>,
  hop: Hop,
): Finding {
  const { reason, isPermanent } = guard;
  const effect = decision.effect ?? guard.effect;
  const isLater = hop.minorDistance > 1 && effect !== 'info';
  const { objects = [] } = decision;
  const remediation = guard.remediation(minorOf(hop.to), objects);
  return {
    ...finding({
      type: TYPE,
      status: effect === 'info' ? 'True' : 'False',
      reason,
      message: isLater ? `${decision.message} (as of the documents sent)` : decision.message,
      effect,
    }),
    origin: 'catalogue',
    ...(objects.length > 0 && { objects }),
    ...(remediation.length > 0 && { remediation }),
    ...(isPermanent && { notAcceptable: true }),
  };
}

/** The cluster refuses already, so the effect is a blocker whatever the row says. */
function reported(guard: ForwardGuard, context: HopContext, { operator, condition }: GuardReport): Finding {
  const { hop } = context;
  const decision = guard.applies(context);
  const objects = decision.answer === 'yes' ? (decision.objects ?? []) : [];
  const { message, since } = condition;
  return {
    ...finding({
      type: TYPE,
      status: 'False',
      reason: guard.reason,
      message: `${operator} reports ${quotedMessage({ message, reason: guard.reason })}`,
      effect: 'block',
    }),
    origin: 'reported',
    objects: [operatorObject(operator, condition), ...objects],
    remediation: guard.remediation(minorOf(hop.to), objects),
    ...(since !== null && { since }),
    ...(guard.isPermanent && { notAcceptable: true }),
  };
}

function undecided(
  { reason, question }: ForwardGuard,
  { missing, why }: Extract<Decision, { readonly answer: 'unknown' }>,
  hop: Hop,
): Finding {
  const commands = collectCommands(...missing);
  return {
    ...finding({
      type: TYPE,
      status: 'Unknown',
      reason,
      message: `Not known whether ${question}; ${why ?? `send the output of ${inWords(commands)}`}`,
      effect: entersMinor(hop) ? 'warn' : 'info',
    }),
    origin: 'catalogue',
    objects: missing.map((kind): ConditionObject => ({
      kind: 'Document',
      name: kind,
      detail: { cannotTell: collectCommands(kind) },
    })),
    remediation: commands,
  };
}

/** One note for all documents that would confirm what the cluster operators do not report. */
function notChecked(missing: readonly ReportedKind[]): readonly Finding[] {
  if (missing.length === 0) return [];
  const commands = collectCommands(...missing);
  const message = `The cluster operators report no further cause; the output of ${inWords(commands)} confirms it`;
  return [
    {
      ...finding({ type: TYPE, status: 'Unknown', reason: NOT_CHECKED, message, effect: 'info' }),
      origin: 'catalogue',
      remediation: commands,
    },
  ];
}

function inWords(commands: readonly string[]): string {
  return joinInWords(commands.map((command) => `\`${command}\``));
}
