import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { describe, expect, it } from 'vitest';
import { aCluster, aNode, aPool } from '../../../../helpers/cluster/clusters.ts';
import { aHealthCheck, aRequest } from '../../../../helpers/cluster/workloads.ts';
import { commandsOf, isUpdate, outline, stepsOf } from '../../../../helpers/plan/plan-outlines.ts';

const PATH = ['4.14.8', '4.15.3', '4.16.1'];
const kindsOf = (changes: Partial<ClusterFacts>) => stepsOf(aCluster(changes), PATH).map(({ kind }) => kind);

describe('health checks', () => {
  it('case 48: are suspended before the first update and resumed after the last rollout', () => {
    const steps = stepsOf(aCluster({ healthChecks: [aHealthCheck('workers')] }), PATH, {
      options: { strategy: 'control-plane-only' },
    });
    const around = steps.filter(({ kind }) => kind === 'suspend' || kind === 'resume');
    expect(around).toEqual([
      {
        id: expect.any(String) as string,
        kind: 'suspend',
        hop: 0,
        text: 'Pause health checks, which can replace nodes that reboot: workers',
        command: 'oc -n openshift-machine-api annotate machinehealthcheck workers cluster.x-k8s.io/paused=',
        objects: [{ kind: 'MachineHealthCheck', namespace: 'openshift-machine-api', name: 'workers' }],
        resolves: [{ type: 'MachineHealthChecks', reason: 'HealthChecksActive' }],
        blocking: false,
      },
      {
        id: expect.any(String) as string,
        kind: 'resume',
        hop: null,
        text: 'Resume health checks: workers',
        command: 'oc -n openshift-machine-api annotate machinehealthcheck workers cluster.x-k8s.io/paused-',
        objects: [{ kind: 'MachineHealthCheck', namespace: 'openshift-machine-api', name: 'workers' }],
        resolves: [{ type: 'MachineHealthChecks', reason: 'HealthChecksActive' }],
        blocking: false,
      },
    ]);
    expect(steps.indexOf(around[0]!)).toBeLessThan(steps.findIndex(isUpdate));
    expect(outline(steps).slice(-4)).toEqual([
      'unpause end worker',
      'verify end worker',
      'resume end',
      'verify end',
    ]);
  });

  it('are suspended right before the first reboot, wherever that is', () => {
    const healthChecks = [aHealthCheck('workers')];
    const atFirst = (changes: Partial<ClusterFacts>) => {
      const lines = outline(stepsOf(aCluster({ healthChecks, ...changes }), PATH));
      const at = lines.indexOf('suspend 0');
      return lines.slice(Math.max(at - 1, 0), at + 2);
    };
    const old = { total: 3, updated: 0, ready: 3, unavailable: 0, degraded: 0 };
    const behind = aNode('worker-0', { kubeletVersion: 'v1.25.3' });
    expect(atFirst({})).toEqual(['backup 0', 'suspend 0', 'update 0']);
    expect(
      atFirst({
        nodes: [aNode('master-0', {}, 'master'), behind],
        pools: [aPool('master'), aPool('worker', { paused: true, machines: old })],
      }),
    ).toEqual(['suspend 0', 'unpause 0 worker']);
    expect(atFirst({ pools: [aPool('master', { paused: true }), aPool('worker')] })).toEqual([
      'suspend 0',
      'unpause 0 master',
    ]);
  });

  it('that were paused before are not suspended; a person decides about them', () => {
    const steps = stepsOf(aCluster({ healthChecks: [aHealthCheck('infra', true)] }), PATH);
    expect(steps.filter(({ kind }) => kind === 'suspend')).toEqual([]);
    const own = steps.filter(({ resolves = [] }) =>
      resolves.some(({ type }) => type === 'MachineHealthChecks'),
    );
    expect(own.map(({ kind, hop, text, command }) => [kind, hop, text, command])).toEqual([
      [
        'check',
        0,
        'Find out why openshift-machine-api/infra is paused',
        'oc -n openshift-machine-api get machinehealthcheck infra -o yaml',
      ],
      [
        'resume',
        null,
        'Resume health checks that were paused before the update, if their owner agrees: infra',
        'oc -n openshift-machine-api annotate machinehealthcheck infra cluster.x-k8s.io/paused-',
      ],
    ]);
  });

  it('of nodes get a pause request on hosted clusters', () => {
    const infrastructure = { platform: 'AWS', controlPlaneTopology: 'External' };
    const healthChecks = [aHealthCheck('nodes', false, { kind: 'NodeHealthCheck', namespace: '' })];
    const steps = stepsOf(aCluster({ infrastructure, healthChecks, pools: null }), PATH);
    const commands = steps.filter(({ kind }) => kind === 'suspend' || kind === 'resume').flatMap(commandsOf);
    expect(commands).toEqual([
      `oc patch nodehealthcheck nodes --type=merge -p '{"spec":{"pauseRequests":["cluster update"]}}'`,
      `oc patch nodehealthcheck nodes --type=merge -p '{"spec":{"pauseRequests":[]}}'`,
    ]);
    expect(kindsOf({ healthChecks })).not.toContain('suspend');
  });
});

describe('optional documents', () => {
  it('that are missing are collected in one step, which blocks nothing', () => {
    const missing = { alerts: null, certificateRequests: null, healthChecks: null };
    const steps = stepsOf(aCluster({ podsPerNode: [], ...missing }), PATH);
    expect(steps[0]).toMatchObject({
      kind: 'check',
      hop: 0,
      text: 'Collect optional documents for more checks, and plan again with them',
      blocking: false,
    });
    expect(commandsOf(steps[0]!)).toEqual([
      'oc get certificatesigningrequests -o json',
      'oc get machinehealthchecks -A -o json',
      'oc get nodehealthchecks -o json',
      expect.stringContaining('/api/v1/alerts') as string,
    ]);
  });

  it('that are missing come after repairs, or with required documents before them', () => {
    const nodes = [aNode('master-0', {}, 'master'), aNode('worker-0', { unschedulable: true })];
    const kinds = (changes: Partial<ClusterFacts>) =>
      stepsOf(aCluster({ alerts: null, nodes, ...changes }), PATH).map(({ kind }) => kind);
    expect(kinds({}).slice(0, 2)).toEqual(['fix', 'check']);
    expect(kinds({ pools: null }).slice(0, 2)).toEqual(['check', 'fix']);
  });

  it('case 42: with pending certificates get a step with the names', () => {
    const certificateRequests = [aRequest('csr-a'), aRequest('csr-b')];
    const [first] = stepsOf(aCluster({ certificateRequests }), PATH);
    expect(first).toMatchObject({
      kind: 'fix',
      text: 'Approve certificate requests that are from nodes of this cluster: csr-a and csr-b',
      command: 'oc adm certificate approve csr-a csr-b',
      blocking: false,
    });
  });
});
