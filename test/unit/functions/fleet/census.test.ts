import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeCluster } from '../../../../functions/clusters/store.ts';
import { fleetEndpoints } from '../../../../functions/fleet/endpoints.ts';
import { readFleetState } from '../../../../functions/notifications/store.ts';
import { CACHE_LIMITS, PublicationCache } from '../../../../functions/store/publication-cache.ts';
import { aCluster } from '../../../helpers/cluster/clusters.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { countTableCalls } from '../../../helpers/stored/table-calls.ts';
import { at } from '../../../helpers/upstream/sync-harness.ts';

/** More than are counted when someone asks. */
const CLUSTERS = 205;

let harness: FleetHarness;
beforeAll(async () => {
  harness = await startFleetHarness(['stable-4.14']);
  await harness.publish(0, { 'stable-4.14': { versions: ['4.14.8', '4.14.9'] } });
});
afterAll(() => harness.close());

async function summaryAt(minutes: number) {
  const clock = () => Date.parse(at(minutes));
  const documents = new PublicationCache(harness.table, clock, CACHE_LIMITS);
  const { getFleetSummary } = fleetEndpoints({ table: harness.table, documents, clock });
  const calls = countTableCalls(harness.table.client);
  const answer = (await getFleetSummary({ query: {} } as never)) as { readonly data: object };
  return { summary: answer.data, calls: calls.take().text };
}

describe('the numbers of a fleet', () => {
  it('are counted when someone asks while it is small, so that a report counts at once', async () => {
    await harness.report(1, 'first', aCluster({}, '4.14.8'));
    await harness.follow(1);
    await harness.report(2, 'second', aCluster({}, '4.14.8'));
    const { summary } = await summaryAt(2);
    expect(summary).toMatchObject({ clusters: 2, byVerdict: { pending: 1 }, countedAt: null });
  });

  it('are those of the last run when it is large, in as few reads as without clusters', async () => {
    const ids = Array.from({ length: CLUSTERS }, (_, index) => `cluster-${index}`);
    await mapConcurrent(ids, 8, (id) => harness.report(3, id, aCluster({}, '4.14.8')));
    await harness.follow(3);
    const { summary, calls } = await summaryAt(4);
    expect(summary).toMatchObject({
      clusters: CLUSTERS + 2,
      byMinor: [{ minor: '4.14', clusters: CLUSTERS + 2 }],
      byVerdict: { pending: 0 },
      withNewerPatch: CLUSTERS + 2,
      oldestReportAt: at(1),
      countedAt: at(3),
    });
    expect(calls).toMatch(/^GetItem 1, Query \d: /);
  });

  it('follow what was reported and deleted since', async () => {
    await removeCluster(harness.table, 'first', at(5), () => {});
    await harness.report(5, 'second', aCluster({}, '4.14.9'));
    await harness.follow(5);
    expect((await summaryAt(6)).summary).toMatchObject({
      clusters: CLUSTERS + 1,
      withNewerPatch: CLUSTERS,
      countedAt: at(5),
    });
  });

  it('are counted anew every day, whatever a run that died has left out', async () => {
    const { census } = await readFleetState(harness.table);
    await removeCluster(harness.table, 'cluster-7', at(6), () => {});
    await harness.follow(24 * 60);
    const counted = (await readFleetState(harness.table)).census!;
    const sum = counted.parts.reduce((total, { clusters }) => total + clusters, 0);
    expect([sum, counted.day === census!.day]).toEqual([CLUSTERS, false]);
  });

  it('are counted when someone asks again once the job is stopped', async () => {
    expect((await summaryAt(26 * 60)).summary).toMatchObject({ clusters: CLUSTERS, countedAt: null });
  });
});
