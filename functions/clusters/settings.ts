import type { ClusterSettings } from '@cairn/shared/fleet/cluster-settings';
import {
  type MaintenanceWindows,
  readWindows,
  type WindowsMistake,
  windowText,
} from '@cairn/shared/plan/windows/maintenance-windows';
import { sentName } from '../http/aliases.ts';
import { endpoints, type SentFields } from '../http/endpoint.ts';
import { checkPreconditions } from '../http/negotiation.ts';
import { contended } from '../http/problem.ts';
import { invalidRequest, pointerTo, truncateIfGiven } from '../http/request.ts';
import type { ErrorDetail } from '../runtime/errors.ts';
import type { RevisedItem } from '../store/item.ts';
import type { Table } from '../store/table.ts';
import { storedCluster } from './endpoints.ts';
import { markForReassessment } from './reassessment-mark.ts';
import type { ClusterSettingsRequest } from './schema.ts';
import { changeClusterSettings, readClusterSettings, type StoredSettings } from './settings-store.ts';

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
        checkPreconditions(headers, former && entityTag(former), NO_SETTINGS_TAG);
        return settings;
      });
      if (stored === null) throw contended(`the settings of ${id}`);
      // The settings change the assessment.
      await markForReassessment(table, id, { revision, at: new Date(clock()).toISOString() });
      return settingsAnswer(stored);
    },
  });
}

const NO_SETTINGS_TAG = '"none"';

function settingsAnswer(stored: StoredSettings | null) {
  return {
    data: stored ? settingsView(stored.settings) : {},
    headers: { etag: stored ? entityTag(stored) : NO_SETTINGS_TAG },
  };
}

function entityTag({ revision }: RevisedItem): string {
  return `"${revision}"`;
}

/** Maps request names, which match the other requests, to stored names. */
function requestedSettings(
  request: ClusterSettingsRequest,
  windows: MaintenanceWindows | null,
): ClusterSettings {
  const { target, channel, accept_risk: acceptRisks, accept, policy, strategy, updates } = request;
  return {
    ...(target !== undefined && { target }),
    ...(channel !== undefined && { channels: typeof channel === 'string' ? [channel] : channel }),
    ...(acceptRisks !== undefined && { acceptRisks }),
    ...(accept !== undefined && { accept }),
    ...(policy !== undefined && { policy }),
    ...(strategy !== undefined && { strategy }),
    ...(windows && { windows }),
    ...(updates !== undefined && { updates }),
  };
}

const FIELDS = { windows: 'windows', timeZone: 'time_zone' } as const satisfies Record<
  WindowsMistake['field'],
  string
>;

/** Reads maintenance windows from query or body; null if there are none. */
export function requestedWindows(
  asked: { readonly windows?: unknown; readonly time_zone?: unknown },
  query: SentFields,
): MaintenanceWindows | null {
  const { windows, time_zone: timeZone } = asked;
  const fault = ({ field, index, problem }: WindowsMistake): ErrorDetail => {
    const name = sentName(asked, FIELDS[field]);
    return query[name] === undefined
      ? { pointer: pointerTo(index === null ? [name] : [name, index]), detail: problem }
      : { parameter: name, value: truncateIfGiven(query[name]), detail: problem };
  };
  if (windows !== undefined) {
    const reading = readWindows({ windows, timeZone });
    if (reading.ok) return reading.windows;
    throw invalidRequest(reading.mistakes.map(fault));
  }
  if (timeZone === undefined) return null;
  const problem = 'is the time zone of windows, which are not given';
  throw invalidRequest([fault({ field: 'timeZone', index: null, problem })]);
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
