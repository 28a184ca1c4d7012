import type { Store } from './options.ts';
import { type Describe, describeResource, kindText } from './resource.ts';
import { parseSelector } from './selector.ts';

/** Store over given objects, for tests, dry runs over a file, and programs with their own objects. */
export function inMemoryStore<T>(
  objects: Iterable<T>,
  describe: Describe<T> = describeResource,
): Store<T> & { readonly remaining: readonly T[] } {
  const remaining = new Set(objects);
  return {
    list({ kind, namespace, labels }) {
      const selector = labels === undefined ? null : parseSelector(labels);
      return [...remaining].filter((object) => {
        const resource = describe(object, kind);
        return (
          kindText(resource.kind) === kindText(kind) &&
          (namespace === undefined || resource.namespace === namespace) &&
          (selector === null || selector.matches(resource.labels))
        );
      });
    },
    async remove(object) {
      return remaining.delete(object) ? 'deleted' : 'absent';
    },
    get remaining() {
      return [...remaining];
    },
  };
}
