/** Starts jobs now: a one-time schedule on AWS, the in-process scheduler in the local run. */
export interface RunLauncher {
  /** Returns the slot of the run, by which it is found again. */
  launchSync(run: { readonly accept: readonly string[]; readonly now: number }): Promise<string>;
}
