import { gunzipSync } from 'node:zlib';
import { type PublicationHead, PUBLICATION, readPublished, readHead } from './published.ts';
import type { Table } from './table.ts';

/** The object stays the same while its revision is cached, so that derived values can be keyed by it. */
export interface CachedPublication<T> {
  readonly head: PublicationHead;
  /** gzip, as stored. */
  readonly body: Uint8Array;
  /** Decoded on first use. */
  readonly value: T;
}

class Entry implements CachedPublication<unknown> {
  readonly head: PublicationHead;
  readonly body: Uint8Array;
  readonly bytes: number;
  checkedAt: number;
  /** Value of the use counter at the last use. */
  usedAt = 0;
  #decoded: { readonly value: unknown } | undefined;

  constructor(head: PublicationHead, body: Uint8Array, checkedAt: number) {
    this.head = head;
    this.body = body;
    // Count the decoded size from the start, so that decoding later does not exceed the limit.
    this.bytes = body.length + decodedLength(body);
    this.checkedAt = checkedAt;
  }

  get value(): unknown {
    this.#decoded ??= { value: JSON.parse(gunzipSync(this.body).toString('utf8')) as unknown };
    return this.#decoded.value;
  }
}

/** Within `trustMs` a publication counts as current without asking the table. */
export const CACHE_LIMITS = { trustMs: 10_000, bytes: 64 * 1024 * 1024 };

/**
 * Caches publications in a warm function: no read within the trust window, then one GetItem to revalidate and
 * one Query for a new revision. Evicts the least recently used.
 */
export class PublicationCache {
  readonly #table: Table;
  readonly #clock: () => number;
  readonly #limits: typeof CACHE_LIMITS;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Promise<Entry | null>>();
  #bytes = 0;
  #uses = 0;

  constructor(table: Table, clock: () => number = Date.now, limits = CACHE_LIMITS) {
    this.#table = table;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Returns the current publication, decoded at most once per revision; null if there is none. */
  async get<T>(name: string): Promise<CachedPublication<T> | null> {
    const held = this.#entries.get(name);
    if (held && Math.abs(this.#clock() - held.checkedAt) < this.#limits.trustMs) {
      held.usedAt = ++this.#uses;
      return held as CachedPublication<unknown> as CachedPublication<T>;
    }
    // Concurrent requests for a stale publication share one read.
    const pending = this.#underWay.get(name) ?? this.#refresh(name, held);
    this.#underWay.set(name, pending);
    try {
      return (await pending) as CachedPublication<unknown> as CachedPublication<T> | null;
    } finally {
      this.#underWay.delete(name);
    }
  }

  async #refresh(name: string, held: Entry | undefined): Promise<Entry | null> {
    const checkedAt = this.#clock();
    if (held) {
      const head = await readHead(this.#table, name, { consistent: false });
      // A replica may lag: never serve a revision below one already served.
      if (head && head.revision <= held.head.revision) {
        held.checkedAt = checkedAt;
        held.usedAt = ++this.#uses;
        return held;
      }
    }
    const { head, body } = await readPublished(this.#table, PUBLICATION, name);
    if (!head || !body) {
      this.#drop(name);
      return null;
    }
    const entry = new Entry(head, body, checkedAt);
    this.#keep(name, entry);
    return entry;
  }

  /** Evicts the least recently used entries until all fit. */
  #keep(name: string, entry: Entry): void {
    this.#drop(name);
    this.#entries.set(name, entry);
    this.#bytes += entry.bytes;
    entry.usedAt = ++this.#uses;
    if (this.#bytes <= this.#limits.bytes) return;
    const oldestFirst = [...this.#entries].toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [oldest] of oldestFirst) {
      if (this.#bytes <= this.#limits.bytes || oldest === name) break;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}

/** Derives a value once per cached revision. */
export function perRevision<Document extends CachedPublication<unknown>, Value>(
  make: (document: Document) => Value,
): (document: Document) => Value {
  const made = new WeakMap<Document, { readonly value: Value }>();
  return (document) => {
    const known = made.get(document) ?? { value: make(document) };
    made.set(document, known);
    return known.value;
  };
}

export type Documents = Pick<PublicationCache, 'get'>;

/** Part of the entity tag that all representations share. */
export function contentHash({ head }: Pick<CachedPublication<unknown>, 'head'>): string {
  return head.etag.slice(0, 32);
}

/** A gzip member ends with its decoded length. */
function decodedLength(body: Uint8Array): number {
  return new DataView(body.buffer, body.byteOffset, body.byteLength).getUint32(body.length - 4, true);
}
