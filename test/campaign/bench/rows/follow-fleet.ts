import { type ClusterRecord, takeReport } from '@cairn/shared/cluster/record';
import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { updateLine } from '@cairn/shared/fleet/update-line';
import { STALLED_AFTER } from '@cairn/shared/update-status/answer';
import { takeRunReport } from '@cairn/shared/update-status/runs/take-report';
import { changeCluster } from '../../../../functions/clusters/store.ts';
import { fleetEndpoints } from '../../../../functions/fleet/endpoints.ts';
import { reassessFleet } from '../../../../functions/fleet/job.ts';
import { CACHE_LIMITS, PublicationCache } from '../../../../functions/store/publication-cache.ts';
import { startEngines } from '../../../../infra/local/engines.ts';
import { aCluster } from '../../../helpers/cluster/clusters.ts';
import { simulateUpdate } from '../../../helpers/update-status/simulator.ts';
import { startCincinnatiStub } from '../../../helpers/upstream/cincinnati-stub.ts';
import { drawnGraph, following } from '../../../helpers/upstream/drawn-chains.ts';
import { watchCommands } from '../../../helpers/wrap-command.ts';
import { ratio, type Row } from '../row.ts';
import { onUnexpectedEnd, syncOnce } from '../sync-once.ts';

const SMALL = 250;
const LARGE = 10_000;
/** Clusters that update, of each fleet. */
const UPDATING = 200;
/** Clusters on the channel that changes, of each fleet. */
const TOUCHED = 40;
const ROUNDS = 5;
const MINUTE = 60_000;
const QUERY = 'max(cluster_infrastructure_provider{type="AWS"}) or 0 * max(cluster_infrastructure_provider)';
/** What a change costs for each cluster that it concerns, and a read, in the large fleet against the small one. */
const GOAL = 1.25;

/** A new release and a new risk in one channel, in a small fleet and in one forty times as large. */
export const followFleetRow: Row = {
  name: 'following a fleet',
  async run(folder) {
    const scenario = await startScenario(folder);
    try {
      await scenario.report(0, SMALL);
      const small = { ...(await scenario.change()), reads: await scenario.reads() };
      await scenario.report(SMALL, LARGE);
      const large = { ...(await scenario.change()), reads: await scenario.reads() };
      const what = `a channel of ${TOUCHED} clusters gets a release and a risk`;
      return [
        { what: `${what}: looked at, of ${LARGE}`, measured: large.clusters, unit: 'entries', goal: TOUCHED },
        { what: `${what}: calls to the table for each, of ${LARGE}`, measured: large.calls, unit: 'calls' },
        ratio(`${what}: calls for each, of ${LARGE} / of ${SMALL}`, large.calls / small.calls, GOAL),
        ratio(`${what}: time for each, of ${LARGE} / of ${SMALL}`, large.time / small.time, GOAL),
        ...(['summary', 'updates'] as const).flatMap((name) => [
          {
            what: `${name} of ${LARGE}, ${UPDATING} of which update: calls to the table`,
            measured: large.reads[name].calls,
            unit: 'calls' as const,
            goal: small.reads[name].calls,
          },
          ratio(
            `${name}, ${UPDATING} update: time, of ${LARGE} / of ${SMALL}`,
            large.reads[name].time / small.reads[name].time,
            GOAL,
          ),
        ]),
      ];
    } finally {
      await scenario.close();
    }
  },
};

async function startScenario(folder: string) {
  const engines = await startEngines(folder, onUnexpectedEnd);
  const { table } = engines;
  let newest = 10;
  const upstream = await startCincinnatiStub((channel) =>
    channel === 'stable-4.14'
      ? drawnGraph({
          versions: ['4.14.8', `4.14.${newest}`],
          risky: [{ from: '4.14.8', to: `4.14.${newest}`, risk: `Risk${newest}`, promql: QUERY }],
        })
      : drawnGraph({ versions: [`${channel.split('-')[1]}.1`] }),
  );
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  let now = Date.parse('2026-06-01T00:00:00.000Z');
  let calls = 0;
  watchCommands(table.client, () => calls++);
  const config = following('stable-4.14', 'stable-4.20');
  // The newest is another one each time, so that a version vanishes.
  const request = { trigger: 'manual', accept: ['stable-4.14/amd64'] } as const;
  const sync = async (): Promise<void> => {
    now += MINUTE;
    await syncOnce(engines, { config, upstream, now, request });
  };
  const follow = async (): Promise<number> => {
    now += MINUTE;
    const result = await reassessFleet(
      {
        table,
        events: { publish: async () => [] },
        openWebhook: () => Promise.reject(new Error('there is no webhook')),
        log: silent,
        count: () => {},
        clock: () => now,
        limits: { windowMs: 0 },
      },
      { scheduledTime: new Date(now).toISOString(), trigger: 'schedule' },
    );
    if (result.status !== 'Done') throw new Error(`following was skipped: ${result.reason}`);
    return result.counts.clusters;
  };
  await sync();
  return {
    /** Clusters of these numbers report, the first few of all on the channel that changes. */
    async report(from: number, to: number): Promise<void> {
      const options = { now: new Date(now).toISOString(), forget: false, historyLimit: 100 };
      const numbers = Array.from({ length: to - from }, (_, index) => from + index);
      const update = simulateUpdate({ start: options.now, from: '4.20.1', to: '4.20.2' }).facts(0);
      const store = (number: number) => {
        const id = `cluster-${number}`;
        if (number < TOUCHED || number >= TOUCHED + UPDATING) {
          const facts = aCluster({}, number < TOUCHED ? '4.14.8' : '4.20.1');
          return changeCluster(table, id, () => takeReport(null, facts, options));
        }
        const listed = async (record: ClusterRecord) => updateLine(record, now, STALLED_AFTER);
        return changeCluster(table, id, () => takeRunReport(null, update, options), listed);
      };
      await mapConcurrent(numbers, 8, store);
      while ((await follow()) > 0);
    },
    /** What a change costs for each cluster that is looked at for it, at best. */
    async change() {
      const rounds: { clusters: number; calls: number; time: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        newest++;
        await sync();
        calls = 0;
        const startedAt = performance.now();
        const clusters = await follow();
        const time = performance.now() - startedAt;
        rounds.push({ clusters, calls: calls / clusters, time: time / clusters });
      }
      const least = (name: 'calls' | 'time') => Math.min(...rounds.map((round) => round[name]));
      return {
        clusters: Math.max(...rounds.map(({ clusters }) => clusters)),
        calls: least('calls'),
        time: least('time'),
      };
    },
    /** What the fleet costs a reader, at best. */
    async reads() {
      const clock = () => now;
      const documents = new PublicationCache(table, clock, CACHE_LIMITS);
      const { getFleetSummary, listFleetUpdates } = fleetEndpoints({ table, documents, clock });
      const best = async (read: () => Promise<unknown>) => {
        const rounds: { calls: number; time: number }[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          calls = 0;
          const startedAt = performance.now();
          await read();
          rounds.push({ calls, time: performance.now() - startedAt });
        }
        const least = (name: 'calls' | 'time') => Math.min(...rounds.map((round) => round[name]));
        return { calls: least('calls'), time: least('time') };
      };
      const call = { query: {}, headers: {} } as never;
      return {
        summary: await best(async () => getFleetSummary(call)),
        updates: await best(async () => listFleetUpdates(call)),
      };
    },
    async close(): Promise<void> {
      await Promise.all([engines.close(), upstream.close()]);
    },
  };
}
