import { truncate } from '@cairn/shared/text/quote';
import { endpoints } from '../http/endpoint.ts';
import { contended } from '../http/problem.ts';
import { invalidRequest } from '../http/request.ts';
import { inWords } from '../http/schema-fields.ts';
import type { Table } from '../store/table.ts';
import {
  changeSwitch,
  readStops,
  type Stops,
  SWITCH_ALIASES,
  SWITCH_NAMES,
  type SwitchName,
  type SwitchReader,
} from './store.ts';

interface SwitchDependencies {
  readonly table: Table;
  readonly switches: SwitchReader;
  readonly clock: () => number;
}

const NAMES_ACCEPTED = `${inWords(SWITCH_NAMES)} is accepted`;

/** `/v1/switches` and `/v1/switches/{name}` */
export function switchEndpoints({ table, switches, clock }: SwitchDependencies) {
  return endpoints({
    async listSwitches() {
      // Bypass the cache: the response must show the current state.
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
      if (stops === null) throw contended('the switches');
      switches.hold(stops);
      return { data: switchView(name, stops) };
    },
  });
}

function switchName(name: string): SwitchName {
  const known = SWITCH_NAMES.find((other) => other === name || SWITCH_ALIASES[other] === name);
  if (known !== undefined) return known;
  throw invalidRequest([{ parameter: 'name', value: truncate(name), detail: NAMES_ACCEPTED }]);
}

function switchView(name: SwitchName, stops: Stops) {
  const stop = stops[name];
  const alias = SWITCH_ALIASES[name];
  return { name, ...(alias !== undefined && { alias }), stopped: stop !== undefined, ...stop };
}
