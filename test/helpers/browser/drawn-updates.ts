import type { ClusterRecord } from '@cairn/shared/cluster/record';
import { updateLine } from '@cairn/shared/fleet/update-line';
import { STALLED_AFTER } from '@cairn/shared/update-status/answer';
import { changeCluster } from '../../../functions/clusters/store.ts';
import { everyFive, reportsAt, takeReports } from '../update-status/reporting.ts';
import { type SimulatedUpdate, simulateUpdate } from '../update-status/simulator.ts';
import type { Site } from './site.ts';

const MINUTE_MS = 60_000;

export const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * MINUTE_MS).toISOString();

/** Stores a cluster as the fleet job would after its last report. */
export async function keepCluster({ table }: Site, id: string, record: ClusterRecord): Promise<void> {
  await changeCluster(
    table,
    id,
    () => record,
    async () => updateLine(record, Date.now(), STALLED_AFTER),
  );
}

/** A cluster of which the reports up to a minute are known. */
export function keepUpdate(site: Site, id: string, update: SimulatedUpdate, last: number): Promise<void> {
  return keepCluster(site, id, takeReports(reportsAt(update, everyFive(0, last)))!);
}

const worker = (nodes: number, atOnce = 1) => ({ name: 'worker', nodes, atOnce });

/** An update in every state, the stalled ones by a drain and by an operator. */
export async function drawUpdates(site: Site): Promise<void> {
  const update = (minutes: number, scenario: Parameters<typeof simulateUpdate>[0] = {}) =>
    simulateUpdate({ start: minutesAgo(minutes), from: '4.16.41', to: '4.16.68', ...scenario });
  const keep = (id: string, simulated: SimulatedUpdate, last: number) =>
    keepUpdate(site, id, simulated, last);
  await keep(
    'prod-eu-1',
    update(161, {
      pools: [worker(21), { name: 'infra', nodes: 3 }],
      drains: { 'worker-002': Infinity },
    }),
    160,
  );
  await keep('edge-12', update(96, { slowOperator: { index: 3, minutes: 500 } }), 95);
  await keep('lab-sno-1', update(80), 55);
  await keep('retail-02', update(71, { pools: [worker(9, 2)] }), 70);
  await keep('stage-ap', update(11, { to: '4.17.3' }), 10);
  await keep('fin-edge-2', update(141, { pools: [{ name: 'worker', nodes: 4, paused: [0, 10_000] }] }), 140);
  await keep('dev-arm-1', update(200), 150);
}
