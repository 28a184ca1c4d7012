import { exposedClusters, exposureOf } from '@cairn/shared/risk/exposure';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { removeCluster } from '../../../../functions/clusters/store.ts';
import { readRiskRows } from '../../../../functions/fleet/census.ts';
import { definitionDigest } from '../../../../functions/fleet/risk-store.ts';
import { readFleetState } from '../../../../functions/notifications/store.ts';
import { aCluster } from '../../../helpers/cluster/clusters.ts';
import { type FleetHarness, startFleetHarness } from '../../../helpers/lambda/fleet-harness.ts';
import { sized } from '../../../helpers/size.ts';
import { at } from '../../../helpers/upstream/sync-harness.ts';

const VERSIONS = ['4.14.8', '4.14.9', '4.15.3'];
const PLATFORMS = ['AWS', 'Azure', null] as const;
type Platform = (typeof PLATFORMS)[number];
type Risks = Readonly<Record<string, string>>;

type Step =
  | { readonly do: 'report'; readonly id: string; readonly platform: Platform }
  | { readonly do: 'delete'; readonly id: string }
  /** Name of each risk and the platform that it concerns: a name can change its query. */
  | { readonly do: 'publish'; readonly risks: Risks }
  | { readonly do: 'follow' };

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('report'), id, platform: fc.constantFrom(...PLATFORMS) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), id }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('publish'),
      risks: fc.dictionary(fc.constantFrom('R1', 'R2'), fc.constantFrom('AWS', 'Azure')),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('follow') }) },
);

const matchingRules = (type: string) => [
  {
    type: 'PromQL',
    promql: {
      promql: `max(cluster_infrastructure_provider{type="${type}"}) or 0 * max(cluster_infrastructure_provider)`,
    },
  } as const,
];
const graphs = (risks: Risks) => ({
  'stable-4.15': {
    versions: VERSIONS,
    risky: Object.entries(risks).map(([risk, type], index) => ({
      from: VERSIONS[index]!,
      to: VERSIONS[index + 1]!,
      risk,
      promql: matchingRules(type)[0]!.promql.promql,
    })),
  },
});

/** The first run counts all clusters; only later ones count what has changed. */
const FIRST_STEPS: readonly Step[] = [
  { do: 'report', id: 'a', platform: 'AWS' },
  { do: 'report', id: 'b', platform: 'Azure' },
  { do: 'follow' },
];

let harness: FleetHarness | undefined;
afterEach(() => harness?.close());

async function play(steps: readonly Step[]) {
  const fleet = new Map<string, Platform>();
  let risks: Risks = {};
  await harness?.close();
  const own = (harness = await startFleetHarness(['stable-4.15']));
  await own.publish(0, graphs(risks));
  let minutes = 1;
  for (const each of [...FIRST_STEPS, ...steps, { do: 'follow' } as const]) {
    minutes += 1;
    if (each.do === 'follow') await own.follow(minutes);
    if (each.do === 'publish') {
      ({ risks } = each);
      await own.publish(minutes, graphs(risks));
    }
    if (each.do === 'delete') {
      await removeCluster(own.table, each.id, at(minutes), () => {});
      fleet.delete(each.id);
    }
    if (each.do === 'report') {
      const topology = { controlPlaneTopology: 'HighlyAvailable' };
      const infrastructure = each.platform && { platform: each.platform, ...topology };
      // A report without the kind would keep the former platform.
      await removeCluster(own.table, each.id, at(minutes), () => {});
      await own.report(minutes, each.id, aCluster({ infrastructure }, '4.14.8'));
      fleet.set(each.id, each.platform);
    }
  }
  return { table: own.table, fleet: [...fleet.values()], risks };
}

/** As for a large fleet, whose clusters nobody reads. */
async function storedRows(table: FleetHarness['table']) {
  const census = (await readFleetState(table)).census!;
  return readRiskRows(table, { ...census, parts: [{ ...census.parts[0]!, clusters: 10_000 }] });
}

it('the exposure of each risk is that of all clusters, after any order of reports, deletions and graphs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const { table, fleet, risks } = await play(steps);
      const [stored, counted] = [await storedRows(table), await readRiskRows(table, null)];
      for (const [name, type] of Object.entries(risks)) {
        const digests = new Set([definitionDigest({ name, matchingRules: matchingRules(type) })]);
        const count = (of: typeof stored) => exposureOf(exposedClusters(of, digests), () => false);
        const yes = fleet.filter((platform) => platform === type).length;
        const unknown = fleet.filter((platform) => platform === null).length;
        const expected = { yes, unknown, no: fleet.length - yes - unknown, accepted: 0 };
        expect([name, count(stored), count(counted)]).toEqual([name, expected, expected]);
      }
      const ids = stored.flatMap(({ rows }) => rows.map(([cluster]) => cluster));
      expect(ids).toHaveLength(fleet.length);
    }),
    { numRuns: sized(12, 150) },
  );
});
