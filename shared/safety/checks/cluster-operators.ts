import type { ClusterCondition, ClusterFacts } from '../../cluster/facts.ts';
import { type Finding, asExpected, finding, inputMissing, type Check } from '../condition.ts';
import { corroborations, operatorHealth, operatorObject } from '../evidence/operator-health.ts';
import { hintsFor } from '../tables/operator-hints.ts';

const TYPE = 'ClusterOperatorsUpgradeable';
const COMMAND = 'oc get clusteroperators -o json';
const SHOWN = 10;

/** Reads `Upgradeable` of the cluster operators. A missing or Unknown condition counts as upgradeable. */
export const clusterOperators: Check = ({ facts, hop, now }) => {
  if (facts.clusterOperators === null) {
    return [inputMissing(TYPE, 'the ClusterOperators were', [COMMAND])];
  }
  if (facts.clusterOperators.length === 0) {
    const message = `The list of ClusterOperators is empty, which it is on no cluster; send what \`${COMMAND}\` prints`;
    return [
      {
        ...finding({ type: TYPE, status: 'Unknown', reason: 'NoClusterOperators', message, effect: 'warn' }),
        remediation: [COMMAND],
      },
    ];
  }
  const notes = hop.index === 0 ? operatorHealth(TYPE, facts, now) : [];
  return [conditionOf(refusalsOf(facts), hop.to.raw), ...evidenceFor(facts), ...notes];
};

interface Refusal {
  readonly operator: string;
  readonly condition: ClusterCondition;
}

/** Sorted by operator, without those that other checks already compute. */
function refusalsOf(facts: ClusterFacts): readonly Refusal[] {
  const elsewhere = new Set(corroborations(facts).map(({ operator }) => operator));
  return (facts.clusterOperators ?? [])
    .flatMap(({ name, conditions }): Refusal[] => {
      const condition = conditions.find(({ type }) => type === 'Upgradeable');
      return condition?.status === 'False' && !elsewhere.has(name) ? [{ operator: name, condition }] : [];
    })
    .toSorted((a, b) => (a.operator < b.operator ? -1 : 1));
}

function conditionOf(refusals: readonly Refusal[], target: string): Finding {
  const [first, second] = refusals;
  if (!first) return asExpected(TYPE, 'No operator of the platform has anything against it');
  const only = second ? null : first.condition;
  return {
    ...finding({
      type: TYPE,
      status: 'False',
      reason: only?.reason || 'ClusterOperatorsNotUpgradeable',
      message: refusalsInWords(refusals),
      effect: 'block',
    }),
    origin: 'reported',
    objects: refusals.map(({ operator, condition }) => operatorObject(operator, condition)),
    remediation: [
      ...new Set(refusals.flatMap(({ operator, condition }) => hintsFor(operator, condition.reason, target))),
    ],
    ...(only !== null && only.since !== null && { since: only.since }),
  };
}

function refusalsInWords(refusals: readonly Refusal[]): string {
  const lines = refusals.map(({ operator, condition: { reason, message } }) =>
    [operator, reason, message].filter((part) => part !== '').join(': '),
  );
  if (lines.length === 1) return `An operator of the platform is not ready for the next minor: ${lines[0]}`;
  const more = lines.length - SHOWN;
  const shown = more > 0 ? [...lines.slice(0, SHOWN), `and ${more} more`] : lines;
  return `${lines.length} operators of the platform are not ready for the next minor:${shown.map((line) => `\n* ${line}`).join('')}`;
}

/** Keeps reports that other checks compute as evidence, without effect here. */
function evidenceFor(facts: ClusterFacts): readonly Finding[] {
  return corroborations(facts).map(({ check, operator, condition }) => ({
    ...finding({
      type: TYPE,
      status: 'True',
      reason: condition.reason,
      message: `${operator} reports what ${check} is about: ${condition.message}`,
      effect: 'info',
    }),
    origin: 'reported',
    objects: [operatorObject(operator, condition, { corroborates: check })],
  }));
}
