import type { Risk } from '../graph/graph.ts';
import { isForTesters } from '../releases/channel.ts';
import { CHANNEL_ORDER, type ChannelName } from '../releases/values.ts';
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
import type { APPLIES, PREFERENCES, RISK_MODES } from './values.ts';

export type RiskMode = (typeof RISK_MODES)[number];
export type Preference = (typeof PREFERENCES)[number];

export type Applies = (typeof APPLIES)[number];

/** Updates from the present version of the cluster, and those after them: some facts change with the version. */
export type HopPlace = 'first' | 'later';

export type RiskApplies = (risk: Risk, hop: HopPlace) => Applies;

export interface RiskPolicy {
  readonly risk: RiskMode;
  /** Names; read only in the modes `accept` and `applicable`. */
  readonly acceptedRisks?: readonly string[] | undefined;
  /** Read only in mode `applicable`; without it, no risk is known not to apply. */
  readonly applies?: RiskApplies | undefined;
}

/** The first rule that clusters know decides, and the others only if it cannot be evaluated. */
export function isAlways(risk: Risk): boolean {
  return risk.matchingRules.find(({ type }) => RULE_TYPES.has(type))?.type === 'Always';
}

const RULE_TYPES: ReadonlySet<string> = new Set(['Always', 'PromQL']);

/** Per risk list, 1 if the policy permits it. */
export function permittedLists(riskSets: readonly (readonly Risk[])[], policy: RiskPolicy): Uint8Array {
  const isPermitted = permits(policy);
  return Uint8Array.from(riskSets, (risks) => (isPermitted(risks) ? 1 : 0));
}

/** The empty list (recommended updates) is always permitted. */
export function permits(policy: RiskPolicy, hop: HopPlace = 'later'): (risks: readonly Risk[]) => boolean {
  const accepted = new Set(policy.acceptedRisks);
  const isAccepted = (risk: Risk): boolean => accepted.has(risk.name);
  const tests: Record<RiskMode, (risks: readonly Risk[]) => boolean> = {
    none: (risks) => risks.length === 0,
    accept: (risks) => risks.every(isAccepted),
    'non-always': (risks) => !risks.some(isAlways),
    applicable: (risks) => risks.every((risk) => isAccepted(risk) || policy.applies?.(risk, hop) === 'no'),
    all: () => true,
  };
  return tests[policy.risk];
}

export interface PathQuery extends RiskPolicy {
  readonly from: string;
  /** A version; `settleQuestion` resolves `latest` and minors. */
  readonly to: string;
  readonly prefer: Preference;
  /** Allow pre-releases between the ends; the ends can always be pre-releases. */
  readonly prerelease: boolean;
  readonly alternatives: 0 | 1 | 2 | 3;
}

export interface UpgradeQuestion extends RiskPolicy {
  readonly from: string;
  /** A version, a minor (its newest patch), or `latest`. */
  readonly to: string;
  /** Several are joined; if empty, the best channel is chosen. */
  readonly channels: readonly string[];
  readonly prefer: Preference;
  /** Allow pre-releases between the ends. Defaults to true if an end is one or a candidate channel is requested. */
  readonly prerelease?: boolean | undefined;
  readonly alternatives: PathQuery['alternatives'];
  /** Rank eus channels first, for a Control Plane Only update from one EUS minor to another. */
  readonly prefersEus?: boolean | undefined;
}

const EUS_FIRST: readonly ChannelName[] = ['eus', ...CHANNEL_ORDER.filter((prefix) => prefix !== 'eus')];

/** Prefixes by rank. */
export function rankedPrefixes({
  asked,
}: {
  readonly asked: Pick<UpgradeQuestion, 'prefersEus'>;
}): readonly ChannelName[] {
  return asked.prefersEus ? EUS_FIRST : CHANNEL_ORDER;
}

export interface KnownReleases {
  readonly arch: Arch;
  readonly directory: ChannelDirectory;
  readonly prepare: (channels: readonly string[]) => Promise<PreparedGraph>;
  /** Other architectures; called only if something is missing here. */
  readonly elsewhere: () => Promise<readonly { readonly arch: Arch; readonly directory: ChannelDirectory }[]>;
}

/** Question with its target resolved against the known releases. */
export interface SettledQuestion {
  readonly asked: UpgradeQuestion;
  readonly from: ReleaseVersion;
  /** Null if no release matches `latest` or the minor. */
  readonly to: ReleaseVersion | null;
  readonly target: 'version' | 'minor' | 'latest';
  readonly channels: readonly string[];
  readonly prerelease: boolean;
}

/** Expects `from` and a target other than `latest` or a minor to be valid versions. */
export function settleQuestion(asked: UpgradeQuestion, directory: ChannelDirectory): SettledQuestion {
  const from = mustParseVersion(asked.from);
  const minor = parseMinor(asked.to);
  const target = asked.to === 'latest' ? 'latest' : minor === null ? 'version' : 'minor';
  const named = target === 'version' ? mustParseVersion(asked.to) : null;
  const prerelease = asked.prerelease ?? impliesPrereleases(asked.channels, [from, named]);
  const channels = asked.channels.filter((name) => (directory.get(name)?.indexed.nodes ?? 0) > 0);
  const newest = (): string | null =>
    asked.channels.length > 0
      ? directory.newest(channels, { minor: minor ?? undefined, prerelease })
      : newestPreferred(directory, from, { minor, prerelease, prefixes: rankedPrefixes({ asked }) });
  const to = named ?? parseOrNull(newest());
  return { asked, from, to, target, channels, prerelease };
}

export function pathQuery({ asked, from, prerelease }: SettledQuestion, to: string): PathQuery {
  const { risk, acceptedRisks, applies, prefer } = asked;
  return { from: from.raw, to, risk, acceptedRisks, applies, prefer, prerelease, alternatives: 0 };
}

/**
 * Resolves `latest` or a minor without a channel: the newest release of the channels that contain the source, preferred
 * prefix first, not older than the source. A minor falls back to all channels. Example: only eus-4.14 has updates from
 * 4.12.94, so 4.14 resolves to the newest of eus-4.14, not of stable-4.14.
 */
function newestPreferred(
  directory: ChannelDirectory,
  from: ReleaseVersion,
  {
    minor,
    prerelease,
    prefixes,
  }: {
    readonly minor: Minor | null;
    readonly prerelease: boolean;
    readonly prefixes: readonly ChannelName[];
  },
): string | null {
  const newestOf = (channels: readonly ListedChannel[]): string[] =>
    prefixes.flatMap((prefix) => {
      const names = channels.filter((channel) => channel.prefix === prefix).map(({ name }) => name);
      return directory.newest(names, { minor: minor ?? undefined, prerelease }) ?? [];
    });
  const holding = directory.channels.filter(({ name }) => directory.holds(name, from.raw));
  const found = [...newestOf(holding), ...(minor === null ? [] : newestOf(directory.channels))];
  return found.find((version) => compareVersions(mustParseVersion(version), from) >= 0) ?? found[0] ?? null;
}

function impliesPrereleases(channels: readonly string[], ends: readonly (ReleaseVersion | null)[]): boolean {
  return channels.some(isForTesters) || ends.some((version) => version !== null && isPrerelease(version));
}

/** The target is older than the source. `latest` and the source's own minor never count as backward. */
export function isBackward({ asked, from, to, target }: SettledQuestion): boolean {
  if (target === 'minor') return compareMinors(asked.to as Minor, minorOf(from)) < 0;
  return target === 'version' && to !== null && compareVersions(to, from) < 0;
}

/** The version is in a requested channel, or in any channel if none was requested. */
export function isInReach(
  version: string,
  { asked, channels }: Pick<SettledQuestion, 'asked' | 'channels'>,
  { directory }: Pick<KnownReleases, 'directory'>,
): boolean {
  const holders = directory.holders(version);
  return asked.channels.length === 0 ? holders.length > 0 : channels.some((name) => holders.includes(name));
}

/** Fast check before a search. `explain.ts` handles questions that fail it. */
export function isPlainlySearchable(
  question: SettledQuestion,
  releases: Pick<KnownReleases, 'directory'>,
): boolean {
  const { asked, from, target } = question;
  const isTargetKnown = target !== 'version' || releases.directory.holders(asked.to).length > 0;
  return (
    !isBackward(question) &&
    isInReach(from.raw, question, releases) &&
    isTargetKnown &&
    !isTargetExcluded(question, releases)
  );
}

/** The requested version is excluded, or every known release of the requested minor. */
export function isTargetExcluded(
  { asked, to, target, channels }: SettledQuestion,
  { directory }: Pick<KnownReleases, 'directory'>,
): boolean {
  if (target === 'version') return directory.excluded.has(asked.to);
  return target === 'minor' && to === null && directory.isMinorExcluded(asked.to as Minor, channels);
}

function parseOrNull(version: string | null): ReleaseVersion | null {
  return version === null ? null : mustParseVersion(version);
}
