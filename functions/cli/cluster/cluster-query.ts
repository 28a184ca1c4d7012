/** What is read of a cluster: all objects of a kind, or the only one of it that matters. */
export interface ClusterQuery {
  readonly kind: string;
  /** Empty for the first kinds of Kubernetes. */
  readonly group: string;
  readonly version: string;
  /** What paths and roles call it: `nodes`. */
  readonly resource: string;
  /** Of the only one that is read. */
  readonly name?: string;
  /** Where that one is; those of the whole cluster are in none. */
  readonly namespace?: string;
  /** Labels of those that are read, where the others are many. */
  readonly selector?: string;
  /** A cluster without it, or one that does not show it, is no failure: what depends on it is not known then. */
  readonly isOptional?: boolean;
}

/** What it is called in messages, and by `oc`: `machineconfigpools.machineconfiguration.openshift.io`, `nodes`. */
export function queryName({ resource, group, name }: ClusterQuery): string {
  const kind = group === '' ? resource : `${resource}.${group}`;
  return name === undefined ? kind : `${kind}/${name}`;
}

/** `/apis/config.openshift.io/v1/clusterversions/version` */
export function queryPath({ group, version, resource, namespace, name }: ClusterQuery): string {
  const parts = [
    ...(group === '' ? ['api', version] : ['apis', group, version]),
    ...(namespace === undefined ? [] : ['namespaces', namespace]),
    resource,
    ...(name === undefined ? [] : [name]),
  ];
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

/** What the API calls a list of them. */
export function listOf({ kind, group, version }: ClusterQuery) {
  return { kind: `${kind}List`, apiVersion: group === '' ? version : `${group}/${version}` };
}

/** What it answers where there are none. */
export function emptyList(query: ClusterQuery): Uint8Array {
  return Buffer.from(JSON.stringify({ ...listOf(query), items: [] }));
}

/**
 * Whether a cluster may do without the kind. All have those of Kubernetes itself, whose groups have short names: where one
 * of these is not found, something else than a cluster has answered.
 */
export function mayBeAbsent({ group, name, isOptional = false }: ClusterQuery): boolean {
  return isOptional && name === undefined && group.includes('.');
}
