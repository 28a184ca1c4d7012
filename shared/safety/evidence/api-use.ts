import type { ApiUseFacts, ApiUser, ClusterFacts } from '../../cluster/facts.ts';
import { minorOf, type Minor } from '../../version/minor.ts';
import { isExtendedSupport, kubernetesMinorOf, ordinalOf } from '../../version/release-line.ts';
import type { ReleaseVersion } from '../../version/release-version.ts';
import type { HopContext } from '../hop.ts';
import { removedApi, type Replacement, replacementOf } from '../tables/api-removals.ts';
import { apiServerMinors } from './kubelets.ts';

/** Release components, installed operators, other service accounts, and users. */
export type ClientClass = 'platform' | 'operator' | 'workload' | 'human';

/** These controllers list every resource, used or not. Source: the OpenShift update docs. */
const IGNORED_USERS: ReadonlySet<string> = new Set([
  'system:kube-controller-manager',
  'system:cluster-policy-controller',
  'system:serviceaccount:kube-system:generic-garbage-collector',
  'system:serviceaccount:kube-system:namespace-controller',
]);

/** System names that people use too: the installer kubeconfig, and unauthenticated users. */
const NAMES_OF_PEOPLE: ReadonlySet<string> = new Set(['system:admin', 'system:anonymous']);

/** Its operator has a CSV like an installed one, but is part of the release. */
const NAMESPACE_OF_OPERATOR_LIFECYCLE_MANAGER = 'openshift-operator-lifecycle-manager';

export interface Clients {
  /** In the last 24 hours. */
  readonly requests: number;
  /** Most requests first. */
  readonly users: readonly (ApiUser & { readonly class: ClientClass })[];
  /** Requests of unnamed users: the cluster reports only the busiest ones. */
  readonly unattributed: number;
}

/** `{requests: 5}` with 3 by the garbage collector → 2 requests, no users, 2 unattributed. */
function clientsOf(use: ApiUseFacts, operatorNamespaces: ReadonlySet<string>): Clients {
  const counted = use.users.filter(({ username }) => !IGNORED_USERS.has(username));
  const named = sumOf(use.users);
  // Counters are flushed separately, so the users can add up to more than the total.
  const requests = Math.max(use.requests, named) - (named - sumOf(counted));
  return {
    requests,
    users: counted
      .map((user) => ({ ...user, class: classOf(user, operatorNamespaces) }))
      .toSorted((a, b) => b.requests - a.requests || (a.username < b.username ? -1 : 1)),
    unattributed: Math.max(0, use.requests - named),
  };
}

/** All clients are release components, which the update replaces. */
function isPlatformOnly({ users, unattributed }: Clients): boolean {
  return unattributed === 0 && users.length > 0 && users.every((user) => user.class === 'platform');
}

/** Namespaces of operators that are not part of the release. */
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
    // Drivers run in kube-system as well, so there only the Kubernetes controllers count as platform.
    const isController = namespace === 'kube-system' && userAgent.startsWith('kube-controller-manager/');
    return namespace.startsWith('openshift-') || isController ? 'platform' : 'workload';
  }
  return username.startsWith('system:') && !NAMES_OF_PEOPLE.has(username) ? 'platform' : 'human';
}

function sumOf(users: readonly ApiUser[]): number {
  return users.reduce((sum, { requests }) => sum + requests, 0);
}

/** Removed or soon removed API with recent requests. */
export interface RemovedApiUse {
  readonly name: string;
  /** 22 for Kubernetes 1.22. */
  readonly removedIn: number;
  /** First OpenShift minor based on it. */
  readonly openShift: Minor;
  /** As the cluster is now. */
  readonly replacement: Replacement | null;
  readonly clients: Clients;
  /** Reason why the use does not block; null if it blocks. */
  readonly leniency: 'platform-only' | 'planned' | 'custom-resource' | null;
  /** Removed before this hop, by this hop, by a later hop, or after the last hop. */
  readonly when: 'before' | 'hop' | 'later-hop' | 'beyond';
  readonly isByNextExtendedSupport: boolean;
}

/** By removal, then by name. */
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

/**
 * Names of APIs in use that a release after the current one removes, up to the target, or to the next EUS minor if there
 * is none. Needs no path.
 */
export function removedAhead(
  facts: ClusterFacts,
  current: ReleaseVersion,
  target: Parameters<typeof kubernetesMinorOf>[0] | null,
): string[] {
  const namespaces = operatorNamespaces(facts);
  const served = kubernetesMinorOf(current).minor;
  const end = target ? kubernetesMinorOf(target).minor : nextExtendedSupport(current);
  return (facts.apiUse ?? [])
    .filter((use) => {
      const removedIn = removalOf(use);
      return removedIn !== null && removedIn > served && removedIn <= end;
    })
    .filter((use) => clientsOf(use, namespaces).requests > 0)
    .map(({ name }) => name);
}

/** The cluster's value wins over the table: OpenShift can remove an API in another release than Kubernetes. */
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
    replacement: replacementOf(use.name, apiServerMinors(context.facts, hops[0] ?? hop).oldest),
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

/** Only APIs of the API server itself can block: `apps`, `batch`, and the `k8s.io` groups. */
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

/** Kubernetes minor of the next EUS release, the end of a Control Plane Only update; after 4.22 that is 5.2. */
function nextExtendedSupport(current: { readonly major: number; readonly minor: number }): number {
  for (let ordinal = ordinalOf(current) + 1; ; ordinal++) {
    const candidate = releaseAt(ordinal);
    if (isExtendedSupport(candidate)) return kubernetesMinorOf(candidate).minor;
  }
}

const FIRST_OF_FIVE = 23;

/** By release name: 22 → 4.22, 23 → 5.0. */
function releaseAt(ordinal: number): { readonly major: number; readonly minor: number } {
  return ordinal < FIRST_OF_FIVE
    ? { major: 4, minor: ordinal }
    : { major: 5, minor: ordinal - FIRST_OF_FIVE };
}

/** First OpenShift minor with a Kubernetes minor: 22 → 4.9, 15 → 4.3, 37 → 5.1. */
export function openShiftOf(kubernetes: number): Minor {
  let ordinal = Math.max(1, kubernetes - 13);
  while (kubernetesMinorOf(releaseAt(ordinal)).minor < kubernetes) ordinal++;
  return minorOf(releaseAt(ordinal));
}

/** `flowcontrol.apiserver.k8s.io/v1beta2, which OpenShift 4.10 introduces and 4.16 removes`; null if nothing replaces the API. */
export function replacementInWords(replacement: Replacement | null): string | null {
  if (replacement === null) return null;
  const { name, since, isOff, removedIn } = replacement;
  const releases = [
    ...(since === null ? [] : [`${openShiftOf(since)} introduces`]),
    ...(removedIn === null ? [] : [`${openShiftOf(removedIn)} removes`]),
  ];
  const notes = [
    ...(isOff ? ['which an administrator has to enable'] : []),
    ...(releases.length > 0 ? [`which OpenShift ${releases.join(' and ')}`] : []),
  ];
  return [name, ...notes].join(', ');
}

/** Fields of the object of a condition. */
export function replacementDetail(replacement: Replacement | null): Readonly<Record<string, unknown>> {
  if (replacement === null) return { replacement: null };
  const { name, since, isOff, removedIn } = replacement;
  return {
    replacement: name,
    ...(since !== null && { replacementSince: `1.${since}` }),
    ...(isOff && { replacementIsOff: true }),
    ...(removedIn !== null && { replacementRemovedIn: `1.${removedIn}` }),
  };
}
