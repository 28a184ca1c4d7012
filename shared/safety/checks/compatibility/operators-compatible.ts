import { collectCommands } from '../../../cluster/document-kinds.ts';
import type { OperatorFacts } from '../../../cluster/facts.ts';
import { shellWord } from '../../../text/quote.ts';
import { countInWords, listInWords } from '../../../text/words.ts';
import { minorOf } from '../../../version/minor.ts';
import {
  type ConditionObject,
  type Finding,
  asExpected,
  finding,
  inputMissing,
  type Check,
} from '../../condition.ts';
import { kubeletMinorOf } from '../../evidence/kubelets.ts';
import {
  differingDeclaration,
  incompatibleInWords,
  incompatibleWith,
  limitDetail,
  operatorLimits,
  type LimitsReading,
} from '../../evidence/operator-limits.ts';
import type { Hop, HopContext } from '../../hop.ts';

const TYPE = 'OperatorsCompatible';

/** Phases of an operator that is being replaced or removed. */
const LEAVING: ReadonlySet<string> = new Set(['Replacing', 'Deleting']);

interface ReadOperator {
  readonly operator: OperatorFacts;
  readonly reading: LimitsReading;
}

/** Blocks a hop beyond the maximum version of an operator, or with a maximum that cannot be parsed. */
export const operatorsCompatible: Check = (context) => {
  const { facts, current, hop, hops } = context;
  if (facts.operators === null) {
    return [inputMissing(TYPE, 'the installed operators were', collectCommands('operators'))];
  }
  if (current === null) {
    const message = 'Not known, because the cluster does not say which version it is at';
    return [
      finding({
        type: TYPE,
        status: 'Unknown',
        reason: 'ErrorCheckingOperatorCompatibility',
        message,
        effect: 'warn',
      }),
    ];
  }
  const sorted = facts.operators.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const leaving = sorted.filter(({ phase }) => LEAVING.has(phase));
  const checked = sorted
    .filter(({ phase }) => !LEAVING.has(phase))
    .map((operator): ReadOperator => ({ operator, reading: operatorLimits(operator) }));
  return [
    compatibility(checked, hop, hops),
    ...needingNewer(checked, hop),
    // Equal for every hop, so reported with the first.
    ...(hop.index === 0 ? [...unverified(checked), ...differing(checked), ...skipped(leaving)] : []),
  ];
};

function compatibility(checked: readonly ReadOperator[], hop: Hop, hops: HopContext['hops']): Finding {
  const against = incompatibleWith(checked, hop);
  if (against.length === 0) {
    const silent = checked.filter(isSilent).length;
    const declaring = silent === 0 ? '' : `; ${silent} ${silent === 1 ? 'declares' : 'declare'} no limit`;
    return asExpected(
      TYPE,
      `${countInWords(checked.length, 'operator')} checked, none excludes ${minorOf(hop.to)}${declaring}`,
    );
  }
  const message = incompatibleInWords(
    'operator',
    against.map(({ operator, reading }) => ({ name: nameOf(operator), reading })),
    hop,
  );
  return {
    ...finding({
      type: TYPE,
      status: 'False',
      reason: 'IncompatibleOperatorsInstalled',
      message,
      effect: 'block',
    }),
    objects: against.map((each) => objectOf(each.operator, limitDetail(each.reading, hop, hops))),
    remediation: [
      ...[...new Set(against.map(({ operator }) => operator.namespace))].map(
        (namespace) => `oc -n ${shellWord(namespace)} get subscription,installplan`,
      ),
      'Approve the install plan that waits, switch the subscription to a channel with a newer version, or remove the operator',
    ],
  };
}

function isSilent({ reading }: ReadOperator): boolean {
  return reading.ok && reading.limits.maxOpenShift === null && reading.limits.maxKubernetes === null;
}

function unverified(checked: readonly ReadOperator[]): Finding[] {
  const silent = checked.filter(isSilent).map(({ operator }) => operator);
  const message = `These operators declare no limit, so it is unknown whether they support the update: ${listInWords(silent.map(nameOf))}`;
  return noted({ reason: 'OperatorsUnverified', effect: 'info', message }, silent, () => ({ max: null }));
}

function differing(checked: readonly ReadOperator[]): Finding[] {
  const operators = checked
    .map(({ operator }) => operator)
    .filter((operator) => differingDeclaration(operator) !== null);
  const message = `The limit recorded at installation applies, although the operator declares another: ${listInWords(operators.map((each) => `${nameOf(each)} (declared ${differingDeclaration(each)})`))}`;
  return noted({ reason: 'DeclaredMaxDiffers', effect: 'info', message }, operators, (operator) => ({
    declared: differingDeclaration(operator),
  }));
}

function needingNewer(checked: readonly ReadOperator[], { to, kubeTo }: Hop): Finding[] {
  const operators = checked
    .map(({ operator }) => operator)
    .filter(({ minKubeVersion }) => minimumOf(minKubeVersion) > kubeTo);
  const message = `These operators require a newer Kubernetes than 1.${kubeTo} of ${minorOf(to)}: ${listInWords(operators.map((each) => `${nameOf(each)} (${each.minKubeVersion})`))}`;
  return noted(
    { reason: 'MinKubeVersionNotMet', effect: 'warn', message },
    operators,
    ({ minKubeVersion }) => ({
      minKubeVersion,
    }),
  );
}

/** Accepts `1.27.0` and `1.27`; any other value means no minimum. */
function minimumOf(version: string): number {
  return kubeletMinorOf(version) ?? kubeletMinorOf(`${version}.0`) ?? 0;
}

function skipped(leaving: readonly OperatorFacts[]): Finding[] {
  const message = `Not checked, because they are being replaced or removed: ${listInWords(leaving.map(nameOf))}`;
  return noted({ reason: 'OperatorsSkipped', effect: 'info', message }, leaving, ({ phase }) => ({ phase }));
}

function noted(
  { reason, effect, message }: Pick<Finding, 'reason' | 'message'> & { readonly effect: 'info' | 'warn' },
  operators: readonly OperatorFacts[],
  detail: (operator: OperatorFacts) => Record<string, unknown>,
): Finding[] {
  if (operators.length === 0) return [];
  return [
    {
      ...finding({ type: TYPE, status: effect === 'warn' ? 'False' : 'True', reason, message, effect }),
      objects: operators.map((operator) => objectOf(operator, detail(operator))),
    },
  ];
}

function objectOf(operator: OperatorFacts, detail: Record<string, unknown>): ConditionObject {
  const { namespace, name } = operator;
  return { kind: 'ClusterServiceVersion', namespace, name, detail };
}

function nameOf({ namespace, name }: OperatorFacts): string {
  return `${namespace}/${name}`;
}
