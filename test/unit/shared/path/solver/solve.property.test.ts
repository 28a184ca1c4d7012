import { prepareGraph } from '@cairn/shared/path/prepared-graph';
import type { HopPlace, PathQuery } from '@cairn/shared/path/question';
import { solvePath, type UpgradePath } from '@cairn/shared/path/solver/solve';
import { RISK_MODES } from '@cairn/shared/path/values';
import fc from 'fast-check';
import compare from 'semver/functions/compare.js';
import { describe, expect, it } from 'vitest';
import { aGroup, anAnswer, aRisk, graphOf, type Answer } from '../../../../helpers/path/answers.ts';
import { sized } from '../../../../helpers/size.ts';

const VERSIONS = ['4.9.0-rc.1', '4.9.0', '4.9.10', '4.10.0', '4.10.1', '4.10.2', '4.11.0', '5.0.0'];
const RISKS = [
  aRisk('A'),
  aRisk('B'),
  aRisk('C'),
  aRisk('D', { matchingRules: [{ type: 'Always' }] }),
  aRisk('E'),
];

const NAMES = RISKS.map(({ name }) => name);

interface Drawn {
  readonly from: string;
  readonly to: string;
  /** Null is plain. */
  readonly risks: readonly string[] | null;
}

/** A channel without loops: versions are shuffled, and every edge leads on in that order, so some lead backward. */
const channel: fc.Arbitrary<readonly Drawn[]> = fc
  .tuple(
    fc.shuffledSubarray(VERSIONS, { minLength: 2 }),
    fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.option(fc.subarray(RISKS, { minLength: 1 }))), {
      maxLength: 24,
    }),
  )
  .map(([order, edges]) => {
    const drawn = new Map<string, Drawn>();
    for (const [a, b, risks] of edges) {
      const [from, to] = [order[Math.min(a, b)], order[Math.max(a, b)]];
      if (from === undefined || to === undefined || from === to) continue;
      drawn.set(`${from} ${to}`, { from, to, risks: risks?.map(({ name }) => name) ?? null });
    }
    return [...drawn.values()];
  });

/** Mostly upward, so that there are walks of several hops to choose from. */
const upward: fc.Arbitrary<readonly Drawn[]> = fc
  .array(
    fc.tuple(
      fc.nat(6),
      fc.integer({ min: 1, max: 3 }),
      fc.option(fc.subarray(RISKS, { minLength: 1, maxLength: 2 }), { freq: 2 }),
    ),
    { minLength: 12, maxLength: 40 },
  )
  .map((edges) => {
    const order = VERSIONS.toSorted(compare);
    const drawn = new Map<string, Drawn>();
    for (const [a, distance, risks] of edges) {
      const [from, to] = [order[a]!, order[Math.min(a + distance, 7)]!];
      drawn.set(`${from} ${to}`, { from, to, risks: risks?.map(({ name }) => name) ?? null });
    }
    return [...drawn.values()];
  });

const channels = fc.array(fc.oneof({ weight: 1, arbitrary: channel }, { weight: 3, arbitrary: upward }), {
  minLength: 1,
  maxLength: 3,
});
const query = fc.record({
  ends: fc.oneof(
    fc.constantFrom<[string, string]>(['4.9.0', '4.11.0'], ['4.9.0', '5.0.0'], ['4.9.0-rc.1', '4.11.0']),
    fc.tuple(fc.constantFrom(...VERSIONS), fc.constantFrom(...VERSIONS)),
  ),
  risk: fc.constantFrom(...RISK_MODES),
  acceptedRisks: fc.subarray(['A', 'B', 'D']),
  /** Risks that do not apply to the first hop, and to later ones. */
  harmless: fc.record({ first: fc.subarray(NAMES), later: fc.subarray(NAMES) }),
  prefer: fc.constantFrom('safest' as const, 'shortest' as const),
  prerelease: fc.boolean(),
});

function answerOf(edges: readonly Drawn[]): Answer {
  const versions = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const plain = edges.filter(({ risks }) => risks === null).map(({ from, to }) => [from, to] as const);
  const groups = edges
    .filter(({ risks }) => risks !== null)
    .map(({ from, to, risks }) => aGroup([[from, to]], ...RISKS.filter(({ name }) => risks!.includes(name))));
  return anAnswer(versions, plain, groups);
}

interface Edge {
  readonly risks: readonly string[];
  readonly channels: readonly number[];
}

/** All that the drawn channels say together, by `from to`. */
function union(drawn: readonly (readonly Drawn[])[]): Map<string, Edge> {
  const edges = new Map<string, Edge>();
  for (const [number, list] of drawn.entries()) {
    for (const { from, to, risks } of list) {
      const [fromMajor, fromMinor] = from.split('.').map(Number) as [number, number];
      const [toMajor, toMinor] = to.split('.').map(Number) as [number, number];
      const isSkip = fromMajor === toMajor ? toMinor - fromMinor > 1 : toMajor > fromMajor && toMinor > 0;
      if (isSkip) continue;
      const known = edges.get(`${from} ${to}`) ?? { risks: [], channels: [] };
      edges.set(`${from} ${to}`, {
        risks: [...new Set([...known.risks, ...(risks ?? [])])],
        channels: [...known.channels, number],
      });
    }
  }
  return edges;
}

type Harmless = Readonly<Record<HopPlace, readonly string[]>>;

function isUsable(
  risks: readonly string[],
  { risk, acceptedRisks: accepted = [] }: PathQuery,
  harmless: readonly string[],
): boolean {
  if (risk === 'none') return risks.length === 0;
  if (risk === 'accept') return risks.every((name) => accepted.includes(name));
  if (risk === 'applicable') return risks.every((name) => accepted.includes(name) || harmless.includes(name));
  return risk === 'all' || !risks.includes('D');
}

/** Every walk without a version twice, the slow and obvious way. */
function allWalks(edges: ReadonlyMap<string, Edge>, asked: PathQuery, harmless: Harmless): string[][] {
  const walks: string[][] = [];
  const extend = (walk: readonly string[]): void => {
    const last = walk.at(-1)!;
    if (last === asked.to) {
      walks.push([...walk]);
      return;
    }
    for (const version of VERSIONS) {
      const edge = edges.get(`${last} ${version}`);
      if (edge === undefined || walk.includes(version)) continue;
      if (!isUsable(edge.risks, asked, harmless[walk.length === 1 ? 'first' : 'later'])) continue;
      if (!asked.prerelease && version.includes('-') && version !== asked.to) continue;
      extend([...walk, version]);
    }
  };
  extend([asked.from]);
  return walks;
}

/** Every choice of a channel per hop, and the fewest changes among them. */
function fewestSwitches(hops: readonly Edge[]): number {
  const count = (at: number, current: number | null): number => {
    const hop = hops[at];
    if (hop === undefined) return 0;
    return Math.min(
      ...hop.channels.map((next) => (current === null || next === current ? 0 : 1) + count(at + 1, next)),
    );
  };
  return count(0, null);
}

interface Order {
  readonly prefer: PathQuery['prefer'];
  readonly isRisky: (edge: Edge, at: number) => boolean;
}

const isConditional = ({ risks }: Edge): boolean => risks.length > 0;

/** For a cluster, what does not apply counts only between equal walks, unless an accepted risk is on the map. */
function orderOf(edges: ReadonlyMap<string, Edge>, asked: PathQuery, harmless: Harmless): Order {
  if (asked.risk !== 'applicable') return { prefer: asked.prefer, isRisky: isConditional };
  const isAtRisk = ({ risks }: Edge, at: number): boolean =>
    risks.some((name) => !harmless[at === 0 ? 'first' : 'later'].includes(name));
  const isAccepted = [...edges].some(([ends, edge]) => {
    const at = ends.startsWith(`${asked.from} `) ? 0 : 1;
    return isAtRisk(edge, at) && isUsable(edge.risks, asked, harmless[at === 0 ? 'first' : 'later']);
  });
  return isAccepted
    ? { prefer: asked.prefer, isRisky: isAtRisk }
    : { prefer: 'shortest', isRisky: isConditional };
}

/** The rank of a walk as one list of numbers, to be compared from the left. */
function rankOf(
  walk: readonly string[],
  edges: ReadonlyMap<string, Edge>,
  present: readonly string[],
  { prefer, isRisky }: Order,
): number[] {
  const hops = walk.slice(1).map((version, at) => edges.get(`${walk[at]!} ${version}`)!);
  const risky = hops.filter(isRisky).length;
  const minor = (version: string): string => version.split('.').slice(0, 2).join('.');
  const lag = (version: string): number =>
    present.filter((other) => minor(other) === minor(version) && compare(other, version) > 0).length;
  const sorted = VERSIONS.toSorted(compare);
  return [
    ...(prefer === 'safest' ? [risky] : []),
    hops.length,
    fewestSwitches(hops),
    ...(prefer === 'safest' ? [] : [risky]),
    new Set(hops.flatMap(({ risks }) => risks)).size,
    ...walk.slice(1, -1).map(lag),
    ...walk.slice(1, -1).map((version) => -sorted.indexOf(version)),
  ];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

const versionsOf = ({ path }: UpgradePath): string[] => path.map(({ version }) => version);

const RUNS = sized(100, 3000);

describe('paths', () => {
  it('are the best of all there are, and so are the alternatives, in every mode', () => {
    let withChoice = 0;
    fc.assert(
      fc.property(channels, query, (drawn, { ends, harmless, ...conditions }) => {
        const [from, to] = ends;
        const applies = ({ name }: { readonly name: string }, hop: HopPlace) =>
          harmless[hop].includes(name) ? ('no' as const) : ('unknown' as const);
        const asked: PathQuery = { from, to, alternatives: 3, applies, ...conditions };
        const graphs = drawn.map((edges, number) => ({
          channel: `c-${number}`,
          graph: graphOf(answerOf(edges)),
        }));
        const result = solvePath(prepareGraph(graphs), asked);
        const edges = union(drawn);
        const present = [...new Set(drawn.flat().flatMap((edge) => [edge.from, edge.to]))];
        const walks = present.includes(from) && present.includes(to) ? allWalks(edges, asked, harmless) : [];
        const order = orderOf(edges, asked, harmless);
        const ranked = walks
          .map((walk) => ({ walk, rank: rankOf(walk, edges, present, order) }))
          .toSorted((a, b) => compareRanks(a.rank, b.rank));
        if (ranked.length > 1) withChoice++;
        const found = result.found ? [result, ...result.alternatives] : [];
        expect(found.map(versionsOf)).toEqual(ranked.slice(0, 4).map(({ walk }) => walk));
        expect(result).not.toHaveProperty('exact', false);
        for (const one of found) {
          const walk = versionsOf(one);
          const hops = walk.slice(1).map((version, at) => edges.get(`${walk[at]!} ${version}`)!);
          expect(one.stats).toMatchObject({
            hops: hops.length,
            riskyHops: hops.filter((hop, at) =>
              asked.risk === 'applicable'
                ? hop.risks.some((name) => !harmless[at === 0 ? 'first' : 'later'].includes(name))
                : isConditional(hop),
            ).length,
            distinctRisks: new Set(hops.flatMap(({ risks }) => risks)).size,
            channelSwitches: hops.length === 0 ? 0 : fewestSwitches(hops),
          });
          expectPlanHolds(one);
        }
      }),
      { numRuns: RUNS },
    );
    // Otherwise the generator has drifted off and the property says nothing.
    expect(withChoice).toBeGreaterThan(sized(1, RUNS / 6));
  });
});

/** Each stretch of the plan is offered by its channel, and the last one ends at the target. */
function expectPlanHolds({ path, channelPlan }: UpgradePath): void {
  const left = [...channelPlan];
  for (const { version, hop } of path) {
    if (hop === null) continue;
    expect(hop.channels).toContain(left[0]!.channel);
    if (left[0]!.untilVersion === version) left.shift();
  }
  expect(left).toEqual([]);
}
