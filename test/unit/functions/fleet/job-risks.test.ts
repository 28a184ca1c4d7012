import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeClusterSettings } from '../../../../functions/clusters/settings-store.ts';
import { removeCluster } from '../../../../functions/clusters/store.ts';
import { fleetMetrics } from '../../../../functions/fleet/job.ts';
import { readClusterRisks } from '../../../../functions/fleet/risk-store.ts';
import { putAcceptance } from '../../../../functions/risk-acceptances/store.ts';
import { aCluster, aClusterVersion, aCondition } from '../../../helpers/cluster/clusters.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { dumpTable } from '../../../helpers/table/table.ts';
import type { DrawnChannel } from '../../../helpers/upstream/drawn-chains.ts';
import { at } from '../../../helpers/upstream/sync-harness.ts';

const DAY = 24 * 60;
const VERSIONS = ['4.14.8', '4.14.9', '4.15.3'];
const PLAIN = { 'stable-4.14': { versions: ['4.14.8', '4.14.9'] }, 'stable-4.15': { versions: VERSIONS } };

const onPlatform = (type: string) => `
  max(cluster_infrastructure_provider{type="${type}"})
  or
  0 * max(cluster_infrastructure_provider)`;
const AWS = 'cluster_infrastructure_provider{type="AWS"} 1';
/** Only the cluster's own metrics decide it. */
const LIVE_ONLY = 'max(ceph_health_status == bool 1)';

type Risky = NonNullable<DrawnChannel['risky']>;

const risk = (name: string, promql?: string, ends: Partial<Risky[number]> = {}): Risky[number] => ({
  from: '4.14.8',
  to: '4.15.3',
  ...ends,
  risk: name,
  ...(promql !== undefined && { promql }),
});
const withRisks = (...risky: Risky) => ({ ...PLAIN, 'stable-4.15': { versions: VERSIONS, risky } });
const onAzure: Partial<ClusterFacts> = {
  infrastructure: { platform: 'Azure', controlPlaneTopology: 'HighlyAvailable' },
};

let harness: FleetHarness;
beforeEach(async () => {
  harness = await startFleetHarness(['stable-4.14', 'stable-4.15']);
});
afterEach(() => harness.close());

/** A cluster on AWS that was assessed before. */
const startWith = async (graphs: Readonly<Record<string, DrawnChannel>>, ids = ['prod']) => {
  await harness.publish(0, graphs);
  for (const id of ids) await harness.report(1, id, aCluster());
  await harness.follow(5);
  harness.news();
};
const change = async (minutes: number, graphs: Readonly<Record<string, DrawnChannel>>) => {
  await harness.publish(minutes, graphs);
  await harness.follow(minutes + 1);
  return harness.news();
};

describe('a new risk', () => {
  it('is news to the clusters that it applies to', async () => {
    await startWith(PLAIN);
    expect(await change(10, withRisks(risk('OnAws', onPlatform('AWS'))))).toEqual([
      'UpdateAtRisk prod',
      'RiskAppliesToCluster prod',
    ]);
    expect(harness.events.find(({ type }) => type === 'RiskAppliesToCluster')).toMatchObject({
      id: `cluster/prod/RiskAppliesToCluster/OnAws/${at(11)}`,
      detail: {
        risk: 'OnAws',
        version: '4.14.8',
        url: 'https://issues.redhat.com/browse/OnAws',
        hops: [{ from: '4.14.8', to: '4.15.3' }],
        decidedBy: [AWS],
      },
    });
    await harness.report(20, 'prod', aCluster());
    await harness.follow(21);
    expect(harness.news()).toEqual([]);
  });

  it('is no news if it does not apply, and puts no planned update at risk', async () => {
    await startWith(PLAIN);
    expect(await change(10, withRisks(risk('OnAzure', onPlatform('Azure'))))).toEqual([]);
  });

  it('is no news of its own if nobody knows whether it applies', async () => {
    await startWith(PLAIN);
    expect(await change(10, withRisks(risk('Ceph', LIVE_ONLY)))).toEqual(['UpdateAtRisk prod']);
  });

  it('names only the risks that may apply of an update that has others too', async () => {
    await startWith(PLAIN);
    await change(10, withRisks(risk('OnAzure', onPlatform('Azure')), risk('Ceph', LIVE_ONLY)));
    const atRisk = harness.events.find(({ type }) => type === 'UpdateAtRisk');
    expect(atRisk).toMatchObject({ detail: { hops: [{ now: 'conditional', risks: ['Ceph'] }] } });
  });

  it('is no news if no update ahead has it', async () => {
    await startWith(PLAIN);
    expect(await change(10, withRisks(risk('Elsewhere', undefined, { from: '4.14.9' })))).toEqual([]);
  });

  it('of a later update of the planned path is news, and stays so when the path is lost', async () => {
    const direct = risk('Direct');
    await startWith(withRisks(direct));
    const news = await change(10, withRisks(direct, risk('Later', undefined, { from: '4.14.9' })));
    expect(news.filter((one) => one.startsWith('Risk'))).toEqual(['RiskAppliesToCluster prod']);
    expect(harness.events.find(({ type }) => type === 'RiskAppliesToCluster')).toMatchObject({
      detail: { risk: 'Later', hops: [{ from: '4.14.9', to: '4.15.3' }] },
    });
    for (const day of [2, 4]) {
      await harness.report(day * DAY, 'prod', aCluster());
      await harness.follow(day * DAY + 1);
    }
    expect(harness.news().filter((one) => one.startsWith('Risk'))).toEqual([]);
  });

  it('is one event per risk, each with an ID of its own', async () => {
    await startWith(PLAIN);
    await change(10, withRisks(risk('A'), risk('B', undefined, { to: '4.14.9' })));
    const ids = harness.events.filter(({ type }) => type === 'RiskAppliesToCluster').map(({ id }) => id);
    expect(ids.toSorted()).toEqual([
      `cluster/prod/RiskAppliesToCluster/A/${at(11)}`,
      `cluster/prod/RiskAppliesToCluster/B/${at(11)}`,
    ]);
  });

  it('that the settings of the cluster accept is no news', async () => {
    await startWith(PLAIN);
    await changeClusterSettings(harness.table, 'prod', () => ({ acceptRisks: ['OnAws'] }));
    expect(await change(10, withRisks(risk('OnAws', onPlatform('AWS'))))).toEqual(['UpdateAtRisk prod']);
  });

  it('that an acceptance is for is news only to the others', async () => {
    await startWith(PLAIN, ['prod', 'test']);
    const acceptance = { risk: 'OnAws', reason: 'r', owner: 'o', until: at(DAY), clusters: ['test'] };
    await putAcceptance(harness.table, 'a', acceptance, { at: at(6), by: 'o', check: () => {} });
    const news = await change(10, withRisks(risk('OnAws', onPlatform('AWS'))));
    expect(news.filter((one) => one.startsWith('Risk'))).toEqual(['RiskAppliesToCluster prod']);
  });

  it('is a digest for many clusters, which counts those that are not decided', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `eu-${index}`);
    await startWith(PLAIN, ids);
    await harness.report(6, 'unsure', aCluster({ infrastructure: null }));
    await harness.follow(7);
    await change(10, withRisks(risk('OnAws', onPlatform('AWS'))));
    const digest = harness.posted.at(-1) ?? harness.events.findLast(({ type }) => type === 'Message');
    expect(JSON.stringify(digest)).toContain(
      '12 to which a risk applies now: eu-0, eu-1, eu-10, eu-11, eu-2, eu-3, eu-4, eu-5, eu-6, eu-7 and 2 more; for 1 more cluster it is not known',
    );
  });
});

describe('a risk that was there before', () => {
  const known = withRisks(risk('OnAws', onPlatform('AWS')));

  it('is no news to a new cluster', async () => {
    await startWith(known);
    await harness.report(10, 'new', aCluster());
    await harness.follow(11);
    expect(harness.news()).toEqual([]);
  });

  it('is no news to a cluster that moves to its updates', async () => {
    await startWith(withRisks(risk('Later', undefined, { from: '4.14.9' })));
    await harness.report(10, 'prod', aCluster({}, '4.14.9'));
    await harness.follow(11);
    expect(harness.news().filter((one) => one.startsWith('Risk'))).toEqual([]);
  });

  it('is news once another update ahead has it', async () => {
    const later = risk('Later', undefined, { from: '4.14.9' });
    await startWith(withRisks(later));
    expect(await change(10, withRisks(later, risk('Later', undefined, { to: '4.14.9' })))).toContain(
      'RiskAppliesToCluster prod',
    );
  });

  it('is news when it begins to apply, and when it ends', async () => {
    await startWith(withRisks(risk('OnAzure', onPlatform('Azure'))));
    await harness.report(10, 'prod', aCluster(onAzure));
    await harness.follow(11);
    expect(harness.news()).toContain('RiskAppliesToCluster prod');
    await harness.report(10 + DAY, 'prod', aCluster({ ...onAzure, infrastructure: null }));
    await harness.follow(12 + DAY);
    expect(harness.news().filter((one) => one.startsWith('Risk'))).toEqual([]);
    await harness.report(20 + DAY, 'prod', aCluster());
    await harness.follow(21 + DAY);
    expect(harness.news()).toContain('RiskLifted prod');
    expect(harness.events.find(({ type }) => type === 'RiskLifted')).toMatchObject({
      detail: { risk: 'OnAzure', why: 'does-not-apply', decidedBy: expect.arrayContaining([AWS]) as unknown },
    });
  });

  it('is lifted when upstream withdraws it, but not by a plan that avoids it', async () => {
    await startWith(PLAIN);
    await change(10, known);
    // The planned path leads around it now.
    await harness.report(20 + DAY, 'prod', aCluster());
    await harness.follow(21 + DAY);
    expect(harness.news()).toEqual([]);
    expect(await change(30 + DAY, PLAIN)).toEqual(['RiskLifted prod']);
    const url = 'https://issues.redhat.com/browse/OnAws';
    const lifted = harness.events.find(({ type }) => type === 'RiskLifted');
    expect(lifted).toMatchObject({ detail: { risk: 'OnAws', url, why: 'withdrawn', decidedBy: [] } });
    expect(await change(40 + 2 * DAY, PLAIN)).toEqual([]);
  });

  it('is told once if it comes and goes within the window', async () => {
    await startWith(PLAIN);
    await change(10, known);
    expect(await change(20, PLAIN)).toEqual([]);
    expect(await change(30, known)).not.toContain('RiskAppliesToCluster prod');
    await harness.follow(40 + DAY);
    expect(harness.news().filter((one) => one.startsWith('Risk'))).toEqual([]);
  });

  it('ends without news when the cluster leaves its updates behind', async () => {
    await startWith(PLAIN);
    await change(10, known);
    await harness.report(20 + DAY, 'prod', aCluster({}, '4.15.3'));
    await harness.follow(21 + DAY);
    expect(harness.news()).toEqual([]);
  });
});

describe('stored verdicts', () => {
  it('are by definition, with what decides them', async () => {
    await startWith(withRisks(risk('OnAws', onPlatform('AWS')), risk('OnAzure', onPlatform('Azure'))));
    const stored = (await readClusterRisks(harness.table, ['prod'])).get('prod')!;
    expect(Object.values(stored.verdicts).map(({ applies }) => applies)).toEqual(['yes', 'no']);
    expect(stored.pairs).toContain('stable-4.15/amd64');
  });

  it('of a deleted cluster are deleted', async () => {
    await startWith(withRisks(risk('OnAws')));
    await removeCluster(harness.table, 'prod', at(10), () => {});
    await harness.follow(11);
    const left = await dumpTable(harness.table);
    expect(JSON.stringify(left)).not.toContain('FLEET#prod');
  });

  it('that differ from the answer of the cluster are counted', async () => {
    await startWith(withRisks(risk('OnAws', onPlatform('AWS')), risk('Always')));
    const applies = aCondition('Applies', 'False', 'NotMatch');
    const knownRisks = [{ name: 'OnAws', url: '', message: '', applies }];
    await harness.report(10, 'prod', aCluster({ clusterVersion: aClusterVersion({ knownRisks }) }));
    expect(fleetMetrics(await harness.follow(11))[0]![0]).toMatchObject({ riskDisagreements: 1 });
    const stored = (await readClusterRisks(harness.table, ['prod'])).get('prod')!;
    expect(Object.values(stored.verdicts)).toMatchObject([
      { applies: 'yes' },
      { applies: 'no', source: 'cluster', notes: ['DisagreesWithCluster'] },
    ]);
  });
});
