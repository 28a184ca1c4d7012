import { Problem } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import type { SwitchName, SwitchReader, Stop } from './store.ts';

const RETRY_SECONDS = '60';

const WHAT = {
  sync: 'the sync is stopped',
  prune: 'pruning is stopped',
  news: 'following the fleet is stopped',
  write: 'every change is stopped',
} as const;

/** Runs by hand end where those of a schedule do; told at once, nobody has to look for them. */
const SWITCH_OF_ROUTE: Readonly<Record<string, SwitchName>> = {
  startSyncRun: 'sync',
  startImagePrunerRun: 'prune',
};

/** Refuses what is stopped. What brings it back never is. */
export function refuseStopped(switches: SwitchReader): (route: Route) => Promise<void> {
  return async ({ id, access }) => {
    if (id === 'putSwitch' || (access !== 'write' && access !== 'admin')) return;
    const own = SWITCH_OF_ROUTE[id];
    for (const name of own === undefined ? (['write'] as const) : (['write', own] as const)) {
      const stop = await switches.get(name);
      if (stop !== null) throw stopped(name, stop);
    }
  };
}

function stopped(name: SwitchName, { reason, since, by }: Stop): Problem {
  return new Problem('stopped', `${WHAT[name]} since ${since} by ${by}: ${reason}`, {
    headers: { 'retry-after': RETRY_SECONDS },
  });
}
