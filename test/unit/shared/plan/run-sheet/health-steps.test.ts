import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aNode,
  aPool,
  withHistory,
} from '../../../../helpers/cluster/clusters.ts';
import { isDiskCheck, stepsOf } from '../../../../helpers/plan/plan-outlines.ts';

const MINOR = ['4.14.8', '4.15.3'];
const PATCH = ['4.14.8', '4.14.9'];
const HEALTH = new Set(['check', 'fix', 'wait']);

const masters = [0, 1, 2].map((number) => aNode(`master-${number}`, {}, 'master'));
const workers = [0, 1, 2].map((number) => aNode(`worker-${number}`));

/** `kind text | command`, with a star for what blocks. */
function healthSteps(changes: Partial<ClusterFacts>, path = MINOR): string[] {
  const steps = stepsOf(aCluster(changes), path).filter((step) => !isDiskCheck(step));
  const health = steps.filter(({ kind }) => HEALTH.has(kind));
  expect(steps.slice(0, health.length)).toEqual(health);
  return health.map(
    ({ kind, text, command, blocking }) => `${kind}${blocking ? '*' : ''} ${text} | ${command}`,
  );
}

describe('what to repair before the first hop', () => {
  it('is nothing in a healthy cluster', () => {
    expect(healthSteps({})).toEqual([]);
  });

  it('comes before everything else: control plane, etcd, core operators, pools, nodes, other operators', () => {
    const stuck = { current: 'a', desired: 'b', state: 'Degraded', reason: 'cannot drain' };
    const facts: Partial<ClusterFacts> = {
      nodes: [
        ...masters.map((node, number) => (number < 2 ? { ...node, ready: 'Unknown' } : node)),
        { ...workers[0]!, ready: 'False' },
        { ...workers[1]!, problems: [aCondition('DiskPressure', 'True')], machineConfig: stuck },
        { ...workers[2]!, unschedulable: true },
      ],
      clusterOperators: [
        aClusterOperator('etcd', [aCondition('Degraded', 'True'), aCondition('Available', 'False')]),
        aClusterOperator('dns', [aCondition('Degraded', 'True'), aCondition('Available', 'False')]),
        aClusterOperator('network', [aCondition('Degraded', 'True'), aCondition('Available', 'False')]),
      ],
      pools: [
        aPool('infra', { conditions: [aCondition('Updating', 'True')] }),
        aPool('master'),
        aPool('worker', { conditions: [aCondition('Degraded', 'True')] }),
      ],
    };
    expect(healthSteps(facts)).toEqual([
      'fix* Repair control plane nodes master-0 and master-1: they are not ready | oc get nodes',
      'fix* Find the etcd members that are not ready | oc get pods -n openshift-etcd -l app=etcd',
      'fix* Repair etcd: its operator reports the cause | oc describe clusteroperator etcd',
      'fix* Repair cluster operator network: its conditions name the cause | oc describe clusteroperator network',
      'fix* Repair pool worker: worker-1: cannot drain | oc describe mcp/worker',
      'fix Repair worker node worker-0: it is not ready | oc describe node worker-0',
      'fix Resolve the shortage on worker-1 (DiskPressure) | oc describe node worker-1',
      'fix Uncordon worker-2, unless it is cordoned on purpose | oc adm uncordon worker-2',
      'fix Repair cluster operator dns: its conditions name the cause | oc describe clusteroperator dns',
      'wait Wait for pool infra: 3 of 3 machines are updated | oc wait mcp/infra --for=condition=Updated=True --timeout=60m',
    ]);
  });

  it('of an operator is one step for all findings about it', () => {
    const clusterOperators = [
      aClusterOperator('etcd'),
      aClusterOperator('dns', [
        aCondition('Degraded', 'True'),
        aCondition('Available', 'False'),
        aCondition('Upgradeable', 'False', 'Why'),
      ]),
    ];
    expect(stepsOf(aCluster({ clusterOperators }), MINOR)[0]).toMatchObject({
      command: 'oc describe clusteroperator dns',
      resolves: [
        { type: 'ClusterOperatorsHealthy', reason: 'ClusterOperatorsUnavailable' },
        { type: 'ClusterOperatorsUpgradeable', reason: 'Why' },
        { type: 'ClusterOperatorsHealthy', reason: 'ClusterOperatorsDegraded' },
      ],
      blocking: true,
    });
  });

  const failing = aCondition('Failing', 'True', 'Stuck', 'It is stuck');
  const network = aClusterOperator('network', [aCondition('Available', 'False')]);
  const dns = aClusterOperator('dns', [aCondition('Degraded', 'True')]);
  const FIX = 'fix* Repair what keeps the cluster from applying its release: the condition Failing names it';

  it('comes before the wait for an update that fails, as far as the update needs it', () => {
    const clusterVersion = withHistory(['4.14.8 P', '4.14.2 C'], {
      conditions: [failing, aCondition('Progressing', 'True')],
    });
    const steps = healthSteps({ clusterVersion, clusterOperators: [network, dns], operators: null });
    expect(steps.map((step) => step.split(' | ')[0])).toEqual([
      'fix* Repair cluster operator network: its conditions name the cause',
      FIX,
      'fix Repair cluster operator dns: its conditions name the cause',
      'wait* Wait for the update to 4.14.8 to complete',
      'check Collect the missing documents, and plan again with them; `cairn plan --oc` does both',
    ]);
    const healthy = withHistory(['4.14.8 P', '4.14.2 C']);
    expect(healthSteps({ clusterVersion: healthy })[0]).toMatch(/^wait/);
  });

  it('comes after missing documents if no update runs', () => {
    const clusterVersion = aClusterVersion({ conditions: [failing] });
    const steps = healthSteps({ clusterVersion, operators: null });
    expect(steps.map((step) => step.split(' | ')[0])).toEqual([
      'check Collect the missing documents, and plan again with them; `cairn plan --oc` does both',
      FIX,
    ]);
  });

  it('is the ClusterVersion itself if it is invalid, before a patch too', () => {
    const clusterVersion = aClusterVersion({ conditions: [aCondition('Invalid', 'True')] });
    expect(healthSteps({ clusterVersion }, PATCH)).toEqual([
      'fix* Correct the ClusterVersion: the cluster starts no update while it is invalid | oc get clusterversion version -o yaml',
    ]);
  });

  it('is to find out why a release was not accepted', () => {
    const clusterVersion = aClusterVersion({
      conditions: [aCondition('ReleaseAccepted', 'False', 'VerificationFailed', 'no signature')],
    });
    expect(healthSteps({ clusterVersion })).toEqual([
      'check The cluster does not accept release 4.14.8: no signature | oc describe clusterversion version',
    ]);
  });

  it('is advice before a patch, but for a lost control plane', () => {
    const pools = [aPool('master'), aPool('worker', { conditions: [aCondition('Degraded', 'True')] })];
    const nodes = [...masters.map((node) => ({ ...node, ready: 'False' })), ...workers];
    expect(healthSteps({ pools, nodes }, PATCH)).toEqual([
      'fix* Repair control plane nodes master-0, master-1 and master-2: they are not ready | oc get nodes',
      'fix Repair pool worker: it is degraded | oc describe mcp/worker',
    ]);
  });

  it('is advice when it is accepted', () => {
    const pools = [aPool('master'), aPool('worker', { conditions: [aCondition('Degraded', 'True')] })];
    const steps = stepsOf(aCluster({ pools }), MINOR, { options: { accept: ['PoolDegraded'] } });
    expect(steps[0]).toMatchObject({ kind: 'fix', blocking: false });
  });

  it.each([
    [1, 1, 30],
    [3, 1, 60],
    [12, 1, 240],
    [12, '25%', 80],
    [30, 4, 160],
  ])('waits for a pool of %i nodes, %s at a time, %i minutes', (total, maxUnavailable, minutes) => {
    const machines = { total, updated: 0, ready: 0, unavailable: 0, degraded: 0 };
    const conditions = [aCondition('Updating', 'True')];
    const pools = [aPool('master'), aPool('worker', { maxUnavailable, machines, conditions })];
    expect(healthSteps({ pools })).toEqual([
      `wait Wait for pool worker: 0 of ${total} machine${total === 1 ? '' : 's'} are updated | ` +
        `oc wait mcp/worker --for=condition=Updated=True --timeout=${minutes}m`,
    ]);
  });

  it('follows the hint if an operator reports a reason with the same name', () => {
    const refusing = aCondition('Upgradeable', 'False', 'PoolUpdating', 'One or more pools are updating');
    const clusterOperators = [aClusterOperator('etcd'), aClusterOperator('machine-config', [refusing])];
    expect(healthSteps({ clusterOperators })).toEqual([
      'fix* Wait until all pools are updated | oc get machineconfigpools',
    ]);
  });

  it('names the operators that refuse, and repairs those of unknown state', () => {
    const refusing = aCondition('Upgradeable', 'False', 'Why', 'so');
    const clusterOperators = [
      aClusterOperator('etcd', [aCondition('Available', 'Unknown')]),
      aClusterOperator('console', [refusing, aCondition('Available', 'Unknown')]),
      aClusterOperator('dns', [refusing]),
    ];
    expect(healthSteps({ clusterOperators })).toEqual([
      'fix Find the etcd members that are not ready | oc get pods -n openshift-etcd -l app=etcd',
      'fix Repair etcd: its operator reports the cause | oc describe clusteroperator etcd',
      'fix Repair cluster operator console: its conditions name the cause | oc describe clusteroperator console',
      'fix* 2 cluster operators are not upgradeable: console and dns | oc describe clusteroperator console',
    ]);
  });

  it('unpauses a paused control plane and waits for it', () => {
    const steps = stepsOf(aCluster({ pools: [aPool('master', { paused: true })] }), MINOR);
    expect(steps.slice(0, 2)).toMatchObject([
      { kind: 'unpause', command: `oc patch mcp/master --type merge -p '{"spec":{"paused":false}}'` },
      { kind: 'roll-pool' },
    ]);
  });

  it('asks for all nodes where no control plane is known, and lists many cordoned nodes', () => {
    const nodes = Array.from({ length: 21 }, (_, number) =>
      aNode(`worker-${number}`, { unschedulable: true }),
    );
    expect(healthSteps({ nodes }).map((step) => step.split(' | ')[1])).toEqual([
      'oc get nodes,infrastructure/cluster -o json',
      'oc get nodes --field-selector spec.unschedulable=true',
    ]);
  });

  it('quotes names that a shell would read', () => {
    const nodes = [...masters, aNode("w'; rm -rf /", { ready: 'False' })];
    const [step] = healthSteps({ nodes });
    expect(step).toContain(`oc describe node 'w'\\''; rm -rf /'`);
  });
});
