import { Problem } from '../http/problem.ts';

export function notSyncedYet(): Problem {
  return new Problem('not-synced-yet', 'the first sync has not finished yet, try again in a minute', {
    headers: { 'retry-after': '60' },
  });
}
