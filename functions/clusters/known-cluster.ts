import type { SentFields } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import { shown } from '@cairn/shared/text/quote';
import { readCluster, type StoredCluster } from './store.ts';
import type { Table } from '../store/table.ts';

const ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;
const ID_ACCEPTED = '1 to 100 letters, digits, dots, underscores and hyphens are accepted, but not . and ..';

/** The cluster that a path names; one that is not there is a problem. */
export async function storedCluster(table: Table, path: SentFields): Promise<StoredCluster> {
  const id = clusterId(path);
  const cluster = await readCluster(table, id);
  if (!cluster) throw unknownCluster(id);
  return cluster;
}

/** The identifier in a path, when it is one. */
export function clusterId({ id = '' }: SentFields): string {
  if (isClusterId(id)) return id;
  const value = shown(id);
  throw new Problem('invalid-parameter', `id=${JSON.stringify(value)}: ${ID_ACCEPTED}`, {
    errors: [{ parameter: 'id', value, detail: ID_ACCEPTED }],
  });
}

export function isClusterId(text: string): boolean {
  return ID.test(text);
}

/** `what` is being changed by others, again and again. */
export function contended(what: string): Problem {
  return new Problem('concurrent-change', `others keep changing ${what}, nothing was stored; send it again`, {
    headers: { 'retry-after': '1' },
  });
}

export function unknownCluster(id: string): Problem {
  return new Problem('unknown-cluster', `there is no cluster ${id}; GET /v1/clusters lists them`);
}
