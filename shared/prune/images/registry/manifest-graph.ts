import { withRoom } from './digest-table.ts';
import type { Inventory } from './inventory.ts';
import type { ManifestFacts, UnreadableManifest } from './manifest.ts';

/** A manifest that was not read is unreadable, never absent. */
export type ManifestLookup = (digest: string) => ManifestFacts | 'absent' | UnreadableManifest;

/**
 * References between manifests, as columns. A node is a manifest that a repository links or a tag names. References to
 * digests missing from the inventory are dropped: there is nothing to keep.
 */
export class ManifestGraph {
  /** By digest number; -1 if not a manifest. */
  readonly #nodeOf: Int32Array;
  /** Manifests pushed after the listing. */
  readonly #unlisted = new Map<string, number>();
  readonly #unreadable = new Map<number, string>();
  readonly #absent = new Set<number>();
  #count = 0;
  #referenceStart = new Uint32Array(1024);
  /** Digest number times two, plus one for a manifest. */
  #references = new Uint32Array(1024);
  #referenceCount = 0;
  readonly #digestOf: number[] = [];
  readonly #subjects = new Map<number, number>();
  readonly #configs: number[] = [];

  constructor(inventory: Inventory, tags: ReadonlyMap<string, string>, lookup: ManifestLookup) {
    const { digests } = inventory.view();
    this.#nodeOf = new Int32Array(digests.count).fill(-1);
    for (const digest of inventory.manifestDigests(tags)) {
      const id = digests.find(digest);
      const node = this.#count++;
      if (id === -1) this.#unlisted.set(digest, node);
      else this.#nodeOf[id] = node;
      this.#digestOf.push(id);
      this.#take(node, lookup(digest), (text) => digests.find(text));
    }
    this.#referenceStart = withRoom(this.#referenceStart, this.#count);
    this.#referenceStart[this.#count] = this.#referenceCount;
  }

  get count(): number {
    return this.#count;
  }

  /** -1 if not a manifest. */
  nodeOf(digest: number): number {
    return this.#nodeOf[digest] ?? -1;
  }

  /** Node of a manifest outside of the inventory; -1 if no tag names it. */
  unlistedNode(digest: string): number {
    return this.#unlisted.get(digest) ?? -1;
  }

  /** -1 if the inventory lacks the digest. */
  digestOf(node: number): number {
    return this.#digestOf[node]!;
  }

  whyUnreadable(node: number): string | null {
    return this.#unreadable.get(node) ?? null;
  }

  isAbsent(node: number): boolean {
    return this.#absent.has(node);
  }

  referencesFrom(node: number): number {
    return this.#referenceStart[node]!;
  }

  referencesTo(node: number): number {
    return this.#referenceStart[node + 1]!;
  }

  referenced(reference: number): number {
    return this.#references[reference]! >>> 1;
  }

  /** Node of a manifest in an index; -1 for config, layers and non-nodes. */
  child(reference: number): number {
    const value = this.#references[reference]!;
    return (value & 1) === 1 ? this.#nodeOf[value >>> 1]! : -1;
  }

  /** Digest number of the subject; -1 if the inventory lacks it, null if there is none. */
  subject(node: number): number | null {
    return this.#subjects.get(node) ?? null;
  }

  config(node: number): number {
    return this.#configs[node]!;
  }

  #take(node: number, facts: ReturnType<ManifestLookup>, find: (digest: string) => number): void {
    this.#referenceStart = withRoom(this.#referenceStart, node);
    this.#referenceStart[node] = this.#referenceCount;
    this.#configs.push(-1);
    if (facts === 'absent') {
      this.#absent.add(node);
      return;
    }
    if ('unreadable' in facts) {
      this.#unreadable.set(node, facts.unreadable);
      return;
    }
    const { references, subject } = facts;
    const column = withRoom(this.#references, this.#referenceCount + references.length);
    let count = this.#referenceCount;
    for (const { digest, kind } of references) {
      const id = find(digest);
      if (id === -1) continue;
      if (kind === 'config') this.#configs[node] = id;
      column[count++] = id * 2 + (kind === 'manifest' ? 1 : 0);
    }
    this.#references = column;
    this.#referenceCount = count;
    if (subject !== null) this.#subjects.set(node, find(subject));
  }
}
