import fc from 'fast-check';
import {
  clusterOperator,
  clusterVersion,
  configMap,
  type Json,
  listOf,
  node,
  operator,
  pod,
  pool,
  requestCount,
  subscription,
  typedListOf,
} from '../../../helpers/cluster/objects.ts';
import { aBackup, aJob, aPod } from '../../../helpers/prune/objects.ts';
import { CLUSTER_IDS, VERSIONS } from './pools.ts';
import { hostileText } from './values.ts';

/** What a cluster may say of itself: mostly sound, with what `reliability.md` §6.4 lists in between. */
const version = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...VERSIONS) },
  { weight: 2, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.constantFrom('', '4.14.20+build.1', '4.14.0-rc.1', 'v4.14.20', '4.14') },
);
const time = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .integer({ min: Date.UTC(2020, 0), max: Date.UTC(2026, 10) })
      .map((moment) => new Date(moment).toISOString().replace(/\.\d+Z$/, 'Z')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      null,
      '',
      'yesterday',
      '0001-01-01T00:00:00Z',
      '+275760-09-13T00:00:00Z',
      '2036-11-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      1_700_000_000,
    ),
  },
);
const entry = fc.record(
  {
    state: fc.constantFrom<unknown>('Completed', 'Completed', 'Partial', 'completed', 'PARTIAL', '', 7),
    version,
    image: fc.oneof(fc.constantFrom('quay.io/x/release@sha256:0', ''), hostileText),
    startedTime: time,
    completionTime: time,
    verified: fc.boolean(),
    acceptedRisks: hostileText,
  },
  { requiredKeys: [] },
);
const history = fc.oneof(
  { weight: 100, arbitrary: fc.array(entry, { maxLength: 6 }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(entry, fc.constantFrom(100, 101))
      .map(([one, times]) => Array.from({ length: times }, () => one)),
  },
  // More than is accepted; each costs as much as a hundred others.
  {
    weight: 1,
    arbitrary: fc
      .tuple(entry, fc.constantFrom(1000, 1001, 10_000))
      .map(([one, times]) => Array.from({ length: times }, () => one)),
  },
);
const condition = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom('Upgradeable', 'Available', 'Degraded', 'Progressing', 'Failing'),
      hostileText,
    ),
    status: fc.constantFrom<unknown>('True', 'False', 'Unknown', 'true', true, null),
    reason: hostileText,
    message: hostileText,
    lastTransitionTime: time,
  },
  { requiredKeys: ['type'] },
);
const conditions = fc.array(condition, { maxLength: 4 });
const name = fc.oneof(fc.constantFrom('a', 'b', 'master', 'worker', 'etcd', 'kube-apiserver'), hostileText);
const kubelet = fc.oneof(
  fc.constantFrom('v1.27.3+abc', 'v1.26.0', 'v1.99.0', '', 'garbage', 'v1.27', '1.27.3', 'v1.27.3-rc.0+x'),
  hostileText,
);
const labels = fc.dictionary(
  fc.oneof(fc.constantFrom('node-role.kubernetes.io/worker', 'node-role.kubernetes.io/master'), hostileText),
  hostileText,
  { maxKeys: 3 },
);
const maxVersion = fc.constantFrom<unknown>('4.99', '*', '>=4.1 <5', '', 4.1, null, '4.14', 'x'.repeat(300));

const aClusterVersion: fc.Arbitrary<Json> = fc
  .record({
    history,
    conditions,
    clusterID: fc.constantFrom<unknown>('c0ffee', 'c0ffee', 'C0FFEE', ...CLUSTER_IDS, '', 'a/b#..', 7),
    channel: fc.oneof(fc.constantFrom('stable-4.14', 'eus-4.14', ''), hostileText),
    desired: version,
  })
  .map(({ history, conditions, clusterID, channel, desired }) => ({
    ...clusterVersion,
    spec: { clusterID, channel },
    status: { desired: { version: desired, image: 'quay.io/x/release@sha256:0' }, history, conditions },
  }));

/** Objects of the kinds that are read, and of some that are not. */
export const clusterObject: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: aClusterVersion },
  {
    weight: 1,
    arbitrary: fc
      .tuple(name, conditions)
      .map(([name, conditions]) => clusterOperator(name, { status: { conditions } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(name, labels, kubelet)
      .map(([name, labels, kubeletVersion]) =>
        node(name, { metadata: { name, labels }, status: { nodeInfo: { kubeletVersion } } }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        name,
        fc.constantFrom<unknown>(true, false, 'yes', null),
        fc.constantFrom<unknown>(0, 3, -1, 1e9, '3'),
      )
      .map(([name, paused, machineCount]) => pool(name, { paused, maxUnavailable: '10%' }, { machineCount })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(name, name, maxVersion).map(([namespace, name, value]) =>
      operator(namespace, name, {
        'operatorframework.io/properties': JSON.stringify({
          properties: [{ type: 'olm.maxOpenShiftVersion', value }],
        }),
        'olm.maxOpenShiftVersion': value,
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(name, name, name)
      .map(([name, channel, source]) => subscription(name, { channel, source })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('ingresses.v1beta1.extensions', 'pods.v1', '__proto__'), fc.integer())
      .map(([name, count]) =>
        requestCount(name, {
          removedInRelease: '1.22',
          requestCount: count,
          last24h: [{}, null, { byNode: [{ byUser: [{ username: 'alice', requestCount: count }] }] }],
        }),
      ),
  },
  { weight: 1, arbitrary: labels.map((data) => configMap('openshift-config', 'admin-acks', data)) },
  { weight: 1, arbitrary: fc.tuple(name, name).map(([name, nodeName]) => pod(name, nodeName)) },
  { weight: 1, arbitrary: fc.dictionary(hostileText, hostileText, { maxKeys: 3 }) },
);

const registryImage = fc.oneof(
  fc.constantFrom(
    `registry.example/shop/app@sha256:${'a'.repeat(64)}`,
    'registry.example/shop/app:v1',
    'app',
    'app@sha256:0',
    '',
  ),
  hostileText,
);
const metadata = fc.record(
  {
    name,
    namespace: name,
    uid: fc.constantFrom('1', '2', ''),
    creationTimestamp: time,
    labels,
    annotations: labels,
    ownerReferences: fc.array(
      fc.record({ kind: name, name, uid: fc.constantFrom('1', '2'), controller: fc.boolean() }),
      { maxLength: 2 },
    ),
    deletionTimestamp: time,
  },
  { requiredKeys: ['name'] },
);

/** Objects that may be pruned, and what uses images. */
export const prunableObject: fc.Arbitrary<Json> = fc.oneof(
  fc
    .record({
      kind: fc.constantFrom(
        'Pod',
        'Job',
        'Build',
        'ReplicaSet',
        'ReplicationController',
        'Backup',
        'PipelineRun',
        '',
      ),
      apiVersion: fc.constantFrom('v1', 'batch/v1', 'apps/v1', 'build.openshift.io/v1', 'example.com/v1', ''),
      metadata,
      spec: fc.record(
        {
          containers: fc.array(fc.record({ image: registryImage }), { maxLength: 2 }),
          replicas: fc.constantFrom<unknown>(0, 1, -1, 'x'),
        },
        { requiredKeys: [] },
      ),
      status: fc.record(
        {
          phase: fc.constantFrom('Succeeded', 'Failed', 'Running', 'Complete', ''),
          conditions,
          completionTime: time,
        },
        { requiredKeys: [] },
      ),
    })
    .map((object): Json => object),
  fc
    .tuple(
      metadata,
      fc.array(
        fc.record({
          tag: name,
          items: fc.array(
            fc.record({
              image: registryImage,
              dockerImageReference: registryImage,
              created: time,
              generation: fc.integer(),
            }),
            { maxLength: 3 },
          ),
        }),
        { maxLength: 3 },
      ),
    )
    .map(([metadata, tags]) => ({
      apiVersion: 'image.openshift.io/v1',
      kind: 'ImageStream',
      metadata,
      spec: {},
      status: { tags },
    })),
  fc.tuple(metadata, registryImage).map(([metadata, dockerImageReference]) => ({
    apiVersion: 'image.openshift.io/v1',
    kind: 'Image',
    metadata,
    dockerImageReference,
    dockerImageMetadata: { Size: 1 },
  })),
);

/** A cluster as clusters are. */
export const soundClusterObject: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.array(fc.constantFrom(...VERSIONS), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('stable-4.14', 'eus-4.14'),
      )
      .map(([versions, channel]) => ({
        ...clusterVersion,
        spec: { clusterID: 'c0ffee', channel },
        status: {
          desired: { version: versions[0], image: 'quay.io/x/release@sha256:0' },
          history: versions.map((version, age) => ({
            state: 'Completed',
            version,
            image: 'quay.io/x/release@sha256:0',
            startedTime: new Date(Date.UTC(2026, 5 - age)).toISOString(),
            completionTime: new Date(Date.UTC(2026, 5 - age, 2)).toISOString(),
            verified: true,
          })),
          conditions: [],
        },
      })),
  },
  { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'c').map((name) => node(name)) },
  { weight: 1, arbitrary: fc.constantFrom('etcd', 'dns').map((name) => clusterOperator(name)) },
  { weight: 1, arbitrary: fc.constant(pool('worker', {}, { machineCount: 3 })) },
  { weight: 1, arbitrary: fc.constant(operator('shop', 'an-operator')) },
  { weight: 1, arbitrary: fc.constant(subscription('logging')) },
);

/** Objects that may be pruned, as they are. */
export const soundPrunableObject: fc.Arbitrary<Json> = fc
  .tuple(fc.nat(99), fc.constantFrom('1h', '30d', '400d'))
  .chain(([place, age]) =>
    fc.constantFrom(
      aPod(`pod-${place}`, age),
      aJob(`job-${place}`, age),
      aBackup(`backup-${place}`, age, 'Done'),
    ),
  )
  .map((object) => ({ ...object }));

/** How often what is to be much is repeated. */
const MANY = 100;

/** The ways to write objects down, as a text: one, a list, a typed list, an array, several in a row. */
export function documentText(object: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.array(object, { minLength: 1, maxLength: 5 }),
      fc.oneof(
        { weight: 30, arbitrary: fc.constantFrom('one', 'List', 'typed', 'array', 'row', 'nested') },
        { weight: 1, arbitrary: fc.constant('many') },
      ),
    )
    .map(([objects, form]) => {
      if (form === 'one') return JSON.stringify(objects[0]);
      if (form === 'List') return JSON.stringify(listOf(...objects));
      if (form === 'typed') return JSON.stringify(typedListOf('Node', 'v1', objects));
      if (form === 'array') return JSON.stringify(objects);
      if (form === 'row') return objects.map((each) => JSON.stringify(each)).join('\n');
      if (form === 'nested') return JSON.stringify(listOf(listOf(...objects)));
      return JSON.stringify(listOf(...Array.from({ length: MANY }, () => objects).flat()));
    });
}
