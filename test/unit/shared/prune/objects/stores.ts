import { createPruner, inMemoryStore, keepNewest } from '@cairn/shared/prune';
import type { ListQuery, PrunerOptions, Store } from '@cairn/shared/prune/objects/options';
import { type KubernetesObject, nameOf, NOW } from '../../../../helpers/prune/objects.ts';

export type TestStore = Store<KubernetesObject> & { readonly remaining: readonly KubernetesObject[] };
type Options = Partial<PrunerOptions<KubernetesObject>>;

/** A pruner of pods that would delete all of them. */
export function aPruner(store: Store<KubernetesObject>, options: Options = {}) {
  return createPruner({ store, kinds: ['v1/Pod'], strategy: keepNewest(0), now: NOW, ...options });
}

/** A store that gives every object whatever it is asked for. */
export function carelessStore(objects: readonly KubernetesObject[]): TestStore & { queries: ListQuery[] } {
  const store = inMemoryStore(objects);
  const queries: ListQuery[] = [];
  return {
    queries,
    list(query) {
      queries.push(query);
      return store.remaining;
    },
    remove: async (object) => store.remove(object),
    get remaining() {
      return store.remaining;
    },
  };
}

/** A store that breaks off the list of some kinds after this many objects. */
export function brokenList(
  objects: readonly KubernetesObject[],
  breaksAt: (query: ListQuery) => number | null,
): TestStore {
  const store = inMemoryStore(objects);
  return {
    async *list(query) {
      const end = breaksAt(query);
      let listed = 0;
      for await (const object of store.list(query)) {
        if (end !== null && listed++ >= end) break;
        yield object;
      }
      if (end !== null) throw new Error('503 from the server');
    },
    remove: async (object) => store.remove(object),
    get remaining() {
      return store.remaining;
    },
  };
}

/** Removing the named objects fails. */
export function stubbornStore(objects: readonly KubernetesObject[], stubborn: readonly string[]): TestStore {
  const store = inMemoryStore(objects);
  return {
    list: (query) => store.list(query),
    async remove(object) {
      if (stubborn.includes(nameOf(object))) throw new Error(`${nameOf(object)} stays`);
      return store.remove(object);
    },
    get remaining() {
      return store.remaining;
    },
  };
}
