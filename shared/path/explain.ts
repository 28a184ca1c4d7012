import { groupBy } from '../collection/group-by.ts';
import { nearestVersions } from '../graph/channel-index.ts';
import { nearestChannels } from '../releases/nearest-channels.ts';
import { type Minor, minorOf } from '../version/minor.ts';
import { compareVersions, mustParseVersion, type ReleaseVersion } from '../version/release-version.ts';
import { channelsWithBoth, type Searched } from './channel-choice.ts';
import type { ChannelDirectory } from './channel-directory.ts';
import {
  reasonInWords,
  type SharedChannel,
  sharedInWords,
  suggestionFor,
  type RiskyPath,
  type Gateways,
  type Reason,
} from './explanation-texts.ts';
import { findNearbyPaths, type NearbyPath, targetInAnyChannel } from './nearby.ts';
import {
  isAlways,
  permits,
  type HopPlace,
  type RiskPolicy,
  isBackward,
  isInReach,
  isTargetExcluded,
  type KnownReleases,
  rankedPrefixes,
  type SettledQuestion,
} from './question.ts';
import type { UpgradePath, Nearest } from './solver/solve.ts';

/** `searched` is null if the reason was known without a graph. */
export async function explain(
  question: SettledQuestion,
  reason: Reason,
  searched: Searched | null,
  releases: KnownReleases,
): Promise<Explanation> {
  const channels = searched?.graph.channels ?? question.channels;
  const alternatives = await findNearbyPaths(question, channels, releases);
  const result = searched?.result;
  const shared = sharedChannel(question, releases);
  return {
    ...reason,
    message: `${reasonInWords(reason, question, channels, releases.arch)}${sharedInWords(shared, question, channels, alternatives)}`,
    suggestion: suggestionFor(reason, question, alternatives),
    sharedChannel: shared?.channel ?? null,
    nearestTarget: result && 'reach' in result ? result.reach.nearest : { below: null, above: null },
    alternatives,
  };
}

/** Most stable channel with the source and the target; null if none has both. */
function sharedChannel(question: SettledQuestion, { directory }: KnownReleases): SharedChannel | null {
  const { from } = question;
  const to = targetInAnyChannel(question, directory);
  // The newest release can be the source itself.
  if (to === null || to.raw === from.raw) return null;
  for (const prefix of rankedPrefixes(question)) {
    const all = channelsWithBoth(directory, prefix, from, to);
    if (all.length > 0) return { channel: all[0]!, to: to.raw, equals: all };
  }
  return null;
}

const INVALID_ORDER: Reason = { code: 'invalid_order', details: {} };

/** Returns null if the reason needs a graph. */
export async function reasonBeforeSearch(
  question: SettledQuestion,
  releases: KnownReleases,
): Promise<Reason | null> {
  const { asked, from, channels, target } = question;
  if (isTargetExcluded(question, releases)) return excluded(question, releases);
  if (isBackward(question) && !mayLeadBack(question, releases)) return INVALID_ORDER;
  if (asked.channels.length > 0 && channels.length === 0) return channelMissing(asked.channels, releases);
  const ends = target === 'version' ? [from.raw, asked.to] : [from.raw];
  for (const version of ends) {
    const arches = await archesElsewhere(version, releases);
    if (arches.length > 0) return { code: 'arch_unavailable', details: { version, arches } };
  }
  return isInReach(from.raw, question, releases) ? null : sourceMissing(question, releases);
}

export function reasonOfSearch(
  question: SettledQuestion,
  { graph, result }: Searched,
  releases: KnownReleases,
): Reason {
  if (result.found) throw new Error('there is a path, and so no reason why there is none');
  // The channel directory and the graphs can be of different syncs.
  if (result.why === 'source_missing') return sourceMissing(question, releases);
  if (result.why === 'target_missing') return targetMissing(question, releases);
  const { withAllRisks, reach, gateways } = result;
  const { asked, from, to } = question;
  if (withAllRisks !== null) {
    const details = riskyPath(withAllRisks, asked);
    if (asked.risk === 'applicable') {
      const open = openRisks(withAllRisks, asked);
      return { code: 'risks_not_accepted', details: { ...details, ...open } };
    }
    if (asked.risk !== 'accept') return { code: 'no_recommended_path', details };
    const missing = details.risks.filter((name) => !asked.acceptedRisks?.includes(name));
    return { code: 'risks_not_accepted', details: { ...details, missing } };
  }
  if (isBackward(question)) return INVALID_ORDER;
  const isWithdrawn = (version: string): boolean => releases.directory.isWithdrawn(version, graph.channels);
  if (reach.updates.plain + reach.updates.conditional === 0) {
    const isNewest = graph.nodes.at(-1)?.version === from.raw;
    return { code: 'source_has_no_updates', details: { isNewest, withdrawn: isWithdrawn(from.raw) } };
  }
  return {
    code: 'disconnected',
    details: {
      farthest: reach.newestPerMinor,
      gateways: perMinor(gateways.map(mustParseVersion)),
      targetWithdrawn: to !== null && isWithdrawn(to.raw),
    },
  };
}

function excluded(question: SettledQuestion, { directory }: KnownReleases): Reason {
  const { asked } = question;
  return {
    code: 'excluded',
    details: { version: asked.to, nearestVersions: nearTarget(question, directory) },
  };
}

/** Known versions next to the target; of a minor without a release, next to its first. */
function nearTarget({ asked, to, target }: SettledQuestion, { versions }: ChannelDirectory): string[] {
  const wanted = to ?? (target === 'minor' ? mustParseVersion(`${asked.to}.0`) : null);
  return wanted === null ? [] : nearestVersions(versions, wanted);
}

/** A few updates lead to an older release, such as 4.4.18 → 4.4.0 on s390x. */
function mayLeadBack(
  { asked, from, to, target, channels }: SettledQuestion,
  { directory }: KnownReleases,
): boolean {
  if (target !== 'version' || to === null) return false;
  const holders = directory.holders(to.raw);
  return asked.channels.length > 0
    ? [from.raw, to.raw].every((end) => channels.some((name) => directory.holds(name, end)))
    : directory.holders(from.raw).some((name) => holders.includes(name));
}

export function targetMissing(question: SettledQuestion, { directory }: KnownReleases): Reason {
  const { asked, to, target, channels } = question;
  const hasMinor = (name: string): boolean =>
    directory.newest([name], { minor: asked.to as Minor, prerelease: true }) !== null;
  const ofMinor = directory.channels.map(({ name }) => name).filter(hasMinor);
  const isAnyMissing = target === 'minor' && to === null;
  const holders = isAnyMissing ? ofMinor : directory.holders(to?.raw ?? '');
  const isShared = (name: string): boolean => directory.holds(name, question.from.raw);
  const searched = asked.channels.length > 0 ? channels : holders;
  return {
    code: 'target_not_in_channel',
    details: {
      channels: byAdvice(holders, isShared, question, directory),
      nearestVersions: holders.length > 0 ? [] : nearTarget(question, directory),
      onlyPrereleases: isAnyMissing && searched.some(hasMinor),
    },
  };
}

async function channelMissing(
  asked: readonly string[],
  { directory, elsewhere }: KnownReleases,
): Promise<Reason> {
  const listed = asked.flatMap((name) => directory.get(name) ?? []);
  const published = listed.flatMap(({ indexed }) => indexed.publishedAt ?? []);
  const populated = directory.channels.filter(({ versions }) => versions.length > 0).map(({ name }) => name);
  const others = await elsewhere();
  return {
    code: published.length > 0 ? 'channel_empty' : 'channel_unknown',
    details: {
      channels: asked,
      publishedAt: published.toSorted().at(-1) ?? null,
      arches: others
        .filter((other) => asked.some((name) => (other.directory.get(name)?.versions.length ?? 0) > 0))
        .map(({ arch }) => arch),
      nearest: nearestChannels(asked[0]!, populated),
    },
  };
}

/** Searches other architectures only if this one does not know the version. */
async function archesElsewhere(version: string, { directory, elsewhere }: KnownReleases) {
  if (directory.holders(version).length > 0) return [];
  const others = await elsewhere();
  return others.filter((other) => other.directory.holders(version).length > 0).map(({ arch }) => arch);
}

function sourceMissing(question: SettledQuestion, { directory }: KnownReleases): Reason {
  const { from, channels } = question;
  const holders = directory.holders(from.raw);
  const target = targetInAnyChannel(question, directory);
  const isShared = (name: string): boolean => target !== null && directory.holds(name, target.raw);
  return {
    code: 'source_not_in_channel',
    details: {
      channels: byAdvice(holders, isShared, question, directory),
      newestSibling: directory.newest(channels, { minor: minorOf(from), prerelease: false }),
      through: channelThrough(question, holders, directory),
      nearestVersions: holders.length > 0 ? [] : nearestVersions(directory.versions, from),
    },
  };
}

type Through = Extract<Reason, { readonly code: 'source_not_in_channel' }>['details']['through'];

/** Not past the target, and not through a less stable channel than one that has both ends. */
function channelThrough(
  question: SettledQuestion,
  holders: readonly string[],
  directory: ChannelDirectory,
): Through {
  const { channels } = question;
  const ranked = rankedPrefixes(question);
  const rankOf = (name: string): number => ranked.indexOf(directory.get(name)!.prefix);
  const target = targetInAnyChannel(question, directory);
  const shared = target === null ? [] : holders.filter((name) => directory.holds(name, target.raw));
  const most = Math.min(...shared.map(rankOf), ranked.length);
  const end = question.to ?? target;
  const through = holders
    // Of each prefix the newest minor first, which leads farthest.
    .toReversed()
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .filter((name) => rankOf(name) <= most)
    .map((channel) => ({ channel, newest: directory.newest([channel], { prerelease: false }) }))
    .find(
      ({ newest }) =>
        newest !== null &&
        channels.some((name) => directory.holds(name, newest)) &&
        (end === null || compareVersions(mustParseVersion(newest), end) <= 0),
    );
  return through?.newest ? { channel: through.channel, newest: through.newest } : null;
}

/** Channels with both ends first, then by rank, then by minor. */
function byAdvice(
  names: readonly string[],
  isShared: (name: string) => boolean,
  question: SettledQuestion,
  directory: ChannelDirectory,
): readonly string[] {
  const ranked = rankedPrefixes(question);
  const listed = names.map((name) => directory.get(name)!);
  return listed
    .toSorted(
      (a, b) =>
        Number(isShared(b.name)) - Number(isShared(a.name)) ||
        ranked.indexOf(a.prefix) - ranked.indexOf(b.prefix),
    )
    .map(({ name }) => name);
}

/** Risks that are not accepted and apply to the cluster, or may. */
function openRisks({ path }: UpgradePath, { applies, acceptedRisks }: RiskPolicy) {
  const verdicts = path.flatMap(({ hop }, at) =>
    (hop?.risks ?? []).map((risk) => ({
      name: risk.name,
      applies: applies?.(risk, placeOf(at)) ?? 'unknown',
    })),
  );
  const open = verdicts.filter(
    ({ name, applies: found }) => found !== 'no' && !acceptedRisks?.includes(name),
  );
  const applying = namesOf(open.filter(({ applies: found }) => found === 'yes'));
  const missing = namesOf(open);
  return { missing, applying, unknown: missing.filter((name) => !applying.includes(name)) };
}

/** The hop to the second version of a path is the first. */
function placeOf(at: number): HopPlace {
  return at <= 1 ? 'first' : 'later';
}

function riskyPath(path: UpgradePath, policy: RiskPolicy): RiskyPath {
  const steps = path.path.map(({ version, hop }, at) => ({
    from: path.path[at - 1]?.version ?? version,
    to: version,
    risks: hop?.risks ?? [],
  }));
  const all = steps.flatMap(({ risks }) => risks);
  const blocked = steps.find(({ risks }, at) => !permits(policy, placeOf(at))(risks))!;
  return {
    path,
    risks: namesOf(all),
    always: namesOf(all.filter(isAlways)),
    firstBlocked: { ...blocked, risks: namesOf(blocked.risks) },
  };
}

function namesOf(risks: readonly { readonly name: string }[]): string[] {
  return [...new Set(risks.map(({ name }) => name))].toSorted();
}

function perMinor(versions: readonly ReleaseVersion[]): Gateways[] {
  const groups = groupBy(versions, (version): Minor => minorOf(version));
  return [...groups].map(([minor, same]) => ({
    minor,
    oldest: same[0]!.raw,
    newest: same.at(-1)!.raw,
    count: same.length,
  }));
}

export type Explanation = Reason & {
  readonly message: string;
  readonly suggestion: string | null;
  /** Most stable channel with the source and the target; null if no channel has both. */
  readonly sharedChannel: string | null;
  /** Reachable versions next to the target, under the same risk policy. */
  readonly nearestTarget: Nearest;
  /** Closest to the question first. */
  readonly alternatives: readonly NearbyPath[];
};
