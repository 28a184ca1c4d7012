import type { TrialOutcome } from '../world.ts';
import type { Pool } from './pool.ts';
import type { Unit } from './units.ts';

const MOST_TRIES = 60;

/** Leaves faults out one after the other for as long as the trial fails without them. */
export async function minimise(
  pool: Pool,
  unit: Extract<Unit, { do: 'trial' }>,
  failed: TrialOutcome,
): Promise<{ readonly unit: typeof unit; readonly outcome: TrialOutcome }> {
  let best = { unit, outcome: failed };
  let tries = 0;
  // From the end: what comes after a fault that matters often only follows from it.
  for (let number = failed.faults.length - 1; number >= 0 && tries < MOST_TRIES; number--) {
    const smaller = { ...unit, without: [...(best.unit.without ?? []), number] };
    tries++;
    const { outcome } = await pool.one(smaller);
    if (outcome && outcome.violations.length > 0) best = { unit: smaller, outcome };
  }
  return best;
}
