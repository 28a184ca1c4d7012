import type { NetworkMigrationFacts } from '@cairn/shared/cluster/configuration';
import fc from 'fast-check';
import { configurationsWith } from './clusters.ts';

const NAMES = ['a', 'openshift', "x'; reboot #", '$(reboot)', ''];
const name = fc.constantFrom(...NAMES);

/** The default most of the time, not sent sometimes. */
function mostly<T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: other },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

const listed = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<readonly T[] | null> =>
  mostly<readonly T[]>([], fc.array(item, { minLength: 1, maxLength: 2 }));

const mirrorSets = listed(fc.record({ name, mirrors: fc.constant([]) }));
const selector = fc.constantFrom(
  { matchLabels: {}, matchExpressions: [] },
  { matchLabels: { pool: 'a' }, matchExpressions: [] },
);
const manager = fc.record({
  resource: fc.constantFrom('machinesets', 'controlplanemachinesets'),
  apiGroup: fc.constant('machine.openshift.io'),
  mode: fc.constantFrom('All', 'Partial', 'None'),
});

/** Settings that admin gates and forward guards read, each sent or not. */
export const configuration = fc.record({
  infrastructure: fc.option(
    fc.record({
      platform: fc.constantFrom('AWS', 'GCP', 'Azure', 'VSphere', 'BareMetal', null),
      controlPlaneTopology: fc.constantFrom('HighlyAvailable', 'SingleReplica', null),
    }),
    { freq: 8 },
  ),
  digestMirrorSets: mirrorSets,
  contentSourcePolicies: mirrorSets,
  tagMirrorSets: mirrorSets,
  machineConfiguration: fc.option(
    fc.record({
      bootImageManagers: fc.option(fc.array(manager, { maxLength: 2 })),
      bootImageSkew: fc.option(
        fc.record({
          mode: fc.constantFrom('Automatic', 'Manual', 'None'),
          ocpVersion: fc.constantFrom('', '4.12.30', '4.13.0', 'x'),
          rhcosVersion: fc.constantFrom('', '411.86.202308081056-0', '9.6.20251023-0'),
        }),
      ),
    }),
    { freq: 8 },
  ),
  customResources: listed(
    fc.record({
      name,
      group: fc.constantFrom('gateway.networking.k8s.io', 'snapshot.storage.k8s.io'),
      versions: fc.constantFrom(['v1'], ['v1alpha1']),
    }),
  ),
  unservableRoutes: listed(fc.record({ namespace: name, name, router: name, message: fc.constant('why') })),
  vsphereVolumes: listed(name),
  cgroupMode: mostly('', fc.constantFrom('v1', 'v2')),
  featureSet: mostly('', fc.constantFrom('TechPreviewNoUpgrade', 'OKD')),
  cloudCredential: mostly(
    { mode: '', upgradeableTo: '' },
    fc.record({
      mode: fc.constantFrom('Manual', 'Mint'),
      upgradeableTo: fc.constantFrom('', '4.15', 'v4.18', '5.0', 'next'),
    }),
  ),
  configuredNetwork: mostly('OVNKubernetes', fc.constantFrom('OpenShiftSDN', 'Kuryr')),
  networkMigration: mostly<NetworkMigrationFacts>(
    { isInProgress: false, message: '' },
    fc.constant({ isInProgress: true, message: 'migrating\nnow' }),
  ),
  runtimeConfigs: listed(
    fc.record({ name, runtime: fc.constantFrom('runc', 'crun', ''), poolSelector: selector }),
  ),
  machineConfigs: listed(
    fc.record({
      name,
      role: fc.constantFrom('worker', 'master', 'infra'),
      runtime: fc.constantFrom('runc', 'crun'),
    }),
  ),
  selinuxConflicts: mostly('False', fc.constantFrom('True', 'Unknown', '')),
  certRotationBase: mostly('', fc.constant('30m')),
  imagePolicies: listed(name),
  operatorConfigs: mostly(
    configurationsWith({}),
    fc.constantFrom(configurationsWith({ Etcd: ['x'] }), configurationsWith({ Etcd: ['x'], Console: ['y'] })),
  ),
});
