import { gunzipSync } from 'node:zlib';
import { type PublicationHead, PUBLICATION, readPublished, readHead } from './published.ts';
import type { Table } from './table.ts';

/** The same object for as long as the revision is held, so that what is made from it can be kept beside it. */
export interface CachedPublication<T> {
  readonly head: PublicationHead;
  /** gzip, as stored. */
  readonly body: Uint8Array;
  /** Decoded when it is first asked for. */
  readonly value: T;
}

class Entry implements CachedPublication<unknown> {
  readonly head: PublicationHead;
  readonly body: Uint8Array;
  readonly bytes: number;
  checkedAt: number;
  /** The count of uses at its last one. */
  usedAt = 0;
  #decoded: { readonly value: unknown } | undefined;

  constructor(head: PublicationHead, body: Uint8Array, checkedAt: number) {
    this.head = head;
    this.body = body;
    // Counted as decoded from the start, so that what is made of a document later does not outgrow the limit.
    this.bytes = body.length + decodedLength(body);
    this.checkedAt = checkedAt;
  }

  get value(): unknown {
    this.#decoded ??= { value: JSON.parse(gunzipSync(this.body).toString('utf8')) as unknown };
    return this.#decoded.value;
  }
}

interface CacheLimits {
  /** Inside this window a document is believed current without asking the table. */
  readonly trustMs: number;
  readonly bytes: number;
}

export const CACHE_LIMITS: CacheLimits = { trustMs: 10_000, bytes: 64 * 1024 * 1024 };

/**
 * Published documents as a warm function holds them: nothing is read inside the trust window, one small GetItem
 * revalidates after it, one Query reads a new revision. The least recently used go first.
 */
export class PublicationCache {
  readonly #table: Table;
  readonly #clock: () => number;
  readonly #limits: CacheLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Promise<Entry | null>>();
  #bytes = 0;
  #uses = 0;

  constructor(table: Table, clock: () => number = Date.now, limits: CacheLimits = CACHE_LIMITS) {
    this.#table = table;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** The current document, decoded at most once per revision; null when nothing is published under this name. */
  async get<T>(name: string): Promise<CachedPublication<T> | null> {
    const held = this.#entries.get(name);
    if (held && Math.abs(this.#clock() - held.checkedAt) < this.#limits.trustMs) {
      held.usedAt = ++this.#uses;
      return held as CachedPublication<unknown> as CachedPublication<T>;
    }
    // Requests that meet the same stale document wait for one read together.
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
      // A replica may lag: a revision below the one already served is never served again.
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

  /** Takes it in, and lets go of the least recently used until all fit. */
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

/** Whoever has published documents. */
export type Documents = Pick<PublicationCache, 'get'>;

/** What is the same in the entity tags of all forms of a document. */
export function contentHash({ head }: Pick<CachedPublication<unknown>, 'head'>): string {
  return head.etag.slice(0, 32);
}

/** A gzip member ends with the length of what it holds. */
function decodedLength(body: Uint8Array): number {
  return new DataView(body.buffer, body.byteOffset, body.byteLength).getUint32(body.length - 4, true);
}
