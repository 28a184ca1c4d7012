import { gunzipSync } from 'node:zlib';
import { type DocumentHead, readDocument, readHead } from './documents.ts';
import type { Table } from './table.ts';

export interface CachedDocument<T> {
  readonly head: DocumentHead;
  readonly value: T;
}

interface Entry {
  readonly head: DocumentHead;
  readonly value: unknown;
  readonly bytes: number;
  checkedAt: number;
}

export interface CacheLimits {
  /** Inside this window a document is believed current without asking the table. */
  readonly trustMs: number;
  readonly bytes: number;
}

export const CACHE_LIMITS: CacheLimits = { trustMs: 10_000, bytes: 64 * 1024 * 1024 };

/**
 * Published documents as a warm function holds them: nothing is read inside the trust window, one small GetItem
 * revalidates after it, one Query reads a new revision. The least recently used go first.
 */
export class DocumentCache {
  readonly #table: Table;
  readonly #clock: () => number;
  readonly #limits: CacheLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #underWay = new Map<string, Promise<Entry | null>>();
  #bytes = 0;

  constructor(table: Table, clock: () => number = Date.now, limits: CacheLimits = CACHE_LIMITS) {
    this.#table = table;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** The current document, decoded once per revision; null when nothing is published under this name. */
  async get<T>(name: string): Promise<CachedDocument<T> | null> {
    const held = this.#entries.get(name);
    if (held && this.#clock() - held.checkedAt < this.#limits.trustMs) {
      this.#touch(name, held);
      return held as CachedDocument<unknown> as CachedDocument<T>;
    }
    // Requests that meet the same stale document wait for one read together.
    const pending = this.#underWay.get(name) ?? this.#refresh(name, held);
    this.#underWay.set(name, pending);
    try {
      return (await pending) as CachedDocument<unknown> as CachedDocument<T> | null;
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
        this.#touch(name, held);
        return held;
      }
    }
    const { head, body } = await readDocument(this.#table, name);
    if (!head || !body) {
      this.#drop(name);
      return null;
    }
    const text = gunzipSync(body).toString('utf8');
    const entry: Entry = { head, value: JSON.parse(text) as unknown, bytes: text.length, checkedAt };
    this.#touch(name, entry);
    return entry;
  }

  #touch(name: string, entry: Entry): void {
    this.#drop(name);
    this.#entries.set(name, entry);
    this.#bytes += entry.bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limits.bytes || oldest === name) break;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}
