import { readItem, reviseItem } from '../store/item.ts';
import { SWITCHES_KEY } from '../store/keys.ts';
import { storedCodec } from '../store/migrations.ts';
import type { Table } from '../store/table.ts';

/** Stops following channels, pruning, notifications, or every change through the API. */
export const SWITCH_NAMES = ['sync', 'prune', 'news', 'write'] as const;
/** Alternative names in the URL. The canonical name is stored and listed. */
export const SWITCH_ALIASES: Partial<Record<SwitchName, string>> = { news: 'notifications' };
export type SwitchName = (typeof SWITCH_NAMES)[number];

export interface Stop {
  readonly reason: string;
  readonly since: string;
  /** Principal that changed it last. */
  readonly by: string;
}

/** Active stops by switch. */
export type Stops = Readonly<Partial<Record<SwitchName, Stop>>>;

/** All switches share one item, so that one read returns all. */
const switchesCodec = storedCodec<Stops>('switches', {
  write: (stops) => ({ stops }),
  read: ({ stops }) => stops,
});

export async function readStops(table: Table): Promise<Stops> {
  const item = await readItem(table, SWITCHES_KEY);
  return item ? switchesCodec.view(item) : {};
}

/**
 * Calls `change` again after a concurrent change. Writes nothing if it returns the former stop. Null after
 * too many concurrent changes.
 */
export async function changeSwitch(
  table: Table,
  name: SwitchName,
  change: (former: Stop | null) => Stop | null,
): Promise<Stops | null> {
  const revised = await reviseItem(table, SWITCHES_KEY, switchesCodec, (stops) => {
    const { [name]: former = null, ...others } = stops ?? {};
    const stop = change(former);
    return stop === former ? null : { ...others, ...(stop && { [name]: stop }) };
  });
  return revised === 'contended' ? null : (revised.value ?? {});
}

/** A stop takes effect everywhere within this time plus at most one minute. */
const TRUST_MS = 15_000;

/** Caches the switches for repeated checks. */
export class SwitchReader {
  readonly #table: Table;
  readonly #clock: () => number;
  #held: { readonly readAt: number; readonly stops: Stops } | undefined;
  #reading: Promise<Stops> | undefined;

  constructor(table: Table, clock: () => number) {
    this.#table = table;
    this.#clock = clock;
  }

  async all(): Promise<Stops> {
    return this.#held && !this.#isOld() ? this.#held.stops : this.#read();
  }

  /** Null if it is not stopped. */
  async get(name: SwitchName): Promise<Stop | null> {
    return (await this.all())[name] ?? null;
  }

  /** Returns the last known value without waiting and refreshes an old one in the background. */
  lately(name: SwitchName): Stop | null {
    // The next call retries a failed refresh.
    if (this.#isOld()) this.#read().catch(() => {});
    return this.#held?.stops[name] ?? null;
  }

  /** Caches what the caller wrote; a pending read may be older. */
  hold(stops: Stops): void {
    this.#reading = undefined;
    this.#held = { readAt: this.#clock(), stops };
  }

  #isOld(): boolean {
    return !this.#held || Math.abs(this.#clock() - this.#held.readAt) >= TRUST_MS;
  }

  /** Concurrent callers share one read. */
  #read(): Promise<Stops> {
    if (this.#reading) return this.#reading;
    const reading = readStops(this.#table);
    this.#reading = reading;
    const settled = (stops?: Stops): void => {
      if (this.#reading !== reading) return;
      this.#reading = undefined;
      if (stops) this.hold(stops);
    };
    reading.then(settled, () => settled());
    return reading;
  }
}
