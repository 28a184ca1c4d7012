import type { ClusterFacts } from '../cluster/facts.ts';
import { type Condition, type Finding, INPUT_MISSING } from './condition.ts';
import { entersMinor, type Hop } from './hop.ts';
import type { HOP_VERDICTS, VERDICTS, Effect } from './values.ts';

export type HopVerdict = (typeof HOP_VERDICTS)[number];

export type Verdict = (typeof VERDICTS)[number];

/** Missing input makes only the next minor unknown: before later minors the cluster is checked again. */
export function hopVerdict(conditions: readonly Condition[], hop: Hop): HopVerdict {
  if (has(conditions, 'block')) return 'blocked';
  if (has(conditions, 'inform')) return 'will-block';
  if (entersMinor(hop) && hop.minorDistance === 1 && conditions.some(isMissingInput)) return 'unknown';
  return has(conditions, 'warn') ? 'allowed-with-warnings' : 'allowed';
}

export function overallVerdict(
  hops: readonly { readonly verdict: HopVerdict; readonly conditions: readonly Condition[] }[],
  hasPath: boolean,
): Verdict {
  const verdicts = hops.map(({ verdict }) => verdict);
  if (!hasPath || verdicts.includes('blocked')) return 'blocked';
  if (verdicts.includes('unknown')) return 'unknown';
  if (verdicts.includes('will-block')) return 'action-required';
  return hops.some(({ conditions }) => has(conditions, 'warn')) ? 'ready-with-warnings' : 'ready';
}

export function countEffect(conditions: readonly Condition[], effect: Effect): number {
  return conditions.filter((condition) => condition.effect === effect && !condition.accepted).length;
}

function has(conditions: readonly Condition[], effect: Effect): boolean {
  return countEffect(conditions, effect) > 0;
}

/** Supplied, but without objects that every cluster has. */
const EMPTY_INPUT: readonly string[] = ['NoNodes', 'NoClusterOperators', 'NoHistory'];

/** Unknown because of the input, not because of the cluster. */
export function isMissingInput({ status, reason, accepted }: Condition): boolean {
  return status === 'Unknown' && (reason === INPUT_MISSING || EMPTY_INPUT.includes(reason)) && !accepted;
}

/** Most severe first. */
const WEIGHTS = ['block', 'inform', 'warn'] as const;

/**
 * Merges the most severe conditions into one, as the ClusterVersion shows it: a single reason, or `MultipleReasons`
 * with a line each. Warnings beside a blocker are omitted. The cluster's own report is kept as evidence.
 */
export function upgradeable(conditions: readonly Condition[], facts: ClusterFacts): Condition {
  const counted = conditions.filter(({ status, accepted }) => status !== 'True' && !accepted);
  const effect = WEIGHTS.find((weight) => counted.some((condition) => condition.effect === weight));
  const told = counted.filter((condition) => condition.effect === effect);
  const [only, second] = told;
  const common = { type: 'Upgradeable', origin: 'computed', objects: reportedBy(facts) } as const;
  if (!only) {
    const message = 'Nothing stands against it';
    return { ...common, status: 'True', reason: 'AsExpected', message, effect: 'ok' };
  }
  return {
    ...common,
    status: told.some(({ status }) => status === 'False') ? 'False' : 'Unknown',
    reason: second ? 'MultipleReasons' : only.reason,
    message: second ? told.map(bulletOf).join('\n') : only.message,
    effect: only.effect,
  };
}

/** Keeps a multi-line message in one list item. */
function bulletOf({ type, message }: Condition): string {
  return `* ${type}: ${message.replaceAll('\n', '\n  ')}`;
}

function reportedBy({ clusterVersion }: ClusterFacts) {
  const reported = clusterVersion?.conditions.find(({ type }) => type === 'Upgradeable');
  if (!reported) return [];
  const { status, reason, message, since } = reported;
  return [
    {
      kind: 'ClusterVersion',
      name: 'version',
      detail: { status, reason, message, ...(since !== null && { since }) },
    },
  ];
}

/**
 * The cluster reports Upgradeable=False, but no check found a blocker. It can know more than the documents show, such
 * as a deletion in progress.
 */
export function reportedAgainst(
  hop: Hop,
  conditions: readonly Condition[],
  { clusterVersion }: ClusterFacts,
): Finding[] {
  const reported = clusterVersion?.conditions.find(({ type }) => type === 'Upgradeable');
  const isNextMinor = entersMinor(hop) && hop.minorDistance === 1;
  if (!isNextMinor || reported?.status !== 'False') return [];
  if (conditions.some(({ effect }) => effect === 'block')) return [];
  const { reason, message, since } = reported;
  return [
    {
      type: 'ReportedUpgradeable',
      status: 'False',
      reason: reason === '' ? 'NotUpgradeable' : reason,
      message: message === '' ? 'The cluster says that it must not be updated to the next minor' : message,
      effect: 'block',
      origin: 'reported',
      ...(since !== null && { since }),
    },
  ];
}
