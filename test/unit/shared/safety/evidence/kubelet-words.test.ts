import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { describe, expect, it } from 'vitest';
import { aCondition, aNode, aPool } from '../../../../helpers/cluster/clusters.ts';
import { verify, nodesOf } from '../../../../helpers/cluster/kubelets.ts';

describe('the message about kubelets', () => {
  it('names pools, versions, lags, limit and policy, and what to do', () => {
    const pools = [aPool('master'), aPool('worker', { paused: true })];
    const nodes = nodesOf(21, [-1, -1, -1, -1, -1]);
    const finding = verify('4.8.1', '4.9.0', [], { facts: { nodes, pools } });
    expect(finding.message).toBe(
      '5 nodes would be 2 Kubernetes minors behind 4.9, up from 1 (limit 1, policy openshift): ' +
        'pool worker (paused) v1.20: test000, test001, test002, test003, test004. Update pool worker to 4.8 first.',
    );
    expect(finding.remediation).toEqual([
      `oc patch mcp/worker --type merge -p '{"spec":{"paused":false}}'`,
      'oc wait mcp/worker --for=condition=Updated=True --timeout=60m',
    ]);
    expect(finding.objects![0]).toEqual({
      kind: 'Node',
      name: 'test000',
      detail: {
        reason: 'KubeletMinorVersionUnsupportedNextUpgrade',
        kubeletVersion: 'v1.20.0',
        pool: 'worker',
        paused: true,
        lagNow: 1,
        limitNow: 2,
        lagAfter: 2,
        limitAfter: 1,
      },
    });
  });

  it('shows ten names over all groups, and all in the objects', () => {
    const nodes = [
      ...Array.from({ length: 8 }, (_, n) => aNode(`a${n}`, { kubeletVersion: 'v1.20.1' }, 'infra')),
      ...Array.from({ length: 6 }, (_, n) => aNode(`b${n}`, { kubeletVersion: 'v1.20.1' })),
      ...Array.from({ length: 2 }, (_, n) => aNode(`c${n}`, { kubeletVersion: 'v1.18.1' })),
    ];
    const pools = [aPool('infra'), aPool('worker')];
    const finding = verify('4.8.1', '4.9.0', [], { facts: { nodes, pools } });
    expect(finding.reason).toBe('KubeletMinorVersionUnsupported');
    expect(finding.message).toBe(
      '2 nodes are 3 Kubernetes minors behind 4.8 (limit 2, policy openshift) and would be 4 behind 4.9: ' +
        'pool worker v1.18: c0, c1. ' +
        '14 nodes would be 2 Kubernetes minors behind 4.9, up from 1 (limit 1, policy openshift): ' +
        'pool infra v1.20: a0, a1, a2, a3, a4, a5, a6, a7; pool worker v1.20: 6 nodes. ' +
        'Update pools infra and worker to 4.8 first.',
    );
    expect(finding.objects).toHaveLength(16);
  });

  it('names no later minor on a patch', () => {
    expect(verify('4.8.1', '4.8.9', [-3]).message).toBe(
      '1 node is 3 Kubernetes minors behind 4.8 (limit 2, policy openshift): pool worker v1.18: test000. ' +
        'Update pool worker to 4.8 first.',
    );
  });

  it('stays short when every node has another version that cannot be read', () => {
    const kubelets = Array.from({ length: 40 }, (_, n) => `broken ${n}`);
    const finding = verify('4.8.1', '4.9.0', kubelets);
    expect(finding.message).toContain('; pool worker "broken 17": test017; 30 nodes more');
    expect(finding.objects).toHaveLength(40);
  });

  it('shows the room that is left if nothing blocks', () => {
    expect(verify('4.7.1', '4.8.0', [0, -1]).message).toBe(
      '1 node is 1 Kubernetes minor behind 4.7 and would be 2 behind 4.8 (limit 2, policy openshift), ' +
        'with room for 0 more minors: pool worker v1.19: test001',
    );
    expect(verify('4.7.1', '4.8.0', [0, 0]).message).toBe(
      'All 2 kubelets are at Kubernetes 1.20, as the API server is',
    );
  });

  it.each<[string, Partial<ClusterFacts>, string[]]>([
    [
      'a pool that is being rolled',
      {
        pools: [
          aPool('worker', {
            machines: { total: 5, updated: 3, ready: 3, unavailable: 1, degraded: 0 },
            conditions: [aCondition('Updating', 'True')],
          }),
        ],
      },
      [
        'Wait for pool worker: 3 of 5 machines are updated',
        'oc wait mcp/worker --for=condition=Updated=True --timeout=100m',
      ],
    ],
    [
      'a pool that is degraded',
      {
        pools: [aPool('worker', { conditions: [aCondition('Degraded', 'True')] })],
        nodes: [
          aNode('n0', { kubeletVersion: 'v1.20.0' }),
          aNode('n1', {
            kubeletVersion: 'v1.20.0',
            machineConfig: { current: 'a', desired: 'b', state: 'Degraded', reason: 'cannot drain' },
          }),
        ],
      },
      ['Repair what is broken in pool worker: n1: cannot drain', 'oc describe mcp/worker'],
    ],
    ['a pool that nothing holds', {}, ['Find out why pool worker does not roll', 'oc describe mcp/worker']],
    [
      'a node of no pool',
      { pools: [aPool('master')] },
      ['Update these nodes to 4.8 yourself, because no pool manages them: test000'],
    ],
    ['pools that were not supplied', { pools: null }, ['oc get machineconfigpools']],
    [
      'a pool with a name that is no word',
      { pools: [{ ...aPool('worker', { paused: true }), name: "x'; reboot" }] },
      [
        String.raw`oc patch mcp/'x'\''; reboot' --type merge -p '{"spec":{"paused":false}}'`,
        String.raw`oc wait mcp/'x'\''; reboot' --for=condition=Updated=True --timeout=60m`,
      ],
    ],
  ])('shows what to do about %s', (_, facts, remediation) => {
    expect(verify('4.8.1', '4.9.0', [-1], { facts }).remediation).toEqual(remediation);
  });

  it.each<[string, Partial<ClusterFacts>]>([
    ['of a pool', {}],
    ['of no pool', { pools: [aPool('master')] }],
    ['of pools that were not supplied', { pools: null }],
    [
      'of a hosted cluster',
      { pools: null, infrastructure: { platform: 'AWS', controlPlaneTopology: 'External' } },
    ],
  ])('never advises to update nodes %s to the minor that they have', (_, facts) => {
    // 4.3 is the only minor that brings two minors of Kubernetes.
    const finding = verify('4.2.36', '4.3.40', [0], { policy: 'n-1', facts });
    expect(finding).toMatchObject({ status: 'False', effect: 'block' });
    const advice =
      '4.3 is 2 Kubernetes minors after 4.2, more than policy n-1 allows; choose policy openshift';
    expect(finding.message).toContain(advice);
    expect([finding.message, ...finding.remediation!].join(' ')).not.toMatch(/to 4\.2/);
    expect(finding.remediation).toEqual([advice]);
    expect(verify('4.2.36', '4.3.40', [0], { facts }).status).toBe('True');
  });

  it('advises both where some nodes are behind', () => {
    const finding = verify('4.2.36', '4.3.40', [0, -1], { policy: 'n-1' });
    expect(finding.message).toMatch(
      /Update pool worker to 4\.2 first\. 4\.3 is 2 Kubernetes minors after 4\.2, more than policy n-1 allows/,
    );
  });

  it('takes kubelets that are ahead for a rollback', () => {
    const finding = verify('4.8.1', '4.9.0', [0, 1]);
    expect(finding.message).toBe(
      '1 node is newer than the API server, which is at Kubernetes 1.21: pool worker v1.22: test001',
    );
    expect(finding.remediation).toEqual([expect.stringContaining('rollback')]);
  });
});
