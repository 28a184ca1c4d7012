import { createHash } from 'node:crypto';
import { type ClusterFacts, REPORTED_KINDS, type ReportedKind } from '@cairn/shared/cluster/facts';

const CHARACTERS = 32;

/**
 * What tells whether the facts of a kind are the same, of all kinds that are known. Not of the ClusterVersion: the history
 * that is kept is longer than the one that a cluster has.
 */
export function factDigests(facts: ClusterFacts): Partial<Record<ReportedKind, string>> {
  const known = REPORTED_KINDS.filter((kind) => kind !== 'clusterVersion' && facts[kind] !== null);
  return Object.fromEntries(known.map((kind) => [kind, digestOf(facts[kind])]));
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, CHARACTERS);
}
