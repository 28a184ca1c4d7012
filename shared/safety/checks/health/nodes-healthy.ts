import type { ClusterFacts, NodeFacts } from '../../../cluster/facts.ts';
import { isInQuorum } from '../../../cluster/nodes.ts';
import { groupBy } from '../../../collection/group-by.ts';
import { durationText } from '../../../text/duration.ts';
import { excerpt, shellWord } from '../../../text/quote.ts';
import { countInWords, joinInWords, namesInWords } from '../../../text/words.ts';
import { type Finding, asExpected, finding, inputMissing, type Check } from '../../condition.ts';
import { isHosted } from '../../evidence/hosted.ts';
import { nodePlaces, noNodes, type NodePlace, maxUnavailableOf } from '../../evidence/pools.ts';

const TYPE = 'NodesHealthy';
export const CONTROL_PLANE_LOST = 'ControlPlaneMajorityNotReady';
/** Two-node cluster with fencing; the even number is by design. */
const TWO_NODES = 'DualReplica';
/** Longer commands are hard to read; a command that lists the nodes replaces them. */
const NAMES_IN_COMMAND = 20;

interface PlacedNode {
  readonly node: NodeFacts;
  readonly place: NodePlace;
}

/** Health describes the cluster now, so only the first hop is checked. */
export const nodesHealthy: Check = ({ facts, hop, now }) => {
  if (hop.index > 0) return [];
  if (facts.nodes === null) return [inputMissing(TYPE, 'the nodes were', ['oc get nodes -o json'])];
  if (facts.nodes.length === 0) return [noNodes(TYPE)];
  const places = nodePlaces(facts);
  const nodes = facts.nodes
    .map((node): PlacedNode => ({ node, place: places.get(node.name)! }))
    .toSorted((a, b) => (a.node.name < b.node.name ? -1 : 1));
  const findings = [
    ...controlPlaneNotReady(nodes, facts, now),
    ...workersNotReady(nodes, now),
    ...underPressure(nodes),
    ...cordoned(nodes),
    ...unusualCount(nodes, facts),
  ];
  if (findings.length > 0) return findings;
  return [
    asExpected(TYPE, nodes.length === 1 ? 'The only node is ready' : `All ${nodes.length} nodes are ready`),
  ];
};

/** Without a control plane majority there is no etcd quorum, and the cluster cannot update at all. */
export function hasLostControlPlane({ nodes }: Pick<ClusterFacts, 'nodes'>): boolean {
  const members = (nodes ?? []).filter(isInQuorum);
  return members.length > 0 && members.filter(isReady).length * 2 <= members.length;
}

function controlPlaneNotReady(all: readonly PlacedNode[], facts: ClusterFacts, now: number): Finding[] {
  const members = all.filter(({ node }) => isInQuorum(node));
  const down = members.filter(({ node }) => !isReady(node));
  if (down.length === 0) return [];
  const head = `${down.length} of ${countInWords(members.length, 'control plane node')} ${isOrAre(down.length)} not ready`;
  if (!hasLostControlPlane(facts)) {
    return [notReady({ reason: 'ControlPlaneNodeNotReady', head, effect: 'block' }, down, now)];
  }
  return [
    {
      ...notReady({ reason: CONTROL_PLANE_LOST, head, effect: 'block' }, down, now),
      evenForPatches: true,
      notAcceptable: true,
    },
  ];
}

/** A pool with more than `maxUnavailable` nodes not ready updates no further node, so its rollout never completes. */
function workersNotReady(all: readonly PlacedNode[], now: number): Finding[] {
  const workers = all.filter(({ node }) => !isInQuorum(node));
  const down = workers.filter(({ node }) => !isReady(node));
  if (down.length === 0) return [];
  const stuck = [...groupBy(workers, ({ place }) => place.pool?.name ?? '').values()].flatMap((members) => {
    const { pool } = members[0]!.place;
    const away = members.filter(({ node }) => !isReady(node)).length;
    const most = pool && maxUnavailableOf(pool.maxUnavailable, members.length);
    return pool && most !== null && away > most
      ? [`pool ${pool.name} cannot finish an update with more than ${most} unavailable`]
      : [];
  });
  const count = `${down.length} of ${countInWords(workers.length, 'worker node')} ${isOrAre(down.length)} not ready`;
  const head = [count, ...stuck.toSorted()].join(', ');
  const effect = stuck.length > 0 ? 'block' : 'warn';
  return [notReady({ reason: 'NodeNotReady', head, effect }, down, now)];
}

function notReady(
  {
    reason,
    head,
    effect,
  }: { readonly reason: string; readonly head: string; readonly effect: 'warn' | 'block' },
  down: readonly PlacedNode[],
  now: number,
): Finding {
  const since = firstOf(down.map(({ node }) => readyProblem(node)?.since ?? null));
  const age = now - Date.parse(since ?? '');
  const longest = age > 0 ? `, the longest for ${durationText(age, 1)}` : '';
  const groups = groupsInWords(down, ({ node }) => causeOf(node));
  return {
    ...finding({ type: TYPE, status: 'False', reason, message: `${head}${longest}: ${groups}`, effect }),
    objects: down.map((each) => objectOf(each, { ready: each.node.ready, ...readyDetail(each.node) })),
    remediation: [lookCommand(down.map(({ node }) => node.name))],
    ...(since !== null && { since }),
  };
}

function underPressure(all: readonly PlacedNode[]): Finding[] {
  const pressed = all.filter(({ node }) => pressuresOf(node).length > 0);
  if (pressed.length === 0) return [];
  const blocks = pressed.some(
    ({ node }) => isInQuorum(node) && pressuresOf(node).some(({ type }) => type === 'DiskPressure'),
  );
  const groups = groupsInWords(pressed, ({ node }) => joinInWords(pressuresOf(node).map(({ type }) => type)));
  const since = firstOf(pressed.flatMap(({ node }) => pressuresOf(node).map((each) => each.since)));
  const message = `${countInWords(pressed.length, 'node')} ${pressed.length === 1 ? 'reports' : 'report'} a shortage: ${groups}`;
  return [
    {
      ...finding({
        type: TYPE,
        status: 'False',
        reason: 'NodePressure',
        message,
        effect: blocks ? 'block' : 'warn',
      }),
      objects: pressed.map((each) =>
        objectOf(each, {
          conditions: pressuresOf(each.node).map(({ type, since }) => ({
            type,
            ...(since !== null && { since }),
          })),
        }),
      ),
      remediation: [lookCommand(pressed.map(({ node }) => node.name))],
      ...(since !== null && { since }),
    },
  ];
}

function cordoned(all: readonly PlacedNode[]): Finding[] {
  // The Machine Config Operator cordons a node while it updates it.
  const found = all.filter(({ node }) => node.unschedulable && node.machineConfig.state !== 'Working');
  if (found.length === 0) return [];
  const message = `${countInWords(found.length, 'node')} ${isOrAre(found.length)} cordoned: ${groupsInWords(found, () => '')}`;
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason: 'NodeCordoned', message, effect: 'warn' }),
      objects: found.map((each) => objectOf(each, {})),
      remediation: [uncordonCommand(found.map(({ node }) => node.name))],
    },
  ];
}

function unusualCount(all: readonly PlacedNode[], { infrastructure }: ClusterFacts): Finding[] {
  const members = all.filter(({ node }) => isInQuorum(node)).map(({ node }) => node.name);
  if (isHosted({ infrastructure }) || infrastructure?.controlPlaneTopology === TWO_NODES) return [];
  if (members.length % 2 === 1) return [];
  if (members.length === 0) return [noControlPlane()];
  const message = `The cluster has ${members.length} control plane nodes: ${namesInWords(members)}. Use 1, 3 or 5; an even number adds no fault tolerance`;
  return [
    {
      ...finding({
        type: TYPE,
        status: 'False',
        reason: 'ControlPlaneCountUnusual',
        message,
        effect: 'warn',
      }),
      objects: members.map((name) => ({ kind: 'Node', name })),
      remediation: ['oc get nodes'],
    },
  ];
}

/** Not all nodes were sent, or the control plane is hosted elsewhere. */
function noControlPlane(): Finding {
  const message =
    'The node list has no control plane node. Send all nodes, or the Infrastructure of a hosted cluster';
  return {
    ...finding({ type: TYPE, status: 'Unknown', reason: 'NoControlPlaneNodes', message, effect: 'warn' }),
    remediation: ['oc get nodes,infrastructure/cluster -o json'],
  };
}

export function uncordonCommand(names: readonly string[]): string {
  return names.length <= NAMES_IN_COMMAND
    ? `oc adm uncordon ${names.map(shellWord).join(' ')}`
    : 'oc get nodes --field-selector spec.unschedulable=true';
}

export function lookCommand(names: readonly string[]): string {
  return names.length === 1 ? `oc describe node ${shellWord(names[0]!)}` : 'oc get nodes';
}

/** `pool worker, Ready is Unknown (NodeStatusUnknown): worker-0 and worker-1; …` */
function groupsInWords(nodes: readonly PlacedNode[], cause: (placed: PlacedNode) => string): string {
  const headOf = (placed: PlacedNode): string => {
    const { pool } = placed.place;
    return [pool ? `pool ${pool.name}` : '', cause(placed)].filter((part) => part !== '').join(', ');
  };
  const groups = [...groupBy(nodes, headOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const texts = groups.map(([head, members]) => {
    const names = namesInWords(members.map(({ node }) => node.name));
    return head === '' ? names : `${head}: ${names}`;
  });
  return texts.join('; ');
}

function objectOf({ node, place }: PlacedNode, detail: Readonly<Record<string, unknown>>) {
  return { kind: 'Node', name: node.name, detail: { pool: place.pool?.name ?? null, ...detail } };
}

function isReady({ ready }: NodeFacts): boolean {
  return ready === 'True';
}

function readyProblem({ problems }: NodeFacts) {
  return problems.find(({ type }) => type === 'Ready');
}

function readyDetail(node: NodeFacts): Readonly<Record<string, unknown>> {
  const problem = readyProblem(node);
  if (!problem) return {};
  const { reason, message, since } = problem;
  return { reason, message: excerpt(message), ...(since !== null && { since }) };
}

function causeOf(node: NodeFacts): string {
  const reason = readyProblem(node)?.reason ?? '';
  if (node.ready === null) return 'no Ready condition';
  return `Ready is ${node.ready}${reason === '' ? '' : ` (${reason})`}`;
}

function pressuresOf({ problems }: NodeFacts) {
  return problems
    .filter(({ type, status }) => type !== 'Ready' && status === 'True')
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

function firstOf(times: readonly (string | null)[]): string | null {
  const known = times.filter((time) => time !== null);
  return known.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
