import type { NodeFacts, PoolFacts } from '@cairn/shared/cluster/facts';
import { poolsReady } from '@cairn/shared/safety/checks/health/pools-ready';
import type { Effect } from '@cairn/shared/safety/values';
import { describe, expect, it } from 'vitest';
import { aCluster, aCondition, aNode, aPool, context } from '../../../../../helpers/cluster/clusters.ts';
import { evaluate } from '../../../../../helpers/cluster/evaluations.ts';

function verify(given: readonly PoolFacts[] | null, nodes: readonly NodeFacts[] | null = []) {
  const isComplete = !given?.length || given.some(({ name }) => name === 'master');
  const pools = isComplete ? given : [aPool('master'), ...given];
  return poolsReady(context(aCluster({ pools, nodes }), ['4.14.8', '4.15.3']));
}

const machines = (total: number, updated: number, degraded = 0) => ({
  total,
  updated,
  ready: updated,
  unavailable: 0,
  degraded,
});

describe('pools', () => {
  it.each<[string, PoolFacts, string, string, Effect]>([
    [
      'paused with machines to update',
      aPool('worker', { paused: true, machines: machines(5, 2) }),
      'PoolPausedOutdated',
      'Pool worker is paused with 3 of 5 machines outdated',
      'warn',
    ],
    [
      'paused with a configuration that no machine has yet',
      aPool('worker', { paused: true, configuration: { wanted: 'rendered-2', current: 'rendered-1' } }),
      'PoolPausedOutdated',
      'Pool worker is paused with 1 of 3 machines outdated',
      'warn',
    ],
    [
      'being rolled',
      aPool('worker', { machines: machines(5, 2), conditions: [aCondition('Updating', 'True')] }),
      'PoolUpdating',
      'Pool worker is being rolled, 2 of 5 machines done',
      'warn',
    ],
    [
      'of the control plane and being rolled',
      aPool('master', { machines: machines(3, 2), conditions: [aCondition('Updating', 'True')] }),
      'PoolUpdating',
      'Pool master is being rolled, 2 of 3 machines done',
      'block',
    ],
    [
      'degraded',
      aPool('worker', {
        machines: machines(5, 4, 1),
        conditions: [aCondition('Degraded', 'True', '', 'node n1 is stuck')],
      }),
      'PoolDegraded',
      'Pool worker is degraded, 1 of 5 machines: node n1 is stuck',
      'block',
    ],
    [
      'without conditions',
      aPool('worker', { conditions: [] }),
      'PoolUnknown',
      'Pool worker does not report whether it is degraded',
      'warn',
    ],
    [
      'that does not know whether it is degraded',
      aPool('worker', { conditions: [aCondition('Updated', 'True'), aCondition('Degraded', '')] }),
      'PoolUnknown',
      'Pool worker does not report whether it is degraded',
      'warn',
    ],
    [
      'of the control plane and paused, even if up to date',
      aPool('master', { paused: true }),
      'ControlPlanePoolPaused',
      'Pool master is paused, and an update of the control plane cannot end before it rolls',
      'block',
    ],
    [
      'of an arbiter and paused',
      aPool('arbiter', { paused: true }),
      'ControlPlanePoolPaused',
      'Pool arbiter is paused, and an update of the control plane cannot end before it rolls',
      'block',
    ],
  ])('cases 38 and 39: finds a pool %s', (_, pool, reason, message, effect) => {
    const findings = verify([pool]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      type: 'PoolsReady',
      status: reason === 'PoolUnknown' ? 'Unknown' : 'False',
      reason,
      message,
      effect,
    });
    expect(findings[0]!.objects).toMatchObject([{ kind: 'MachineConfigPool', name: pool.name }]);
    expect(findings[0]!.remediation).not.toEqual([]);
  });

  it('counts nodes whose kubelet is older than the API server, whatever the pool says', () => {
    const nodes = ['v1.25.1', 'v1.27.1'].map((kubeletVersion, n) => aNode(`n${n}`, { kubeletVersion }));
    const [finding] = verify([aPool('worker', { paused: true })], nodes);
    expect(finding!.message).toBe('Pool worker is paused with 1 of 3 machines outdated');
  });

  it('judges kubelets by the API server of today, at every hop', () => {
    const nodes = [aNode('n1', { kubeletVersion: 'v1.27.1' })];
    const facts = aCluster({ pools: [aPool('worker', { paused: true })], nodes });
    const findings = poolsReady(context(facts, ['4.14.8', '4.15.3', '4.16.1']));
    expect(findings.map(({ reason }) => reason)).toEqual(['AfterPreviousHop', 'PoolPaused']);
  });

  it('blames nobody for a paused pool on hops after the plan has updated it', () => {
    const pools = [aPool('master'), aPool('worker', { paused: true })];
    const nodes = ['worker-0', 'worker-1'].map((name) => aNode(name, { kubeletVersion: 'v1.26.1' }));
    const hops = evaluate(aCluster({ pools, nodes }), ['4.14.8', '4.15.3', '4.16.1']);
    const found = hops.map(({ conditions }) =>
      conditions.filter(({ type }) => type === 'PoolsReady').map(({ reason }) => reason),
    );
    expect(found).toEqual([['PoolPausedOutdated'], ['AfterPreviousHop']]);
  });

  it('leaves health to the first hop, which it blocks only into a minor', () => {
    const pools = [
      aPool('master', { paused: true }),
      aPool('worker', { conditions: [aCondition('Degraded', 'True')] }),
    ];
    const hops = evaluate(aCluster({ pools }), ['4.14.8', '4.14.9', '4.15.3']);
    const found = hops.map(({ conditions }) =>
      conditions.filter(({ type }) => type === 'PoolsReady').map(({ reason, effect }) => [reason, effect]),
    );
    expect(found).toEqual([
      [
        ['PoolDegraded', 'warn'],
        ['ControlPlanePoolPaused', 'warn'],
      ],
      [['AfterPreviousHop', 'ok']],
    ]);
  });

  it('finds nothing outdated in a pool without machines', () => {
    const configuration = { wanted: 'rendered-2', current: 'rendered-1' };
    const findings = verify([aPool('empty', { paused: true, configuration, machines: machines(0, 0) })]);
    expect(findings.map(({ reason }) => reason)).toEqual(['AsExpected', 'PoolPaused']);
  });

  it('reports of a pool that was paused half-way only that it is paused', () => {
    const conditions = [aCondition('Updating', 'True')];
    const findings = verify([aPool('worker', { paused: true, conditions, machines: machines(5, 2) })]);
    expect(findings.map(({ reason }) => reason)).toEqual(['PoolPausedOutdated']);
  });

  it('reports the notes of the operator on broken nodes', () => {
    const machineConfig = { current: 'a', desired: 'b', state: 'Degraded', reason: 'disk is full' };
    const [finding] = verify(
      [aPool('worker', { machines: machines(5, 4, 1) })],
      [aNode('n1', { machineConfig })],
    );
    expect(finding!.message).toBe('Pool worker is degraded, 1 of 5 machines: n1: disk is full');
  });

  it('reports each problem, the worst first', () => {
    const findings = verify([
      aPool('b', { conditions: [aCondition('Updating', 'True')] }),
      aPool('a', { paused: true, machines: machines(3, 0) }),
      aPool('c', { conditions: [aCondition('Degraded', 'True')] }),
      aPool('d', { conditions: [aCondition('Degraded', 'True')] }),
    ]);
    expect(findings.map(({ reason }) => reason)).toEqual([
      'PoolDegraded',
      'PoolUpdating',
      'PoolPausedOutdated',
    ]);
    expect(findings[0]!.objects!.map(({ name }) => name)).toEqual(['c', 'd']);
  });

  it('is content with pools that are up to date, and mentions those that are paused', () => {
    const findings = verify([aPool('master'), aPool('worker', { paused: true })]);
    expect(findings.map(({ status, reason, effect }) => [status, reason, effect])).toEqual([
      ['True', 'AsExpected', 'ok'],
      ['True', 'PoolPaused', 'info'],
    ]);
    expect(findings[1]!.objects).toMatchObject([{ name: 'worker', detail: { paused: true, outdated: 0 } }]);
  });

  it.each([
    ['in an empty list', [], 'Unknown', 'NoPools'],
    ['that were not supplied', null, 'Unknown', 'InputMissing'],
  ])('pools %s', (_, pools, status, reason) => {
    expect(verify(pools)).toMatchObject([{ status, reason }]);
  });

  it('without the one of the control plane are incomplete: its state is not known', () => {
    const hops = evaluate(aCluster({ pools: [aPool('worker')] }), ['4.14.8', '4.15.3', '4.16.1']);
    const found = hops.map(({ conditions }) =>
      conditions.filter(({ type }) => type === 'PoolsReady').map(({ reason, effect }) => [reason, effect]),
    );
    expect(found).toEqual([[['NoControlPlanePool', 'warn']], [['AfterPreviousHop', 'ok']]]);
    expect(hops[0]!.verdict).toBe('unknown');
  });
});
