import { kindText, type Resource } from './prune-resource.ts';

/** By code units: the same everywhere, whatever the language of the machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareAge(a: Resource, b: Resource): number {
  return (a.createdAt?.getTime() ?? -Infinity) - (b.createdAt?.getTime() ?? -Infinity) || 0;
}

/** The order of deletion: oldest first, of equally old ones by kind, namespace, name. */
export function compareForDeletion(a: Resource, b: Resource): number {
  return (
    compareAge(a, b) ||
    compareText(kindText(a.kind), kindText(b.kind)) ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.name, b.name) ||
    compareText(a.uid ?? '', b.uid ?? '')
  );
}

/**
 * The order in which strategies keep: newest first, of equally old ones the name that sorts last, since names often end
 * in a number or a time that grows; then the same of namespace and kind.
 */
export function compareForKeeping(a: Resource, b: Resource): number {
  return (
    compareAge(b, a) ||
    compareText(b.name, a.name) ||
    compareText(b.namespace ?? '', a.namespace ?? '') ||
    compareText(kindText(b.kind), kindText(a.kind)) ||
    compareText(b.uid ?? '', a.uid ?? '')
  );
}
