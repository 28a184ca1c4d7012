import type { Risk } from '../graph/graph.ts';
import { parseChannel } from '../releases/channel.ts';
import { CHANNEL_ORDER } from '../releases/values.ts';
import type { Arch } from '../version/arch.ts';
import { compareMinors, minorOf, type Minor, parseMinor } from '../version/minor.ts';
import {
  compareVersions,
  isPrerelease,
  mustParseVersion,
  type ReleaseVersion,
} from '../version/release-version.ts';
import type { ChannelDirectory, ListedChannel } from './channel-directory.ts';
import type { PreparedGraph } from './prepared-graph.ts';
import type { PREFERENCES, RISK_MODES } from './values.ts';

export type RiskMode = (typeof RISK_MODES)[number];
/** Which of two paths is the better one. */
export type Preference = (typeof PREFERENCES)[number];

export interface RiskPolicy {
  readonly risk: RiskMode;
  /** Names; read in the mode `accept` only. */
  readonly acceptedRisks?: readonly string[] | undefined;
}

/** Whether the risk applies to every cluster there is. */
export function isAlways(risk: Risk): boolean {
  return risk.matchingRules.some((rule) => rule.type === 'Always');
}

/** Per risk list 1 where an edge with it may be used, else 0. The empty list, that of plain edges, always may. */
export function permittedLists(riskSets: readonly (readonly Risk[])[], policy: RiskPolicy): Uint8Array {
  const isPermitted = permits(policy);
  return Uint8Array.from(riskSets, (risks) => (isPermitted(risks) ? 1 : 0));
}

/** Whether an edge with these risks may be used. */
export function permits(policy: RiskPolicy): (risks: readonly Risk[]) => boolean {
  const accepted = new Set(policy.acceptedRisks);
  const tests: Record<RiskMode, (risks: readonly Risk[]) => boolean> = {
    none: (risks) => risks.length === 0,
    accept: (risks) => risks.every((risk) => accepted.has(risk.name)),
    'non-always': (risks) => !risks.some(isAlways),
    all: () => true,
  };
  return tests[policy.risk];
}

export interface PathQuery extends RiskPolicy {
  readonly from: string;
  /** A version; `settleQuestion` makes one of `latest` and of minors. */
  readonly to: string;
  readonly prefer: Preference;
  /** Whether steps may be pre-releases; both ends may be in any case. */
  readonly prerelease: boolean;
  readonly alternatives: 0 | 1 | 2 | 3;
}

export interface UpgradeQuestion extends RiskPolicy {
  readonly from: string;
  /** A version, a minor for its newest z, or `latest`. */
  readonly to: string;
  /** Several are joined; with none the best is chosen. */
  readonly channels: readonly string[];
  readonly prefer: Preference;
  /** Whether steps may be pre-releases; when not said, if an end is one or a candidate channel is asked for. */
  readonly prerelease?: boolean | undefined;
  readonly alternatives: PathQuery['alternatives'];
}

/** The releases of one architecture, as far as they are read. */
export interface KnownReleases {
  readonly arch: Arch;
  readonly directory: ChannelDirectory;
  /** The graphs of these channels, joined. */
  readonly prepare: (channels: readonly string[]) => Promise<PreparedGraph>;
  /** The other architectures, asked only when something is not found here. */
  readonly elsewhere: () => Promise<readonly { readonly arch: Arch; readonly directory: ChannelDirectory }[]>;
}

/** What the question means among the known releases. */
export interface SettledQuestion {
  readonly asked: UpgradeQuestion;
  readonly from: ReleaseVersion;
  /** Null when no release fits `latest` or the minor. */
  readonly to: ReleaseVersion | null;
  readonly target: 'version' | 'minor' | 'latest';
  /** Those asked for that hold releases. */
  readonly channels: readonly string[];
  readonly prerelease: boolean;
}

/** `from` and a `to` that is neither `latest` nor a minor have to be versions. */
export function settleQuestion(asked: UpgradeQuestion, directory: ChannelDirectory): SettledQuestion {
  const from = mustParseVersion(asked.from);
  const minor = parseMinor(asked.to);
  const target = asked.to === 'latest' ? 'latest' : minor === null ? 'version' : 'minor';
  const named = target === 'version' ? mustParseVersion(asked.to) : null;
  const prerelease = asked.prerelease ?? impliesPrereleases(asked.channels, [from, named]);
  const channels = asked.channels.filter((name) => (directory.get(name)?.versions.length ?? 0) > 0);
  const newest = (): string | null =>
    asked.channels.length > 0
      ? directory.newest(channels, { minor: minor ?? undefined, prerelease })
      : newestPreferred(directory, from, { minor, prerelease });
  const to = named ?? parseOrNull(newest());
  return { asked, from, to, target, channels, prerelease };
}

/** The solver's query for a version of some channels, under the conditions of the question. */
export function pathQuery({ asked, from, prerelease }: SettledQuestion, to: string): PathQuery {
  const { risk, acceptedRisks, prefer } = asked;
  return { from: from.raw, to, risk, acceptedRisks, prefer, prerelease, alternatives: 0 };
}

/**
 * What `latest` or a minor means when no channel is named: the newest of the channels that hold the source, of the most
 * preferred prefix that has one not older than it. A minor that none of them has is looked for in all others too. From
 * 4.12.94, which only eus-4.14 leads on from, 4.14 is the newest of eus-4.14, though stable-4.14 has one as well.
 */
function newestPreferred(
  directory: ChannelDirectory,
  from: ReleaseVersion,
  { minor, prerelease }: { readonly minor: Minor | null; readonly prerelease: boolean },
): string | null {
  const newestOf = (channels: readonly ListedChannel[]): string[] =>
    CHANNEL_ORDER.flatMap((prefix) => {
      const names = channels.filter((channel) => channel.prefix === prefix).map(({ name }) => name);
      return directory.newest(names, { minor: minor ?? undefined, prerelease }) ?? [];
    });
  const holding = directory.channels.filter(({ name }) => directory.holds(name, from.raw));
  const found = [...newestOf(holding), ...(minor === null ? [] : newestOf(directory.channels))];
  return found.find((version) => compareVersions(mustParseVersion(version), from) >= 0) ?? found[0] ?? null;
}

function impliesPrereleases(channels: readonly string[], ends: readonly (ReleaseVersion | null)[]): boolean {
  const isForTesters = (name: string): boolean =>
    ['candidate', 'prerelease'].includes(parseChannel(name)?.prefix ?? '');
  return channels.some(isForTesters) || ends.some((version) => version !== null && isPrerelease(version));
}

/** The fewest hops there can be, as no hop skips a minor; how many minors a major has is not known. */
export function fewestHops(from: ReleaseVersion, to: ReleaseVersion): number {
  if (from.raw === to.raw) return 0;
  return from.major === to.major ? Math.max(1, to.minor - from.minor) : 1;
}

/** Whether going there would be a step back. The newest of a channel, or of the source's own minor, was not asked to be. */
export function isBackward({ asked, from, to, target }: SettledQuestion): boolean {
  if (target === 'minor') return compareMinors(asked.to as Minor, minorOf(from)) < 0;
  return target === 'version' && to !== null && compareVersions(to, from) < 0;
}

/** Whether the version is in a channel that was asked for, or in any when none was. */
export function isInReach(
  version: string,
  { asked, channels }: Pick<SettledQuestion, 'asked' | 'channels'>,
  { directory }: Pick<KnownReleases, 'directory'>,
): boolean {
  const holders = directory.holders(version);
  return asked.channels.length === 0 ? holders.length > 0 : channels.some((name) => holders.includes(name));
}

/** Whether nothing speaks against a search at first sight. What does not pass is looked at more closely by `explain.ts`. */
export function isPlainlySearchable(
  question: SettledQuestion,
  releases: Pick<KnownReleases, 'directory'>,
): boolean {
  const { asked, from, target } = question;
  const isTargetKnown = target !== 'version' || releases.directory.holders(asked.to).length > 0;
  return !isBackward(question) && isInReach(from.raw, question, releases) && isTargetKnown;
}

function parseOrNull(version: string | null): ReleaseVersion | null {
  return version === null ? null : mustParseVersion(version);
}
