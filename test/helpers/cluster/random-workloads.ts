import fc from 'fast-check';
import { labelled } from './workloads.ts';

/** Valid and hostile names. */
const name = fc.constantFrom('a', 'b', 'openshift-x', "x'; reboot #", '$(reboot)', '', 'a\nb', '-n é');
const text = fc.constantFrom('', 'why', '\u001b[31mred\nred', "'");
const node = fc.nat(20).map((number) => `node-${number}`);
const app = fc.constantFrom('web', 'cart');
const count = fc.nat(3);

/** Empty in most clusters, and missing in some. */
function few<T>(item: fc.Arbitrary<T>, keyOf: (value: T) => string): fc.Arbitrary<T[] | null> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant<T[]>([]) },
    { weight: 3, arbitrary: fc.uniqueArray(item, { selector: keyOf, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

const byName = (one: { readonly namespace: string; readonly name: string }): string =>
  `${one.namespace}/${one.name}`;

/** Optional documents about health. */
export const workloads = {
  budgets: few(
    fc.record({
      namespace: name,
      name,
      selector: fc.oneof(
        fc.constant(null),
        fc.constant({ matchLabels: {}, matchExpressions: [] }),
        app.map(labelled),
      ),
      evictsUnhealthy: fc.boolean(),
      disruptionsAllowed: count,
      currentHealthy: count,
      desiredHealthy: count,
      expectedPods: count,
    }),
    byName,
  ),
  drainedPods: few(
    fc.record({
      namespace: name,
      labels: app.map((each) => ({ app: each })),
      owner: fc.option(fc.record({ kind: fc.constant('ReplicaSet'), name })),
      pods: fc.uniqueArray(fc.record({ name, node, ready: fc.boolean() }), {
        selector: (pod) => pod.name,
        minLength: 1,
        maxLength: 3,
      }),
    }),
    ({ namespace, labels, owner }) => JSON.stringify([namespace, labels, owner]),
  ),
  singleReplicas: few(
    fc.record({ kind: fc.constantFrom('Deployment', 'StatefulSet'), namespace: name, name }),
    (one) => JSON.stringify(one),
  ),
  virtualMachines: few(fc.record({ namespace: name, name, node, message: text }), byName),
  healthChecks: few(
    fc.record({
      kind: fc.constantFrom('MachineHealthCheck', 'NodeHealthCheck'),
      namespace: name,
      name,
      isPaused: fc.boolean(),
    }),
    (one) => JSON.stringify([one.kind, one.namespace, one.name]),
  ),
  certificateRequests: few(
    fc.record({
      name,
      signer: fc.constantFrom('kubernetes.io/kubelet-serving', 'example.com/own'),
      username: name,
    }),
    (one) => one.name,
  ),
  alerts: few(
    fc.record({
      name: fc.constantFrom('Watchdog', 'etcdMembersDown', 'KubeNodeNotReady', 'Other', '$(reboot)'),
      severity: fc.constantFrom('critical', 'warning', 'info', ''),
      namespace: name,
      budget: name,
      isPrecheck: fc.boolean(),
      summary: text,
      description: text,
      runbook: fc.constantFrom('', 'https://example.com/runbook', 'javascript:alert(1)'),
      since: fc.constantFrom(null, '2026-05-31T12:00:00Z'),
    }),
    (one) => JSON.stringify(one),
  ),
};
