import type { Random } from '../../../helpers/random.ts';
import type { Fault, KeyFault, ProxiedCall } from '../../../helpers/s3/bucket-proxy.ts';

const PASSING_CODES = ['SlowDown', 'InternalError'];

/** One that fits the call; of a deletion mostly one that concerns some of its keys. */
export function anyFault(random: Random, { deletes }: ProxiedCall): Fault {
  if (deletes.length === 0 || random.chance(0.3)) {
    return random.pick(['throttled', 'failed', 'reset', 'lost-answer'] as const);
  }
  const code = random.chance(0.15) ? 'AccessDenied' : random.pick(PASSING_CODES);
  const faults = new Map<string, KeyFault>();
  for (const key of deletes) {
    if (random.chance(0.5)) faults.set(key, random.pick([{ code }, { code }, 'silent-gone', 'silent-left']));
  }
  return { deletes: faults };
}
