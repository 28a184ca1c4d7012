import type { FaultList } from './fault-list.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const YEAR = 365 * DAY;
const JUMPS = [1000, 5 * MINUTE, DAY, 30 * DAY, 10 * YEAR].flatMap((ms) => [ms, -ms]);
/** Most are ahead: what they leave stored is of the future once clocks are right. */
const SLOT_OFFSETS = [30 * DAY, 30 * DAY, DAY, 10 * YEAR, -DAY, -30 * DAY];

/** By how much the clock of a program is wrong, from the start and from some call on. */
export interface ClockFault {
  readonly offset: number;
  readonly jumpAt: number;
  readonly jumpTo: number;
}

export interface ProgramClock extends ClockFault {
  offset: number;
  calls: number;
}

export function programClock(fault?: ClockFault | null): ProgramClock {
  return { offset: 0, jumpAt: Infinity, jumpTo: 0, ...fault, calls: 0 };
}

/** To be told of each call of the program. */
export function countCall(clock: ProgramClock): void {
  clock.calls++;
  if (clock.calls === clock.jumpAt) clock.offset = clock.jumpTo;
}

/** A wrong clock as often as this; null for one that is right. */
export function drawClock(faults: FaultList, rate: number): ClockFault | null {
  const { random } = faults;
  if (!random.chance(rate)) return null;
  const clock = {
    offset: random.chance(0.5) ? 0 : random.pick(JUMPS),
    jumpAt: 1 + random.below(20),
    jumpTo: random.pick([0, ...JUMPS]),
  };
  return faults.take(clock, `clock off by ${clock.offset} ms, from call ${clock.jumpAt} by ${clock.jumpTo}`);
}

/** A slot of a scheduler whose clock is wrong. */
export interface WrongSlot {
  readonly offset: number;
  /** That of the run, which may be on the same machine. */
  readonly clock?: ClockFault;
}

/** A wrong slot as often as this; null for one that is right. */
export function drawWrongSlot(faults: FaultList, rate: number): WrongSlot | null {
  const { random } = faults;
  if (!random.chance(rate)) return null;
  const offset = random.pick(SLOT_OFFSETS);
  const isShared = random.chance(0.6);
  return faults.take(
    { offset, ...(isShared && { clock: { offset, jumpAt: Infinity, jumpTo: 0 } }) },
    `slot off by ${offset} ms${isShared ? ', as is the clock of the run' : ''}`,
  );
}
