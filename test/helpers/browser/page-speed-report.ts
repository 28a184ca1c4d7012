/** What the bench learns of a plan of the console; times in milliseconds. */
export interface PageSpeed {
  readonly releases: number;
  readonly loads: readonly number[];
  readonly selections: readonly number[];
  readonly panFrame: number;
  readonly heapMegabytes: number;
  readonly elements: number;
}

/** Or why there is no browser to measure with. */
export type PageSpeedMessage = PageSpeed | { readonly without: string };
