import { type ClusterRecord, isUpdating } from '@cairn/shared/cluster/record';
import { stalledAfterOf } from '@cairn/shared/fleet/cluster-settings';
import type { StalledAfter } from '@cairn/shared/update-status/answer';
import {
  type ClusterUpdateStatus,
  clusterUpdateStatus,
  collectionTimes,
  type Moment,
  momentOf,
} from '@cairn/shared/update-status/runs/cluster-status';
import { recordAt, withoutUnknown } from '@cairn/shared/update-status/runs/rewind';
import { storedCluster } from '../clusters/endpoints.ts';
import { readClusterSettings } from '../clusters/settings-store.ts';
import { type Call, endpoints } from '../http/endpoint.ts';
import { matchesEntityTag } from '../http/negotiation.ts';
import { Problem } from '../http/problem.ts';
import { boundedJson, type Whole } from '../http/reply.ts';
import { readFleetDurations } from '../notifications/store.ts';
import { weakEntityTag } from '../runtime/hash.ts';
import type { Table } from '../store/table.ts';
import { momentToAssess, reportAnswer } from './endpoints.ts';
import { statusReport } from './report.ts';
import { clusterStatusView, updatesView } from './view.ts';

interface ClusterUpdateDependencies {
  readonly table: Table;
  readonly stalledAfter: StalledAfter;
  readonly clock: () => number;
}

/** `/v1/clusters/{id}/update-status` and `/v1/clusters/{id}/updates` */
export function clusterUpdateEndpoints({ table, stalledAfter, clock }: ClusterUpdateDependencies) {
  return endpoints({
    getClusterUpdateStatus: async (call) => {
      const { id, record: newest } = await storedCluster(table, call.path);
      const { record, moment, isPast } = asked(newest, call, clock());
      const stored = isUpdating(record) ? await readClusterSettings(table, id) : null;
      const minutes = stalledAfterOf(stalledAfter, stored?.settings.updates);
      const fleet = isUpdating(record) ? await readFleetDurations(table) : null;
      const result = clusterUpdateStatus(record, moment, minutes, fleet);
      if (!result.ok) throw new Problem('incomplete-report', `${id}: ${result.problem}`);
      const status = isPast ? withoutUnknown(result.status, record) : result.status;
      const { format = 'json', details = 'none' } = call.query;
      const tag = entityTag(status, `${format} ${details}`);
      const headers = { etag: tag, 'cache-control': 'private, no-cache' };
      if (matchesEntityTag(call.headers['if-none-match'], [tag])) {
        return { answer: { statusCode: 304, headers, body: '' } };
      }
      const whole =
        format === 'json'
          ? boundedJson(clusterStatusView(id, status))
          : reportAnswer(statusReport(status, details), format);
      return withHeaders(whole, headers);
    },

    getClusterUpdates: async ({ path }) => {
      const { id, record } = await storedCluster(table, path);
      return boundedJson({ id, updates: updatesView(record) });
    },
  });
}

/** A moment before the last report is judged by the reports of the update up to then. */
function asked(
  newest: ClusterRecord,
  { query }: Call<'getClusterUpdateStatus'>,
  now: number,
): { readonly record: ClusterRecord; readonly moment: Moment; readonly isPast: boolean } {
  if (query.at === undefined) return { record: newest, moment: momentOf(newest, now), isPast: false };
  const at = momentToAssess(query.at, query, now);
  const isPast = at < Math.max(...collectionTimes(newest));
  const record = isPast ? recordAt(newest, at) : newest;
  if (record !== null) return { record, moment: { at, now: at }, isPast };
  const detail = `is before the first report of the last update, and other reports are not kept; send a later time, or none for now`;
  throw new Problem('invalid-parameter', `at=${query.at}: ${detail}`, {
    errors: [{ parameter: 'at', value: query.at, detail }],
  });
}

/** Weak: seconds pass, but nothing else has changed. */
function entityTag(status: ClusterUpdateStatus, form: string): string {
  const { at: _at, controlPlane, forecast, ...others } = status;
  const { durationSeconds: _seconds, remaining, ...rest } = controlPlane ?? {};
  const ends = [forecast?.controlPlane, forecast?.workers, forecast?.whole].map((end) => [
    end?.basis,
    end?.samples,
    // A forecast by nodes moves with each second.
    end?.likelyAt.slice(0, MINUTE_CHARACTERS),
  ]);
  const shown = { ...others, controlPlane: { ...rest, remaining: remaining?.text }, ends, form };
  return weakEntityTag(shown);
}

/** `2026-11-16T12:00` */
const MINUTE_CHARACTERS = 16;

function withHeaders<Data>(whole: Whole<Data>, headers: Readonly<Record<string, string>>): Whole<Data> {
  return { answer: { ...whole.answer, headers: { ...whole.answer.headers, ...headers } } };
}
