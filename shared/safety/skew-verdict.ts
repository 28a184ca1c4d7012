import type { Condition } from './skew-condition.ts';
import { INPUT_MISSING } from './effects.ts';
import { entersMinor, type Hop } from './hop.ts';
import type { HOP_VERDICTS, VERDICTS, Effect } from './values.ts';

export type HopVerdict = (typeof HOP_VERDICTS)[number];

export type Verdict = (typeof VERDICTS)[number];

/** Of one hop. What was not supplied leaves only the next minor open to doubt: further on, the cluster is read again. */
export function hopVerdict(conditions: readonly Condition[], hop: Hop): HopVerdict {
  if (has(conditions, 'block')) return 'blocked';
  if (has(conditions, 'inform')) return 'will-block';
  if (entersMinor(hop) && hop.minorDistance === 1 && conditions.some(isMissingInput)) return 'unknown';
  return has(conditions, 'warn') ? 'allowed-with-warnings' : 'allowed';
}

/** Of the whole way. */
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

/** How many conditions that were not accepted have the effect. */
export function countEffect(conditions: readonly Condition[], effect: Effect): number {
  return conditions.filter((condition) => condition.effect === effect && !condition.accepted).length;
}

function has(conditions: readonly Condition[], effect: Effect): boolean {
  return countEffect(conditions, effect) > 0;
}

/** Supplied, but with nothing in it that every cluster has. */
const EMPTY_INPUT: readonly string[] = ['NoNodes', 'NoClusterOperators', 'NoHistory'];

/** Whether a check cannot tell because of what was sent, not of what the cluster is like. */
export function isMissingInput({ status, reason, accepted }: Condition): boolean {
  return status === 'Unknown' && (reason === INPUT_MISSING || EMPTY_INPUT.includes(reason)) && !accepted;
}
