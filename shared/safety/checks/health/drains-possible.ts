import type { ClusterFacts, ReportedKind } from '../../../cluster/facts.ts';
import { type BudgetFacts, isPlatformNamespace } from '../../../cluster/workloads.ts';
import { excerpt, shellWord } from '../../../text/quote.ts';
import { countInWords, joinInWords, namesInWords } from '../../../text/words.ts';
import {
  type Check,
  type ConditionObject,
  type Finding,
  asExpected,
  finding,
  notChecked,
} from '../../condition.ts';
import { type BudgetPods, placed, type Reboots, rebootsOf, selectPods } from '../../evidence/drains.ts';
import { isSingleNode } from '../../evidence/hosted.ts';

export const DRAINS = 'DrainsPossible';
const SHOWN = 10;
const MOST_COMMANDS = 20;

/** What blocks a drain, and on which nodes. */
interface Obstacle {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly pods: readonly { readonly name: string; readonly node: string }[];
  readonly detail?: Readonly<Record<string, unknown>>;
}

interface Rule {
  readonly reason: string;
  readonly head: string;
  readonly advice: string;
  readonly find: (facts: Documents) => readonly Obstacle[];
}

interface Documents extends Pick<ClusterFacts, 'drainedPods' | 'virtualMachines'> {
  readonly ofBudgets: readonly BudgetPods[];
  readonly inSeveral: ReturnType<typeof selectPods>['inSeveral'];
}

const RULES: readonly Rule[] = [
  {
    reason: 'BudgetNeverAllows',
    head: 'A drain never ends, because disruption budgets allow no eviction',
    advice: 'Add a replica, or relax the disruption budget while the nodes are drained',
    find: ({ ofBudgets }) => ofBudgets.filter(({ budget }) => neverAllows(budget)).map(ofBudget),
  },
  {
    reason: 'BudgetAllowsNoneNow',
    head: 'A drain waits for pods that are not healthy, because disruption budgets allow no eviction now',
    advice: 'Repair the pods of the disruption budget',
    find: ({ ofBudgets }) =>
      ofBudgets
        .filter(({ budget }) => allowsNone(budget) && budget.currentHealthy > 0 && !neverAllows(budget))
        .map(ofBudget),
  },
  {
    reason: 'PodInTwoBudgets',
    head: 'Pods of several disruption budgets cannot be evicted',
    advice: 'Leave one disruption budget for each pod',
    find: ({ inSeveral }) =>
      inSeveral.map(({ pod, budgets }) => ({ ...ofPod(pod), detail: { budgets: budgets.slice(0, SHOWN) } })),
  },
  {
    reason: 'VirtualMachineCannotMigrate',
    head: 'A drain never ends, because virtual machines cannot migrate',
    advice: 'Make the virtual machine migratable, or stop it before its node is drained',
    find: ({ virtualMachines }) =>
      (virtualMachines ?? []).map(({ namespace, name, node, message }) => ({
        kind: 'VirtualMachineInstance',
        namespace,
        name,
        // Without a node, nothing is drained.
        pods: node === '' ? [] : [{ name, node }],
        ...(message !== '' && { detail: { message: excerpt(message) } }),
      })),
  },
  {
    reason: 'UnownedPods',
    head: 'A drain deletes pods that nothing creates again',
    advice: 'Save the definition of the pod, to create it again after the drain',
    find: ({ drainedPods }) =>
      (drainedPods ?? [])
        .filter(({ owner, namespace }) => owner === null && !isPlatformNamespace(namespace))
        .flatMap(placed)
        .map(ofPod),
  },
];

/**
 * A node is drained before it reboots, and the drain is retried until it succeeds. A finding belongs to each hop with
 * which one of its nodes reboots; without such a hop it is a note.
 */
export const drainsPossible: Check = (context) => {
  const { facts, hop } = context;
  if (isSingleNode(facts)) return [singleNode()];
  const reboots = rebootsOf(context);
  const { budgets, drainedPods, virtualMachines } = facts;
  const selected = selectPods(budgets ?? [], drainedPods ?? []);
  const found = RULES.flatMap((rule) => {
    const obstacles = rule.find({ ...selected, drainedPods, virtualMachines });
    return [
      ...obstacleFinding(rule, here(obstacles, reboots.isNow), { effect: 'warn', reboots }),
      ...(hop.index === 0
        ? obstacleFinding(rule, never(obstacles, reboots), { effect: 'info', reboots })
        : []),
    ];
  });
  const unplaced = drainedPods === null ? withoutPods(budgets ?? []) : [];
  const findings = [...found, ...unplaced];
  if (hop.index > 0) return findings;
  const notes = [...singleReplicas(facts), ...missing(facts)];
  const isChecked = budgets !== null && drainedPods !== null;
  return findings.length === 0 && isChecked
    ? [asExpected(DRAINS, 'Nothing blocks the drain of a node'), ...notes]
    : [...findings, ...notes];
};

function singleNode(): Finding {
  const message = 'The only control plane node is not drained; everything on it is down while it reboots';
  return finding({ type: DRAINS, status: 'True', reason: 'SingleNodeOutage', message, effect: 'info' });
}

/** The budget requires all pods: `maxUnavailable: 0`, or `minAvailable` of all replicas. */
function neverAllows({ desiredHealthy, expectedPods, isStrict }: BudgetFacts): boolean {
  return isStrict === true || (expectedPods > 0 && desiredHealthy >= expectedPods);
}

function allowsNone({ disruptionsAllowed, expectedPods, isStrict }: BudgetFacts): boolean {
  return isStrict === true || (expectedPods > 0 && disruptionsAllowed === 0);
}

function ofBudget({ budget, pods }: BudgetPods): Obstacle {
  const { namespace, name, evictsUnhealthy } = budget;
  return {
    kind: 'PodDisruptionBudget',
    namespace,
    name,
    pods: evictsUnhealthy ? pods.filter(({ ready }) => ready) : pods,
    ...(isPlatformNamespace(namespace) && { detail: { platform: true } }),
  };
}

function ofPod({ namespace, name, node }: { namespace: string; name: string; node: string }): Obstacle {
  return { kind: 'Pod', namespace, name, pods: [{ name, node }] };
}

/** Obstacles with only their pods on such nodes. */
function here(obstacles: readonly Obstacle[], isMeant: (node: string) => boolean): Obstacle[] {
  return obstacles
    .map((obstacle) => ({ ...obstacle, pods: obstacle.pods.filter(({ node }) => isMeant(node)) }))
    .filter(({ pods }) => pods.length > 0);
}

function never(obstacles: readonly Obstacle[], { isEver }: Reboots): Obstacle[] {
  return obstacles.filter(({ pods }) => pods.length > 0 && !pods.some(({ node }) => isEver(node)));
}

function obstacleFinding(
  { reason, head, advice }: Rule,
  obstacles: readonly Obstacle[],
  { effect, reboots }: { readonly effect: 'warn' | 'info'; readonly reboots: Reboots },
): Finding[] {
  if (obstacles.length === 0) return [];
  // Documents can name an object twice.
  const keyOf = (obstacle: Obstacle): string => `${nameOf(obstacle)} ${obstacleInWords(obstacle)}`;
  const sorted = obstacles.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const objects = sorted.map((obstacle) => objectOf(obstacle, reboots));
  return [
    {
      ...finding({
        type: DRAINS,
        status: 'False',
        reason,
        message: listed(head, sorted.map(obstacleInWords)),
        effect,
      }),
      objects,
      remediation: [advice, ...readCommands(objects)],
    },
  ];
}

/** `shop/strict: pods shop-0 and shop-1 on worker-1` */
function obstacleInWords(obstacle: Obstacle): string {
  const { kind, pods, detail = {} } = obstacle;
  const nodes = namesInWords(nodesOf(obstacle));
  if (kind === 'PodDisruptionBudget') {
    const names = namesInWords(pods.map(({ name }) => name));
    return `${nameOf(obstacle)}: ${pods.length === 1 ? 'pod' : 'pods'} ${names} on ${nodes}`;
  }
  const { message, budgets } = detail as { message?: string; budgets?: readonly string[] };
  const more = message ?? (budgets && `budgets ${joinInWords(budgets)}`);
  return `${nameOf(obstacle)} on ${nodes}${more === undefined ? '' : `: ${more}`}`;
}

function objectOf(obstacle: Obstacle, { poolOf }: Reboots): ConditionObject {
  const { kind, namespace, name, pods, detail } = obstacle;
  const nodes = nodesOf(obstacle);
  const pools = [...new Set(nodes.map(poolOf))].filter((pool) => pool !== null).toSorted();
  return {
    kind,
    namespace,
    name,
    detail: {
      nodes,
      pools,
      ...(kind === 'PodDisruptionBudget' && { pods: pods.map((pod) => pod.name).toSorted() }),
      ...detail,
    },
  };
}

function nodesOf({ pods }: Obstacle): string[] {
  return [...new Set(pods.map(({ node }) => node))].toSorted();
}

/** Without pods it is not known which nodes are concerned, so each hop counts. */
function withoutPods(budgets: readonly BudgetFacts[]): Finding[] {
  const full = budgets.filter(allowsNone).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  if (full.length === 0) return [];
  const head = 'Disruption budgets allow no eviction; send the pods to see on which nodes';
  const objects = full.map(({ namespace, name }) => ({
    kind: 'PodDisruptionBudget',
    namespace,
    name,
    detail: { nodes: 'unknown', ...(isPlatformNamespace(namespace) && { platform: true }) },
  }));
  return [
    {
      ...finding({
        type: DRAINS,
        status: 'False',
        reason: 'BudgetAllowsNone',
        message: listed(head, full.map(nameOf)),
        effect: 'warn',
      }),
      objects,
      remediation: ['Give the disruption budgets room before nodes are drained', ...readCommands(objects)],
    },
  ];
}

function singleReplicas({ singleReplicas: workloads }: ClusterFacts): Finding[] {
  if (!workloads || workloads.length === 0) return [];
  const sorted = workloads.toSorted((a, b) => (`${nameOf(a)} ${a.kind}` < `${nameOf(b)} ${b.kind}` ? -1 : 1));
  const head = `${countInWords(sorted.length, 'workload')} with one replica ${sorted.length === 1 ? 'is' : 'are'} down while a node drains`;
  return [
    {
      ...finding({
        type: DRAINS,
        status: 'True',
        reason: 'SingleReplica',
        message: `${head}: ${namesInWords(sorted.map(nameOf))}`,
        effect: 'info',
      }),
      objects: sorted,
    },
  ];
}

const DOCUMENTS: readonly (readonly [ReportedKind, string])[] = [
  ['budgets', 'PodDisruptionBudgets'],
  ['drainedPods', 'Pods'],
  ['virtualMachines', 'VirtualMachineInstances'],
  ['singleReplicas', 'Deployments'],
];

function missing(facts: ClusterFacts): Finding[] {
  const absent = DOCUMENTS.filter(([fact]) => facts[fact] === null);
  if (absent.length === 0) return [];
  const what = `${joinInWords(absent.map(([, name]) => name))} were`;
  return [
    notChecked(
      DRAINS,
      what,
      absent.map(([fact]) => fact),
    ),
  ];
}

const RESOURCES: Readonly<Record<string, string>> = {
  PodDisruptionBudget: 'pdb',
  Pod: 'pod',
  VirtualMachineInstance: 'vmi',
};

/** One per object, or one for all if there are many. */
export function readCommands(objects: readonly ConditionObject[]): string[] {
  const [first] = objects;
  if (!first) return [];
  if (objects.length > MOST_COMMANDS) return [`oc get ${RESOURCES[first.kind]} -A`];
  return objects.map(
    ({ kind, namespace = '', name }) =>
      `oc -n ${shellWord(namespace)} get ${RESOURCES[kind]} ${shellWord(name)} -o yaml`,
  );
}

function listed(head: string, lines: readonly string[]): string {
  if (lines.length === 1) return `${head}: ${lines[0]}`;
  const more = lines.length - SHOWN;
  const shown = more > 0 ? [...lines.slice(0, SHOWN), `and ${more} more`] : lines;
  return `${head}:${shown.map((line) => `\n* ${line.replaceAll('\n', '\n  ')}`).join('')}`;
}

export function nameOf({ namespace = '', name }: Pick<ConditionObject, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}
