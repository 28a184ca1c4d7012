import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { prepareGraph, type ChannelGraph, type PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { UpgradePath } from '@cairn/shared/path/solver/solve';
import type { Arch } from '@cairn/shared/version/arch';
import { describe, expect, it } from 'vitest';
import { solve } from '../../helpers/path/channels.ts';
import { listRecordedPairs } from '../../helpers/upstream/cincinnati-stub.ts';
import {
  isRecordedDataPresent,
  readRecorded,
  RECORDED_UPSTREAM,
} from '../../helpers/upstream/recorded-data.ts';

if (!isRecordedDataPresent)
  console.log('recorded graphs are not at ../shared/data: paths in them are not tested');

interface RawAnswer {
  nodes: { version: string }[];
  edges: [number, number][];
  conditionalEdges: { edges: { from: string; to: string }[] }[];
}

/** What the recorded answer says, read in the plainest way: the solver's own reading is not used. */
interface PlainReading {
  readonly versions: readonly string[];
  /** By version, then by version: whether the edge is conditional. */
  readonly next: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

function plainReading(raw: RawAnswer): PlainReading {
  const versions = raw.nodes.map(({ version }) => version);
  const next = new Map(versions.map((version) => [version, new Map<string, boolean>()]));
  for (const [from, to] of raw.edges) next.get(versions[from]!)!.set(versions[to]!, false);
  for (const { edges } of raw.conditionalEdges)
    for (const { from, to } of edges) next.get(from)!.set(to, true);
  return { versions, next };
}

function rawAnswer(channel: string, arch: string): RawAnswer {
  return JSON.parse(readRecorded(channel, arch)) as RawAnswer;
}

function channelGraph(channel: string, arch: string, raw = rawAnswer(channel, arch)): ChannelGraph {
  const normalized = normalizeGraph(raw, { arch: arch as Arch });
  if (!normalized.ok) throw new Error(`${normalized.code} ${normalized.detail}`);
  return { channel, graph: normalized.graph };
}

function read(channel: string, arch: string): { reading: PlainReading; graph: PreparedGraph } {
  const raw = rawAnswer(channel, arch);
  return { reading: plainReading(raw), graph: prepareGraph([channelGraph(channel, arch, raw)]) };
}

/** Hops from one version to all it reaches, breadth first. */
function hopsFrom({ next }: PlainReading, from: string, isRiskTaken: boolean): Map<string, number> {
  const hops = new Map([[from, 0]]);
  for (const [version, count] of hops) {
    for (const [target, isConditional] of next.get(version)!) {
      if (!hops.has(target) && (isRiskTaken || !isConditional)) hops.set(target, count + 1);
    }
  }
  return hops;
}

/** The fewest risky hops from one version to all it reaches: round after round of plain hops, then one risky hop. */
function riskyHopsFrom({ next }: PlainReading, from: string): Map<string, number> {
  const risky = new Map<string, number>();
  let round = new Set([from]);
  for (let count = 0; round.size > 0; count++) {
    const after = new Set<string>();
    for (const version of round) {
      if (risky.has(version)) continue;
      risky.set(version, count);
      for (const [target, isConditional] of next.get(version)!) (isConditional ? after : round).add(target);
    }
    round = after;
  }
  return risky;
}

/** Null when every hop is an edge of the answer, named as what it is; else what is wrong. */
function faultOf({ next }: PlainReading, { path, stats }: UpgradePath): string | null {
  let risky = 0;
  for (const [at, { version, hop }] of path.entries()) {
    if (hop === null) continue;
    const before = path[at - 1]!.version;
    const isConditional = next.get(before)!.get(version);
    if (isConditional !== hop.conditional)
      return `${before} > ${version}: ${isConditional}, not ${hop.conditional}`;
    if (hop.conditional) risky++;
  }
  return stats.hops === path.length - 1 && stats.riskyHops === risky ? null : JSON.stringify(stats);
}

const TEN = [
  ['stable-4.9', 'amd64'],
  ['stable-4.13', 'amd64'],
  ['stable-4.22', 'multi'],
  ['eus-4.8', 'ppc64le'],
  ['stable-4.20', 'arm64'],
  ['fast-4.6', 'amd64'],
  ['candidate-4.4', 's390x'],
  ['candidate-4.5', 's390x'],
  ['candidate-5.0', 'amd64'],
  ['prerelease-4.1', 'amd64'],
] as const;

describe.skipIf(!isRecordedDataPresent)('paths in recorded graphs', () => {
  it.each(TEN)('every pair of %s %s has the shortest path there is', (channel, arch) => {
    const { reading, graph } = read(channel, arch);
    const faults: string[] = [];
    for (const from of reading.versions) {
      for (const risk of ['none', 'all'] as const) {
        const hops = hopsFrom(reading, from, risk === 'all');
        for (const to of reading.versions) {
          const result = solve(graph, from, to, { risk, prefer: 'shortest', prerelease: true });
          const fault = result.found ? faultOf(reading, result) : null;
          const found = result.found ? result.stats.hops : undefined;
          if (fault !== null || found !== hops.get(to)) {
            faults.push(`${risk} ${from} > ${to}: ${fault ?? `${found} hops, not ${hops.get(to)}`}`);
          }
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('2,000 pairs of the others have the shortest, the safest and real alternatives', () => {
    const others = listRecordedPairs(RECORDED_UPSTREAM).filter(
      (pair) => !TEN.some(([channel, arch]) => channel === pair.channel && arch === pair.arch),
    );
    let state = 1;
    const below = (bound: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * bound);
    };
    const faults: string[] = [];
    let [asked, found] = [0, 0];
    while (asked < 2000) {
      const pair = others[below(others.length)]!;
      const { reading, graph } = read(pair.channel, pair.arch);
      for (let question = 0; question < 20; question++, asked++) {
        const [from, to] = [below(reading.versions.length), below(reading.versions.length)].map(
          (at) => reading.versions[at]!,
        ) as [string, string];
        const name = `${pair.channel} ${pair.arch} ${from} > ${to}`;
        const conditions = { prerelease: true, alternatives: 3 } as const;
        const plain = solve(graph, from, to, conditions);
        const shortest = solve(graph, from, to, { ...conditions, risk: 'all', prefer: 'shortest' });
        const safest = solve(graph, from, to, { ...conditions, risk: 'all', prefer: 'safest' });
        if (plain.found) found++;
        const numbers = [
          plain.found ? plain.stats.hops : undefined,
          shortest.found ? shortest.stats.hops : undefined,
          safest.found ? safest.stats.riskyHops : undefined,
        ];
        const expected = [
          hopsFrom(reading, from, false).get(to),
          hopsFrom(reading, from, true).get(to),
          riskyHopsFrom(reading, from).get(to),
        ];
        if (numbers.join() !== expected.join())
          faults.push(`${name}: ${numbers.join()}, not ${expected.join()}`);
        for (const result of [plain, shortest, safest]) {
          if (!result.found) continue;
          const paths = [result, ...result.alternatives];
          faults.push(...paths.map((path) => faultOf(reading, path)).filter((fault) => fault !== null));
          const different = new Set(paths.map(({ path }) => path.map(({ version }) => version).join()));
          if (different.size < paths.length || !result.exact) faults.push(`${name}: alternatives`);
        }
      }
    }
    expect(faults).toEqual([]);
    expect(found).toBeGreaterThan(300);
  });

  it('4.6 to 4.10 takes eus-4.8 and eus-4.10', () => {
    const graph = prepareGraph(
      ['eus-4.6', 'eus-4.8', 'eus-4.10'].map((channel) => channelGraph(channel, 'amd64')),
    );
    expect(graph.conflicts).toEqual([]);
    const result = solve(graph, '4.6.1', '4.10.67', { alternatives: 3 });
    expect(result).toMatchObject({
      stats: { hops: 5, minorsCrossed: 4, channelSwitches: 1 },
      channelPlan: [{ channel: 'eus-4.8' }, { channel: 'eus-4.10', untilVersion: '4.10.67' }],
      alternatives: [{ stats: { hops: 5 } }, { stats: { hops: 5 } }, { stats: { hops: 5 } }],
    });
  });
});
