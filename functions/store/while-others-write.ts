import { setTimeout as sleep } from 'node:timers/promises';

/** Each time at least one of those who write at once gets through. */
const ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 1000;

/** Tries until it is not null, waiting a little longer each time, differently for each of those who try. */
export async function whileOthersWrite<T>(attempt: () => Promise<T | null>): Promise<T | null> {
  for (let round = 1; round <= ATTEMPTS; round++) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
    await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, 50 * 2 ** round));
  }
  return null;
}
