import type { ClusterSettings } from '@cairn/shared/fleet/settings';
import { type MaintenanceWindows, windowText } from '@cairn/shared/plan/windows/maintenance-windows';
import { checkPreconditions } from '../http/negotiation.ts';
import { endpoints } from '../http/endpoint.ts';
import { changeClusterSettings, readClusterSettings, type StoredSettings } from './cluster-settings.ts';
import { markReported } from '../fleet/store.ts';
import type { Table } from '../store/table.ts';
import { contended, storedCluster } from './known-cluster.ts';
import { requestedWindows } from './windows.ts';
import type { ClusterSettingsRequest } from './schemas-cluster-settings.ts';

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
      const settings = settingsOf(body, requestedWindows(body, {}));
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
function settingsOf(request: ClusterSettingsRequest, windows: MaintenanceWindows | null): ClusterSettings {
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
