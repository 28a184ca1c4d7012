import { endpoints } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import { invalidRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { shown } from '@cairn/shared/text/quote';
import {
  changeSwitch,
  readStops,
  type Stop,
  type Stops,
  SWITCH_NAMES,
  type SwitchName,
  type SwitchReader,
} from './store.ts';
import type { Table } from '../store/table.ts';

export interface SwitchDependencies {
  readonly table: Table;
  readonly switches: SwitchReader;
  readonly clock: () => number;
}

const RETRY_SECONDS = '60';
const WHAT = {
  sync: 'the sync is stopped',
  prune: 'pruning is stopped',
  news: 'following the fleet is stopped',
  write: 'every change is stopped',
} as const;
const NAMES_ACCEPTED = `${SWITCH_NAMES.slice(0, -1).join(', ')} or ${SWITCH_NAMES.at(-1)} is accepted`;

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

/** `/v1/switches` and `/v1/switches/{name}` */
export function switchEndpoints({ table, switches, clock }: SwitchDependencies) {
  return endpoints({
    async listSwitches() {
      // Who asks wants to know how it is, not how it was.
      const stops = await readStops(table);
      switches.hold(stops);
      return { data: { switches: SWITCH_NAMES.map((name) => switchView(name, stops)) } };
    },

    async putSwitch({ path, body: request, principal }) {
      const name = switchName(path['name'] ?? '');
      if (request.stopped && request.reason === undefined) {
        throw invalidRequest([
          { pointer: '/reason', detail: 'is needed to stop something: say why, for everybody who meets it' },
        ]);
      }
      const stops = await changeSwitch(table, name, (former) => {
        if (!request.stopped) return null;
        const reason = request.reason!.trim();
        if (former?.reason === reason) return former;
        return { reason, since: former?.since ?? new Date(clock()).toISOString(), by: principal };
      });
      if (stops === null) {
        const detail = 'others keep changing the switches, nothing was stored; send it again';
        throw new Problem('concurrent-change', detail, { headers: { 'retry-after': '1' } });
      }
      switches.hold(stops);
      return { data: switchView(name, stops) };
    },
  });
}

function switchName(name: string): SwitchName {
  const known = SWITCH_NAMES.find((other) => other === name);
  if (known !== undefined) return known;
  throw invalidRequest([{ parameter: 'name', value: shown(name), detail: NAMES_ACCEPTED }]);
}

function switchView(name: SwitchName, stops: Stops) {
  const stop = stops[name];
  return { name, stopped: stop !== undefined, ...stop };
}
