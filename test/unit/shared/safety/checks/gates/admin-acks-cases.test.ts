import type { ClusterFacts, InfrastructureFacts } from '@cairn/shared/cluster/facts';
import type { Condition } from '@cairn/shared/safety/condition';
import { describe, expect, it } from 'vitest';
import { aCluster, aNode } from '../../../../../helpers/cluster/clusters.ts';
import { evaluate, evaluateHop } from '../../../../../helpers/cluster/evaluations.ts';

const SIGSTORE = 'ack-4.20-sigstore-in-4.21';
const BOOT_IMAGES_422 = 'ack-4.21-boot-image-opt-out-in-4.22';
const MIRROR = { name: 'releases', mirrors: [] };
const UNCONFIGURED = { bootImageManagers: null, bootImageSkew: null };

const on = (platform: string, more: Partial<InfrastructureFacts> = {}): InfrastructureFacts => ({
  platform,
  controlPlaneTopology: 'HighlyAvailable',
  ...more,
});

/** Gates of each hop as `reason effect: keys`, without conditions that are fine. */
function gatesOf(facts: Partial<ClusterFacts>, ...path: readonly string[]): string[][] {
  return evaluate(aCluster(facts, path[0]), path).map(({ conditions }) =>
    conditions
      .filter(({ type, effect }) => type === 'AdminAcksCompleted' && effect !== 'ok')
      .map(({ reason, effect, objects }) => `${reason} ${effect}: ${keysOf(objects).join(' ')}`),
  );
}

function keysOf(objects: Condition['objects'] = []): string[] {
  return objects.filter(({ kind }) => kind === 'AdminGate').map(({ name }) => name);
}

describe('gates of later minors', () => {
  const path = ['4.19.20', '4.20.12', '4.21.9', '4.22.3'];
  const azure = { infrastructure: on('Azure'), machineConfiguration: UNCONFIGURED };

  it('case 1: are found by their documents, each at the hop that leaves its minor', () => {
    const facts = { ...azure, digestMirrorSets: [MIRROR] };
    expect(gatesOf(facts, ...path)).toEqual([
      [],
      [`AdminAckRequired inform: ${SIGSTORE}`],
      [`AdminAckRequired inform: ${BOOT_IMAGES_422}`],
    ]);
    const verdicts = evaluate(aCluster(facts, '4.19.20'), path).map(({ verdict }) => verdict);
    expect(verdicts.slice(1)).toEqual(['will-block', 'will-block']);
  });

  it.each([
    ['case 2: no mirror set', { digestMirrorSets: [], contentSourcePolicies: [] }],
    ['case 4: only a mirror of tags', { tagMirrorSets: [MIRROR] }],
  ])('%s has no gate for signatures', (_name, facts) => {
    expect(gatesOf(facts, '4.19.20', '4.20.12', '4.21.9')[1]).toEqual([]);
  });

  it('case 2: an older mirror set counts too', () => {
    expect(gatesOf({ contentSourcePolicies: [MIRROR] }, '4.19.20', '4.20.12', '4.21.9')[1]).toEqual([
      `AdminAckRequired inform: ${SIGSTORE}`,
    ]);
  });

  it('case 3: cannot be decided without the mirror sets, which does not block the hop', () => {
    const facts = aCluster({ digestMirrorSets: null, contentSourcePolicies: null }, '4.19.20');
    const hop = evaluate(facts, ['4.19.20', '4.20.12', '4.21.9'])[1]!;
    expect(hop.verdict).toBe('allowed-with-warnings');
    expect(hop.conditions.find(({ reason }) => reason === 'AdminAckCannotTell')).toMatchObject({
      status: 'Unknown',
      effect: 'warn',
      objects: [
        {
          name: SIGSTORE,
          detail: {
            cannotTell: [
              'oc get imagedigestmirrorsets -o json',
              'oc get imagecontentsourcepolicies.operator.openshift.io -o json',
            ],
          },
        },
      ],
    });
    const strict = evaluate(facts, ['4.19.20', '4.20.12', '4.21.9'], { strict: true })[1]!;
    expect(strict.verdict).toBe('will-block');
  });

  it('one known mirror set decides, whatever else is missing', () => {
    const facts = { digestMirrorSets: null, contentSourcePolicies: [MIRROR] };
    expect(gatesOf(facts, '4.19.20', '4.20.12', '4.21.9')[1]).toEqual([
      `AdminAckRequired inform: ${SIGSTORE}`,
    ]);
  });

  it('case 7: acknowledged ahead', () => {
    const facts = aCluster({ ...azure, adminAcks: [{ key: BOOT_IMAGES_422, value: 'true' }] }, '4.20.10');
    const hop = evaluate(facts, ['4.20.10', '4.21.9', '4.22.3'])[1]!;
    expect(hop.conditions.find(({ type }) => type === 'AdminAcksCompleted')).toMatchObject({
      effect: 'ok',
      message: `Acknowledged ahead of time: ${BOOT_IMAGES_422}`,
    });
  });

  it('case 7: acknowledged ahead, beside a gate that is open', () => {
    const key = 'ack-4.18-kube-1.32-api-removals-in-4.19';
    const nodes = [aNode('a', {}, 'master'), aNode('b', { architecture: 'arm64' })];
    const facts = aCluster({ nodes, adminAcks: [{ key, value: 'true' }] }, '4.17.10');
    const [, hop] = evaluate(facts, ['4.17.10', '4.18.9', '4.19.4']);
    const said = hop!.conditions.filter(({ type }) => type === 'AdminAcksCompleted');
    expect(said.map(({ effect, objects }) => [effect, ...keysOf(objects)])).toEqual([
      ['inform', 'ack-4.18-aarch64-bootloader-4.19'],
      ['ok'],
    ]);
    expect(said[1]!.message).toBe(`Acknowledged ahead of time: ${key}`);
  });

  it('case 9: several of one hop', () => {
    const facts = { infrastructure: on('GCP'), machineConfiguration: UNCONFIGURED };
    expect(gatesOf(facts, '4.17.10', '4.18.9', '4.19.4')).toEqual([
      [],
      [
        'AdminAckRequired inform: ack-4.18-kube-1.32-api-removals-in-4.19 ack-4.18-boot-image-opt-out-in-4.19',
      ],
    ]);
  });

  it('case 11: definitions of the Gateway API', () => {
    const gateway = 'gateways.gateway.networking.k8s.io';
    const resource = { name: gateway, group: 'gateway.networking.k8s.io', versions: ['v1'] };
    const way = ['4.16.9', '4.17.10', '4.18.9', '4.19.4'] as const;
    expect(gatesOf({ customResources: [resource] }, ...way)[2]![0]).toContain(
      'ack-4.18-gateway-api-management-in-4.19',
    );
    expect(gatesOf({ customResources: [] }, ...way)[2]![0]).not.toContain('gateway');
  });

  it('case 13: routes that were not sent', () => {
    const [, last] = evaluate(aCluster({ unservableRoutes: null }, '4.14.8'), ['4.14.8', '4.15.3', '4.16.3']);
    const found = last!.conditions.find(({ reason }) => reason === 'AdminAckCannotTell');
    expect(found).toMatchObject({ effect: 'warn', remediation: ['oc get routes -A -o json'] });
    expect(keysOf(found?.objects)).toEqual(['ack-4.15-route-config-not-supported-in-4.16']);
  });

  it('ask for all documents that decide at once', () => {
    const facts = aCluster(
      { infrastructure: null, machineConfiguration: null, vsphereVolumes: null },
      '4.11.8',
    );
    const asked = (...path: readonly string[]) =>
      evaluate(facts, path)
        .at(-1)!
        .conditions.find(({ reason }) => reason === 'AdminAckCannotTell')?.remediation;
    const infrastructure = 'oc get infrastructures cluster -o json';
    expect(asked('4.11.8', '4.12.3', '4.13.5')).toEqual([infrastructure, 'oc get persistentvolumes -o json']);
    expect(asked('4.17.8', '4.18.3', '4.19.5')).toEqual([
      infrastructure,
      'oc get machineconfigurations.operator.openshift.io cluster -o json',
    ]);
  });

  it('case 17: 4.14 has none', () => {
    const unknown = { unservableRoutes: null, customResources: null, vsphereVolumes: null };
    expect(gatesOf(unknown, '4.14.8', '4.15.3')).toEqual([[]]);
    expect(gatesOf({ ...unknown, adminGates: null }, '4.14.8', '4.15.3')).toEqual([['InputMissing warn: ']]);
  });
});

describe('gates of the minor that the cluster is in', () => {
  it('case 5: the cluster knows better than the table', () => {
    expect(gatesOf({ digestMirrorSets: [MIRROR] }, '4.20.10', '4.21.9')).toEqual([[]]);
    expect(gatesOf({ digestMirrorSets: null, contentSourcePolicies: null }, '4.20.10', '4.21.9')).toEqual([
      [],
    ]);
  });

  it('a patch before the hop can add a gate', () => {
    expect(gatesOf({ digestMirrorSets: [MIRROR] }, '4.20.10', '4.20.12', '4.21.9')).toEqual([
      [],
      [`AdminAckExpected warn: ${SIGSTORE}`],
    ]);
  });

  it('are expected by their documents if the gates were not sent', () => {
    expect(gatesOf({ digestMirrorSets: [MIRROR], adminGates: null }, '4.20.10', '4.21.9')).toEqual([
      ['InputMissing warn: ', `AdminAckExpected warn: ${SIGSTORE}`],
    ]);
    const nothing = { digestMirrorSets: null, contentSourcePolicies: null, adminGates: null };
    expect(gatesOf(nothing, '4.20.10', '4.21.9')).toEqual([
      ['InputMissing warn: ', `AdminAckCannotTell warn: ${SIGSTORE}`],
    ]);
  });

  it.each([
    ['true', []],
    ['True', [`AdminAckRequired block: ${SIGSTORE}`]],
    ['yes', [`AdminAckRequired block: ${SIGSTORE}`]],
  ])('case 6: acknowledged as %s', (value, expected) => {
    const facts = {
      digestMirrorSets: [MIRROR],
      adminGates: [{ key: SIGSTORE, value: 'why' }],
      adminAcks: [{ key: SIGSTORE, value }],
    };
    expect(gatesOf(facts, '4.20.10', '4.21.9')).toEqual([expected]);
  });

  const expected = (facts: Partial<ClusterFacts>, ...path: readonly string[]): string =>
    gatesOf({ ...facts, adminGates: null }, ...path)[0]!.find((each) =>
      each.startsWith('AdminAckExpected'),
    ) ?? '';

  it.each([
    ['no managers', UNCONFIGURED, true],
    ['an empty list', { bootImageManagers: [], bootImageSkew: null }, false],
  ])('case 8: boot images on AWS with %s', (_name, machineConfiguration, isOpen) => {
    const facts = { infrastructure: on('AWS'), machineConfiguration };
    expect(expected(facts, '4.18.10', '4.19.4').includes('boot-image-opt-out')).toBe(isOpen);
  });

  it('case 8: other platforms need no configuration', () => {
    const facts = { infrastructure: on('BareMetal'), machineConfiguration: UNCONFIGURED };
    expect(expected(facts, '4.18.10', '4.19.4')).not.toContain('boot-image-opt-out');
  });

  it.each([
    ['arm64', true],
    ['amd64', false],
  ])('case 10: a node of %s among others', (architecture, isOpen) => {
    const nodes = [aNode('a', {}, 'master'), aNode('b', { architecture })];
    expect(expected({ nodes }, '4.18.10', '4.19.4').includes('ack-4.18-aarch64-bootloader-4.19')).toBe(
      isOpen,
    );
  });

  it('case 12: names the routes', () => {
    const route = { namespace: 'shop', name: 'web', router: 'second', message: 'SHA-1' };
    const facts = aCluster({ unservableRoutes: [route], adminGates: null }, '4.15.20');
    const found = evaluate(facts, ['4.15.20', '4.16.3'])[0]!.conditions.find(
      ({ reason }) => reason === 'AdminAckExpected',
    );
    const object = {
      kind: 'Route',
      namespace: 'shop',
      name: 'web',
      detail: { router: 'second', message: 'SHA-1' },
    };
    expect(found?.objects).toContainEqual(object);
    expect(found?.message).toMatch(/in-4\.16\. The router of 4\.16 rejects shop\/web$/);
    const adminGates = [{ key: 'ack-4.15-route-config-not-supported-in-4.16', value: 'read' }];
    const listed = evaluateHop({ ...facts, adminGates }, ['4.15.20', '4.16.3']).conditions.find(
      ({ reason }) => reason === 'AdminAckRequired',
    );
    expect(listed?.objects).toContainEqual(object);
    expect(listed?.message).toMatch(/rejects shop\/web$/);
    expect(expected({ unservableRoutes: [] }, '4.15.20', '4.16.3')).not.toContain('route-config');
  });

  const machineSets = (mode: string) => ({ resource: 'machinesets', apiGroup: 'machine.openshift.io', mode });
  it.each([
    ['Azure Stack', on('Azure', { azureCloud: 'AzureStackCloud' }), null, false],
    ['Azure', on('Azure', { azureCloud: 'AzurePublicCloud' }), null, true],
    ['vSphere', on('VSphere'), [], true],
    ['vSphere', on('VSphere'), [{ ...machineSets('All'), resource: 'controlplanemachinesets' }], true],
    ['vSphere', on('VSphere'), [machineSets('None')], false],
    ['vSphere', on('VSphere'), [machineSets('All')], false],
    ['AWS', on('AWS'), null, false],
  ])('case 14: boot images on %s %j with %j: %s', (_name, infrastructure, bootImageManagers, isOpen) => {
    const facts = { infrastructure, machineConfiguration: { bootImageManagers, bootImageSkew: null } };
    expect(expected(facts, '4.21.3', '4.22.3').includes(BOOT_IMAGES_422)).toBe(isOpen);
  });

  it.each([
    [['pv-1'], ['AdminAckCannotTell warn: ack-4.13-kube-127-vsphere-migration-in-4.14']],
    [[], []],
  ])('case 15: vSphere volumes %j', (vsphereVolumes, found) => {
    const facts = { infrastructure: on('VSphere'), vsphereVolumes };
    expect(gatesOf(facts, '4.13.8', '4.14.3')).toEqual([found]);
  });

  it('case 15: says why no document decides, with the volumes, and strict does not ask for one', () => {
    const facts = aCluster({ infrastructure: on('VSphere'), vsphereVolumes: ['pv-1'] }, '4.13.8');
    const { conditions } = evaluateHop(facts, ['4.13.8', '4.14.3'], { strict: true });
    const found = conditions.find(({ reason }) => reason === 'AdminAckCannotTell');
    expect(found?.effect).toBe('warn');
    expect(found?.message).toBe(
      'Not known whether 4.13 requires administrator acknowledgment of ack-4.13-kube-127-vsphere-migration-in-4.14; no document has the build of the vCenter, which decides for the in-tree volumes pv-1',
    );
  });

  it('case 16: hosted clusters have no gates of machine configuration', () => {
    const infrastructure = on('Azure', { controlPlaneTopology: 'External' });
    const facts = {
      infrastructure,
      digestMirrorSets: [MIRROR],
      machineConfiguration: UNCONFIGURED,
      nodes: [aNode('a', { architecture: 'arm64' })],
    };
    expect(gatesOf(facts, '4.17.9', '4.18.10', '4.19.4', '4.20.12', '4.21.9', '4.22.3')).toEqual([
      [],
      ['AdminAckRequired inform: ack-4.18-kube-1.32-api-removals-in-4.19'],
      ['AdminAckRequired inform: ack-4.19-admissionregistration-v1beta1-api-removals-in-4.20'],
      [],
      [],
    ]);
  });
});
