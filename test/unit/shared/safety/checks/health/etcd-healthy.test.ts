import type { ClusterCondition, ClusterFacts } from '@cairn/shared/cluster/facts';
import { etcdHealthy } from '@cairn/shared/safety/checks/health/etcd-healthy';
import { describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aCondition,
  aNode,
  context,
} from '../../../../../helpers/cluster/clusters.ts';
import { evaluate, evaluateHop } from '../../../../../helpers/cluster/evaluations.ts';

const MINOR = ['4.14.8', '4.15.3'];
const PATCH = ['4.14.8', '4.14.9'];

function etcd(...conditions: readonly ClusterCondition[]): ClusterFacts {
  return aCluster({ clusterOperators: [aClusterOperator('etcd', conditions), aClusterOperator('dns')] });
}

function found(facts: ClusterFacts): readonly (readonly string[])[] {
  return [MINOR, PATCH].map((path) =>
    evaluateHop(facts, path)
      .conditions.filter(({ type }) => type === 'EtcdHealthy')
      .map(({ reason, effect }) => `${reason} ${effect}`),
  );
}

describe('etcd', () => {
  it('is healthy when its operator is available and not degraded', () => {
    expect(found(etcd())).toEqual([['AsExpected ok'], ['AsExpected ok']]);
  });

  it.each([
    ['unavailable', aCondition('Available', 'False'), 'EtcdUnavailable'],
    ['degraded', aCondition('Degraded', 'True'), 'EtcdDegraded'],
  ])('case 37: blocks the next minor when it is %s, and warns of a patch', (_, condition, reason) => {
    expect(found(etcd(condition))).toEqual([[`${reason} block`], [`${reason} warn`]]);
    expect(evaluateHop(etcd(condition), MINOR).verdict).toBe('blocked');
    expect(evaluateHop(etcd(condition), PATCH).verdict).toBe('allowed-with-warnings');
  });

  it('is described in the same words in any order of its conditions', () => {
    const conditions = ['Available', 'Degraded'].map((type) => aCondition(type, 'Unknown'));
    const messages = [conditions, conditions.toReversed()].map(
      (all) => etcdHealthy(context(etcd(...all), MINOR))[0]!.message,
    );
    expect(messages[0]).toBe(messages[1]);
  });

  it.each(['Available', 'Degraded'])('is not known when its operator reports %s as Unknown', (type) => {
    const facts = etcd(aCondition(type, 'Unknown', 'NoData', 'no answer'));
    expect(found(facts)).toEqual([['EtcdUnknown warn'], ['EtcdUnknown warn']]);
    expect(etcdHealthy(context(facts, MINOR))).toMatchObject([
      {
        status: 'Unknown',
        message: `The state of etcd is not known, because its operator reports ${type} as Unknown: no answer`,
        remediation: ['oc get pods -n openshift-etcd -l app=etcd', 'oc describe clusteroperator etcd'],
      },
    ]);
  });

  it.each<[string, readonly ClusterCondition[]]>([
    ['nothing', []],
    ['only that it is not degraded', [aCondition('Degraded', 'False')]],
  ])('is not known when its operator reports %s', (_, conditions) => {
    const clusterOperators = [{ ...aClusterOperator('etcd'), conditions }];
    expect(found(aCluster({ clusterOperators }))).toEqual([['EtcdUnknown warn'], ['EtcdUnknown warn']]);
    expect(etcdHealthy(context(aCluster({ clusterOperators }), MINOR))[0]!.message).toBe(
      'The state of etcd is not known, because its operator does not report Available',
    );
  });

  it('case 37: is quoted, with the members it counts', () => {
    const message = 'EtcdMembersDegraded: 2 of 3 members are available, master-2 is unhealthy';
    const [finding] = etcdHealthy(
      context(etcd(aCondition('Degraded', 'True', 'EtcdMembers_UnhealthyMembers', message)), MINOR),
    );
    expect(finding).toMatchObject({
      message: `etcd is degraded: ${message}`,
      origin: 'reported',
      objects: [{ kind: 'ClusterOperator', name: 'etcd', detail: { message, available: 2, members: 3 } }],
      remediation: ['oc get pods -n openshift-etcd -l app=etcd', 'oc describe clusteroperator etcd'],
    });
  });

  it('is quoted with at most 500 characters, line breaks kept', () => {
    const [finding] = etcdHealthy(
      context(etcd(aCondition('Degraded', 'True', '', `one\n${'x'.repeat(600)}`)), MINOR),
    );
    expect(finding!.message).toBe(`etcd is degraded: one\n${'x'.repeat(496)}`);
  });

  it.each<[string, readonly (boolean | undefined)[], readonly string[]]>([
    ['all ready', [true, true, true], ['AsExpected ok', 'AsExpected ok']],
    ['one not ready', [true, false, true], ['EtcdMembersNotReady warn', 'EtcdMembersNotReady warn']],
    ['one without a pod', [true, undefined, true], ['EtcdMembersNotReady warn', 'EtcdMembersNotReady warn']],
    ['two not ready', [false, false, true], ['EtcdMembersNotReady block', 'EtcdMembersNotReady warn']],
    [
      'no pod of etcd among those sent',
      [undefined, undefined, undefined],
      ['AsExpected ok', 'AsExpected ok'],
    ],
  ])('by its pods: %s', (_, members, [minor, patch]) => {
    const podsPerNode = members.map((etcdReady, number) => ({
      node: `master-${number}`,
      pods: 7,
      ...(etcdReady !== undefined && { etcdReady }),
    }));
    expect(found(aCluster({ podsPerNode }))).toEqual([[minor], [patch]]);
  });

  it('blocks the next minor with half of an even number of members', () => {
    const nodes = [0, 1, 2, 3].map((number) => aNode(`n${number}`, {}, 'master'));
    const podsPerNode = nodes.map(({ name }, number) => ({ node: name, pods: 0, etcdReady: number < 2 }));
    expect(found(aCluster({ nodes, podsPerNode }))[0]).toEqual(['EtcdMembersNotReady block']);
  });

  it('has a member on arbiters too', () => {
    const nodes = ['master', 'master', 'arbiter'].map((role, number) =>
      aNode(`n${number}`, { labels: { [`node-role.kubernetes.io/${role}`]: '' } }),
    );
    const podsPerNode = nodes.map(({ name }, number) => ({ node: name, pods: 0, etcdReady: number < 2 }));
    const [finding] = etcdHealthy(context(aCluster({ nodes, podsPerNode }), MINOR));
    expect(finding).toMatchObject({
      reason: 'EtcdMembersNotReady',
      message: '2 of 3 etcd members are ready; not ready: n2',
      objects: [{ kind: 'Node', name: 'n2' }],
    });
  });

  it('is not known without its operator, and in another cluster when that is hosted', () => {
    const facts = aCluster({ clusterOperators: [aClusterOperator('dns')] });
    expect(found(facts)).toEqual([['EtcdNotReported warn'], ['EtcdNotReported warn']]);
    expect(evaluate(facts, MINOR)[0]!.verdict).toBe('unknown');
    expect(found(aCluster({ clusterOperators: null }))[0]).toEqual(['InputMissing warn']);
    const infrastructure = { platform: 'AWS', controlPlaneTopology: 'External' };
    expect(found({ ...facts, infrastructure })[0]).toEqual([]);
  });

  it('is of now, and so of the first hop only', () => {
    const hops = evaluate(etcd(aCondition('Degraded', 'True')), [...MINOR, '4.16.1']);
    const counts = hops.map(
      ({ conditions }) => conditions.filter(({ type }) => type === 'EtcdHealthy').length,
    );
    expect(counts).toEqual([1, 0]);
  });
});
