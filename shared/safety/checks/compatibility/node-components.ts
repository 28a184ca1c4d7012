import type { NodeFacts } from '../../../cluster/facts.ts';
import { groupBy } from '../../../collection/group-by.ts';
import { shellWord } from '../../../text/quote.ts';
import { countInWords, listInWords, namesInWords } from '../../../text/words.ts';
import {
  type ConditionObject,
  type Finding,
  asExpected,
  finding,
  inputMissing,
  type Check,
} from '../../condition.ts';
import { crioMinorOf, kubeletMinorOf } from '../../evidence/kubelets.ts';
import { nodesByPool, noNodes, isUpdating } from '../../evidence/pools.ts';
import type { HopContext } from '../../hop.ts';

const TYPE = 'NodeComponentsAligned';

/** Kubelet, container runtime and operating system come from one image, so their versions match on a healthy node. */
export const nodeComponents: Check = ({ facts }) => {
  const { nodes } = facts;
  if (nodes === null) return [inputMissing(TYPE, 'the nodes were', ['oc get nodes -o json'])];
  if (nodes.length === 0) return [noNodes(TYPE)];
  const findings = [...runtimeSkew(nodes), ...osImageDrift(facts)];
  if (findings.length > 0) return findings;
  return [
    asExpected(
      TYPE,
      `Container runtime and operating system are as they should be on ${countInWords(nodes.length, 'node')}`,
    ),
  ];
};

function runtimeSkew(nodes: readonly NodeFacts[]): Finding[] {
  const skewed = nodes
    .filter(({ kubeletVersion, containerRuntimeVersion }) => {
      const [kubelet, runtime] = [kubeletMinorOf(kubeletVersion), crioMinorOf(containerRuntimeVersion)];
      return kubelet !== null && runtime !== null && kubelet !== runtime;
    })
    .toSorted(byName);
  if (skewed.length === 0) return [];
  const described = skewed.map(
    ({ name, kubeletVersion, containerRuntimeVersion }) =>
      `${name} (kubelet 1.${kubeletMinorOf(kubeletVersion)}, CRI-O 1.${crioMinorOf(containerRuntimeVersion)})`,
  );
  const message = `The container runtime is of another minor than the kubelet on ${countInWords(skewed.length, 'node')}: ${listInWords(described)}`;
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason: 'RuntimeSkew', message, effect: 'warn' }),
      objects: skewed.map(({ name, kubeletVersion, containerRuntimeVersion }) => ({
        kind: 'Node',
        name,
        detail: { kubeletVersion, containerRuntimeVersion },
      })),
      remediation: ['oc get nodes -o wide'],
    },
  ];
}

function osImageDrift(facts: HopContext['facts']): Finding[] {
  const members = nodesByPool(facts);
  const drifting = (facts.pools ?? [])
    .filter((pool) => !isUpdating(pool))
    .map(({ name }) => ({ pool: name, nodes: strays(members.get(name) ?? []) }))
    .filter(({ nodes }) => nodes.length > 0)
    .toSorted((a, b) => (a.pool < b.pool ? -1 : 1));
  if (drifting.length === 0) return [];
  const nodes = drifting.flatMap((each) => each.nodes).toSorted(byName);
  const pools = drifting.map(({ pool }) => pool);
  const message = `Nodes of one pool run different images of the operating system although none is being rolled, in ${pools.length === 1 ? 'pool' : 'pools'} ${namesInWords(pools)}; the odd ones are ${namesInWords(nodes.map(({ name }) => name))}`;
  const poolOf = new Map(drifting.flatMap(({ pool, nodes }) => nodes.map(({ name }) => [name, pool])));
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason: 'OSImageDrift', message, effect: 'warn' }),
      objects: nodes.map(({ name, osImage }): ConditionObject => ({
        kind: 'Node',
        name,
        detail: { osImage, pool: poolOf.get(name) },
      })),
      remediation: pools.map((pool) => `oc describe mcp/${shellWord(pool)}`),
    },
  ];
}

/**
 * Nodes whose OS image differs from most of their pool. Only CoreOS is managed by the pool. Differences are expected
 * between architectures and during a rollout.
 */
function strays(nodes: readonly NodeFacts[]): NodeFacts[] {
  if (nodes.some(({ machineConfig }) => machineConfig.current !== machineConfig.desired)) return [];
  const managed = nodes.filter(({ osImage }) => osImage.includes('CoreOS'));
  return [...groupBy(managed, ({ architecture }) => architecture).values()].flatMap((alike) => {
    const [, ...few] = [...groupBy(alike, ({ osImage }) => osImage)].toSorted(
      ([a, first], [b, second]) => second.length - first.length || (a < b ? -1 : 1),
    );
    return few.flatMap(([, members]) => members);
  });
}

function byName(a: NodeFacts, b: NodeFacts): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
