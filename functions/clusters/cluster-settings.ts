import type { ClusterSettings } from '@cairn/shared/fleet/settings';
import { clusterSettingsKey } from '../store/keys.ts';
import { readRevised, type Revised, writeRevised, whileOthersWrite } from '../store/item.ts';
import type { Table } from '../store/table.ts';

export interface StoredSettings {
  readonly revision: string;
  readonly settings: ClusterSettings;
}

export async function readClusterSettings(table: Table, id: string): Promise<StoredSettings | null> {
  const item = await readRevised(table, clusterSettingsKey(id));
  return item && settingsOf(item);
}

/** `change` gets what is stored and may refuse by throwing. Null when others keep changing them. */
export async function changeClusterSettings(
  table: Table,
  id: string,
  change: (former: StoredSettings | null) => ClusterSettings,
): Promise<StoredSettings | null> {
  return whileOthersWrite(async () => {
    const former = await readClusterSettings(table, id);
    const settings = change(former);
    const text = JSON.stringify(settings);
    const revision = await writeRevised(table, clusterSettingsKey(id), former, { settings: text });
    return revision === null ? null : { revision, settings };
  });
}

/** The settings in an item that was read. */
export function settingsOf(item: Readonly<Record<string, unknown>>): StoredSettings {
  const { revision } = item as unknown as Revised;
  return { revision, settings: JSON.parse(String(item['settings'])) as ClusterSettings };
}
