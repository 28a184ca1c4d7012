import type { ClientBoundary } from './client-boundary.ts';
import type { ProgramClock } from './program-clock.ts';

/** A run as those see it whom it calls: it is in this process, or in one of its own. */
export interface Program {
  readonly clock: ProgramClock;
  readonly boundary?: ClientBoundary;
  /** Told of each call, of which it may die: true. */
  readonly child?: { at(side: 'before' | 'after'): Promise<boolean> };
}
