import { overrides } from '@cairn/shared/safety/checks/gates/overrides';
import { settleFinding } from '@cairn/shared/safety/condition';
import { describe, expect, it } from 'vitest';
import { aCluster, aClusterVersion, context } from '../../../../../helpers/cluster/clusters.ts';

const NETWORK = {
  kind: 'Deployment',
  group: 'apps',
  namespace: 'openshift-network-operator',
  name: 'operator',
};
const DNS = { kind: 'Deployment', group: 'apps', namespace: 'openshift-dns-operator', name: 'dns-operator' };
const ROLE = { kind: 'ClusterRole', group: '', namespace: '', name: 'cluster-admin' };

function withOverrides(version: string, unmanagedOverrides = [NETWORK]) {
  return aCluster({ clusterVersion: aClusterVersion({ unmanagedOverrides }, version) }, version);
}

describe('overrides', () => {
  it('has nothing to say when all is managed', () => {
    expect(overrides(context(aCluster(), ['4.14.8', '4.15.3']))).toEqual([
      {
        type: 'OverridesUnset',
        status: 'True',
        reason: 'AsExpected',
        message: 'The cluster manages all of its components',
        effect: 'ok',
        origin: 'computed',
      },
    ]);
  });

  it('lists what is not managed, sorted, with the command to undo it', () => {
    const facts = withOverrides('4.14.8', [NETWORK, ROLE, DNS]);
    expect(overrides(context(facts, ['4.14.8', '4.15.3']))).toEqual([
      {
        type: 'OverridesUnset',
        status: 'False',
        reason: 'ClusterVersionOverridesSet',
        message:
          '3 components are unmanaged (spec.overrides), and an update does not change them: ClusterRole cluster-admin, Deployment openshift-dns-operator/dns-operator and Deployment openshift-network-operator/operator',
        effect: 'block',
        origin: 'computed',
        objects: [
          { kind: 'ClusterRole', name: 'cluster-admin' },
          {
            kind: 'Deployment',
            namespace: 'openshift-dns-operator',
            name: 'dns-operator',
            detail: { group: 'apps' },
          },
          {
            kind: 'Deployment',
            namespace: 'openshift-network-operator',
            name: 'operator',
            detail: { group: 'apps' },
          },
        ],
        remediation: [
          'Remove spec.overrides of the ClusterVersion, so that the cluster manages all components again',
          `oc patch clusterversion/version --type=json -p '[{"op":"remove","path":"/spec/overrides"}]'`,
        ],
      },
    ]);
  });

  it('shows ten names and has them all', () => {
    const many = Array.from({ length: 13 }, (_, index) => ({
      ...ROLE,
      name: `r${String(index).padStart(2, '0')}`,
    }));
    const [found] = overrides(context(withOverrides('4.14.8', many), ['4.14.8', '4.15.3']));
    expect(found?.message).toMatch(/ClusterRole r09 and 3 more$/);
    expect(found?.objects).toHaveLength(13);
  });

  const hops: readonly (readonly [string, string, readonly string[]])[] = [
    ['4.14.8', '4.15.3', ['ClusterVersionOverridesSet block']],
    ['4.14.8', '4.14.9', ['ClusterVersionOverridesSet warn', 'PeerBlocksPatchWithOverrides warn']],
    ['4.21.3', '4.21.4', ['ClusterVersionOverridesSet warn', 'PeerBlocksPatchWithOverrides warn']],
    ['4.22.3', '4.22.4', ['ClusterVersionOverridesSet warn']],
    ['5.0.1', '5.0.2', ['ClusterVersionOverridesSet warn']],
    ['4.23.1', '5.0.0', ['ClusterVersionOverridesSet warn']],
  ];
  it.each(hops)('%s to %s: %j', (from, to, expected) => {
    const given = context(withOverrides(from), [from, to]);
    const settled = overrides(given).map((found) => settleFinding(found, given.hop, given.options));
    expect(settled.map(({ reason, effect }) => `${reason} ${effect}`)).toEqual(expected);
  });

  it('is unknown without the ClusterVersion', () => {
    expect(overrides(context(aCluster({ clusterVersion: null }), ['4.14.8', '4.15.3']))).toMatchObject([
      { status: 'Unknown', reason: 'InputMissing', remediation: ['oc get clusterversion -o json'] },
    ]);
  });
});
