/** How often what goes wrong, per call. */
export interface FaultRates {
  readonly refused: number;
  /** Of writes. */
  readonly lost: number;
  /** Batches cut in two, short and empty pages. */
  readonly torn: number;
  /** Of reads that need not be consistent. */
  readonly stale: number;
  /** A run stands still for longer than its lease. */
  readonly pause: number;
  /** Of deliveries of events. */
  readonly events: number;
}

export const NO_FAULTS: FaultRates = { refused: 0, lost: 0, torn: 0, stale: 0, pause: 0, events: 0 };
