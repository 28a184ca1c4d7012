import { openShiftOf } from '@cairn/shared/safety/evidence/api-use';
import { API_REMOVALS, isRemovedApi, removedApi } from '@cairn/shared/safety/tables/api-removals';
import { describe, expect, it } from 'vitest';

describe('the table of removed APIs', () => {
  it.each([
    ['deployments.v1beta1.apps', 16, 'apps/v1'],
    ['podsecuritypolicies.v1beta1.extensions', 16, 'policy/v1beta1'],
    ['flowschemas.v1alpha1.flowcontrol.apiserver.k8s.io', 21, 'flowcontrol.apiserver.k8s.io/v1beta1'],
    ['ingresses.v1beta1.extensions', 22, 'networking.k8s.io/v1'],
    ['ingresses.v1beta1.networking.k8s.io', 22, 'networking.k8s.io/v1'],
    [
      'mutatingwebhookconfigurations.v1beta1.admissionregistration.k8s.io',
      22,
      'admissionregistration.k8s.io/v1',
    ],
    ['csistoragecapacities.v1alpha1.storage.k8s.io', 24, 'storage.k8s.io/v1'],
    ['cronjobs.v1beta1.batch', 25, 'batch/v1'],
    ['poddisruptionbudgets.v1beta1.policy', 25, 'policy/v1'],
    ['horizontalpodautoscalers.v2beta2.autoscaling', 26, 'autoscaling/v2'],
    ['csistoragecapacities.v1beta1.storage.k8s.io', 27, 'storage.k8s.io/v1'],
    [
      'prioritylevelconfigurations.v1beta2.flowcontrol.apiserver.k8s.io',
      29,
      'flowcontrol.apiserver.k8s.io/v1',
    ],
    ['clustercidrs.v1alpha1.networking.k8s.io', 31, null],
    ['flowschemas.v1beta3.flowcontrol.apiserver.k8s.io', 32, 'flowcontrol.apiserver.k8s.io/v1'],
    [
      'validatingadmissionpolicies.v1beta1.admissionregistration.k8s.io',
      33,
      'admissionregistration.k8s.io/v1',
    ],
    ['ipaddresses.v1alpha1.networking.k8s.io', 33, 'networking.k8s.io/v1'],
    ['volumeattributesclasses.v1alpha1.storage.k8s.io', 35, 'storage.k8s.io/v1'],
    ['storageversionmigrations.v1alpha1.storagemigration.k8s.io', 36, 'storagemigration.k8s.io/v1beta1'],
  ])('%s is gone in 1.%i, use %s', (name, removedIn, replacement) => {
    expect(removedApi(name)).toMatchObject({ name, removedIn, replacement, planned: false });
  });

  it.each([
    ['servicecidrs.v1beta1.networking.k8s.io', 37],
    ['deviceclasses.v1beta1.resource.k8s.io', 38],
    ['resourceclaimtemplates.v1beta2.resource.k8s.io', 39],
    ['mutatingadmissionpolicies.v1beta1.admissionregistration.k8s.io', 40],
    ['podcertificaterequests.v1beta1.certificates.k8s.io', 41],
    ['devicetaintrules.v1beta2.resource.k8s.io', 42],
  ])('%s is planned to be gone in 1.%i', (name, removedIn) => {
    expect(removedApi(name)).toMatchObject({ removedIn, planned: true });
  });

  it.each(['pods.v1', 'ingresses.v1.networking.k8s.io', '', '__proto__', 'constructor'])(
    'does not know %j',
    (name) => {
      expect([isRemovedApi(name), removedApi(name)]).toEqual([false, null]);
    },
  );

  it('names each API once, in plural, as the cluster does', () => {
    const names = API_REMOVALS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+s\.v\d+(alpha|beta)\d+\.[a-z0-9.]+[a-z]$/.test(name))).toEqual([]);
  });

  it('removes nothing that is served by default in 1.17 to 1.20, 1.23, 1.28 and 1.30', () => {
    const served = API_REMOVALS.filter(({ version }) => !version.includes('alpha'));
    const minors = [...new Set(served.map(({ removedIn }) => removedIn))];
    expect(minors).toEqual([16, 22, 25, 26, 27, 29, 32, 33, 35, 37, 38, 39, 40, 41, 42]);
  });
});

it.each([
  [13, '4.1'],
  [14, '4.2'],
  [15, '4.3'],
  [16, '4.3'],
  [22, '4.9'],
  [35, '4.22'],
  [36, '5.0'],
  [38, '5.2'],
])('Kubernetes 1.%i comes with OpenShift %s', (kubernetes, openShift) => {
  expect(openShiftOf(kubernetes)).toBe(openShift);
});
