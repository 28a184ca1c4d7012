import type { Break } from './client-boundary.ts';
import type { FaultList } from './fault-list.ts';

/** Where a program breaks: within some of its first calls, one of these numbers, and so often killed rather than failing. */
export function drawBreak(faults: FaultList, within: readonly number[], kills: number): Break | null {
  const { random } = faults;
  const at: Break = {
    call: 1 + random.below(random.pick(within)),
    isAfter: random.chance(0.5),
    isKill: random.chance(kills),
  };
  return faults.take(
    at,
    `${at.isKill ? 'killed' : 'broken'} ${at.isAfter ? 'after' : 'before'} call ${at.call}`,
  );
}
