import type { RiskAcceptance } from '@cairn/shared/risk/acceptances';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeClusterSettings } from '../../../../functions/clusters/settings-store.ts';
import { readAssessments } from '../../../../functions/fleet/store.ts';
import { putWebhook } from '../../../../functions/notifications/store.ts';
import {
  deleteAcceptance,
  putAcceptance,
  readAcceptances,
} from '../../../../functions/risk-acceptances/store.ts';
import { ACCEPTANCE_LIST, assessmentKey } from '../../../../functions/store/keys.ts';
import { aCluster } from '../../../helpers/cluster/clusters.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { assessed } from '../../../helpers/table/table.ts';
import { at } from '../../../helpers/upstream/sync-harness.ts';

const DAY = 24 * 60;
const RISK = 'SlowBoot';
const GRAPHS = {
  'stable-4.14': { versions: ['4.14.8'] },
  'stable-4.15': {
    versions: ['4.14.8', '4.15.3'],
    risky: [{ from: '4.14.8', to: '4.15.3', risk: RISK }],
  },
};
const IDS = ['c0', 'c1', 'c2'];

let harness: FleetHarness;
beforeEach(async () => {
  harness = await startFleetHarness(Object.keys(GRAPHS));
  await harness.publish(0, GRAPHS);
  for (const id of IDS) await harness.report(1, id, aCluster());
  await harness.follow(5);
});
afterEach(() => harness.close());

const check = () => {};
const put = (minutes: number, id: string, changes: Partial<RiskAcceptance> = {}, table = harness.table) =>
  putAcceptance(
    table,
    id,
    { risk: RISK, reason: 'tested', owner: 'platform', until: at(100 * DAY), clusters: ['c1'], ...changes },
    { at: at(minutes), by: 'ada', check },
  );
const remove = (minutes: number, id: string) =>
  deleteAcceptance(harness.table, id, { at: at(minutes), by: 'ada', check });

/** Clusters whose path goes over the risk. */
async function accepting(): Promise<string[]> {
  const found = await readAssessments(harness.table, IDS);
  return IDS.filter((id) => (found.get(id)?.outlook.path?.length ?? 0) > 0);
}

describe('acceptances of risks', () => {
  it('change the assessments of the clusters that they name, and of no others', async () => {
    expect(await accepting()).toEqual([]);
    await put(6, 'one');
    expect(await harness.follow(10)).toMatchObject({ counts: { clusters: 1, failed: 0 } });
    expect(await accepting()).toEqual(['c1']);
    expect(harness.news()).toEqual(['PathOpened c1']);
    expect(await harness.follow(15)).toMatchObject({ counts: { clusters: 0 } });

    await put(16, 'one', { clusters: ['c2'] });
    expect(await harness.follow(20)).toMatchObject({ counts: { clusters: 2 } });
    expect(await accepting()).toEqual(['c2']);

    await remove(21, 'one');
    expect(await harness.follow(25)).toMatchObject({ counts: { clusters: 1 } });
    expect(await accepting()).toEqual([]);
  });

  it('that change twice before a run are assessed for all clusters that they named', async () => {
    await put(6, 'one');
    await harness.follow(10);
    await put(11, 'one', { clusters: ['c2'] });
    await put(12, 'one', { clusters: ['c0'] });
    await harness.follow(15);
    expect(await accepting()).toEqual(['c0']);
  });

  it('for all clusters change all assessments, also those of later clusters', async () => {
    await put(6, 'one', { clusters: 'all' });
    expect(await harness.follow(10)).toMatchObject({ counts: { clusters: 3 } });
    expect(await accepting()).toEqual(IDS);
    await harness.report(11, 'c9', aCluster());
    await harness.follow(15);
    expect((await readAssessments(harness.table, ['c9'])).get('c9')?.outlook.target).toBe('4.15.3');
    await put(16, 'one', { clusters: ['c0'] });
    await harness.follow(20);
    expect(await accepting()).toEqual(['c0']);
  });

  it('are joined with the settings of a cluster', async () => {
    await changeClusterSettings(harness.table, 'c0', () => ({ acceptRisks: [RISK] }));
    await put(6, 'one', { clusters: ['c0'] });
    await harness.follow(10);
    await remove(11, 'one');
    expect(await harness.follow(15)).toMatchObject({ counts: { clusters: 1 } });
    expect(await accepting()).toEqual(['c0']);
  });

  it('no longer count from the moment of their end', async () => {
    await put(6, 'one', { until: at(60) });
    await harness.follow(10);
    await harness.report(58, 'c1', aCluster());
    await harness.follow(59);
    expect(await accepting()).toEqual(['c1']);
    expect(await harness.follow(60)).toMatchObject({ counts: { clusters: 1 } });
    expect(await accepting()).toEqual([]);
    expect(await harness.follow(65)).toMatchObject({ counts: { clusters: 0 } });
    await put(66, 'one', { until: at(DAY) });
    await harness.follow(70);
    expect(await accepting()).toEqual(['c1']);
  });

  it('that come during a run are not lost', async () => {
    await harness.report(6, 'c1', aCluster());
    let isPut = false;
    const table = assessed(harness.table, async (command) => {
      const { input } = command as { input: { Item?: { pk: { S: string }; sk: { S: string } } } };
      const { pk, sk } = assessmentKey('c1');
      if (isPut || input.Item?.pk.S !== pk || input.Item.sk.S !== sk) return;
      isPut = true;
      await put(9, 'one');
    });
    // Another target, so that the run stores its assessment.
    await changeClusterSettings(harness.table, 'c1', () => ({ target: '4.15.3' }));
    await harness.follow(10, { table });
    expect([isPut, await accepting()]).toEqual([true, []]);
    await harness.follow(15);
    expect(await accepting()).toEqual(['c1']);
  });

  it('that change while they are settled stay to be settled', async () => {
    await put(6, 'one');
    let isPut = false;
    const table = assessed(harness.table, async (command) => {
      const { input } = command as { input: { Item?: { pk: { S: string } } } };
      if (isPut || input.Item?.pk.S !== ACCEPTANCE_LIST) return;
      isPut = true;
      await put(9, 'one', { clusters: ['c2'] });
    });
    await harness.follow(10, { table });
    expect(isPut).toBe(true);
    await harness.follow(15);
    expect(await accepting()).toEqual(['c2']);
    expect((await readAcceptances(harness.table))[0]).toMatchObject({ stale: [], isCounted: true });
  });

  it('wait for the next run when no time is left', async () => {
    await put(6, 'one', { clusters: 'all' });
    await harness.follow(10, { limits: { beginClustersForMs: -1 } });
    expect((await readAcceptances(harness.table))[0]).toMatchObject({ stale: 'all' });
    await harness.follow(15);
    expect(await accepting()).toEqual(IDS);
  });

  it('for clusters that are not there leave nothing behind', async () => {
    await put(6, 'one', { clusters: ['nobody'] });
    expect(await harness.follow(10)).toMatchObject({ counts: { clusters: 0, failed: 0 } });
    expect(await harness.follow(15)).toMatchObject({ counts: { clusters: 0 } });
  });
});

describe('acceptances that end soon', () => {
  const webhook = { url: 'https://hooks.example.com/x', format: 'json' as const, since: at(0), by: 'ada' };
  const END = 20 * DAY;
  const ends = () => harness.news().filter((line) => line.startsWith('AcceptanceEnds'));

  it('are news a week ahead, once for each end', async () => {
    await putWebhook(harness.table, webhook);
    await put(6, 'one', { until: at(END), clusters: ['c1', 'c2'] });
    await harness.follow(END - 7 * DAY - 5);
    expect(ends()).toEqual([]);
    harness.posted.length = 0;
    await harness.follow(END - 7 * DAY);
    expect(ends()).toEqual(['AcceptanceEnds one']);
    expect(harness.events.findLast(({ type }) => type === 'AcceptanceEnds')).toMatchObject({
      id: `acceptance/one/AcceptanceEnds/${at(END)}`,
      detail: { risk: RISK, reason: 'tested', owner: 'platform', until: at(END), clusters: 2 },
    });
    expect(harness.posted.map(({ message }) => message.title)).toEqual([
      `the acceptance one of ${RISK} for 2 clusters ends at ${at(END)} (owner: platform; reason: tested)`,
    ]);
    for (const minutes of [END - 5, END, END + DAY]) await harness.follow(minutes);
    expect(ends()).toEqual([]);
    await put(END + DAY + 1, 'one', { until: at(END + 2 * DAY), clusters: 'all' });
    await harness.follow(END + DAY + 5);
    await harness.follow(END + DAY + 10);
    expect(ends()).toEqual(['AcceptanceEnds one']);
  });

  it('are sent again by the next run if the event bus did not take them', async () => {
    await put(6, 'one', { until: at(DAY) });
    const events = { publish: async (all: readonly unknown[]) => all as never };
    await harness.follow(10, { events });
    await harness.follow(15);
    await harness.follow(20);
    expect(ends()).toEqual(['AcceptanceEnds one']);
  });

  it('are news within a week after the end if no run came before, and none later or when deleted', async () => {
    await put(6, 'late', { until: at(DAY) });
    await put(6, 'gone', { until: at(DAY) });
    await put(6, 'old', { until: at(2) });
    await remove(7, 'gone');
    await harness.follow(3 + 7 * DAY);
    expect(ends()).toEqual(['AcceptanceEnds late']);
    expect(harness.events.findLast(({ type }) => type === 'Message')?.detail['text']).toMatch(/ ended at /);
  });
});
