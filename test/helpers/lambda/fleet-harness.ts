import { deepStrictEqual } from 'node:assert';
import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { takeReport } from '@cairn/shared/cluster/record';
import type { Message } from '@cairn/shared/notifications/message';
import type { SupportDateTable } from '@cairn/shared/releases/lifecycle';
import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { changeCluster } from '../../../functions/clusters/store.ts';
import { type FleetResult, reassessFleet } from '../../../functions/fleet/job.ts';
import type { FleetDependencies } from '../../../functions/fleet/run.ts';
import type { Posting, WebhookTarget } from '../../../functions/notifications/post-webhook.ts';
import { EVENT_DETAILS } from '../../../functions/runtime/event-schemas.ts';
import type { Table } from '../../../functions/store/table.ts';
import { type DrawnChannel, drawnGraph } from '../upstream/drawn-chains.ts';
import { at, following, startHarness, type SyncHarness } from '../upstream/sync-harness.ts';
import type { SeenEvent } from './seen-event.ts';

export interface FleetHarness {
  readonly table: Table;
  readonly sync: SyncHarness;
  /** All that was published by following the fleet, in order. */
  readonly events: SeenEvent[];
  readonly posted: { readonly target: WebhookTarget; readonly message: Message }[];
  /** Changes the upstream and syncs. */
  publish(minutes: number, channels: Readonly<Record<string, DrawnChannel>>): Promise<void>;
  report(minutes: number, id: string, facts: ClusterFacts): Promise<void>;
  follow(minutes: number, overrides?: Partial<FleetDependencies>): Promise<FleetResult>;
  /** Types of events since the last call, without messages. */
  news(): string[];
  close(): Promise<void>;
}

/** Drawn fleets go from 4.14, which has ended, to 4.15. */
export const NEXT_IS_SUPPORTED: SupportDateTable = {
  '4.14': { ga: '2023-10-31', maintenance: '2025-05-01', eus: [] },
  '4.15': { ga: '2024-02-27', maintenance: '2099-12-31', eus: [] },
};

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Following a fleet over a real sync, a real table engine and graphs that a test draws. */
export async function startFleetHarness(
  channels: readonly string[],
  config: Partial<ReleaseConfig> = {},
): Promise<FleetHarness> {
  let drawn: Readonly<Record<string, DrawnChannel>> = {};
  const sync = await startHarness({
    config: { ...following(...channels), supportDates: NEXT_IS_SUPPORTED, ...config },
    source: (channel) => drawnGraph(drawn[channel] ?? { versions: [] }),
  });
  const { table } = sync;
  const events: SeenEvent[] = [];
  const posted: { target: WebhookTarget; message: Message }[] = [];
  let told = 0;
  return {
    table,
    sync,
    events,
    posted,
    async publish(minutes, next) {
      drawn = next;
      const result = await sync.sync(minutes, { accept: Object.keys(next).map((name) => `${name}/amd64`) });
      if (result.status !== 'Done') throw new Error(`the sync was skipped: ${result.reason}`);
    },
    async report(minutes, id, facts) {
      const options = { now: at(minutes), forget: false, historyLimit: 100 };
      await changeCluster(table, id, (former) => takeReport(former?.record ?? null, facts, options));
    },
    follow: (minutes, overrides = {}) =>
      reassessFleet(
        {
          table,
          events: {
            async publish(published) {
              published.forEach(checkDocumented);
              events.push(...published);
              return [];
            },
          },
          openWebhook:
            async () =>
            async (target, message): Promise<Posting> => {
              posted.push({ target, message });
              return { ok: true };
            },
          log: silent,
          count: () => {},
          clock: () => Date.parse(at(minutes)),
          ...overrides,
        },
        { scheduledTime: at(minutes), trigger: 'schedule' },
      ),
    news() {
      const fresh = events.slice(told).filter(({ type }) => type !== 'Message');
      told = events.length;
      return fresh.map(
        ({ type, detail }) =>
          `${type} ${String(detail['cluster'] ?? detail['pruner'] ?? detail['acceptance'])}`,
      );
    },
    close: () => sync.close(),
  };
}

/** Checks each event against its schema. */
function checkDocumented({ id, type, detail }: SeenEvent): void {
  deepStrictEqual(EVENT_DETAILS()[type].parse({ id, ...detail }), { id, ...detail });
}
