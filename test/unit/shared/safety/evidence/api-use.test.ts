import type { ApiUser } from '@cairn/shared/cluster/facts';
import { describe, expect, it } from 'vitest';
import { GARBAGE_COLLECTOR, verify, user, using } from '../../../../helpers/cluster/api-use.ts';
import { anOperator } from '../../../../helpers/cluster/clusters.ts';

describe('the use of a removed API', () => {
  const operators = [
    anOperator('storage', { namespace: 'openshift-storage' }),
    anOperator('packageserver', { namespace: 'openshift-operator-lifecycle-manager' }),
    anOperator('certs', { namespace: 'certs' }),
  ];

  it.each<[string, string, string, 'warn' | 'block']>([
    ['system:serviceaccount:openshift-ingress:router', '', 'platform', 'warn'],
    ['system:serviceaccount:openshift-operator-lifecycle-manager:olm', '', 'platform', 'warn'],
    ['system:node:worker-0', '', 'platform', 'warn'],
    ['system:apiserver', '', 'platform', 'warn'],
    ['system:serviceaccount:kube-system:job-controller', 'kube-controller-manager/v1.21', 'platform', 'warn'],
    ['system:serviceaccount:kube-system:driver', 'driver/v2', 'workload', 'block'],
    ['system:serviceaccount:openshift-storage:ceph', '', 'operator', 'block'],
    ['system:serviceaccount:certs:controller', '', 'operator', 'block'],
    ['system:serviceaccount:shop:frontend', '', 'workload', 'block'],
    ['system:admin', '', 'human', 'block'],
    ['alice', '', 'human', 'block'],
  ])('%s %s: %s, %s', (username, userAgent, clientClass, effect) => {
    const use = using('ingresses.v1beta1.extensions', '1.22', 5, [user(username, 5, userAgent)]);
    const [condition] = verify([use], ['4.8.1', '4.9.1'], { facts: { operators } });
    expect(condition!.effect).toBe(effect);
    expect(condition!.objects).toMatchObject([{ detail: { users: [{ username, class: clientClass }] } }]);
  });

  it('blocks when others are among the users of the platform', () => {
    const platform = user('system:node:worker-0', 3);
    const mixed = using('ingresses.v1beta1.extensions', '1.22', 5, [platform, user('alice', 2)]);
    const unnamed = using('ingresses.v1beta1.extensions', '1.22', 5, [platform]);
    const only = using('ingressclasses.v1beta1.networking.k8s.io', '1.22', 3, [platform]);
    expect(verify([mixed], ['4.8.1', '4.9.1'])[0]!.effect).toBe('block');
    expect(verify([unnamed], ['4.8.1', '4.9.1'])[0]!.effect).toBe('block');
    expect(
      verify([only, mixed], ['4.8.1', '4.9.1']).map(({ effect, objects }) => [effect, objects!.length]),
    ).toEqual([
      ['block', 1],
      ['warn', 1],
    ]);
  });

  it('counts requests that the cluster does not attribute', () => {
    const use = using('ingresses.v1beta1.extensions', '1.22', 5, [user(GARBAGE_COLLECTOR, 3)]);
    const [condition] = verify([use], ['4.8.1', '4.9.1']);
    expect(condition).toMatchObject({
      status: 'False',
      effect: 'block',
      objects: [{ detail: { requests: 2, unattributed: 2, users: [] } }],
    });
    expect(condition!.message).toContain('2 requests in 24 h by clients that the cluster does not name');
  });

  it.each<[number, readonly ApiUser[], string]>([
    [5, [user('alice', 1)], '5 requests in 24 h by 1 client and others;'],
    [5, [user('alice', 4), user('bob', 1)], '5 requests in 24 h by 2 clients;'],
    [1, [user('alice', 3), user(GARBAGE_COLLECTOR, 2)], '3 requests in 24 h by 1 client;'],
    [1, [user('alice', 1)], '1 request in 24 h by 1 client;'],
  ])('of %i requests with %j says %s', (requests, users, words) => {
    const [condition] = verify(
      [using('ingresses.v1beta1.extensions', '1.22', requests, users)],
      ['4.8.1', '4.9.1'],
    );
    expect(condition!.message).toContain(words);
  });

  it.each([
    'system:kube-controller-manager',
    'system:cluster-policy-controller',
    GARBAGE_COLLECTOR,
    'system:serviceaccount:kube-system:namespace-controller',
  ])('is not %s, which walks through all resources', (username) => {
    const use = using('ingresses.v1beta1.extensions', '1.22', 5, [user(username, 5)]);
    expect(verify([use], ['4.8.1', '4.9.1'])[0]!.status).toBe('True');
  });

  it('is reported per API, with its replacement', () => {
    const users = [user('alice', 12), user('system:serviceaccount:shop:frontend', 400)];
    const use = using('flowschemas.v1beta3.flowcontrol.apiserver.k8s.io', '1.32', 412, users);
    const [condition] = verify([use], ['4.18.1', '4.19.1']);
    expect(condition!.message).toBe(
      'flowschemas.v1beta3.flowcontrol.apiserver.k8s.io is removed in Kubernetes 1.32 (OpenShift 4.19), ' +
        '412 requests in 24 h by 2 clients; use flowcontrol.apiserver.k8s.io/v1',
    );
    expect(condition!.objects).toEqual([
      {
        kind: 'APIRequestCount',
        name: 'flowschemas.v1beta3.flowcontrol.apiserver.k8s.io',
        detail: {
          removedIn: '1.32',
          openShift: '4.19',
          replacement: 'flowcontrol.apiserver.k8s.io/v1',
          requests: 412,
          unattributed: 0,
          users: [
            { ...users[1], class: 'workload' },
            { ...users[0], class: 'human' },
          ],
        },
      },
    ]);
    expect(condition!.remediation).toEqual([
      'Move clients of flowschemas.v1beta3.flowcontrol.apiserver.k8s.io to flowcontrol.apiserver.k8s.io/v1',
      'oc get apirequestcounts flowschemas.v1beta3.flowcontrol.apiserver.k8s.io -o yaml',
    ]);
  });

  it('shows ten APIs at most', () => {
    const many = Array.from({ length: 12 }, (_, n) => using(`r${n}.v1beta1.apps`, '1.22', 1));
    const [condition] = verify(many, ['4.8.1', '4.9.1']);
    const lines = condition!.message.split('\n');
    expect([lines.length, lines.at(-1), condition!.objects!.length]).toEqual([11, 'and 2 more', 12]);
  });
});
