import type { FaultKind } from '../scenario.ts';

/** How much goes wrong in trials of a kind; each is a chance unless it says otherwise. */
export interface Rates {
  /** Of a call: not carried out. */
  readonly refused: number;
  /** For so many turns; and only because the table is asked too much. */
  readonly refusedTurns: number;
  readonly isThrottled: boolean;
  /** Of a write: carried out, and nobody is told. */
  readonly lost: number;
  /** Of a batch or a query: done in part. */
  readonly partly: number;
  /** Of an attempt at a call: many others come first. */
  readonly paused: number;
  /** Of a request: it is answered by somebody with another clock. */
  readonly clock: number;
  /** Of a run of the watch: it is of a scheduler with another clock. */
  readonly wrongSlots: number;
  /** Of a change: it is asked for several times at once. */
  readonly copied: number;
  /** How many programs are killed. */
  readonly kills: number;
  /** How many clients there are at once, and how many clusters. */
  readonly clients: number;
  readonly clusters: number;
}

/** Where several are at work something always waits, or comes in parts. */
const NONE: Rates = {
  refused: 0,
  refusedTurns: Infinity,
  isThrottled: false,
  lost: 0,
  partly: 0.02,
  paused: 0.02,
  clock: 0,
  wrongSlots: 0,
  copied: 0,
  kills: 0,
  clients: 3,
  clusters: 2,
};

/** For one who is alone, and cut at a place that is told. */
export const UNDISTURBED: Rates = { ...NONE, partly: 0, paused: 0 };

export const RATES: Readonly<Record<FaultKind, Rates>> = {
  any: { ...NONE, refused: 0.03, lost: 0.03, partly: 0.05, paused: 0.05, clock: 0.1, copied: 0.1, kills: 3 },
  'lost-answers': { ...NONE, lost: 0.3 },
  duplicates: { ...NONE, copied: 0.8, lost: 0.02 },
  clock: { ...NONE, clock: 0.7, wrongSlots: 0.5, refused: 0.01 },
  concurrent: { ...NONE, partly: 0.15, paused: 0.15, clients: 4, clusters: 1 },
  throttled: { ...NONE, refused: 0.5, refusedTurns: 120, isThrottled: true },
};

const SECOND = 1000;
const DAY = 86_400 * SECOND;

/** By how much clocks are wrong. */
export const CLOCK_JUMPS: readonly number[] = [SECOND, 5 * 60 * SECOND, DAY, 3650 * DAY].flatMap((ms) => [
  ms,
  -ms,
]);
