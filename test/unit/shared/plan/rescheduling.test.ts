import type { ClusterFacts, NodeFacts } from '@cairn/shared/cluster/facts';
import { simulatePools } from '@cairn/shared/plan/pools';
import { rescheduling, type KnownRescheduling } from '@cairn/shared/plan/rescheduling';
import type { Strategy } from '@cairn/shared/safety/hop';
import { describe, expect, it } from 'vitest';
import { aCluster, aNode, aPool, minutesAgo } from '../../../helpers/cluster/clusters.ts';
import { hopsOf } from '../../../helpers/plan/paths.ts';

const ZONE = 'topology.kubernetes.io/zone';
const OLD_ZONE = 'failure-domain.beta.kubernetes.io/zone';

function inZone(name: string, zone: string | null, pool = 'worker', label = ZONE): NodeFacts {
  const node = aNode(name, {}, pool);
  return zone === null ? node : { ...node, labels: { ...node.labels, [label]: zone } };
}

function zoneOf(count: number, zone: string | null, pool = 'worker'): NodeFacts[] {
  return Array.from({ length: count }, (_, index) => inZone(`${pool}-${zone}-${index}`, zone, pool));
}

const MASTERS = [0, 1, 2].map((number) => inZone(`master-${number}`, 'a', 'master'));

function ask(changes: Partial<ClusterFacts>, strategy: Strategy = 'rolling') {
  const facts = aCluster(changes);
  const hops = hopsOf('4.14.8', '4.15.3', '4.16.2');
  return rescheduling(facts, simulatePools({ ...facts, hops, policy: 'openshift', strategy }));
}

function known(...args: Parameters<typeof ask>): KnownRescheduling {
  const answer = ask(...args);
  if (answer.optimum === null) throw new Error(answer.reason);
  return answer;
}

function advice(type: string, ...args: Parameters<typeof ask>) {
  return known(...args).advice.filter((each) => each.type === type);
}

const THIRTY = [...zoneOf(10, 'a'), ...zoneOf(10, 'b'), ...zoneOf(10, 'c')];
const HUNDRED_EACH = THIRTY.map(({ name }) => ({ node: name, pods: 100 }));

describe('pods that are moved twice', () => {
  it('three zones of ten nodes with 3000 pods: 300 at best, 2100 today', () => {
    const answer = known({ nodes: [...MASTERS, ...THIRTY], podsPerNode: HUNDRED_EACH });
    expect(answer).toMatchObject({
      optimum: 0.1,
      observedBaseline: 0.7,
      avoidable: 0.6,
      perRoll: { optimum: 300, observed: 2100 },
      wholeWay: { optimum: 600, observed: 4200 },
    });
    expect(answer.domains).toEqual(
      ['a', 'b', 'c'].map((zone) => ({
        pool: 'worker',
        zone,
        nodes: 10,
        pods: 1000,
        optimum: 0.1,
        expectedPodsMovedTwice: 100,
        rolls: 2,
      })),
    );
  });

  it('are as many for each roll: half of them with one instead of two', () => {
    const nodes = [...MASTERS, ...THIRTY];
    expect(known({ nodes, podsPerNode: HUNDRED_EACH }, 'control-plane-only').wholeWay).toEqual({
      optimum: 300,
      observed: 2100,
    });
  });

  it('weighs zones by their pods', () => {
    const nodes = [...zoneOf(2, 'a'), ...zoneOf(10, 'b')];
    const podsPerNode = nodes.map(({ name }) => ({ node: name, pods: name.includes('-a-') ? 450 : 10 }));
    expect(known({ nodes, podsPerNode })).toMatchObject({
      optimum: 0.46,
      avoidable: 0.24,
      perRoll: { optimum: 460 },
    });
  });

  it.each([
    ['pods were not supplied', null],
    ['there is no pod', []],
  ])('weighs zones by their nodes when %s', (_, podsPerNode) => {
    const answer = known({ nodes: [...zoneOf(1, 'a'), ...zoneOf(3, 'b'), ...zoneOf(4, 'c')], podsPerNode });
    expect(answer.optimum).toBe(3 / 8);
    expect(answer.domains.map(({ optimum }) => optimum)).toEqual([1, 0.3333, 0.25]);
    expect('perRoll' in answer).toBe(podsPerNode !== null);
  });

  it('cannot be fewer than today where every zone has one node', () => {
    expect(known({ nodes: zoneOf(1, 'a') })).toMatchObject({ optimum: 1, avoidable: 0 });
  });
});

describe('failure domains', () => {
  it.each<[string, NodeFacts[], string[]]>([
    ['the label', [inZone('n', 'a')], ['worker a 1']],
    ['the label of old', [inZone('n', 'a', 'worker', OLD_ZONE)], ['worker a 1']],
    ['no label', [inZone('m', null), inZone('n', null)], ['worker (none) 2']],
    ['an empty label', [inZone('n', '')], ['worker (none) 1']],
    [
      'cordoned nodes left out',
      [inZone('n', 'a'), { ...inZone('m', 'a'), unschedulable: true }],
      ['worker a 1'],
    ],
    ['the control plane left out', [...MASTERS, inZone('n', 'a')], ['worker a 1']],
    ['nodes of no pool left out', [inZone('n', 'a'), aNode('byo', { labels: {} })], ['worker a 1']],
    ['pools apart', [...zoneOf(2, 'a'), ...zoneOf(1, 'a', 'infra')], ['infra a 1', 'worker a 2']],
  ])('%s', (_, nodes, expected) => {
    const pools = [aPool('master'), aPool('worker'), aPool('infra')];
    const { domains } = known({ nodes, pools });
    expect(domains.map(({ pool, zone, nodes: count }) => `${pool} ${zone} ${count}`)).toEqual(expected);
  });

  it('a compact cluster moves its pods with every hop', () => {
    const nodes = MASTERS.map((node) => ({
      ...node,
      labels: { ...node.labels, 'node-role.kubernetes.io/worker': '' },
    }));
    expect(known({ nodes }, 'control-plane-only').domains).toMatchObject([
      { pool: 'master', nodes: 3, rolls: 2 },
    ]);
  });

  it.each([
    [{ nodes: null }, 'the nodes are not known; supply the output of `oc get nodes -o json`'],
    [{ nodes: MASTERS }, 'no node of a pool takes workloads'],
  ])('are not known: %#', (changes, reason) => {
    expect(ask(changes)).toEqual({ optimum: null, reason });
  });
});

describe('advice', () => {
  it('warns of zones with one node', () => {
    const nodes = [...zoneOf(1, 'c'), ...zoneOf(1, 'a'), ...zoneOf(2, 'b'), ...zoneOf(1, null)];
    expect(advice('SingleNodeDomain', { nodes })).toEqual([
      {
        type: 'SingleNodeDomain',
        effect: 'warn',
        text: 'Every pod has to leave a zone with one node: a (pool worker), c (pool worker) and pool worker, without a zone',
      },
    ]);
    expect(advice('SingleNodeDomain', { nodes: zoneOf(2, 'a') })).toEqual([]);
  });

  it('gives the order of draining: zones by name, the oldest first', () => {
    const aged = (name: string, zone: string, days: number) => ({
      ...inZone(name, zone),
      createdAt: minutesAgo(days * 24 * 60),
    });
    const nodes = [
      aged('n1', 'b', 9),
      aged('n2', 'a', 1),
      aged('n3', 'a', 5),
      aged('n5', 'b', 9),
      aged('n4', 'b', 9),
    ];
    expect(advice('DrainOrder', { nodes })).toEqual([
      {
        type: 'DrainOrder',
        effect: 'info',
        text: 'Pool worker is drained zone by zone in the order of their names, the oldest node of a zone first',
        nodes: ['n3', 'n2', 'n1', 'n4', 'n5'],
      },
    ]);
  });

  it('names pools that drain several nodes at once', () => {
    const pools = [aPool('master'), aPool('worker', { maxUnavailable: '20%' }), aPool('infra')];
    const nodes = [...zoneOf(10, 'a'), ...zoneOf(3, 'a', 'infra')];
    expect(advice('SeveralNodesAtOnce', { nodes, pools })).toMatchObject([
      { text: 'Pools that drain several nodes at once need room for their pods: worker (2)' },
    ]);
    expect(advice('SeveralNodesAtOnce', { nodes })).toEqual([]);
  });

  it('counts rolls, and always ends with balancing', () => {
    expect(advice('EveryRollMovesPods', {})).toMatchObject([
      { text: 'Pods are moved in each of 2 rolls; fewer rolls, as with control-plane-only, move fewer' },
    ]);
    expect(advice('EveryRollMovesPods', {}, 'control-plane-only')).toEqual([]);
    expect(known({}).advice.at(-1)).toMatchObject({ type: 'BalanceAfterwards' });
  });
});
