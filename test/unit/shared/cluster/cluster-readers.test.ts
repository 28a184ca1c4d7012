import { releaseArchOf } from '@cairn/shared/cluster/cluster-version';
import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { Arch } from '@cairn/shared/version/arch';
import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../../helpers/cluster/cluster-documents.ts';
import {
  clusterOperator,
  clusterVersion,
  configMap,
  type Json,
  listOf,
  node,
  pod,
  pool,
} from '../../../helpers/cluster/objects.ts';

function factsOf(...objects: readonly Json[]): ClusterFacts {
  const reading = readDocuments(JSON.stringify(listOf(...objects)), { isRemovedApi: () => false });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return reading.facts;
}

const loaded = (status: string, architecture?: string): Json => ({
  type: 'ReleaseAccepted',
  status,
  message: `Payload loaded version="4.14.8" image="i"${architecture === undefined ? '' : ` architecture="${architecture}"`}`,
});

describe('the architecture of the release image', () => {
  it.each<[string, Json, Json, Arch | null]>([
    ['is what the desired release says', {}, { desired: { architecture: 'Multi' } }, 'multi'],
    ['is what the accepted release says', {}, { conditions: [loaded('True', 'Multi')] }, 'multi'],
    ['can be one', {}, { conditions: [loaded('True', 'amd64')] }, 'amd64'],
    [
      'is that of the accepted release while another is requested',
      { desiredUpdate: { version: '4.14.8', architecture: 'Multi' } },
      { conditions: [loaded('True', 'arm64')] },
      'arm64',
    ],
    [
      'is the requested one if nothing else says it',
      { desiredUpdate: { version: '4.14.8', architecture: 'Multi' } },
      {},
      'multi',
    ],
    ['is not that of a refused release', {}, { conditions: [loaded('False', 'Multi')] }, null],
    ['is not known before 4.11', {}, { conditions: [loaded('True')] }, null],
    ['is not known if it is another word', {}, { desired: { architecture: 'Riscy' } }, null],
  ])('%s', (_, spec, status, expected) => {
    expect(releaseArchOf(versionWith(spec, status))).toBe(expected);
  });
});

function versionWith(spec: Json, status: Json) {
  return factsOf({ ...clusterVersion, spec, status }).clusterVersion!;
}

describe('a ClusterVersion', () => {
  it('is read whole', () => {
    const condition = { type: 'Upgradeable', status: 'False', reason: 'R', message: 'M' };
    const facts = versionWith(
      {
        clusterID: 'c0ffee',
        channel: 'eus-4.16',
        upstream: 'https://updates.example',
        desiredUpdate: { version: '4.15.1', force: true },
        overrides: [
          { kind: 'Deployment', group: 'apps', namespace: 'b', name: 'x', unmanaged: true },
          { kind: 'Deployment', group: 'apps', namespace: 'a', name: 'y', unmanaged: true },
          { kind: 'Deployment', group: 'apps', namespace: 'a', name: 'managed', unmanaged: false },
        ],
      },
      {
        desired: { version: '4.14.8', image: 'i', channels: ['eus-4.14', 'eus-4.16'] },
        conditions: [
          { ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' },
          { type: 'Available', status: 'True' },
        ],
        availableUpdates: [{ version: '4.14.9' }, { version: '4.15.1' }],
        conditionalUpdates: [
          {
            release: { version: '4.14.10' },
            risks: [{ name: 'ARisk', message: 'm', url: 'u', matchingRules: [] }],
            conditions: [{ type: 'Recommended', status: 'Unknown', reason: 'R', message: 'M' }],
          },
          { release: { version: '4.14.11' }, risks: null },
        ],
      },
    );
    expect(facts).toEqual({
      clusterId: 'c0ffee',
      createdAt: '2026-01-01T00:00:00Z',
      channel: 'eus-4.16',
      upstream: 'https://updates.example',
      desiredUpdate: { version: '4.15.1', image: '', force: true },
      unmanagedOverrides: [
        { kind: 'Deployment', group: 'apps', namespace: 'a', name: 'y' },
        { kind: 'Deployment', group: 'apps', namespace: 'b', name: 'x' },
      ],
      desired: { version: '4.14.8', image: 'i', channels: ['eus-4.14', 'eus-4.16'] },
      history: [],
      conditions: [
        { type: 'Available', status: 'True', reason: '', message: '', since: null },
        { ...condition, since: '2026-01-01T00:00:00Z' },
      ],
      availableUpdates: ['4.14.9', '4.15.1'],
      conditionalUpdates: [
        {
          version: '4.14.10',
          risks: ['ARisk'],
          links: [{ name: 'ARisk', url: 'u' }],
          recommended: { type: 'Recommended', status: 'Unknown', reason: 'R', message: 'M', since: null },
        },
        { version: '4.14.11', risks: [], recommended: null },
      ],
      acceptedRisks: null,
      knownRisks: null,
    });
  });

  it('of newer releases names risks once, and says which apply and which are accepted', () => {
    const applies = { type: 'Applies', status: 'True', reason: 'Match', message: 'It does' };
    const facts = versionWith(
      { desiredUpdate: { acceptRisks: [{ name: 'C' }, { name: 'A' }] } },
      {
        conditionalUpdates: [
          { release: { version: '4.22.9' }, riskNames: ['A', 'B'] },
          { release: { version: '4.22.8' }, risks: [{ name: 'B' }, { name: 'C' }], riskNames: ['A', 'B'] },
        ],
        conditionalUpdateRisks: [
          { name: 'A', url: 'u', message: 'm', conditions: [applies, { type: 'Other', status: 'False' }] },
          { name: 'B', conditions: [] },
        ],
      },
    );
    expect(facts).toMatchObject({
      // Without a version it asks for no update.
      desiredUpdate: null,
      conditionalUpdates: [
        { version: '4.22.9', risks: ['A', 'B'] },
        { version: '4.22.8', risks: ['B', 'C', 'A'] },
      ],
      acceptedRisks: ['A', 'C'],
      knownRisks: [
        { name: 'A', url: 'u', message: 'm', applies: { ...applies, since: null } },
        { name: 'B', url: '', message: '', applies: null },
      ],
    });
    expect(versionWith({ desiredUpdate: { acceptRisks: [] } }, { conditionalUpdateRisks: [] })).toMatchObject(
      {
        acceptedRisks: [],
        knownRisks: [],
      },
    );
  });

  it('may say nothing at all, and need not say its name', () => {
    expect(factsOf({ kind: 'ClusterVersion' }).clusterVersion).toEqual({
      clusterId: null,
      createdAt: null,
      channel: null,
      upstream: null,
      desiredUpdate: null,
      unmanagedOverrides: [],
      desired: { version: '', image: '', channels: [] },
      history: [],
      conditions: [],
      availableUpdates: [],
      conditionalUpdates: [],
      acceptedRisks: null,
      knownRisks: null,
    });
  });

  it.each([
    [null, null],
    [{}, null],
    [{ version: '', image: '', force: false }, null],
    [{ image: 'i' }, { version: '', image: 'i', force: false }],
  ])('has the desired update %j as %j', (desiredUpdate, expected) => {
    expect(versionWith({ desiredUpdate }, {}).desiredUpdate).toEqual(expected);
  });

  it.each<[string, Json[], string[]]>([
    ['in order', [entry('b', '2026-02-01T00:00:00Z'), entry('a', '2026-01-01T00:00:00Z')], ['b', 'a']],
    ['turned around', [entry('a', '2026-01-01T00:00:00Z'), entry('b', '2026-02-01T00:00:00Z')], ['b', 'a']],
    ['at one time', [entry('b', '2026-01-01T00:00:00Z'), entry('a', '2026-01-01T00:00:00Z')], ['b', 'a']],
    [
      'in other zones',
      [entry('a', '2026-01-01T01:00:00+05:00'), entry('b', '2026-01-01T00:00:00Z')],
      ['b', 'a'],
    ],
    ['far away', [entry('a', '0001-01-01T00:00:00Z'), entry('b', '2036-01-01T00:00:00Z')], ['b', 'a']],
    ['without times', [entry('b', null), entry('a', null)], ['b', 'a']],
    ['first without a time', [entry('b', null), entry('a', '2026-01-01T00:00:00Z')], ['b', 'a']],
    [
      'a later one without a time',
      [entry('b', '2026-01-01T00:00:00Z'), entry('a', null), entry('c', '2026-02-01T00:00:00Z')],
      ['c', 'b', 'a'],
    ],
    ['twice', [entry('a', '2026-01-01T00:00:00Z'), entry('a', '2026-01-01T00:00:00Z')], ['a', 'a']],
  ])('has the history newest first: %s', (_title, history, images) => {
    expect(versionWith({}, { history }).history.map(({ image }) => image)).toEqual(images);
  });

  it.each([0, 1, 100, 101, 10_000])('may have a history of %i entries', (length) => {
    const history = Array.from({ length }, (_, at) => entry(`i${at}`, '2026-01-01T00:00:00Z'));
    expect(versionWith({}, { history }).history).toHaveLength(length);
  });

  it('takes completion from the state alone', () => {
    const history = [
      {
        state: 'Partial',
        version: '',
        image: 'i',
        startedTime: '2026-02-01T00:00:00Z',
        completionTime: '2026-01-01T00:00:00Z',
        verified: true,
        acceptedRisks: 'forced',
      },
      { startedTime: '2026-01-01T00:00:00Z', completionTime: null },
    ];
    expect(versionWith({}, { history }).history).toEqual([
      history[0],
      {
        state: 'Partial',
        version: '',
        image: '',
        startedTime: '2026-01-01T00:00:00Z',
        completionTime: null,
        verified: false,
        acceptedRisks: '',
      },
    ]);
  });
});

function entry(image: string, startedTime: string | null): Json {
  return { state: 'Completed', version: '4.14.8', image, startedTime };
}

describe('other kinds', () => {
  it('ClusterOperator', () => {
    const facts = factsOf(
      clusterOperator('a', { metadata: { name: 'a', annotations: { other: 'x' } } }),
      clusterOperator('b', {
        metadata: {
          name: 'b',
          annotations: { 'exclude.release.openshift.io/internal-openshift-hosted': 'true' },
        },
        status: {
          versions: [
            { name: 'operator', version: '4.14.8' },
            { name: 'b', version: '1.27.6' },
          ],
        },
      }),
    );
    expect(facts.clusterOperators).toEqual([
      {
        name: 'a',
        platform: false,
        conditions: ['Available', 'Upgradeable'].map((type) => ({
          type,
          status: 'True',
          reason: '',
          message: '',
          since: '2026-01-02T00:00:00Z',
        })),
        versions: [],
      },
      {
        name: 'b',
        platform: true,
        conditions: [],
        versions: [
          { name: 'b', version: '1.27.6' },
          { name: 'operator', version: '4.14.8' },
        ],
      },
    ]);
  });

  it('Node', () => {
    const annotations = Object.fromEntries(
      ['currentConfig', 'desiredConfig', 'state', 'reason', 'desiredDrain', 'currentImage'].map((key) => [
        `machineconfiguration.openshift.io/${key}`,
        key,
      ]),
    );
    const full = node('b', {
      metadata: {
        name: 'b',
        labels: { z: '1', a: '' },
        annotations,
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { unschedulable: true },
      status: {
        conditions: [
          { type: 'PIDPressure', status: 'True' },
          { type: 'DiskPressure', status: 'Unknown' },
          { type: 'NetworkUnavailable', status: 'False' },
          { type: 'MemoryPressure', status: 'Unknown' },
          { type: 'SomethingElse', status: 'True' },
          {
            type: 'Ready',
            status: 'Unknown',
            reason: 'NodeStatusUnknown',
            message: 'Kubelet stopped posting node status.',
            lastTransitionTime: '2026-01-02T00:00:00Z',
          },
          { type: 'NetworkUnavailable', status: 'True', lastTransitionTime: 'yesterday' },
        ],
        nodeInfo: {
          kubeletVersion: 'v1.21.0-rc.0+6143dea',
          containerRuntimeVersion: 'cri-o://1.21.0',
          osImage: 'An OS',
          architecture: 'arm64',
        },
      },
    });
    expect(factsOf({ kind: 'Node', metadata: { name: 'a' } }, full).nodes).toEqual([
      {
        name: 'a',
        labels: {},
        createdAt: null,
        unschedulable: false,
        ready: null,
        problems: [],
        kubeletVersion: '',
        containerRuntimeVersion: '',
        osImage: '',
        architecture: '',
        machineConfig: { current: '', desired: '', state: '', reason: '' },
      },
      {
        name: 'b',
        labels: { a: '', z: '1' },
        createdAt: '2026-01-01T00:00:00Z',
        unschedulable: true,
        ready: 'Unknown',
        problems: [
          { type: 'PIDPressure', status: 'True', reason: '', message: '', since: null },
          { type: 'DiskPressure', status: 'Unknown', reason: '', message: '', since: null },
          {
            type: 'Ready',
            status: 'Unknown',
            reason: 'NodeStatusUnknown',
            message: 'Kubelet stopped posting node status.',
            since: '2026-01-02T00:00:00Z',
          },
          { type: 'NetworkUnavailable', status: 'True', reason: '', message: '', since: null },
        ],
        kubeletVersion: 'v1.21.0-rc.0+6143dea',
        containerRuntimeVersion: 'cri-o://1.21.0',
        osImage: 'An OS',
        architecture: 'arm64',
        machineConfig: {
          current: 'currentConfig',
          desired: 'desiredConfig',
          state: 'state',
          reason: 'reason',
          desiredDrain: 'desiredDrain',
          currentImage: 'currentImage',
        },
      },
    ]);
  });

  it('MachineConfigPool', () => {
    const nodeSelector = {
      matchLabels: { 'node-role.kubernetes.io/infra': '' },
      matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }],
    };
    const full = pool(
      'infra',
      { paused: true, maxUnavailable: '10%', nodeSelector, configuration: { name: 'rendered-2' } },
      {
        configuration: { name: 'rendered-1' },
        machineCount: 5,
        updatedMachineCount: 4,
        readyMachineCount: 3,
        unavailableMachineCount: 2,
        degradedMachineCount: 1,
      },
    );
    expect(factsOf(pool('bare', {}, { conditions: [] }), full).pools).toEqual([
      {
        name: 'bare',
        labels: {},
        paused: false,
        maxUnavailable: 1,
        nodeSelector: { matchLabels: {}, matchExpressions: [] },
        configuration: { wanted: '', current: '' },
        machines: { total: 0, updated: 0, ready: 0, unavailable: 0, degraded: 0 },
        conditions: [],
      },
      {
        name: 'infra',
        labels: {},
        paused: true,
        maxUnavailable: '10%',
        nodeSelector,
        configuration: { wanted: 'rendered-2', current: 'rendered-1' },
        machines: { total: 5, updated: 4, ready: 3, unavailable: 2, degraded: 1 },
        conditions: [{ type: 'Degraded', status: 'False', reason: '', message: '', since: null }],
      },
    ]);
    expect(factsOf(pool('a', { maxUnavailable: 3 })).pools).toMatchObject([{ maxUnavailable: 3 }]);
  });

  it('ConfigMap', () => {
    const gates = configMap('openshift-config-managed', 'admin-gates', {
      b: 'see https://example.com',
      a: '',
    });
    const acks = configMap('openshift-config', 'admin-acks', {});
    expect(factsOf(gates, acks)).toMatchObject({
      adminGates: [
        { key: 'a', value: '' },
        { key: 'b', value: 'see https://example.com' },
      ],
      adminAcks: [],
    });
    const { data: _data, ...empty } = gates;
    expect(factsOf(empty)).toMatchObject({ adminGates: [], adminAcks: null });
  });

  it('Infrastructure and Network', () => {
    const facts = factsOf(
      {
        kind: 'Infrastructure',
        apiVersion: 'config.openshift.io/v1',
        status: { platformStatus: { type: 'AWS' }, controlPlaneTopology: 'SingleReplica' },
      },
      { kind: 'Network', apiVersion: 'config.openshift.io/v1', status: { networkType: 'OVNKubernetes' } },
    );
    expect(facts.infrastructure).toEqual({ platform: 'AWS', controlPlaneTopology: 'SingleReplica' });
    expect(facts.networkType).toBe('OVNKubernetes');
    expect(factsOf({ kind: 'Network' }).networkType).toBeNull();
    expect(factsOf({ kind: 'Infrastructure' }).infrastructure).toEqual({
      platform: null,
      controlPlaneTopology: null,
    });
  });

  it('Pod, those that a drain moves', () => {
    const facts = factsOf(
      pod('a', 'n2'),
      pod('b', 'n1'),
      pod('c', 'n2'),
      pod('no node', undefined),
      pod('ended', 'n1', { status: { phase: 'Succeeded' } }),
      pod('failed', 'n1', { status: { phase: 'Failed' } }),
      pod('of a daemon set', 'n1', {}, { ownerReferences: [{ kind: 'DaemonSet' }] }),
      pod('of a replica set', 'n1', {}, { ownerReferences: [{ kind: 'ReplicaSet' }] }),
      pod('static', 'n1', {}, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      pod('a', 'n2', {}, { namespace: 'other' }),
    );
    expect(facts.podsPerNode).toEqual([
      { node: 'n1', pods: 2 },
      { node: 'n2', pods: 3 },
    ]);
  });

  it('Pod, the members of etcd', () => {
    const member = (name: string, node: string, ready: string, metadata = {}) =>
      pod(
        name,
        node,
        { status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] } },
        {
          namespace: 'openshift-etcd',
          labels: { app: 'etcd' },
          annotations: { 'kubernetes.io/config.mirror': 'x' },
          ...metadata,
        },
      );
    const facts = factsOf(
      member('etcd-m0', 'm0', 'True'),
      member('etcd-m1', 'm1', 'False'),
      member('etcd-guard-m2', 'm2', 'False', { labels: { app: 'guard' } }),
      member('etcd-m2', 'm2', 'True', { namespace: 'mine' }),
      pod('a', 'm0'),
    );
    expect(facts.podsPerNode).toEqual([
      { node: 'm0', pods: 1, etcdReady: true },
      { node: 'm1', pods: 0, etcdReady: false },
    ]);
  });
});
