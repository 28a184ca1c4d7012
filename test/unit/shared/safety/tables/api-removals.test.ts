import { openShiftOf } from '@cairn/shared/safety/evidence/api-use';
import {
  API_REMOVALS,
  isRemovedApi,
  removedApi,
  replacementOf,
} from '@cairn/shared/safety/tables/api-removals';
import { describe, expect, it } from 'vitest';

const FLOW = 'flowcontrol.apiserver.k8s.io';

describe('the table of removed APIs', () => {
  it.each([
    ['deployments.v1beta1.apps', 16],
    ['ingresses.v1beta1.extensions', 22],
    ['mutatingwebhookconfigurations.v1beta1.admissionregistration.k8s.io', 22],
    ['csistoragecapacities.v1alpha1.storage.k8s.io', 24],
    ['horizontalpodautoscalers.v2beta2.autoscaling', 26],
    ['prioritylevelconfigurations.v1beta2.flowcontrol.apiserver.k8s.io', 29],
    ['flowschemas.v1beta3.flowcontrol.apiserver.k8s.io', 32],
    ['validatingadmissionpolicies.v1beta1.admissionregistration.k8s.io', 33],
    ['storageversionmigrations.v1alpha1.storagemigration.k8s.io', 36],
  ])('Kubernetes removes %s in 1.%i', (name, removedIn) => {
    expect(removedApi(name)).toMatchObject({ name, removedIn, planned: false });
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

describe('replacements', () => {
  it.each([
    ['deployments.v1beta1.apps', 14, 'apps/v1', {}],
    ['podsecuritypolicies.v1beta1.extensions', 14, 'policy/v1beta1', { removedIn: 25 }],
    ['ingresses.v1beta1.extensions', 18, 'networking.k8s.io/v1beta1', { removedIn: 22 }],
    ['ingresses.v1beta1.extensions', 19, 'networking.k8s.io/v1', {}],
    ['csidrivers.v1beta1.storage.k8s.io', 18, 'storage.k8s.io/v1', { since: 19 }],
    ['csinodes.v1beta1.storage.k8s.io', 18, 'storage.k8s.io/v1', {}],
    ['csistoragecapacities.v1alpha1.storage.k8s.io', 23, 'storage.k8s.io/v1beta1', { removedIn: 27 }],
    ['horizontalpodautoscalers.v2beta1.autoscaling', 22, 'autoscaling/v2beta2', { removedIn: 26 }],
    ['horizontalpodautoscalers.v2beta1.autoscaling', 24, 'autoscaling/v2', {}],
    ['evictions.v1beta1.policy', 21, 'policy/v1', { since: 22 }],
    ['poddisruptionbudgets.v1beta1.policy', 21, 'policy/v1', {}],
    ['podsecuritypolicies.v1beta1.policy', 24, 'security context constraints or Pod Security Admission', {}],
    ['flowschemas.v1beta1.flowcontrol.apiserver.k8s.io', 22, `${FLOW}/v1beta2`, { since: 23, removedIn: 29 }],
    ['flowschemas.v1beta1.flowcontrol.apiserver.k8s.io', 25, `${FLOW}/v1beta2`, { removedIn: 29 }],
    ['flowschemas.v1beta2.flowcontrol.apiserver.k8s.io', 25, `${FLOW}/v1beta3`, { since: 26, removedIn: 32 }],
    ['flowschemas.v1beta2.flowcontrol.apiserver.k8s.io', 27, `${FLOW}/v1beta3`, { removedIn: 32 }],
    ['flowschemas.v1beta3.flowcontrol.apiserver.k8s.io', 29, `${FLOW}/v1`, {}],
    // The release that brings v1 removes v1alpha1, which is too late.
    [
      'ipaddresses.v1alpha1.networking.k8s.io',
      30,
      'networking.k8s.io/v1beta1',
      { since: 31, isOff: true, removedIn: 37 },
    ],
    [
      'ipaddresses.v1alpha1.networking.k8s.io',
      32,
      'networking.k8s.io/v1beta1',
      { isOff: true, removedIn: 37 },
    ],
    [
      'storageversionmigrations.v1alpha1.storagemigration.k8s.io',
      35,
      'storagemigration.k8s.io/v1beta1',
      { isOff: true, removedIn: 41 },
    ],
  ])('of %s for a cluster of Kubernetes 1.%i is %s, with %j', (name, kubernetes, replacement, notes) => {
    expect(replacementOf(name, kubernetes)).toEqual({
      name: replacement,
      since: null,
      isOff: false,
      removedIn: null,
      ...notes,
    });
  });

  it.each(['clustercidrs.v1alpha1.networking.k8s.io', 'pods.v1'])('of %s is none', (name) => {
    expect(replacementOf(name, 30)).toBeNull();
  });

  it('is an API that the cluster serves by default, or one that it does not have yet', () => {
    const wrong = API_REMOVALS.flatMap(({ name, removedIn }) =>
      Array.from({ length: removedIn - 13 }, (_, index) => 13 + index).filter((kubernetes) => {
        const { since, removedIn: goesIn } = replacementOf(name, kubernetes) ?? {};
        return [since, goesIn].some((minor) => typeof minor === 'number' && minor <= kubernetes);
      }),
    );
    expect(wrong).toEqual([]);
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
