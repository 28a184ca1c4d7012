import type { ClusterSettings } from '@cairn/shared/fleet/cluster-settings';
import { type Item, readItem, type RevisedItem, reviseItem } from '../store/item.ts';
import { clusterSettingsKey } from '../store/keys.ts';
import { storedCodec } from '../store/migrations.ts';
import type { Table } from '../store/table.ts';

export interface StoredSettings extends RevisedItem {
  readonly settings: ClusterSettings;
}

const settingsCodec = storedCodec<ClusterSettings>('settings', {
  write: (settings) => ({ settings: JSON.stringify(settings) }),
  read: (item) => JSON.parse(String(item['settings'])),
});

export async function readClusterSettings(table: Table, id: string): Promise<StoredSettings | null> {
  const item = await readItem(table, clusterSettingsKey(id));
  return item && settingsOf(item);
}

/** `change` may throw to refuse. Null after too many concurrent changes. */
export async function changeClusterSettings(
  table: Table,
  id: string,
  change: (former: RevisedItem | null) => ClusterSettings,
): Promise<StoredSettings | null> {
  const revised = await reviseItem(table, clusterSettingsKey(id), settingsCodec, (_former, revision) =>
    change(revision === null ? null : { revision }),
  );
  return revised === 'contended' ? null : { revision: revised.revision!, settings: revised.value! };
}

export function settingsOf(item: Item): StoredSettings {
  return { revision: String(item['revision']), settings: settingsCodec.view(item) };
}
