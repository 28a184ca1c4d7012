import type { HttpMiddleware } from '../http/endpoint.ts';
import { ExpectedError } from '../runtime/errors.ts';
import type { SwitchName, SwitchReader, Stop } from './store.ts';

const RETRY_SECONDS = 60;

const WHAT = {
  sync: 'the sync is stopped',
  prune: 'pruning is stopped',
  news: 'following the fleet is stopped',
  write: 'every change is stopped',
} as const;

/** A manual run is refused at once, because the job would skip it without a visible reason. */
const SWITCH_OF_ROUTE: Readonly<Record<string, SwitchName>> = {
  startSyncRun: 'sync',
  startImagePrunerRun: 'prune',
};

/** Refuses changes while a kill switch stops them; `putSwitch` always works, or nothing could start again. */
export function refuseStopped(switches: SwitchReader): HttpMiddleware {
  return {
    before: function refuseStoppedBefore({ context }) {
      const { id, access } = context.route!;
      if (id === 'putSwitch' || (access !== 'write' && access !== 'admin')) return undefined;
      const own = SWITCH_OF_ROUTE[id];
      return refuse(switches, own === undefined ? ['write'] : ['write', own]);
    },
  };
}

async function refuse(switches: SwitchReader, names: readonly SwitchName[]): Promise<void> {
  for (const name of names) {
    const stop = await switches.get(name);
    if (stop !== null) throw stopped(name, stop);
  }
}

function stopped(name: SwitchName, { reason, since, by }: Stop): ExpectedError {
  return new ExpectedError('stopped', `${WHAT[name]} since ${since} by ${by}: ${reason}`, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
