import { gunzipSync } from 'node:zlib';
import type { RiskIndex } from '@cairn/shared/risk/risk-index';
import { afterEach, expect, it } from 'vitest';
import { PUBLICATION_NAME } from '../../../../functions/store/keys.ts';
import { PUBLICATION, readHead, readPublished, remove } from '../../../../functions/store/published.ts';
import { aGroup, anAnswer, aRisk } from '../../../helpers/path/answers.ts';
import { at, following, startHarness, type SyncHarness } from '../../../helpers/upstream/sync-harness.ts';

let harness: SyncHarness;
afterEach(() => harness.close());

async function risksNow(): Promise<RiskIndex> {
  const { body } = await readPublished(harness.table, PUBLICATION, PUBLICATION_NAME.risks);
  return JSON.parse(gunzipSync(body!).toString()) as RiskIndex;
}

const glance = ({ risks }: RiskIndex) =>
  risks.map(({ name, firstSeenAt, places }) => [
    name,
    firstSeenAt,
    ...places.map(({ pair, updates }) => `${pair} ${updates}`),
  ]);

const query = (promql: string) => ({ matchingRules: [{ type: 'PromQL', promql: { promql } }] as const });
const AZURE = aRisk('Azure', query('group(cluster_infrastructure_provider{type="Azure"})'));
const ALWAYS = aRisk('Everywhere', { matchingRules: [{ type: 'Always' }] });

const VERSIONS = ['4.14.1', '4.14.2', '4.14.3'] as const;
const twoUpdates = [
  ['4.14.1', '4.14.2'],
  ['4.14.1', '4.14.3'],
] as const;

/** stable-4.15 has no risk, stable-4.14 these. */
const withRisks =
  (...risks: readonly (typeof AZURE)[]) =>
  (channel: string) =>
    channel === 'stable-4.14'
      ? anAnswer(VERSIONS, [['4.14.2', '4.14.3']], risks.length === 0 ? [] : [aGroup(twoUpdates, ...risks)])
      : anAnswer(['4.15.1']);

const start = async (...risks: readonly (typeof AZURE)[]) => {
  harness = await startHarness({
    config: following('stable-4.14', 'stable-4.15'),
    source: withRisks(...risks),
  });
  await harness.sync(0);
};

it('risks are indexed with their channels, updates and first sight', async () => {
  await start(AZURE);
  expect(glance(await risksNow())).toEqual([['Azure', at(0), 'stable-4.14/amd64 2']]);
  harness.stub.setSource(withRisks(AZURE, ALWAYS));
  await harness.sync(10);
  const now = await risksNow();
  expect(glance(now)).toEqual([
    ['Azure', at(0), 'stable-4.14/amd64 2'],
    ['Everywhere', at(10), 'stable-4.14/amd64 2'],
  ]);
  expect(Object.keys(now.queries)).toEqual(['group(cluster_infrastructure_provider{type="Azure"})']);
  expect(Object.values(now.queries)).toEqual([{ expression: expect.anything() as unknown }]);
});

it('a quiet round reads and writes nothing, and a lost index comes back with the graphs', async () => {
  await start(AZURE);
  const head = () => readHead(harness.table, PUBLICATION_NAME.risks, { consistent: true });
  const first = await head();
  await harness.sync(10);
  expect(await head()).toEqual(first);
  expect(await remove(harness.table, PUBLICATION_NAME.risks, 1_000_000)).toBe(true);
  await harness.sync(20);
  expect(glance(await risksNow())).toEqual([['Azure', at(20), 'stable-4.14/amd64 2']]);
});

it('a query that is not supported is named and counted in every round', async () => {
  await start(aRisk('Strange', query('predict_linear(x[1h], 60) > 0')));
  const { queries } = await risksNow();
  expect(Object.values(queries)).toEqual([
    { unsupported: expect.stringContaining('predict_linear') as string },
  ]);
  const result = await harness.sync(10);
  expect(result).toMatchObject({ unsupportedQueries: 1 });
});
