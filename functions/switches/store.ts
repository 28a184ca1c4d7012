import { readItem, reviseItem } from '../store/item.ts';
import { SWITCHES_KEY } from '../store/keys.ts';
import { storedCodec } from '../store/migrations.ts';
import type { Table } from '../store/table.ts';

/** What can be stopped by hand: following channels, removing anything old, telling news, every change through the API. */
export const SWITCH_NAMES = ['sync', 'prune', 'news', 'write'] as const;
/** Names that the URL takes as well. Stored and listed is the first one. */
export const SWITCH_ALIASES: Partial<Record<SwitchName, string>> = { news: 'notifications' };
export type SwitchName = (typeof SWITCH_NAMES)[number];

/** Why something is stopped. */
export interface Stop {
  readonly reason: string;
  readonly since: string;
  /** Who said so last. */
  readonly by: string;
}

/** What is stopped now; what is not in it works. */
export type Stops = Readonly<Partial<Record<SwitchName, Stop>>>;

/** All switches are one item, so that one read returns all. */
const switchesCodec = storedCodec<Stops>('switches', {
  write: (stops) => ({ stops }),
  read: ({ stops }) => stops,
});

export async function readStops(table: Table): Promise<Stops> {
  const item = await readItem(table, SWITCHES_KEY);
  return item ? switchesCodec.view(item) : {};
}

/**
 * Stops something or lets it work again. `change` gets how it stands; when somebody else was quicker it is asked again.
 * Nothing is written where it gives back what it got. Null when others keep changing switches.
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

/** A stop is felt by everybody within this time and a minute at most. */
const TRUST_MS = 15_000;

/** The switches for who asks again and again: they are read anew only when a while has passed. */
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

  /** Why it is stopped; null when it is not. */
  async get(name: SwitchName): Promise<Stop | null> {
    return (await this.all())[name] ?? null;
  }

  /** The same as last seen, without waiting: when that was a while ago, it is looked again meanwhile. */
  lately(name: SwitchName): Stop | null {
    // One that fails is made up for by the next.
    if (this.#isOld()) this.#read().catch(() => {});
    return this.#held?.stops[name] ?? null;
  }

  /** Takes what the caller has just written; a read under way may be older. */
  hold(stops: Stops): void {
    this.#reading = undefined;
    this.#held = { readAt: this.#clock(), stops };
  }

  #isOld(): boolean {
    return !this.#held || Math.abs(this.#clock() - this.#held.readAt) >= TRUST_MS;
  }

  /** However many ask at once, one read answers them. */
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
