import { REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import { describe, expect, it } from 'vitest';
import { readDocuments, readParsedDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import {
  clusterOperator,
  clusterVersion,
  configMap,
  type Json,
  node,
  operator,
  pod,
  pool,
  requestCount,
  subscription,
  typedListOf,
} from '../../../helpers/cluster/objects.ts';
import { everyOtherKind } from '../../../helpers/cluster/other-objects.ts';
import { seededCluster } from '../../../helpers/cluster/seeded-clusters.ts';

const options = {
  collectedAt: '2026-11-16T08:00:00Z',
  isRemovedApi: (name: string) => name.includes('v1beta'),
  acceptsPages: true,
};

function factsOf(input: string | readonly Json[]) {
  const reading =
    typeof input === 'string' ? readDocuments(input, options) : readParsedDocuments(input, options);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts;
}

const byUser = (username: string, requestCountOf: number) => ({
  byNode: [
    {
      byUser: [{ username, userAgent: 'oc/4.14', requestCount: requestCountOf, byVerb: [{ verb: 'list' }] }],
    },
  ],
});
const inHours = (users: Readonly<Record<number, string>>) =>
  Array.from({ length: 24 }, (_, hour) => ({
    requestCount: hour + 1,
    ...(users[hour] === undefined ? {} : byUser(users[hour], 3)),
  }));
const annotated = (properties: string, declared?: string) =>
  operator('shop', `op-${properties.length}-${declared?.length ?? 'x'}`, {
    'operatorframework.io/properties': properties,
    ...(declared !== undefined && { 'olm.properties': declared }),
  });

const rich: readonly Json[] = [
  {
    ...clusterVersion,
    spec: {
      clusterID: 'c0ffee',
      channel: 'stable-4.14',
      upstream: 'https://cairn.example.com/graph',
      desiredUpdate: {
        version: '4.15.1',
        image: 'i',
        force: true,
        architecture: 'Multi',
        acceptRisks: [{ name: 'B' }, { name: 'A' }],
      },
      overrides: [{ kind: 'Deployment', group: 'apps', namespace: 'n', name: 'd', unmanaged: true }],
    },
    status: {
      ...(clusterVersion['status'] as Json),
      desired: { version: '4.14.8', image: 'i', channels: ['stable-4.14'], architecture: 'Multi' },
      capabilities: { knownCapabilities: ['Console', 'Build'], enabledCapabilities: ['Console'] },
      conditions: [
        {
          type: 'Upgradeable',
          status: 'False',
          reason: 'No',
          message: 'why\nnot',
          lastTransitionTime: '2026-01-02T00:00:00Z',
        },
      ],
      availableUpdates: [{ version: '4.14.9' }],
      conditionalUpdates: [
        {
          release: { version: '4.14.10' },
          risks: [{ name: 'A' }],
          conditions: [{ type: 'Recommended', status: 'False', reason: 'A' }],
        },
        { release: { version: '4.14.11' }, riskNames: ['B', 'A'] },
      ],
      conditionalUpdateRisks: [
        {
          name: 'A',
          url: 'https://example.com/A',
          message: 'why\nnot',
          matchingRules: [{ type: 'Always' }],
          conditions: [{ type: 'Applies', status: 'True', reason: 'Match' }],
        },
        { name: 'B' },
      ],
    },
  },
  clusterOperator('etcd', {
    metadata: { name: 'etcd', annotations: { 'include.release.openshift.io/x': 'true' } },
  }),
  node('w0', {
    metadata: {
      name: 'w0',
      labels: { 'node-role.kubernetes.io/worker': '', __proto__x: 'y' },
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: {
        'machineconfiguration.openshift.io/currentConfig': 'one',
        'machineconfiguration.openshift.io/state': 'Done',
      },
    },
    spec: { unschedulable: true },
    status: {
      nodeInfo: { kubeletVersion: 'v1.27.6', architecture: 'arm64', osImage: 'x' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }),
  pool(
    'worker',
    {
      paused: true,
      maxUnavailable: '10%',
      nodeSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
    },
    { machineCount: 3 },
  ),
  annotated(
    '{"properties":[{"type":"olm.maxOpenShiftVersion","value":4.10}]}',
    '[{"type":"olm.maxKubeVersion","value":"1.30"}]',
  ),
  annotated('no JSON'),
  annotated('[]'),
  annotated('{"properties":7}', '{}'),
  annotated('{"properties":[{"type":"olm.gvk"},{"type":"x"},3]}'),
  operator(
    'shop',
    'labelled',
    {},
    {
      metadata: {
        name: 'labelled',
        namespace: 'shop',
        labels: { 'operators.coreos.com/cart.shop': '', 'operators.coreos.com/__proto__': '', other: 'x' },
      },
    },
  ),
  subscription('logging', { startingCSV: 'logging.v0', source: 'a\nb' }),
  subscription('bare', { channel: undefined, source: null }, { status: undefined }),
  requestCount('flowschemas.v1beta3.x', {
    removedInRelease: '1.29',
    last24h: inHours({ 3: 'system:serviceaccount:a:b', 9: 'alice', 7: 'bob' }),
  }),
  requestCount('cronjobs.v1beta1.batch', { requestCount: 12, currentHour: byUser('system:admin', 5) }),
  configMap('openshift-config-managed', 'admin-gates', { 'ack-4.14-x': 'read this' }),
  configMap('openshift-config', 'admin-acks', { 'ack-4.14-x': 'true' }),
  {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    status: { platformStatus: { type: 'AWS' }, controlPlaneTopology: 'HighlyAvailable' },
  },
  {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Network',
    metadata: { name: 'cluster' },
    status: { networkType: 'OVNKubernetes' },
  },
  ...['a', 'b', 'c'].map((name) => pod(name, name === 'c' ? 'w1' : 'w0')),
  // All of these are known, and of operators some.
  typedListOf('Node', 'v1', []),
  {
    ...typedListOf('ClusterServiceVersion', 'operators.coreos.com/v1alpha1', []),
    metadata: { continue: 'x' },
  },
  ...everyOtherKind,
];

describe('reduced documents', () => {
  it('say the same as those that they are made from', () => {
    const facts = factsOf(rich);
    expect(REPORTED_KINDS.filter((kind) => facts[kind] === null)).toEqual([]);
    expect(facts.completeLists).toEqual(['nodes']);
    expect(facts.clusterVersion).toMatchObject({ capabilities: { known: ['Build', 'Console'] } });
    const reduced = reducedDocuments(facts, REPORTED_KINDS);
    expect(factsOf(reduced)).toEqual(facts);
    expect(JSON.stringify(reduced)).not.toMatch(/proxy\.example|user-ca-bundle/);
  });

  it('do so for any cluster', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const { documents } = seededCluster(seed, ['4.14.8', '4.16.20', '4.17.3']);
      const facts = factsOf(documents);
      const reduced = reducedDocuments(facts, REPORTED_KINDS);
      expect(factsOf(reduced), `seed ${seed}`).toEqual(facts);
    }
  });

  it('do so with images that Pods have, all or some of them', () => {
    const status = { phase: 'Running', containerStatuses: [{ name: 'a', image: 'quay.io/a' }] };
    for (const images of [[pod('a', 'w0', { status })], [pod('a', 'w0', { status }), pod('b', 'w0')]]) {
      for (const documents of [images, [typedListOf('Pod', 'v1', images)]]) {
        const facts = factsOf(documents);
        const isComplete = images.length === 1 && documents.length === 1 && documents !== images;
        expect(facts.containerImages).toEqual({ images: ['quay.io/a'], isComplete });
        expect(factsOf(reducedDocuments(facts, REPORTED_KINDS))).toEqual(facts);
      }
    }
  });

  it('are of the kinds that are asked for, and only of those that are known', () => {
    const facts = factsOf([clusterVersion, node('a')]);
    expect(reducedDocuments(facts, ['nodes', 'pools']).map(({ kind }) => kind)).toEqual(['NodeList']);
  });

  it('distinguish a supplied empty kind from a missing one', () => {
    const empty = {
      kind: 'MachineConfigPoolList',
      apiVersion: 'machineconfiguration.openshift.io/v1',
      items: [],
    };
    const facts = factsOf([clusterVersion, empty]);
    expect(factsOf(reducedDocuments(facts, REPORTED_KINDS))).toMatchObject({ pools: [], nodes: null });
  });
});
