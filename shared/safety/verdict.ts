import type { ClusterFacts } from '../cluster/facts.ts';
import { excerpt } from '../text/quote.ts';
import { type Condition, type Finding, INPUT_MISSING, isUndecided } from './condition.ts';
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

/** Rows that missing documents leave open count as one: a single step collects the documents. */
export function countWarnings(conditions: readonly Condition[]): number {
  const open = countEffect(conditions.filter(isUndecided), 'warn');
  return countEffect(conditions, 'warn') - open + Math.min(open, 1);
}

function has(conditions: readonly Condition[], effect: Effect): boolean {
  return countEffect(conditions, effect) > 0;
}

/** Supplied, but without objects that every cluster has. */
const EMPTY_INPUT: readonly string[] = [
  'NoNodes',
  'NoControlPlaneNodes',
  'NoPools',
  'NoControlPlanePool',
  'NoClusterOperators',
  'EtcdNotReported',
  'NoHistory',
];

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
    const message = 'No blockers or warnings';
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
      detail: { status, reason, message: excerpt(message), ...(since !== null && { since }) },
    },
  ];
}

/** No causes of Upgradeable=False: who accepts them does not accept the report of the cluster. */
const OTHER_CAUSES: ReadonlySet<string> = new Set([
  'ClusterOperatorsHealthy',
  'EtcdHealthy',
  'NodesHealthy',
  'PathRecommended',
]);

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
  if (
    conditions.some(
      ({ effect, accepted, type }) => effect === 'block' && (!accepted || !OTHER_CAUSES.has(type)),
    )
  ) {
    return [];
  }
  const { reason, message, since } = reported;
  return [
    {
      type: 'ReportedUpgradeable',
      status: 'False',
      reason: reason === '' ? 'NotUpgradeable' : reason,
      message: excerpt(message) || 'The cluster reports that it cannot be updated to the next minor',
      effect: 'block',
      origin: 'reported',
      ...(since !== null && { since }),
    },
  ];
}
