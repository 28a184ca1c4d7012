import type { ClusterCondition, ClusterFacts, ClusterOperatorFacts } from '../../cluster/facts.ts';
import { namesInWords } from '../../text/words.ts';
import { type ConditionObject, type Finding, finding } from '../condition.ts';
import { describeCommand } from '../tables/operator-hints.ts';
import { signsOfProgress } from './history.ts';

/** Minutes until a warning and an error, as in `oc adm upgrade status`. */
interface Thresholds {
  readonly warning: number;
  readonly error: number;
}

/** Usual maximum duration of an operator update. */
const EXPECTED_MINUTES = 30;
/** Waits for the control plane nodes to reboot. */
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

/** Warns only: the update can be the fix for an unhealthy operator. */
export function operatorHealth(type: string, facts: ClusterFacts, now: number): readonly Finding[] {
  const operators = facts.clusterOperators ?? [];
  const isUpdating = facts.clusterVersion !== null && signsOfProgress(facts.clusterVersion).length > 0;
  return [
    ...failing(type, facts),
    ...AILMENTS.flatMap((ailment) => ailing(type, ailment, operators, now)),
    ...(isUpdating ? slow(type, operators, now) : []),
  ];
}

/** The CVO cannot apply the desired release. */
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

/** Whole minutes; null without a transition time. */
function minutesSince({ since }: ClusterCondition, now: number): number | null {
  const start = Date.parse(since ?? '');
  return Number.isNaN(start) ? null : Math.floor((now - start) / 60_000);
}

function severityOf(minutes: number | null, { warning, error }: Thresholds): 'info' | 'warning' | 'error' {
  if (minutes === null) return 'warning';
  if (minutes >= error) return 'error';
  return minutes >= warning ? 'warning' : 'info';
}

/** Cluster operator condition that one of our checks computes itself. */
export interface Corroboration {
  readonly check: 'KubeletMinorVersionUpgradeable' | 'OperatorsCompatible';
  readonly operator: string;
  readonly condition: ClusterCondition;
}

/**
 * Avoids counting a problem twice: `kube-apiserver` reports old kubelets, `operator-lifecycle-manager` reports
 * incompatible operators. Without the documents for our check, the report is kept. Sorted by operator.
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
  // Operators join several reasons; a report is a duplicate only if all of them are.
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
