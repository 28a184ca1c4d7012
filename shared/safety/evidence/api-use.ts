import type { ApiUseFacts, ApiUser, ClusterFacts } from '../../cluster/facts.ts';

/** Parts of the release, an operator that was installed, something that runs in the cluster, or a person. */
export type ClientClass = 'platform' | 'operator' | 'workload' | 'human';

/** They walk through all resources that there are, whether anybody uses them or not. Source: the OpenShift update docs. */
const IGNORED_USERS: ReadonlySet<string> = new Set([
  'system:kube-controller-manager',
  'system:cluster-policy-controller',
  'system:serviceaccount:kube-system:generic-garbage-collector',
  'system:serviceaccount:kube-system:namespace-controller',
]);

/** Names of the system that people use too: the kubeconfig of the installer, and who did not log in. */
const NAMES_OF_PEOPLE: ReadonlySet<string> = new Set(['system:admin', 'system:anonymous']);

/** Its operator is installed as others are, but comes with the release. */
const NAMESPACE_OF_OPERATOR_LIFECYCLE_MANAGER = 'openshift-operator-lifecycle-manager';

export interface ApiClient extends ApiUser {
  readonly class: ClientClass;
}

/** Who uses an API, without those who only pass by. */
export interface Clients {
  /** Of the last 24 hours. */
  readonly requests: number;
  /** The most requests first. */
  readonly users: readonly ApiClient[];
  /** Requests of users that the cluster does not name, because it reports only the busiest. */
  readonly unattributed: number;
}

/** `{requests: 5}` of which the garbage collector made 3 → 2 requests, nobody named, 2 unattributed. */
export function clientsOf(use: ApiUseFacts, operatorNamespaces: ReadonlySet<string>): Clients {
  const counted = use.users.filter(({ username }) => !IGNORED_USERS.has(username));
  const named = sumOf(use.users);
  // Counters are flushed apart from each other, so that users may have more requests than the API.
  const requests = Math.max(use.requests, named) - (named - sumOf(counted));
  return {
    requests,
    users: counted
      .map((user) => ({ ...user, class: classOf(user, operatorNamespaces) }))
      .toSorted((a, b) => b.requests - a.requests || (a.username < b.username ? -1 : 1)),
    unattributed: Math.max(0, use.requests - named),
  };
}

/** Whether all requests are of parts of the release, which the next release brings anew. */
export function isPlatformOnly({ users, unattributed }: Clients): boolean {
  return unattributed === 0 && users.length > 0 && users.every((user) => user.class === 'platform');
}

/** Where operators are installed that do not come with the release. */
export function operatorNamespaces({ operators }: ClusterFacts): ReadonlySet<string> {
  const namespaces = new Set((operators ?? []).map(({ namespace }) => namespace));
  namespaces.delete(NAMESPACE_OF_OPERATOR_LIFECYCLE_MANAGER);
  return namespaces;
}

const SERVICE_ACCOUNT = 'system:serviceaccount:';

function classOf({ username, userAgent }: ApiUser, operatorNamespaces: ReadonlySet<string>): ClientClass {
  if (username.startsWith(SERVICE_ACCOUNT)) {
    const [namespace = ''] = username.slice(SERVICE_ACCOUNT.length).split(':');
    if (operatorNamespaces.has(namespace)) return 'operator';
    // Drivers are installed in kube-system as well, so there only the controllers of Kubernetes count.
    const isController = namespace === 'kube-system' && userAgent.startsWith('kube-controller-manager/');
    return namespace.startsWith('openshift-') || isController ? 'platform' : 'workload';
  }
  return username.startsWith('system:') && !NAMES_OF_PEOPLE.has(username) ? 'platform' : 'human';
}

function sumOf(users: readonly ApiUser[]): number {
  return users.reduce((sum, { requests }) => sum + requests, 0);
}
