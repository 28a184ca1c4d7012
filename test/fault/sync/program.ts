import type { ClientBoundary } from '../rig/client-boundary.ts';
import type { ChildRun } from './child-run.ts';

/** A run as those see it whom it calls: it is in this process, or in one of its own. */
export interface Program {
  readonly clock: ProgramClock;
  readonly boundary?: ClientBoundary;
  readonly child?: ChildRun;
}

/** By how much the clock of a run is wrong, from the start and from some call on. */
export interface ClockFault {
  readonly offset: number;
  readonly jumpAt: number;
  readonly jumpTo: number;
}

export interface ProgramClock extends ClockFault {
  offset: number;
  calls: number;
}

export function programClock(fault?: ClockFault): ProgramClock {
  return { offset: 0, jumpAt: Infinity, jumpTo: 0, ...fault, calls: 0 };
}
