import type { ApiUseFacts, ApiUser, ClusterFacts } from '../../cluster/facts.ts';
import { minorOf, type Minor } from '../../version/minor.ts';
import { isExtendedSupport, kubernetesMinorOf, ordinalOf } from '../../version/release-line.ts';
import type { HopContext } from '../hop.ts';
import { removedApi } from '../tables/api-removals.ts';
import { apiServerMinors } from './kubelets.ts';

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
function clientsOf(use: ApiUseFacts, operatorNamespaces: ReadonlySet<string>): Clients {
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
function isPlatformOnly({ users, unattributed }: Clients): boolean {
  return unattributed === 0 && users.length > 0 && users.every((user) => user.class === 'platform');
}

/** Where operators are installed that do not come with the release. */
function operatorNamespaces({ operators }: ClusterFacts): ReadonlySet<string> {
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

/** An API that goes away, or is gone, and that is still asked for. */
export interface RemovedApiUse {
  readonly name: string;
  /** 22 for Kubernetes 1.22. */
  readonly removedIn: number;
  /** The OpenShift minor that is built on it. */
  readonly openShift: Minor;
  readonly replacement: string | null;
  readonly clients: Clients;
  /** Why it does not hold an update back; null when it does. */
  readonly leniency: 'platform-only' | 'planned' | 'custom-resource' | null;
  /** When it is gone: before the hop at hand, with it, with a later one, or after the last. */
  readonly when: 'before' | 'hop' | 'later-hop' | 'beyond';
  readonly isByNextExtendedSupport: boolean;
}

/** All that are in use, the first to go first, then by name. */
export function removedApisInUse(
  apiUse: readonly ApiUseFacts[],
  context: HopContext,
): readonly RemovedApiUse[] {
  const namespaces = operatorNamespaces(context.facts);
  return apiUse
    .flatMap((use) => {
      const removedIn = removalOf(use);
      if (removedIn === null) return [];
      const clients = clientsOf(use, namespaces);
      return clients.requests > 0 ? [judge(use, removedIn, clients, context)] : [];
    })
    .toSorted((a, b) => a.removedIn - b.removedIn || (a.name < b.name ? -1 : 1));
}

/** What the cluster says counts for more than the table: OpenShift does not always remove when Kubernetes does. */
function removalOf({ name, removedInRelease }: ApiUseFacts): number | null {
  if (removedInRelease === null) return removedApi(name)?.removedIn ?? null;
  const [major = 0, minor = 0] = removedInRelease.split('.').map(Number);
  return major === 1 ? minor : null;
}

function judge(use: ApiUseFacts, removedIn: number, clients: Clients, context: HopContext): RemovedApiUse {
  const { hop, hops } = context;
  return {
    name: use.name,
    removedIn,
    openShift: openShiftOf(removedIn),
    replacement: removedApi(use.name)?.replacement ?? null,
    clients,
    leniency: leniencyOf(use, clients),
    when: whenOf(removedIn, context),
    isByNextExtendedSupport: removedIn <= nextExtendedSupport((hops[0] ?? hop).from),
  };
}

function leniencyOf(use: ApiUseFacts, clients: Clients): RemovedApiUse['leniency'] {
  if (isCustomResource(use.name)) return 'custom-resource';
  if (use.removedInRelease === null && removedApi(use.name)?.planned) return 'planned';
  return isPlatformOnly(clients) ? 'platform-only' : null;
}

/** Only what the API server itself serves may hold it back: `apps` and `batch`, and groups of Kubernetes. */
function isCustomResource(name: string): boolean {
  const group = name.split('.').slice(2).join('.');
  return group.includes('.') && !group.endsWith('.k8s.io');
}

function whenOf(removedIn: number, { facts, hop, hops }: HopContext): RemovedApiUse['when'] {
  if (removedIn <= apiServerMinors(facts, hop).newest) return 'before';
  const first = hops.find(({ kubeTo }) => kubeTo >= removedIn);
  if (first === undefined) return 'beyond';
  return first.index === hop.index ? 'hop' : 'later-hop';
}

/** The Kubernetes minor of the next release with extended support that workers may be held back for: of 4.22 it is 5.2. */
function nextExtendedSupport(current: { readonly major: number; readonly minor: number }): number {
  for (let ordinal = ordinalOf(current) + 1; ; ordinal++) {
    const candidate = releaseAt(ordinal);
    if (isExtendedSupport(candidate)) return kubernetesMinorOf(candidate).minor;
  }
}

const FIRST_OF_FIVE = 23;

/** By the name it is released under: 22 → 4.22, 23 → 5.0. */
function releaseAt(ordinal: number): { readonly major: number; readonly minor: number } {
  return ordinal < FIRST_OF_FIVE
    ? { major: 4, minor: ordinal }
    : { major: 5, minor: ordinal - FIRST_OF_FIVE };
}

/** The first OpenShift minor that has a Kubernetes minor: 22 → 4.9, 15 → 4.3, 37 → 5.1. */
export function openShiftOf(kubernetes: number): Minor {
  let ordinal = Math.max(1, kubernetes - 13);
  while (kubernetesMinorOf(releaseAt(ordinal)).minor < kubernetes) ordinal++;
  return minorOf(releaseAt(ordinal));
}
