/** Measured by the bench; times in milliseconds. */
export interface PageSpeed {
  readonly releases: number;
  readonly loads: readonly number[];
  readonly selections: readonly number[];
  readonly panFrame: number;
  readonly heapMegabytes: number;
  readonly elements: number;
}

/** Or the reason for a missing browser. */
export type PageSpeedMessage = PageSpeed | { readonly without: string };
