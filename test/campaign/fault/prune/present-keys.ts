import type { ProxiedCall } from '../../../helpers/s3/bucket-proxy.ts';

/** Keeps the keys that are present up with a call that was carried out, of a pruner. */
export function followCall(
  present: Set<string>,
  { method, key, query }: ProxiedCall,
  gone: readonly string[],
): void {
  for (const name of gone) present.delete(name);
  // A pruner deletes no versions but the markers of deletions.
  if (method === 'PUT' || (method === 'DELETE' && query.has('versionId'))) present.add(key);
  else if (method === 'DELETE') present.delete(key);
}
