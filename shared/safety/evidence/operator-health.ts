import type { ClusterCondition, ClusterFacts, ClusterOperatorFacts } from '../../cluster/facts.ts';
import { namesInWords } from '../../text/words.ts';
import { type ConditionObject, type Finding, finding } from '../condition.ts';
import { describeCommand } from '../tables/operator-hints.ts';
import { signsOfProgress } from './history.ts';

/** Minutes from which it is worth a warning, and from which it is an error; those that `oc adm upgrade status` uses. */
interface Thresholds {
  readonly warning: number;
  readonly error: number;
}

/** Minutes that an operator takes for its update at most, unless something holds it up. */
const EXPECTED_MINUTES = 30;
/** It waits for the machines of the control plane to restart. */
const SLOW_OPERATORS: ReadonlyMap<string, number> = new Map([['machine-config', 90]]);

interface Ailment {
  readonly reason: string;
  readonly state: string;
  readonly thresholds: Thresholds;
  readonly shownBy: { readonly type: string; readonly status: string };
}

const AILMENTS: readonly Ailment[] = [
  {
    reason: 'ClusterOperatorsUnavailable',
    state: 'not available',
    thresholds: { warning: 5, error: 20 },
    shownBy: { type: 'Available', status: 'False' },
  },
  {
    reason: 'ClusterOperatorsDegraded',
    state: 'degraded',
    thresholds: { warning: 5, error: 40 },
    shownBy: { type: 'Degraded', status: 'True' },
  },
];

/** Operators that are not well: worth a warning, and no reason to refuse a hop, which may be the cure. */
export function operatorHealth(type: string, facts: ClusterFacts, now: number): readonly Finding[] {
  const operators = facts.clusterOperators ?? [];
  const isUpdating = facts.clusterVersion !== null && signsOfProgress(facts.clusterVersion).length > 0;
  return [
    ...failing(type, facts),
    ...AILMENTS.flatMap((ailment) => ailing(type, ailment, operators, now)),
    ...(isUpdating ? slow(type, operators, now) : []),
  ];
}

/** The cluster cannot bring itself to what it is told to be. */
function failing(type: string, { clusterVersion }: ClusterFacts): readonly Finding[] {
  const condition = clusterVersion?.conditions.find((each) => each.type === 'Failing');
  if (!condition || condition.status === 'False') return [];
  const said = condition.message === '' ? condition.reason : condition.message;
  const message = `The cluster does not get to ${clusterVersion?.desired.version}${said === '' ? '' : `: ${said}`}`;
  return [
    {
      ...finding({ type, status: 'True', reason: 'Failing', message, effect: 'warn' }),
      origin: 'reported',
      remediation: ['oc describe clusterversion version'],
      ...(condition.since !== null && { since: condition.since }),
    },
  ];
}

function ailing(
  type: string,
  { reason, state, thresholds, shownBy }: Ailment,
  operators: readonly ClusterOperatorFacts[],
  now: number,
): readonly Finding[] {
  const found = withCondition(operators, shownBy).map((each) => ({
    ...each,
    severity: severityOf(minutesSince(each.condition, now), thresholds),
  }));
  if (found.length === 0) return [];
  const message = `${namesInWords(found.map(({ name }) => name))} ${found.length === 1 ? 'is' : 'are'} ${state}`;
  const effect = found.every(({ severity }) => severity === 'info') ? 'info' : 'warn';
  return [
    {
      ...finding({ type, status: 'True', reason, message, effect }),
      origin: 'reported',
      objects: found.map(({ name, condition, severity }) => operatorObject(name, condition, { severity })),
      remediation: found.map(({ name }) => describeCommand(name)),
    },
  ];
}

function slow(type: string, operators: readonly ClusterOperatorFacts[], now: number): readonly Finding[] {
  const found = withCondition(operators, { type: 'Progressing', status: 'True' }).flatMap(
    ({ name, condition }) => {
      const minutes = minutesSince(condition, now);
      const expected = SLOW_OPERATORS.get(name) ?? EXPECTED_MINUTES;
      return minutes !== null && minutes > expected ? [{ name, condition, minutes, expected }] : [];
    },
  );
  if (found.length === 0) return [];
  const message = `${namesInWords(found.map(({ name }) => name))} ${found.length === 1 ? 'takes' : 'take'} longer than expected to update`;
  return [
    {
      ...finding({ type, status: 'True', reason: 'ClusterOperatorsSlow', message, effect: 'warn' }),
      origin: 'reported',
      objects: found.map(({ name, condition, minutes, expected }) =>
        operatorObject(name, condition, { minutes, expectedMinutes: expected }),
      ),
    },
  ];
}

/** What an operator says, word for word. */
export function operatorObject(
  name: string,
  { reason, message, since }: ClusterCondition,
  more: Readonly<Record<string, unknown>> = {},
): ConditionObject {
  return {
    kind: 'ClusterOperator',
    name,
    detail: { reason, message, ...(since !== null && { since }), ...more },
  };
}

function withCondition(
  operators: readonly ClusterOperatorFacts[],
  shownBy: Ailment['shownBy'],
): readonly { readonly name: string; readonly condition: ClusterCondition }[] {
  return operators
    .flatMap(({ name, conditions }) => {
      const condition = conditions.find(
        ({ type, status }) => type === shownBy.type && status === shownBy.status,
      );
      return condition ? [{ name, condition }] : [];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whole minutes; null when the condition does not say since when. */
function minutesSince({ since }: ClusterCondition, now: number): number | null {
  const start = Date.parse(since ?? '');
  return Number.isNaN(start) ? null : Math.floor((now - start) / 60_000);
}

function severityOf(minutes: number | null, { warning, error }: Thresholds): 'info' | 'warning' | 'error' {
  if (minutes === null) return 'warning';
  if (minutes >= error) return 'error';
  return minutes >= warning ? 'warning' : 'info';
}

/** What an operator of the cluster reports of a matter that one of our checks computes itself. */
export interface Corroboration {
  /** The type of the check. */
  readonly check: 'KubeletMinorVersionUpgradeable' | 'OperatorsCompatible';
  readonly operator: string;
  readonly condition: ClusterCondition;
}

/**
 * Reports that say again what checks find out themselves, so that nothing is counted twice: `kube-apiserver` of old
 * kubelets, `operator-lifecycle-manager` of operators with a newest version. Without the documents that the check needs,
 * the report is the only thing known, and not left out. Sorted by operator.
 */
export function corroborations(facts: ClusterFacts): readonly Corroboration[] {
  return (facts.clusterOperators ?? [])
    .flatMap(({ name, conditions }): Corroboration[] => {
      const condition = conditions.find(({ type }) => type === 'Upgradeable');
      if (condition?.status !== 'False') return [];
      const check = checkedByUs(name, condition, facts);
      return check === null ? [] : [{ check, operator: name, condition }];
    })
    .toSorted((a, b) => (a.operator < b.operator ? -1 : 1));
}

function checkedByUs(
  operator: string,
  { reason }: ClusterCondition,
  { nodes, operators }: ClusterFacts,
): Corroboration['check'] | null {
  // An operator with several reasons joins them; a report is ours only if all of them are.
  const reasons = reason.split('::');
  if (operator === 'kube-apiserver' && reasons.every((each) => each.startsWith('KubeletMinorVersion_'))) {
    return nodes !== null && nodes.length > 0 ? 'KubeletMinorVersionUpgradeable' : null;
  }
  if (
    operator === 'operator-lifecycle-manager' &&
    reasons.every((each) => each === 'IncompatibleOperatorsInstalled')
  ) {
    return operators === null ? null : 'OperatorsCompatible';
  }
  return null;
}
