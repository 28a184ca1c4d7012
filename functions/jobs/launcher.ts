export interface SyncLauncher {
  /** Returns the slot of the run, by which it is found again. */
  launchSync(run: { readonly accept: readonly string[]; readonly now: number }): Promise<string>;
}

export interface PrunerLaunch {
  readonly pruner: string;
  readonly now: number;
  readonly trigger: 'manual' | 'resume';
  /** Of the run that goes on; a new run gets one. */
  readonly slot?: string;
  readonly dryRun?: boolean | undefined;
  /** The hash of a plan that may go although it is large. */
  readonly agree?: string | undefined;
}

export interface PrunerLauncher {
  /** Returns the slot of the run, by which it is found again. */
  launchPruner(launch: PrunerLaunch): Promise<string>;
}

/** Starts jobs now: a one-time schedule on AWS, the in-process scheduler in the local run. */
export interface RunLauncher extends SyncLauncher, PrunerLauncher {}
