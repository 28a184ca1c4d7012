import type { TrialOutcome } from '../scenario.ts';
import type { Pool } from './pool.ts';
import type { Unit } from './units.ts';

const MOST_TRIES = 60;

/** Leaves faults out for as long as the trial fails without them: halves first, then ever smaller parts. */
export async function minimise(
  pool: Pool,
  unit: Extract<Unit, { do: 'trial' }>,
  failed: TrialOutcome,
): Promise<{ readonly unit: typeof unit; readonly outcome: TrialOutcome }> {
  let best = { unit, outcome: failed };
  let kept = [...failed.faults.keys()];
  let tries = 0;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    // From the end: what comes after a fault that matters often only follows from it.
    for (let end = kept.length; end > 0 && tries < MOST_TRIES; end -= size) {
      const part = kept.slice(Math.max(0, end - size), end);
      const smaller = { ...unit, without: [...(best.unit.without ?? []), ...part] };
      tries++;
      const { outcome } = await pool.one(smaller);
      if (!outcome || outcome.violations.length === 0) continue;
      best = { unit: smaller, outcome };
      kept = kept.filter((number) => !part.includes(number));
    }
  }
  return best;
}
