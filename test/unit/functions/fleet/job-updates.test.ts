import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { updateLine } from '@cairn/shared/fleet/update-line';
import { STALLED_AFTER } from '@cairn/shared/update-status/answer';
import { takeRunReport } from '@cairn/shared/update-status/runs/take-report';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeClusterSettings } from '../../../../functions/clusters/settings-store.ts';
import { changeCluster, listUpdates, removeCluster } from '../../../../functions/clusters/store.ts';
import { readFleetEntry } from '../../../../functions/fleet/store.ts';
import { fleetUpdateEndpoints } from '../../../../functions/fleet/updates.ts';
import { readFleetState } from '../../../../functions/notifications/store.ts';
import { deleteRevision } from '../../../../functions/store/item.ts';
import { updateMarkKey } from '../../../../functions/store/keys.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { everyFive } from '../../../helpers/update-status/reporting.ts';
import { type SimulatedUpdate, simulateUpdate } from '../../../helpers/update-status/simulator.ts';
import { at } from '../../../helpers/upstream/sync-harness.ts';

const START = 100;

let harness: FleetHarness;
beforeEach(async () => {
  harness = await startFleetHarness(['stable-4.14']);
  await harness.publish(0, { 'stable-4.14': { versions: ['4.14.8', '4.14.9'] } });
});
afterEach(() => harness.close());

const aDrain = (minutes: number) =>
  simulateUpdate({
    start: at(START),
    from: '4.14.8',
    to: '4.14.9',
    masters: 1,
    pools: [{ name: 'worker', nodes: 2 }],
    drains: { 'worker-000': minutes },
  });

/** Stores a report as `PUT /v1/clusters/{id}` does. */
async function store(minutes: number, id: string, facts: ClusterFacts): Promise<void> {
  const options = { now: at(minutes), forget: false, historyLimit: 100 };
  await changeCluster(
    harness.table,
    id,
    (former) => takeRunReport(former?.record ?? null, facts, options),
    async (record) => updateLine(record, Date.parse(options.now), STALLED_AFTER),
  );
}

/** Minutes of the update; the fleet is followed after each report. */
async function report(update: SimulatedUpdate, minutes: readonly number[], id = 'prod'): Promise<void> {
  for (const minute of minutes) {
    await store(START + minute, id, update.facts(minute));
    await harness.follow(START + minute);
  }
}

async function reportBefore(id = 'prod'): Promise<void> {
  const before = simulateUpdate({ start: at(-90_000), from: '4.14.7', to: '4.14.8' });
  await store(1, id, before.facts(90_001));
  await harness.follow(1);
  harness.news();
}

const listed = async (minute: number) =>
  (await listUpdates(harness.table, at(START + minute))).map(({ id, update }) => `${id} ${update.state}`);

describe('the job that follows the fleet', () => {
  it('sends each news of an update once, with an id that stays', async () => {
    await reportBefore();
    await report(aDrain(100), everyFive(0, 170));
    await harness.follow(START + 175);
    expect(harness.news()).toEqual([
      'UpdateStarted prod',
      'NodeStuck prod',
      'UpdateStalled prod',
      'UpdateRecovered prod',
      'UpdateCompleted prod',
    ]);
    expect(harness.events.filter(({ type }) => type !== 'Message').map(({ id }) => id)).toEqual([
      `cluster/prod/UpdateStarted/${at(START)}`,
      `cluster/prod/NodeStuck/${at(START)}/worker-000/Draining`,
      `cluster/prod/UpdateStalled/${at(START)}/NoNodeProgress`,
      `cluster/prod/UpdateRecovered/${at(START)}`,
      `cluster/prod/UpdateCompleted/${at(START)}`,
    ]);
  });

  it('keeps how long updates took, for the forecasts and plans of other clusters', async () => {
    const expectedMinutes = async (minute: number) => {
      const other = simulateUpdate({ start: at(-90_000), from: '4.14.7', to: '4.14.8' }).facts(90_001);
      const { history, ...rest } = other.clusterVersion!;
      await store(START + minute, 'other', {
        ...other,
        clusterVersion: { ...rest, history: history.slice(0, 1) },
      });
      await harness.follow(START + minute);
      const { assessment } = await readFleetEntry(harness.table, 'other');
      return assessment!.outlook.minutes!.expected;
    };
    expect(await expectedMinutes(0)).toBe(65);
    await report(aDrain(10), everyFive(0, 120));
    expect(await expectedMinutes(125)).toBe(50);
    const [sample, ...others] = (await readFleetState(harness.table)).samples;
    expect(sample).toMatchObject({ cluster: 'prod', minors: '4.14 4.14', minutes: expect.any(Number) });
    expect(sample!.forecastError).toBeGreaterThanOrEqual(0);
    const clock = () => Date.parse(at(START + 130));
    const updates = fleetUpdateEndpoints({ table: harness.table, clock });
    const { answer } = (await updates.listFleetUpdates({ query: {}, headers: {} } as never)) as {
      readonly answer: { readonly body: string };
    };
    expect(JSON.parse(answer.body)).toMatchObject({ forecastError: { runs: 1 } });
    expect(others.length).toBeLessThanOrEqual(2);
    await removeCluster(harness.table, 'prod', at(START + 131), () => {});
    await harness.follow(START + 131);
    expect((await readFleetState(harness.table)).samples).toEqual([]);
  });

  it('finds silence without a report', async () => {
    await reportBefore();
    await report(aDrain(10), everyFive(0, 20));
    await harness.follow(START + 34);
    expect(harness.news()).toEqual(['UpdateStarted prod']);
    expect(await harness.follow(START + 36)).toMatchObject({
      counts: { clusters: 1, news: 1 },
      updates: { silent: 1, workers: 0 },
    });
    expect(harness.news()).toEqual(['UpdateSilent prod']);
    expect(await harness.follow(START + 60)).toMatchObject({ counts: { clusters: 0 } });
  });

  it('looks at an update again when silence is due, however short the window of other news is', async () => {
    await reportBefore();
    await store(START, 'prod', aDrain(10).facts(0));
    const limits = { windowMs: 3600_000 };
    expect(await harness.follow(START, { limits })).toMatchObject({ counts: { clusters: 1 } });
    expect(await harness.follow(START + 1, { limits })).toMatchObject({ counts: { clusters: 0 } });
  });

  it('goes by the minutes of the settings of a cluster', async () => {
    await reportBefore();
    await changeClusterSettings(harness.table, 'prod', () => ({
      updates: { stalledAfterMinutes: { workers: 1000 } },
    }));
    await report(aDrain(100), everyFive(0, 120));
    expect(harness.news()).toEqual(['UpdateStarted prod', 'NodeStuck prod']);
  });

  it('sends news again that the event bus did not take, with the same id', async () => {
    await reportBefore();
    const refused: string[] = [];
    await store(START, 'prod', aDrain(10).facts(0));
    await harness.follow(START, {
      events: {
        async publish(events) {
          refused.push(...events.map(({ id }) => id));
          return events;
        },
      },
    });
    await harness.follow(START + 5);
    expect(harness.news()).toEqual(['UpdateStarted prod']);
    expect(harness.events.map(({ id }) => id)).toContain(refused[0]);
  });

  it('lists an update whose writer died before it was listed', async () => {
    await reportBefore();
    await store(START, 'prod', aDrain(10).facts(0));
    const { listed: entry } = await readFleetEntry(harness.table, 'prod');
    await deleteRevision(harness.table, updateMarkKey('prod'), entry!);
    expect(await listed(0)).toEqual([]);
    await harness.follow(START);
    expect(await listed(0)).toEqual(['prod control-plane']);
  });

  it('lists no cluster that is deleted, also after a report that was too late', async () => {
    await reportBefore();
    await report(aDrain(10), [0, 5]);
    await removeCluster(harness.table, 'prod', at(START + 6), () => {});
    expect(await listed(6)).toEqual([]);
    await harness.follow(START + 6);
    expect((await readFleetEntry(harness.table, 'prod')).listed).toBeNull();
  });

  it('takes an update from the list 30 days after its end', async () => {
    await reportBefore();
    const update = aDrain(4);
    await report(update, [0, ...everyFive(60, 120)]);
    expect(await listed(0)).toEqual(['prod completed']);
    const later = 31 * 24 * 60;
    await report(update, [later]);
    expect((await readFleetEntry(harness.table, 'prod')).listed).toBeNull();
  });
});
