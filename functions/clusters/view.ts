import {
  type ApiUseFacts,
  type ClusterFacts,
  type ClusterOperatorFacts,
  type ClusterVersionFacts,
  REPORTED_KINDS,
  type ReportedKind,
} from '@cairn/shared/cluster/facts';
import { type ClusterRecord, summarizeCluster } from '@cairn/shared/cluster/record';
import { truncate } from '@cairn/shared/text/quote';
import { sha256Hex } from '../runtime/hash.ts';

/** Kubernetes has no longer names. */
const LONGEST_NAME = 253;
const MOST_USERS = 100;
const MOST_KUBELETS = 100;

/** Keeps the response small, independent of the size of the documents. */
export function clusterView(id: string, record: ClusterRecord, options: { readonly usernames: boolean }) {
  const { facts, collected, pausedSince } = record;
  const since = new Map(pausedSince.map((pause) => [pause.pool, pause.since]));
  return {
    id,
    ...summarizeCluster(record),
    collected,
    platform: nameOrNull(facts.infrastructure?.platform),
    controlPlaneTopology: nameOrNull(facts.infrastructure?.controlPlaneTopology),
    networkType: nameOrNull(facts.networkType),
    kubelets: kubeletsOf(facts),
    pools:
      facts.pools?.toSorted(byName).map(({ name, paused, machines }) => ({
        name: truncate(name, LONGEST_NAME),
        paused,
        pausedSince: since.get(name) ?? null,
        machines,
      })) ?? null,
    clusterOperators: facts.clusterOperators && operatorHealth(facts.clusterOperators),
    operators: facts.operators?.length ?? null,
    subscriptions: facts.subscriptions?.length ?? null,
    extensions: facts.extensions?.length ?? null,
    apisGoingAway: facts.apiUse?.map((use) => apiView(use, options.usernames)) ?? null,
    pods: facts.podsPerNode?.reduce((sum, { pods }) => sum + pods, 0) ?? null,
  };
}

/** Facts are in the order of the documents. */
function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function kubeletsOf({ nodes }: ClusterFacts) {
  const counts = new Map<string, number>();
  for (const { kubeletVersion } of nodes ?? []) {
    counts.set(kubeletVersion, (counts.get(kubeletVersion) ?? 0) + 1);
  }
  return Array.from(counts, ([version, count]) => ({
    version: truncate(version, LONGEST_NAME),
    nodes: count,
  }))
    .toSorted((a, b) => b.nodes - a.nodes || (a.version < b.version ? -1 : 1))
    .slice(0, MOST_KUBELETS);
}

function operatorHealth(operators: readonly ClusterOperatorFacts[]) {
  const namesOf = (type: string, isWorth: (status: string) => boolean) =>
    operators
      .toSorted(byName)
      .filter(({ conditions }) => conditions.some((one) => one.type === type && isWorth(one.status)))
      .map(({ name }) => truncate(name, LONGEST_NAME));
  return {
    total: operators.length,
    unavailable: namesOf('Available', (status) => status !== 'True'),
    degraded: namesOf('Degraded', (status) => status === 'True'),
    notUpgradeable: namesOf('Upgradeable', (status) => status === 'False'),
  };
}

function apiView({ name, removedInRelease, requests, users }: ApiUseFacts, usernames: boolean) {
  return {
    name: truncate(name, LONGEST_NAME),
    removedInRelease,
    requests,
    ...(usernames && {
      users: users.slice(0, MOST_USERS).map((user) => ({
        username: truncate(user.username, LONGEST_NAME),
        userAgent: truncate(user.userAgent, LONGEST_NAME),
        requests: user.requests,
      })),
    }),
  };
}

function nameOrNull(text: string | null | undefined): string | null {
  return text ? truncate(text, LONGEST_NAME) : null;
}

const CHARACTERS = 32;

/** Digests show whether the facts of a kind changed. */
export function factDigests(facts: ClusterFacts): Partial<Record<ReportedKind, string>> {
  const { clusterVersion } = facts;
  const compared = { ...facts, clusterVersion: clusterVersion && comparable(clusterVersion) };
  const known = REPORTED_KINDS.filter((kind) => facts[kind] !== null);
  return Object.fromEntries(known.map((kind) => [kind, digestOf(withScope(compared[kind], kind, facts))]));
}

/** A list of some objects differs from one of all. */
function withScope(value: unknown, kind: ReportedKind, { completeLists }: ClusterFacts): unknown {
  return (completeLists as readonly ReportedKind[]).includes(kind) ? { all: value } : value;
}

/** The stored history is longer than the cluster's own, and only its newest entry changes. Stored fields have any order. */
function comparable({ history: [entry], ...version }: ClusterVersionFacts): unknown {
  const newest = entry && [entry.state, entry.version, entry.image, entry.startedTime, entry.completionTime];
  return [newest, ...Object.entries(version).toSorted(([a], [b]) => (a < b ? -1 : 1))];
}

function digestOf(value: unknown): string {
  return sha256Hex(JSON.stringify(value)).slice(0, CHARACTERS);
}
