import type { Assessment } from '../../../../functions/fleet/store.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { dumpTable } from '../../../helpers/table/dump-table.ts';
import type { Chronicle } from './chronicle.ts';
import { type ClusterState, isOpen, isPlain, newerPatch, type Offer } from './drawn-state.ts';
import type { Truth } from './truth.ts';
import { CHANNELS } from './upstream.ts';

/** At rest: of each cluster what lies ahead of it now, of one that is gone nothing, and no work left to be done. */
export async function checkTable(table: Table, truth: Truth, chronicle: Chronicle): Promise<void> {
  const found = await fleetItems(table);
  for (const id of truth.ids) {
    const items = found.get(id) ?? new Map<string, Item>();
    const cluster = truth.clusterNow(id);
    const violate = (what: string) => chronicle.violate(`at rest, ${id} ${what}`);
    if (items.has('REPORTED')) violate('is still to be looked at');
    if (cluster === null) {
      if (items.size > 0) violate(`is gone, but not ${[...items.keys()].join(' ')}`);
      continue;
    }
    const stored = items.get('AHEAD');
    if (stored === undefined) {
      violate('was not looked at');
      continue;
    }
    const ahead = JSON.parse(String(stored['ahead'])) as Assessment;
    if (ahead.pending.length > 0) violate('has news that is not told');
    if (stored['gsi1pk'] !== undefined) violate('is still due');
    for (const fault of outlookFaults(ahead, cluster, truth.offer)) violate(fault);
    for (const channel of CHANNELS) {
      if (!items.has(`ON#${channel}/amd64`)) violate(`is not on the list of ${channel}`);
    }
  }
}

function outlookFaults({ outlook }: Assessment, cluster: ClusterState, offer: Offer): string[] {
  const { from, path, verdict } = outlook;
  const open = isOpen(offer, cluster);
  const hops = path ?? [];
  const isWay =
    hops.every((hop, index) => hop.from === (hops[index - 1]?.to ?? cluster.version)) &&
    hops.every((hop) => isPlain(offer, hop.from, hop.to));
  return [
    ...(from === cluster.version ? [] : ['version']),
    ...(outlook.newerPatch === newerPatch(offer, cluster) ? [] : ['patch']),
    ...((path !== null) === open && isWay ? [] : ['way']),
    ...(!open || (verdict === 'blocked') === cluster.isBlocked ? [] : ['verdict']),
  ].map((what) => `has the wrong ${what}: ${JSON.stringify(outlook)}`);
}

type Item = Readonly<Record<string, unknown>>;

/** By cluster and sort key. */
async function fleetItems(table: Table): Promise<Map<string, Map<string, Item>>> {
  const found = new Map<string, Map<string, Item>>();
  for (const item of await dumpTable(table)) {
    const [kind, id = ''] = String(item['pk']).split('#');
    if (kind !== 'FLEET') continue;
    const items = found.get(id) ?? new Map<string, Item>();
    found.set(id, items.set(String(item['sk']), item));
  }
  return found;
}
