import type { ClusterSettings } from '@cairn/shared/fleet/settings';
import { type MaintenanceWindows, windowText } from '@cairn/shared/plan/windows/maintenance-windows';
import { endpoints } from '../http/endpoint.ts';
import { checkPreconditions } from '../http/negotiation.ts';
import { contended } from '../http/problem.ts';
import { readRevised, type Revised, writeRevised, whileOthersWrite } from '../store/item.ts';
import { clusterSettingsKey } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { storedCluster } from './endpoints.ts';
import { markReported } from './reassessment-mark.ts';
import type { ClusterSettingsRequest } from './schema.ts';
import { requestedWindows } from './windows.ts';

/** `/v1/clusters/{id}/settings` */
export function clusterSettingsEndpoints({
  table,
  clock,
}: {
  readonly table: Table;
  readonly clock: () => number;
}) {
  return endpoints({
    async getClusterSettings({ path }) {
      const { id } = await storedCluster(table, path);
      return settingsAnswer(await readClusterSettings(table, id));
    },

    async putClusterSettings({ path, body, headers }) {
      const { id, revision } = await storedCluster(table, path);
      const settings = requestedSettings(body, requestedWindows(body, {}));
      const stored = await changeClusterSettings(table, id, (former) => {
        checkPreconditions(headers, former && entityTag(former));
        return settings;
      });
      if (stored === null) throw contended(`the settings of ${id}`);
      // What lies ahead of it is another matter now.
      await markReported(table, id, { revision, at: new Date(clock()).toISOString() });
      return settingsAnswer(stored);
    },
  });
}

function settingsAnswer(stored: StoredSettings | null) {
  return {
    data: stored ? settingsView(stored.settings) : {},
    ...(stored && { headers: { etag: entityTag(stored) } }),
  };
}

function entityTag({ revision }: StoredSettings): string {
  return `"${revision}"`;
}

/** In a request names are as in the other requests. */
function requestedSettings(
  request: ClusterSettingsRequest,
  windows: MaintenanceWindows | null,
): ClusterSettings {
  const { target, channel, accept_risk: acceptRisks, accept, policy, strategy } = request;
  return {
    ...(target !== undefined && { target }),
    ...(channel !== undefined && { channels: typeof channel === 'string' ? [channel] : channel }),
    ...(acceptRisks !== undefined && { acceptRisks }),
    ...(accept !== undefined && { accept }),
    ...(policy !== undefined && { policy }),
    ...(strategy !== undefined && { strategy }),
    ...(windows && { windows }),
  };
}

function settingsView(settings: ClusterSettings) {
  const { channels, acceptRisks, windows, ...others } = settings;
  return {
    ...others,
    ...(channels && { channel: [...channels] }),
    ...(acceptRisks && { accept_risk: [...acceptRisks] }),
    ...(windows && { windows: windows.windows.map(windowText), time_zone: windows.timeZone }),
  };
}

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
