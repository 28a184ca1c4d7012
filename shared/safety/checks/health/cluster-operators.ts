import type { ClusterCondition, ClusterFacts } from '../../../cluster/facts.ts';
import { joinInWords } from '../../../text/words.ts';
import { type Minor, minorOf } from '../../../version/minor.ts';
import { type Finding, asExpected, finding, type Check } from '../../condition.ts';
import type { ReportedCheck } from '../../evidence/guard-reports.ts';
import {
  type Corroboration,
  corroborations,
  missingOperators,
  operatorObject,
  quotedMessage,
} from '../../evidence/operator-health.ts';
import { entersMinor, type HopContext } from '../../hop.ts';
import { hintsFor } from '../../tables/operator-hints.ts';
import { kubeletSkew } from '../compatibility/kubelet-skew.ts';
import { operatorsCompatible } from '../compatibility/operators-compatible.ts';
import { poolsReady } from './pools-ready.ts';

const TYPE = 'ClusterOperatorsUpgradeable';
const SHOWN = 10;

/** Reads `Upgradeable` of the cluster operators. A missing or Unknown condition counts as upgradeable. */
export const clusterOperators: Check = (context) => {
  const { facts, hop } = context;
  const missing = missingOperators(TYPE, facts);
  if (missing) return [missing];
  const evidence = corroborations(facts).filter(({ checks }) =>
    checks.every((check) => isCounted(check, context)),
  );
  return [conditionOf(refusalsOf(facts, evidence), minorOf(hop.to)), ...evidence.map(evidenceOf)];
};

/**
 * The check counts the cause on this hop. Where it finds none, the report of the cluster counts: it decides about the
 * next minor.
 */
function isCounted(check: ReportedCheck, context: HopContext): boolean {
  const { hop } = context;
  if (check === 'PoolsReady') return poolsReady(context).some(({ reason }) => reason === 'PoolDegraded');
  if (!entersMinor(hop) || hop.minorDistance > 1) return true;
  if (check === 'OperatorsCompatible') {
    return operatorsCompatible(context).some(({ effect }) => effect === 'block');
  }
  // An earlier hop of the plan updates kubelets. The other checks count the report itself.
  return (
    check !== 'KubeletMinorVersionUpgradeable' || hop.index > 0 || kubeletSkew(context).some(isOldKubelet)
  );
}

function isOldKubelet({ effect, reason }: Finding): boolean {
  return effect === 'block' || reason === 'KubeletMinorVersionPlannedRoll';
}

interface Refusal {
  readonly operator: string;
  readonly condition: ClusterCondition;
}

/** Sorted by operator, without those that other checks already compute. */
function refusalsOf(facts: ClusterFacts, evidence: readonly Corroboration[]): readonly Refusal[] {
  const elsewhere = new Set(evidence.map(({ operator }) => operator));
  return (facts.clusterOperators ?? [])
    .flatMap(({ name, conditions }): Refusal[] => {
      const condition = conditions.find(({ type }) => type === 'Upgradeable');
      return condition?.status === 'False' && !elsewhere.has(name) ? [{ operator: name, condition }] : [];
    })
    .toSorted((a, b) => (a.operator < b.operator ? -1 : 1));
}

function conditionOf(refusals: readonly Refusal[], target: Minor): Finding {
  const [first, second] = refusals;
  if (!first) return asExpected(TYPE, 'No cluster operator reports Upgradeable=False');
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
  const lines = refusals.map(({ operator, condition }) => {
    const { reason } = condition;
    const parts = [operator, reason, quotedMessage(condition)];
    return [...new Set(parts)].filter((part) => part !== '').join(': ');
  });
  if (lines.length === 1) return `A cluster operator is not upgradeable: ${lines[0]}`;
  const more = lines.length - SHOWN;
  const shown = more > 0 ? [...lines.slice(0, SHOWN), `and ${more} more`] : lines;
  return `${lines.length} cluster operators are not upgradeable:${shown.map((line) => `\n* ${line.replaceAll('\n', '\n  ')}`).join('')}`;
}

/** Keeps a report that other checks compute as evidence, without effect here. */
function evidenceOf({ checks, operator, condition }: Corroboration): Finding {
  const names = joinInWords(checks);
  return {
    ...finding({
      type: TYPE,
      status: 'True',
      reason: condition.reason,
      message: `${operator} reports what ${names} ${checks.length === 1 ? 'is' : 'are'} about: ${quotedMessage(condition)}`,
      effect: 'info',
    }),
    origin: 'reported',
    objects: [operatorObject(operator, condition, { corroborates: names })],
  };
}
