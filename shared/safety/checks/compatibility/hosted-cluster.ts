import { isKnown } from '../../../cluster/cluster-version.ts';
import { collectCommands } from '../../../cluster/document-kinds.ts';
import type { ClusterCondition } from '../../../cluster/facts.ts';
import type { HostedClusterFacts, NodePoolFacts } from '../../../cluster/hosted/facts.ts';
import { excerpt, shellWord } from '../../../text/quote.ts';
import { namesInWords } from '../../../text/words.ts';
import { minorOf } from '../../../version/minor.ts';
import {
  type ConditionObject,
  type Finding,
  asExpected,
  type Check,
  finding,
  INPUT_MISSING,
  isUndecided,
  NOT_CHECKED,
} from '../../condition.ts';
import { hostedClusterOf, hostedCommand, hostedName, isReconciliationPaused } from '../../evidence/hosted.ts';
import { rolloutMinutes, waitMinutes } from '../../evidence/pools.ts';
import { entersMinor, type HopContext } from '../../hop.ts';
import { removalsOfHop } from '../../tables/api-removals.ts';
import { isListed, operatorFor } from '../../tables/hosted-operators.ts';

const TYPE = 'HostedClusterReady';
export const PLAN_INSIDE = 'Plan from inside the hosted cluster too';
const OLD_NETWORK = 'OpenShiftSDNConfigured';

/** The HostedCluster and its node pools as the management cluster reports them, and its HyperShift operator. */
export const hostedCluster: Check = (context) => {
  const hosted = hostedClusterOf(context.facts);
  if (hosted === null) return [];
  const pools = context.facts.nodePools ?? [];
  const findings = [
    ...reconciliationPaused(hosted, pools, context),
    ...unsupportedTarget(context),
    ...oldNetwork(hosted, context),
    ...(context.hop.index === 0 ? reportedProblems(hosted, pools) : []),
  ];
  const notes = [...notChecked(hosted, context), ...(context.hop.index === 0 ? spareCapacity(pools) : [])];
  const ready = asExpected(TYPE, `${hostedName(hosted)} reports nothing against ${context.hop.to.raw}`);
  return [...(findings.length === 0 ? [ready] : findings), ...notes];
};

/** HyperShift changes nothing while reconciliation is paused, so no update starts. */
function reconciliationPaused(
  hosted: HostedClusterFacts,
  pools: readonly NodePoolFacts[],
  { now }: HopContext,
): Finding[] {
  const reason = 'ReconciliationPaused';
  const resume = 'Resume reconciliation: remove spec.pausedUntil';
  if (isReconciliationPaused(hosted, now)) {
    const message = `Reconciliation of ${hostedName(hosted)} is paused, so no update starts`;
    return [
      {
        ...finding({ type: TYPE, status: 'False', reason, message, effect: 'block' }),
        objects: [clusterObject(hosted)],
        remediation: [resume, describeCluster(hosted)],
      },
    ];
  }
  const paused = pools.filter((pool) => isReconciliationPaused(pool, now));
  if (paused.length === 0) return [];
  const message = `Reconciliation is paused for ${poolsInWords(paused)}, so ${paused.length === 1 ? 'it keeps its' : 'they keep their'} release`;
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason, message, effect: 'warn' }),
      objects: paused.map((pool) => poolObject(pool)),
      remediation: [resume, ...paused.map(describePool)],
    },
  ];
}

/** The operator refuses releases of minors that it does not list. */
function unsupportedTarget({ facts: { hostedVersions }, hop }: HopContext): Finding[] {
  const reason = 'TargetNotSupportedByOperator';
  const minor = minorOf(hop.to);
  const commands = collectCommands('hostedVersions');
  if (hostedVersions !== null) {
    if (isListed(hostedVersions, hop.to)) return [];
    const message = `The HyperShift operator does not support hosted clusters of ${minor}, only of ${namesInWords(hostedVersions)}`;
    return [
      {
        ...finding({ type: TYPE, status: 'False', reason, message, effect: 'block' }),
        remediation: [`Update multicluster engine to a version that supports ${minor}`, ...commands],
      },
    ];
  }
  if (!entersMinor(hop)) return [];
  const operator = operatorFor(hop.to);
  const known =
    operator === null
      ? `no operator that supports ${minor} is known`
      : `${minor} needs operator ${operator} or later`;
  const message = `The supported versions of the HyperShift operator were not supplied; ${known}`;
  return [
    {
      ...finding({ type: TYPE, status: 'Unknown', reason, message, effect: 'warn' }),
      origin: 'catalogue',
      remediation: ['Check that the HyperShift operator supports each minor of the path', ...commands],
    },
  ];
}

function oldNetwork({ networkType }: HostedClusterFacts, { hop }: HopContext): Finding[] {
  if (networkType !== 'OpenShiftSDN' || !entersMinor(hop)) return [];
  const message = 'HyperShift refuses minor updates of hosted clusters with OpenShift SDN';
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason: OLD_NETWORK, message, effect: 'block' }),
      remediation: ['Create a hosted cluster with OVN-Kubernetes, and move the workloads to it'],
    },
  ];
}

interface Alarm {
  readonly status: 'True' | 'False';
  readonly effect: 'warn' | 'block';
}

const CLUSTER_ALARMS: Readonly<Record<string, Alarm>> = {
  Available: { status: 'False', effect: 'block' },
  EtcdAvailable: { status: 'False', effect: 'block' },
  KubeAPIServerAvailable: { status: 'False', effect: 'block' },
  ValidReleaseImage: { status: 'False', effect: 'block' },
  ValidConfiguration: { status: 'False', effect: 'block' },
  SupportedHostedCluster: { status: 'False', effect: 'block' },
  Degraded: { status: 'True', effect: 'warn' },
  ClusterVersionFailing: { status: 'True', effect: 'warn' },
};

const CONTROL_PLANE: ReadonlySet<string> = new Set(['Available', 'EtcdAvailable', 'KubeAPIServerAvailable']);
const UPDATING = 'UpdatingVersion';

const POOL_ALARMS: Readonly<Record<string, Alarm>> = {
  AllMachinesReady: { status: 'False', effect: 'warn' },
  AllNodesHealthy: { status: 'False', effect: 'warn' },
  [UPDATING]: { status: 'True', effect: 'warn' },
};

/** The reason is the name of the reported condition. */
function reportedProblems(hosted: HostedClusterFacts, pools: readonly NodePoolFacts[]): Finding[] {
  return [
    ...alarmsOf(hosted.conditions, CLUSTER_ALARMS).map(({ condition, effect }) => ({
      ...reported(condition, effect, `${hostedName(hosted)} reports ${inWords(condition)}`),
      objects: [clusterObject(hosted, condition)],
      remediation: [`Resolve ${condition.type} of ${hostedName(hosted)}`, describeCluster(hosted)],
    })),
    ...unknownControlPlane(hosted),
    ...Object.keys(POOL_ALARMS).flatMap((type) => {
      const found = pools.flatMap((pool) =>
        alarmsOf(pool.conditions, { [type]: POOL_ALARMS[type]! }).map(({ condition }) => ({
          pool,
          condition,
        })),
      );
      if (found.length === 0) return [];
      const { condition } = found[0]!;
      const affected = found.map(({ pool }) => pool);
      const verb = found.length === 1 ? 'reports' : 'report';
      return [
        {
          ...reported(condition, 'warn', `${poolsInWords(affected, 'N')} ${verb} ${inWords(condition)}`),
          objects: found.map((each) => poolObject(each.pool, each.condition)),
          remediation:
            type === UPDATING
              ? [`Wait for the update of ${poolsInWords(affected)}`, ...affected.map(waitForPool)]
              : [`Resolve ${type} of ${poolsInWords(affected)}`, ...affected.map(describePool)],
        },
      ];
    }),
  ];
}

/** Not taken for available. */
function unknownControlPlane(hosted: HostedClusterFacts): Finding[] {
  const unknown = hosted.conditions.filter((each) => CONTROL_PLANE.has(each.type) && !isKnown(each));
  if (unknown.length === 0) return [];
  const name = hostedName(hosted);
  const message = `${name} does not know the state of its control plane: ${unknown.map(inWords).join('; ')}`;
  return [
    {
      ...finding({ type: TYPE, status: 'Unknown', reason: 'ControlPlaneUnknown', message, effect: 'warn' }),
      origin: 'reported',
      objects: unknown.slice(0, 1).map((condition) => clusterObject(hosted, condition)),
      remediation: [`Find out the state of the control plane of ${name}`, describeCluster(hosted)],
    },
  ];
}

function alarmsOf(conditions: readonly ClusterCondition[], alarms: Readonly<Record<string, Alarm>>) {
  return Object.entries(alarms).flatMap(([type, { status, effect }]) => {
    const condition = conditions.find((each) => each.type === type && each.status === status);
    return condition ? [{ condition, effect }] : [];
  });
}

function reported({ type, since }: ClusterCondition, effect: 'warn' | 'block', message: string): Finding {
  return {
    ...finding({ type: TYPE, status: 'False', reason: type, message, effect }),
    origin: 'reported',
    ...(since !== null && { since }),
  };
}

/** `EtcdAvailable=False: quorum is lost` */
function inWords({ type, status, reason, message }: ClusterCondition): string {
  const said = excerpt(message) || reason;
  return `${type}=${status}${said === '' ? '' : `: ${said}`}`;
}

/** A pool with Replace adds new nodes before it removes old ones. */
function spareCapacity(pools: readonly NodePoolFacts[]): Finding[] {
  const replaced = pools.filter(({ upgradeType, replicas }) => upgradeType === 'Replace' && replicas !== 0);
  if (replaced.length === 0) return [];
  const message = `Updates replace the nodes of ${poolsInWords(replaced)}, which needs capacity for more nodes meanwhile`;
  return [
    {
      ...finding({ type: TYPE, status: 'True', reason: 'SpareCapacityNeeded', message, effect: 'info' }),
      objects: replaced.map((pool) => poolObject(pool)),
    },
  ];
}

/** Kinds that are inside the hosted cluster. */
const INSIDE = ['clusterOperators', 'nodes', 'operators', 'apiUse', 'adminGates', 'adminAcks'] as const;

/** The ClusterVersion reports whether what is inside blocks a minor; removed APIs are not part of that report. */
function notChecked(hosted: HostedClusterFacts, context: HopContext): Finding[] {
  if (!isInsideReported(hosted, context)) return [];
  const message = `Operators, gates, nodes and API clients inside ${hostedName(hosted)} are not in these documents; its ClusterVersion reports whether they block a minor update`;
  const effect = removalsOfHop(context.hop).length > 0 ? 'warn' : 'info';
  return [
    {
      ...finding({ type: TYPE, status: 'Unknown', reason: NOT_CHECKED, message, effect }),
      remediation: [PLAN_INSIDE, ...collectCommands(...INSIDE)],
    },
  ];
}

function isInsideReported({ conditions }: HostedClusterFacts, { options }: HopContext): boolean {
  return (
    !options.strict &&
    conditions.some(({ type, status }) => type === 'ClusterVersionUpgradeable' && status !== 'Unknown')
  );
}

/** On the management cluster it would show another cluster. */
const OWN_VERSION = /^oc (?:get|describe) clusterversion\b/;

const ELSEWHERE: ReadonlySet<string> = new Set([INPUT_MISSING, NOT_CHECKED]);
const OWN_TYPES: ReadonlySet<string> = new Set([TYPE, 'HostedSkew']);

/** Asks for documents from inside. What is reported covers forward guards up to the next minor. */
function isElsewhere(found: Finding, { hop }: HopContext): boolean {
  const isCovered = isUndecided(found) && hop.minorDistance <= 1;
  return !OWN_TYPES.has(found.type) && (ELSEWHERE.has(found.reason) || isCovered);
}

/** HyperShift has its own rule for it. */
function isReplaced({ type, reason }: Finding): boolean {
  return type === 'ForwardGuards' && reason === OLD_NETWORK;
}

/** Adapts checks to a hosted cluster that is seen from its management cluster. Others are not changed. */
export function withoutHostedInput(checks: readonly Check[]): readonly Check[] {
  return checks.map((check) => (context) => {
    const findings = check(context);
    const hosted = hostedClusterOf(context.facts);
    if (hosted === null) return findings;
    return findings
      .filter(
        (each) => !isReplaced(each) && !(isInsideReported(hosted, context) && isElsewhere(each, context)),
      )
      .map(({ remediation, ...each }) => ({
        ...each,
        ...(remediation && {
          remediation: remediation.map((text) => (OWN_VERSION.test(text) ? getCluster(hosted) : text)),
        }),
      }));
  });
}

function getCluster(hosted: HostedClusterFacts): string {
  return hostedCommand(hosted, `get hostedcluster ${shellWord(hosted.name)}`);
}

function clusterObject(hosted: HostedClusterFacts, condition?: ClusterCondition): ConditionObject {
  return { kind: 'HostedCluster', ...objectOf(hosted, condition) };
}

function poolObject(pool: NodePoolFacts, condition?: ClusterCondition): ConditionObject {
  return { kind: 'NodePool', ...objectOf(pool, condition) };
}

function objectOf(
  { namespace, name }: Pick<NodePoolFacts, 'namespace' | 'name'>,
  condition: ClusterCondition | undefined,
): Omit<ConditionObject, 'kind'> {
  if (condition === undefined) return { namespace, name };
  const { status, reason, message } = condition;
  return { namespace, name, detail: { status, reason, message: excerpt(message) } };
}

function describeCluster(hosted: HostedClusterFacts): string {
  return hostedCommand(hosted, `describe hostedcluster ${shellWord(hosted.name)}`);
}

function describePool(pool: NodePoolFacts): string {
  return hostedCommand(pool, `describe nodepool ${shellWord(pool.name)}`);
}

function waitForPool(pool: NodePoolFacts): string {
  const minutes = waitMinutes(rolloutMinutes(pool.replicas ?? 1, pool.atOnce));
  return hostedCommand(
    pool,
    `wait nodepool/${shellWord(pool.name)} --for=condition=${UPDATING}=False --timeout=${minutes}m`,
  );
}

function poolsInWords(pools: readonly NodePoolFacts[], first = 'n'): string {
  const names = pools.map(({ name }) => name);
  return `${first}ode ${names.length === 1 ? 'pool' : 'pools'} ${namesInWords(names)}`;
}
