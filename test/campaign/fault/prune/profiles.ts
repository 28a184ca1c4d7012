import type { FaultKind } from '../scenario.ts';

/** How often what goes wrong. */
export interface PruneProfile {
  /** Any fault of a call of the bucket: each invocation has one of these rates. */
  readonly bucket: readonly number[];
  /** Of calls of the table. */
  readonly refused: number;
  /** Of writes to both, carried out and not answered. */
  readonly lost: number;
  /** Of calls of the table: batches cut in two, short and empty pages. Of the bucket: such pages, and one that fails. */
  readonly torn: number;
  /** Of reads of the table that need not be consistent. */
  readonly stale: number;
  /** Of calls: the invocation stands still for longer than its lease. */
  readonly pause: number;
  /** Of invocations: killed at a call, or one of its calls fails. */
  readonly broken: number;
  /** Of invocations: its time is up early. */
  readonly cut: number;
  /** Of invocations. */
  readonly wrongClocks: number;
  /** Of runs: one before it is of a scheduler whose clock is wrong. */
  readonly wrongSlots: number;
  /** How often an event comes, and how many invocations there are at once. */
  readonly deliveries: readonly number[];
  readonly atOnce: readonly number[];
}

const QUIET: PruneProfile = {
  bucket: [0],
  refused: 0,
  lost: 0.02,
  torn: 0,
  stale: 0.2,
  pause: 0,
  broken: 0,
  cut: 0.2,
  wrongClocks: 0,
  wrongSlots: 0,
  deliveries: [1],
  atOnce: [1],
};

const PROFILES: Readonly<Partial<Record<FaultKind, PruneProfile>>> = {
  any: {
    ...QUIET,
    bucket: [0, 0.03, 0.15],
    refused: 0.03,
    torn: 0.12,
    stale: 0.3,
    broken: 0.6,
    wrongClocks: 0.1,
    deliveries: [1, 1, 1, 2],
  },
  'lost-answers': { ...QUIET, lost: 0.3 },
  clock: {
    ...QUIET,
    bucket: [0, 0.03],
    broken: 0.2,
    wrongClocks: 0.8,
    wrongSlots: 0.4,
    deliveries: [1, 1, 2],
  },
  duplicates: {
    ...QUIET,
    bucket: [0, 0.03],
    broken: 0.1,
    deliveries: [2, 3, 4, 5],
    atOnce: [1, 2, 3],
  },
  concurrent: {
    ...QUIET,
    pause: 0.012,
    broken: 0.1,
    wrongClocks: 0.2,
    deliveries: [1, 2],
    atOnce: [2, 2, 3],
  },
};

export const PRUNE_KINDS = Object.keys(PROFILES) as readonly FaultKind[];

export function profileOf(kind: FaultKind): PruneProfile {
  const profile = PROFILES[kind];
  if (!profile) throw new Error(`pruners have no trials of the kind ${kind}`);
  return profile;
}

/** An invocation to which nothing is done. */
export const UNDISTURBED: PruneProfile = { ...QUIET, lost: 0, stale: 0, cut: 0 };
