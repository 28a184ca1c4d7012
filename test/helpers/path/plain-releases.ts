import type { UpgradeQuestion } from '@cairn/shared/path/question';
import compare from 'semver/functions/compare.js';

/** The edges of an upstream response. */
export interface PlainAnswer {
  readonly nodes: readonly { readonly version: string; readonly payload: string }[];
  readonly edges: readonly (readonly [number, number])[];
  readonly conditionalEdges: readonly {
    readonly edges: readonly { readonly from: string; readonly to: string }[];
    readonly risks: readonly PlainRisk[];
  }[];
}

export interface PlainRisk {
  readonly name: string;
  readonly matchingRules: readonly { readonly type: string }[];
}

/** All that answers are held against, read in the plainest way: nothing of the solver is used. */
export interface PlainScenario {
  readonly channels: ReadonlyMap<string, PlainAnswer>;
  readonly withdrawn: Readonly<Record<string, readonly string[]>>;
  readonly neverSynced: readonly string[];
  /** Versions of another architecture. */
  readonly elsewhere: readonly string[];
}

/** Risk names; true if a risk applies to every cluster. */
export type NamedRisks = ReadonlyMap<string, boolean>;
const NO_RISKS: NamedRisks = new Map();

/** Updates of each version. */
type PlainGraph = ReadonlyMap<string, ReadonlyMap<string, NamedRisks>>;

export type Conditions = Pick<UpgradeQuestion, 'risk' | 'acceptedRisks' | 'prefer'> & {
  readonly prerelease: boolean;
};

export const PREFIXES = ['stable', 'eus', 'fast', 'candidate', 'prerelease'];
export const isPrerelease = (version: string): boolean => version.includes('-');
export const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');
export const compareMinors = (a: string, b: string): number => compare(`${a}.0`, `${b}.0`);
export const prefixOf = (channel: string): string => channel.split('-')[0]!;
export const channelMinor = (channel: string): string => channel.split('-')[1]!;
export const compareChannels = (a: string, b: string): number =>
  compareMinors(channelMinor(a), channelMinor(b)) ||
  PREFIXES.indexOf(prefixOf(a)) - PREFIXES.indexOf(prefixOf(b));

export function mayPassPrereleases({ from, to, channels, prerelease }: UpgradeQuestion): boolean {
  return prerelease ?? ([from, to].some(isPrerelease) || channels.some((name) => /^(cand|pre)/.test(name)));
}

/** What `latest` or a minor means: of the channels named, or of those that hold the source, or of any; stable first. */
export function targetOf(scenario: PlainScenario, question: UpgradeQuestion): string | null {
  const { from, to, channels: named } = question;
  const isMinor = /^\d+\.\d+$/.test(to);
  if (to !== 'latest' && !isMinor) return to;
  const newest = (channels: readonly string[]): string | null =>
    versionsOf(scenario, channels)
      .filter((version) => !isMinor || minorOf(version) === to)
      .filter((version) => mayPassPrereleases(question) || !isPrerelease(version))
      .filter((version) => !isWithdrawn(scenario, version, channels))
      .toSorted(compare)
      .at(-1) ?? null;
  const followed = [...scenario.channels.keys()];
  if (named.length > 0) return newest(followed.filter((name) => named.includes(name)));
  const holding = followed.filter((name) => holds(scenario, name, from));
  const found = [holding, isMinor ? followed : []].flatMap((channels) =>
    PREFIXES.flatMap((prefix) => newest(channels.filter((name) => prefixOf(name) === prefix)) ?? []),
  );
  return found.find((version) => compare(version, from) >= 0) ?? found[0] ?? null;
}

export function versionsOf(scenario: PlainScenario, channels: readonly string[]): string[] {
  return channels.flatMap((name) => scenario.channels.get(name)?.nodes.map(({ version }) => version) ?? []);
}

export function holds({ channels }: PlainScenario, name: string, version: string): boolean {
  return channels.get(name)?.nodes.some((node) => node.version === version) ?? false;
}

export function isWithdrawn(scenario: PlainScenario, version: string, channels: readonly string[]): boolean {
  const holders = channels.filter((name) => holds(scenario, name, version));
  return holders.length > 0 && holders.every((name) => scenario.withdrawn[name]?.includes(version));
}

const JOINED = new WeakMap<PlainScenario, Map<string, PlainGraph>>();

/** What some channels say together; a version that the first of them has under another payload is not one of a channel. */
export function joined(scenario: PlainScenario, channels: readonly string[]): PlainGraph {
  const known = JOINED.get(scenario) ?? new Map<string, PlainGraph>();
  JOINED.set(scenario, known);
  // Recorded ones are large.
  if (known.size > 100) known.clear();
  const graph = known.get(channels.join()) ?? join(scenario, channels);
  known.set(channels.join(), graph);
  return graph;
}

function join(scenario: PlainScenario, channels: readonly string[]): PlainGraph {
  const payloads = new Map<string, string>();
  const graph = new Map<string, Map<string, NamedRisks>>();
  for (const name of channels) {
    const { nodes = [], edges = [], conditionalEdges = [] } = scenario.channels.get(name) ?? {};
    const own = new Map(nodes.map(({ version, payload }) => [version, payload]));
    for (const [version, payload] of own) {
      if (payloads.has(version)) continue;
      payloads.set(version, payload);
      graph.set(version, new Map());
    }
    const add = (from: string, to: string, risks: readonly PlainRisk[]): void => {
      if ([from, to].some((end) => own.get(end) !== payloads.get(end)) || isSkip(from, to)) return;
      const known = graph.get(from)!.get(to) ?? NO_RISKS;
      const named = risks.map(
        (risk) => [risk.name, concernsAll(risk) || known.get(risk.name) === true] as const,
      );
      graph.get(from)!.set(to, named.length === 0 ? known : new Map([...known, ...named]));
    };
    for (const [from, to] of edges) add(nodes[from]!.version, nodes[to]!.version, []);
    for (const group of conditionalEdges) for (const { from, to } of group.edges) add(from, to, group.risks);
  }
  return graph;
}

function isSkip(from: string, to: string): boolean {
  const [fromMajor, fromMinor] = from.split('.').map(Number) as [number, number];
  const [toMajor, toMinor] = to.split('.').map(Number) as [number, number];
  return fromMajor === toMajor ? toMinor - fromMinor > 1 : toMajor > fromMajor && toMinor > 0;
}

export function concernsAll({ matchingRules }: PlainRisk): boolean {
  return matchingRules.some(({ type }) => type === 'Always');
}

export function isPermitted(
  risks: NamedRisks,
  { risk, acceptedRisks = [] }: Pick<Conditions, 'risk' | 'acceptedRisks'>,
): boolean {
  if (risk === 'none') return risks.size === 0;
  if (risk === 'accept') return [...risks.keys()].every((name) => acceptedRisks.includes(name));
  return risk === 'all' || ![...risks.values()].includes(true);
}

/** Cost of the cheapest path to each version, by relaxing all updates until nothing changes. */
export function costs(
  graph: PlainGraph,
  from: string,
  to: string,
  conditions: Conditions,
): Map<string, number> {
  const cheapest = new Map([[from, 0]]);
  const queue = [from];
  for (const version of queue) {
    for (const [next, risks] of graph.get(version) ?? []) {
      if (!isPermitted(risks, conditions)) continue;
      if (!conditions.prerelease && isPrerelease(next) && next !== to) continue;
      const isRisky = risks.size > 0;
      const step = conditions.prefer === 'safest' ? 1 + (isRisky ? 1000 : 0) : 1000 + (isRisky ? 1 : 0);
      const cost = cheapest.get(version)! + step;
      if (cost >= (cheapest.get(next) ?? Infinity)) continue;
      cheapest.set(next, cost);
      queue.push(next);
    }
  }
  return cheapest;
}

/** Versions that reach the target, by adding predecessors until none is left. */
export function reaching(graph: PlainGraph, from: string, to: string, conditions: Conditions): string[] {
  const found = new Set([to]);
  for (let size = 0; size < found.size;) {
    size = found.size;
    for (const [version, updates] of graph) {
      if (!conditions.prerelease && isPrerelease(version) && version !== from) continue;
      if ([...updates].some(([next, risks]) => found.has(next) && isPermitted(risks, conditions)))
        found.add(version);
    }
  }
  found.delete(to);
  return [...found].toSorted(compare);
}
