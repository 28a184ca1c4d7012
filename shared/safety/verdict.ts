import type { ClusterFacts } from '../cluster/facts.ts';
import type { Condition, Finding } from './skew-condition.ts';
import { entersMinor, type Hop } from './hop.ts';

/** The weightiest first. */
const WEIGHTS = ['block', 'inform', 'warn'] as const;

/**
 * What stands against a hop as the one condition that the cluster itself shows, in the order of the checks: its reason is
 * the one reason, or `MultipleReasons` with a line for each. A warning beside what holds the hop is not among them. What
 * the cluster reports of itself is kept as evidence.
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

/** A message of several lines stays one entry of the list. */
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
 * The cluster's own word against the next minor where we found nothing that holds it: it may know what the documents do
 * not show, such as a deletion in progress.
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
