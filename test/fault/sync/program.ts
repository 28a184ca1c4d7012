import type { ClientBoundary } from '../rig/client-boundary.ts';
import type { ProgramClock } from '../rig/program-clock.ts';
import type { ChildRun } from './child-run.ts';

/** A run as those see it whom it calls: it is in this process, or in one of its own. */
export interface Program {
  readonly clock: ProgramClock;
  readonly boundary?: ClientBoundary;
  readonly child?: ChildRun;
}
