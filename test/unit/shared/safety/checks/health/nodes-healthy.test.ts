import type { ClusterFacts, NodeFacts } from '@cairn/shared/cluster/facts';
import { nodesHealthy } from '@cairn/shared/safety/checks/health/nodes-healthy';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aCondition,
  aNode,
  aPool,
  context,
  minutesAgo,
} from '../../../../../helpers/cluster/clusters.ts';
import { evaluate, evaluateHop } from '../../../../../helpers/cluster/evaluations.ts';

const MINOR = ['4.14.8', '4.15.3'];
const PATCH = ['4.14.8', '4.14.9'];

function down(name: string, pool: string, status: 'False' | 'Unknown' = 'Unknown'): NodeFacts {
  const problem = aCondition('Ready', status, 'NodeStatusUnknown', 'Kubelet stopped', minutesAgo(180));
  return aNode(name, { ready: status, problems: [problem] }, pool);
}

/** So many nodes of each pool, the first of them not ready. */
function cluster(pools: Readonly<Record<string, readonly [nodes: number, down: number]>>): ClusterFacts {
  const nodes = Object.entries(pools).flatMap(([pool, [count, away]]) =>
    Array.from({ length: count }, (_, number) => {
      const name = `${pool}-${number}`;
      return number < away ? down(name, pool) : aNode(name, {}, pool);
    }),
  );
  return aCluster({ nodes, pools: Object.keys(pools).map((pool) => aPool(pool)) });
}

/** What is found for the next minor and for a patch: `reason effect`. */
function found(facts: ClusterFacts): readonly (readonly string[])[] {
  return [MINOR, PATCH].map((path) =>
    evaluateHop(facts, path)
      .conditions.filter(({ type }) => type === 'NodesHealthy')
      .map(({ reason, effect }) => `${reason} ${effect}`),
  );
}

describe('nodes', () => {
  it('are healthy when all are ready', () => {
    expect(found(aCluster())).toEqual([['AsExpected ok'], ['AsExpected ok']]);
  });

  it.each<[string, readonly [number, number], readonly string[]]>([
    ['1 of 1', [1, 1], ['ControlPlaneMajorityNotReady block', 'ControlPlaneMajorityNotReady block']],
    ['1 of 3', [3, 1], ['ControlPlaneNodeNotReady block', 'ControlPlaneNodeNotReady warn']],
    ['2 of 3', [3, 2], ['ControlPlaneMajorityNotReady block', 'ControlPlaneMajorityNotReady block']],
    ['3 of 3', [3, 3], ['ControlPlaneMajorityNotReady block', 'ControlPlaneMajorityNotReady block']],
    ['2 of 5', [5, 2], ['ControlPlaneNodeNotReady block', 'ControlPlaneNodeNotReady warn']],
    ['3 of 5', [5, 3], ['ControlPlaneMajorityNotReady block', 'ControlPlaneMajorityNotReady block']],
  ])('cases 32 and 33: of the control plane, %s not ready', (_, master, [minor, patch]) => {
    expect(found(cluster({ master, worker: [2, 0] }))).toEqual([[minor], [patch]]);
  });

  it('of an even control plane, half are no majority', () => {
    const unusual = 'ControlPlaneCountUnusual warn';
    const lost = ['ControlPlaneMajorityNotReady block', unusual];
    expect(found(cluster({ master: [2, 1] }))).toEqual([lost, lost]);
    expect(found(cluster({ master: [4, 2] }))).toEqual([lost, lost]);
    expect(found(cluster({ master: [4, 1] }))[0]).toEqual(['ControlPlaneNodeNotReady block', unusual]);
  });

  it('block every update, strict or not and whatever is accepted, when the control plane is lost', () => {
    const facts = cluster({ master: [3, 2], worker: [6, 6] });
    const accept = ['NodesHealthy', 'ControlPlaneMajorityNotReady', 'NodeNotReady'];
    for (const options of [{}, { strict: true }, { accept }]) {
      for (const path of [MINOR, PATCH]) {
        expect(evaluateHop(facts, path, options).verdict).toBe('blocked');
      }
    }
  });

  it.each([
    ['False', aNode('master-0', { ready: 'False' }, 'master')],
    ['absent', aNode('master-0', { ready: null }, 'master')],
    ['something else', aNode('master-0', { ready: 'true' }, 'master')],
  ])('are not ready when the condition is %s', (_, node) => {
    expect(found(aCluster({ nodes: [node] }))[0]).toEqual(['ControlPlaneMajorityNotReady block']);
  });

  it('of the control plane have either label, and arbiters count for the quorum', () => {
    const labelled = (name: string, role: string, ready: string) =>
      aNode(name, { ready, labels: { [`node-role.kubernetes.io/${role}`]: '' } });
    const nodes = [
      labelled('a', 'control-plane', 'True'),
      labelled('b', 'control-plane', 'True'),
      labelled('c', 'arbiter', 'Unknown'),
    ];
    expect(found(aCluster({ nodes }))[0]).toEqual(['ControlPlaneNodeNotReady block']);
    const lost = [nodes[0]!, { ...nodes[1]!, ready: 'False' }, nodes[2]!];
    expect(found(aCluster({ nodes: lost }))[0]).toEqual(['ControlPlaneMajorityNotReady block']);
  });

  it.each<[string, number | string, readonly [number, number], string]>([
    ['as many as may be unavailable', 1, [5, 1], 'warn'],
    ['more than may be unavailable', 1, [5, 2], 'block'],
    ['a share, rounded down', '25%', [10, 2], 'warn'],
    ['more than a share, rounded down', '25%', [10, 3], 'block'],
    ['half of the pool', '50%', [6, 3], 'warn'],
    ['a share of less than one node', '1%', [10, 1], 'warn'],
    ['none may be unavailable, which is at least one', 0, [10, 1], 'warn'],
  ])('case 34: of a pool, %s', (_, maxUnavailable, [count, away], effect) => {
    const facts = cluster({ master: [3, 0], worker: [count, away] });
    const pools = [aPool('master'), aPool('worker', { maxUnavailable })];
    expect(found({ ...facts, pools })).toEqual([[`NodeNotReady ${effect}`], ['NodeNotReady warn']]);
  });

  it('are counted by pool, so one each of three pools only warns', () => {
    const facts = cluster({ master: [3, 0], infra: [3, 1], storage: [3, 1], worker: [3, 1] });
    expect(found(facts)[0]).toEqual(['NodeNotReady warn']);
  });

  it('of no known pool only warn, as no pool waits for them', () => {
    const facts = cluster({ master: [3, 0], worker: [5, 4] });
    expect(found({ ...facts, pools: null })[0]).toEqual(['NodeNotReady warn']);
    expect(found({ ...facts, pools: [aPool('master')] })[0]).toEqual(['NodeNotReady warn']);
  });

  it.each([
    ['MemoryPressure', 'worker', 'warn'],
    ['DiskPressure', 'worker', 'warn'],
    ['PIDPressure', 'master', 'warn'],
    ['NetworkUnavailable', 'master', 'warn'],
    ['DiskPressure', 'master', 'block'],
  ])('case 36: with %s of pool %s: %s', (type, pool, effect) => {
    const nodes = [...cluster({ master: [3, 0], worker: [3, 0] }).nodes!];
    const at = nodes.findIndex(({ name }) => name === `${pool}-0`);
    nodes[at] = { ...nodes[at]!, problems: [aCondition(type, 'True')] };
    expect(found(aCluster({ nodes }))).toEqual([[`NodePressure ${effect}`], ['NodePressure warn']]);
  });

  it('case 35: warn when they are cordoned, unless the platform is updating them', () => {
    const states = ['Done', 'Working', ''].map((state, number) => {
      const node = aNode(`worker-${number}`, { unschedulable: true });
      return { ...node, machineConfig: { ...node.machineConfig, state } };
    });
    const nodes = [...cluster({ master: [3, 0] }).nodes!, ...states];
    const [finding] = nodesHealthy(context(aCluster({ nodes }), MINOR));
    expect(finding).toMatchObject({
      reason: 'NodeCordoned',
      effect: 'warn',
      message: '2 nodes are cordoned: pool worker: worker-0 and worker-2',
      remediation: ['oc adm uncordon worker-0 worker-2'],
    });
    expect(finding!.objects!.map(({ name }) => name)).toEqual(['worker-0', 'worker-2']);
  });

  it.each([
    [2, 'HighlyAvailable', true],
    [4, null, true],
    [2, 'DualReplica', false],
    [0, 'External', false],
    [1, 'SingleReplica', false],
    [5, 'HighlyAvailable', false],
  ])('%i of the control plane with topology %s are unusual: %s', (count, topology, isUnusual) => {
    const facts = {
      ...cluster({ master: [count, 0], worker: [1, 0] }),
      infrastructure: { platform: 'None', controlPlaneTopology: topology },
    };
    expect(found(facts)[0]).toEqual([isUnusual ? 'ControlPlaneCountUnusual warn' : 'AsExpected ok']);
  });

  it.each([
    ['HighlyAvailable', ['NoControlPlaneNodes warn'], 'unknown'],
    [null, ['NoControlPlaneNodes warn'], 'unknown'],
    ['External', ['AsExpected ok'], 'allowed'],
  ])('without a control plane node and with topology %s are %j', (controlPlaneTopology, reasons, verdict) => {
    const facts = {
      ...cluster({ worker: [2, 0] }),
      infrastructure: { platform: 'None', controlPlaneTopology },
    };
    expect(found(facts)[0]).toEqual(reasons);
    const hop = evaluateHop(facts, MINOR);
    expect(hop.verdict).toBe(verdict);
  });

  it('are named by pool and cause, ten at most, all of them as objects', () => {
    const workers = Array.from({ length: 12 }, (_, number) =>
      down(`worker-${String(number).padStart(2, '0')}`, 'worker', number === 11 ? 'False' : 'Unknown'),
    );
    const masters = [down('master-0', 'master'), aNode('master-1', {}, 'master'), down('master-2', 'master')];
    const [lost, away] = nodesHealthy(context(aCluster({ nodes: [...workers, ...masters] }), MINOR));
    expect(lost).toMatchObject({
      status: 'False',
      message:
        '2 of 3 control plane nodes are not ready, the longest for 3h: ' +
        'pool master, Ready is Unknown (NodeStatusUnknown): master-0 and master-2',
      since: minutesAgo(180),
      remediation: ['oc get nodes'],
    });
    expect(away!.message).toBe(
      '12 of 12 worker nodes are not ready, pool worker cannot finish an update with more than 1 unavailable, ' +
        'the longest for 3h: pool worker, Ready is False (NodeStatusUnknown): worker-11; ' +
        'pool worker, Ready is Unknown (NodeStatusUnknown): worker-00, worker-01, worker-02, worker-03, ' +
        'worker-04, worker-05, worker-06, worker-07, worker-08, worker-09 and 1 more',
    );
    expect(away!.objects).toHaveLength(12);
    expect(away!.objects![0]).toEqual({
      kind: 'Node',
      name: 'worker-00',
      detail: {
        pool: 'worker',
        ready: 'Unknown',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped',
        since: minutesAgo(180),
      },
    });
  });

  it('are of now, and so of the first hop only', () => {
    const [first, second] = evaluate(cluster({ master: [3, 2], worker: [3, 0] }), [...MINOR, '4.16.1']);
    expect(first!.verdict).toBe('blocked');
    expect(second!.conditions.filter(({ type }) => type === 'NodesHealthy')).toEqual([]);
  });
});
