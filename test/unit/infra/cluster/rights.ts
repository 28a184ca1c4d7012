import { type ClusterQuery, queryPath } from '../../../../functions/cli/cluster/queries.ts';
import { type ClusterObject, type Manifest, ofKind } from './manifests.ts';

/** What somebody may do, one resource and one verb each: `list pods`, `get configmaps/admin-acks in openshift-config`. */
export type Right = string;

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

interface Binding extends ClusterObject {
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects: readonly Subject[];
}

const SUBJECT: Subject = { kind: 'ServiceAccount', name: 'cairn-reporter', namespace: 'cairn-reporter' };

/** Those that reading this takes. */
export function neededRights(queries: readonly ClusterQuery[]): Set<Right> {
  const byPath = new Map(queries.map((query) => [queryPath(query), query]));
  return new Set(
    Array.from(byPath.values(), ({ group, resource, name, namespace }) =>
      rightOf(name === undefined ? 'list' : 'get', group, resource, name, namespace),
    ),
  );
}

/** Those that the service account of the reporter is given: a role that is not bound to it gives none. */
export function grantedRights(manifests: readonly Manifest[]): Set<Right> {
  const bindings = [...ofKind(manifests, 'ClusterRoleBinding'), ...ofKind(manifests, 'RoleBinding')];
  return new Set(
    (bindings as Binding[]).flatMap(({ metadata, roleRef, subjects }) => {
      const namespace = metadata!.namespace;
      const isBound = subjects.some((subject) => JSON.stringify(subject) === JSON.stringify(SUBJECT));
      const role = ofKind(manifests, roleRef.kind).find(
        (object) => object.metadata!.name === roleRef.name && object.metadata!.namespace === namespace,
      );
      if (!isBound || !role) throw new Error(`${metadata!.name} binds nobody, or a role that is not there`);
      return (role['rules'] as Rule[]).flatMap((rule) => rightsOf(rule, namespace));
    }),
  );
}

function rightsOf({ apiGroups, resources, resourceNames, verbs }: Rule, namespace?: string): Right[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      (resourceNames ?? [undefined]).flatMap((name) =>
        verbs.map((verb) => rightOf(verb, group, resource, name, namespace)),
      ),
    ),
  );
}

function rightOf(verb: string, group: string, resource: string, name?: string, namespace?: string): Right {
  const what = `${resource}${group === '' ? '' : `.${group}`}${name === undefined ? '' : `/${name}`}`;
  return `${verb} ${what}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
