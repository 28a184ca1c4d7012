import { isForTesters, labelledChannel } from '../releases/channel.ts';
import { EXCLUDING_SETTING } from '../releases/values.ts';
import { countInWords, joinInWords } from '../text/words.ts';
import type { Arch } from '../version/arch.ts';
import type { Minor } from '../version/minor.ts';
import { compareVersions, mustParseVersion } from '../version/release-version.ts';
import type { NearbyPath } from './nearby.ts';
import { isBackward, type SettledQuestion } from './question.ts';
import type { UpgradePath } from './solver/solve.ts';

/** Path that exists if more risks are accepted. */
export interface RiskyPath {
  /** With the fewest risky hops. */
  readonly path: UpgradePath;
  /** Sorted by name. */
  readonly risks: readonly string[];
  /** Risks that apply to every cluster. */
  readonly always: readonly string[];
  /** First hop with a risk that the question does not permit. */
  readonly firstBlocked: { readonly from: string; readonly to: string; readonly risks: readonly string[] };
}

export interface Gateways {
  readonly minor: Minor;
  readonly oldest: string;
  readonly newest: string;
  readonly count: number;
}

export type Reason =
  | {
      readonly code: 'excluded';
      /** The requested version or minor, and known versions next to it that are not excluded. */
      readonly details: { readonly version: string; readonly nearestVersions: readonly string[] };
    }
  | { readonly code: 'invalid_order'; readonly details: Record<string, never> }
  | {
      readonly code: 'channel_unknown' | 'channel_empty';
      readonly details: {
        readonly channels: readonly string[];
        readonly publishedAt: string | null;
        /** Other architectures on which the channel has releases. */
        readonly arches: readonly Arch[];
        readonly nearest: readonly string[];
      };
    }
  | {
      readonly code: 'arch_unavailable';
      readonly details: { readonly version: string; readonly arches: readonly Arch[] };
    }
  | {
      readonly code: 'source_not_in_channel';
      readonly details: {
        /** Channels with the version; empty if the version is unknown. */
        readonly channels: readonly string[];
        /** Newest release of the same minor in the requested channel. */
        readonly newestSibling: string | null;
        /** A channel with the version whose newest release is also in the requested channel. */
        readonly through: { readonly channel: string; readonly newest: string } | null;
        /** Known versions next to an unknown version. */
        readonly nearestVersions: readonly string[];
      };
    }
  | {
      readonly code: 'target_not_in_channel';
      readonly details: {
        readonly channels: readonly string[];
        readonly nearestVersions: readonly string[];
        /** The requested minor has only pre-releases and the question excludes them. */
        readonly onlyPrereleases: boolean;
      };
    }
  | { readonly code: 'no_recommended_path'; readonly details: RiskyPath }
  | {
      readonly code: 'risks_not_accepted';
      readonly details: RiskyPath & {
        readonly missing: readonly string[];
        /** For a cluster: of the missing, those that apply to it, and those that may. */
        readonly applying?: readonly string[];
        readonly unknown?: readonly string[];
      };
    }
  | {
      readonly code: 'source_has_no_updates';
      readonly details: { readonly isNewest: boolean; readonly withdrawn: boolean };
    }
  | {
      readonly code: 'disconnected';
      readonly details: {
        readonly farthest: readonly string[];
        readonly gateways: readonly Gateways[];
        readonly targetWithdrawn: boolean;
      };
    };

/** Returns one sentence: `4.4.3 is not in stable-4.6, but in stable-4.4 and stable-4.5`. */
export function reasonInWords(
  reason: Reason,
  question: SettledQuestion,
  searched: readonly string[],
  arch: Arch,
): string {
  const from = question.from.raw;
  const to = targetInWords(question);
  const where = searched.length > 0 ? channelsInWords(searched) : 'any followed channel';
  switch (reason.code) {
    case 'excluded':
      return `${reason.details.version} is excluded by ${EXCLUDING_SETTING} in the configuration`;
    case 'invalid_order':
      return `${to} is older than ${from}, and there are no updates back`;
    case 'channel_unknown': {
      const { channels, arches } = reason.details;
      const [is, was] = channels.length === 1 ? ['is', 'was'] : ['are', 'were'];
      return arches.length > 0
        ? `${channelsInWords(channels)} ${is} not followed on ${arch}, but on ${list(arches)}`
        : `${channelsInWords(channels)} ${is} not followed on ${arch}, or ${was} never synced`;
    }
    case 'channel_empty': {
      const { channels } = reason.details;
      return `${channelsInWords(channels)} ${channels.length === 1 ? 'holds' : 'hold'} no release on ${arch} yet`;
    }
    case 'arch_unavailable':
      return `${reason.details.version} is not known on ${arch}, but on ${list(reason.details.arches)}`;
    case 'source_not_in_channel':
      return notThere(from, where, reason.details);
    case 'target_not_in_channel':
      return reason.details.onlyPrereleases
        ? `${question.asked.to} has only pre-releases so far in ${searched.length > 0 ? where : channelsInWords(reason.details.channels)}`
        : notThere(to, where, reason.details);
    case 'no_recommended_path':
      return `every path from ${from} to ${to} in ${where} takes conditional updates; the safest has ${risksInWords(reason.details.risks)}`;
    case 'risks_not_accepted':
      if (question.asked.risk === 'applicable')
        return exposedInWords(reason.details, `${from} to ${to} in ${where}`);
      return `no path from ${from} to ${to} in ${where} has only accepted risks; the safest also has ${list(reason.details.missing)}`;
    case 'source_has_no_updates':
      return noUpdates(from, where, reason.details);
    default:
      return reason.details.targetWithdrawn
        ? `${to} was withdrawn upstream, so no update leads to it any more`
        : `no updates lead from ${from} to ${to} in ${where}, whatever risks are accepted`;
  }
}

/** Most stable channel with both ends of a question. */
export interface SharedChannel {
  readonly channel: string;
  /** The target in it. */
  readonly to: string;
  /** Channels of its prefix with both. */
  readonly equals: readonly string[];
}

/** Continues the sentence of the reason with the most stable channel that has both ends, unless such a one was searched. */
export function sharedInWords(
  shared: SharedChannel | null,
  question: SettledQuestion,
  searched: readonly string[],
  alternatives: readonly NearbyPath[],
): string {
  const { from, target } = question;
  // The newest release of another channel is another question, and no channel leads back.
  if (shared === null || target === 'latest' || isBackward(question)) return '';
  if (searched.some((name) => shared.equals.includes(name))) return '';
  const { channel, to } = shared;
  // A path in a candidate channel is left out if another channel leads to the minor.
  const isPath =
    isForTesters(channel) ||
    alternatives.some((nearby) => nearby.to === to && nearby.channels.includes(channel));
  const both = `${labelledChannel(channel)} has both ${from.raw} and ${to}`;
  return isPath ? `; ${both}` : `; ${both}, but no permitted path between them`;
}

/** Returns one sentence, or null if no action helps. */
export function suggestionFor(
  reason: Reason,
  question: SettledQuestion,
  alternatives: readonly NearbyPath[],
): string | null {
  if (reason.code === 'no_recommended_path' || reason.code === 'risks_not_accepted') {
    const names = reason.code === 'risks_not_accepted' ? reason.details.missing : reason.details.risks;
    const always = names.filter((name) => reason.details.always.includes(name));
    const { applying = [] } = reason.code === 'risks_not_accepted' ? reason.details : {};
    const exposed = applying.filter((name) => !always.includes(name));
    const sometimes = names.filter((name) => !always.includes(name) && !exposed.includes(name));
    const advice = [
      ...(sometimes.length > 0
        ? [`read about ${list(sometimes)}, and accept by name what does not concern the cluster`]
        : []),
      ...(exposed.length > 0
        ? [
            `read about ${list(exposed)}, and choose another target, or accept by name what the cluster can live with`,
          ]
        : []),
      ...(always.length > 0
        ? [
            `${list(always)} ${always.length === 1 ? 'concerns' : 'concern'} every cluster, so another target is better`,
          ]
        : []),
    ];
    return advice.join('; ');
  }
  if (reason.code === 'target_not_in_channel' && reason.details.onlyPrereleases) {
    return 'allow pre-releases to go to one of them';
  }
  const [nearest] = alternatives;
  if (reason.code === 'invalid_order') {
    const newer = alternatives.find(({ to }) => compareVersions(mustParseVersion(to), question.from) > 0);
    return `choose a target newer than ${question.from.raw}${newer ? `, such as ${newer.to}` : ''}`;
  }
  if (reason.code === 'excluded') {
    const other = nearest ? `, such as ${nearest.to}` : '';
    return `choose another target${other}, or remove the entry from ${EXCLUDING_SETTING}`;
  }
  if (nearest)
    return `${channelsInWords(nearest.channels, 'then')} leads to ${nearest.to} in ${countInWords(nearest.stats.hops, 'hop')}`;
  if (reason.code === 'disconnected') {
    const gateways = reason.details.gateways.flatMap(({ oldest, newest }) => [oldest, newest]);
    const ahead = gateways.find((version) => compareVersions(mustParseVersion(version), question.from) > 0);
    if (ahead !== undefined) return `only clusters from ${ahead} on get to ${targetInWords(question)}`;
  }
  if (reason.code === 'source_not_in_channel' && reason.details.nearestVersions.length > 0) {
    return `check the version; known ones near it are ${list(reason.details.nearestVersions)}`;
  }
  return null;
}

function targetInWords({ asked, to, target }: SettledQuestion): string {
  if (to !== null) return to.raw;
  return target === 'latest' ? 'a newest release' : `a release of ${asked.to}`;
}

function notThere(
  version: string,
  where: string,
  { channels, nearestVersions }: Record<'channels' | 'nearestVersions', readonly string[]>,
): string {
  if (channels.length > 0) return `${version} is not in ${where}, but in ${channelsInWords(channels)}`;
  return nearestVersions.length > 0
    ? `${version} is in no followed channel; the nearest known versions are ${list(nearestVersions)}`
    : `${version} is in no followed channel`;
}

function noUpdates(
  from: string,
  where: string,
  { isNewest, withdrawn }: Record<'isNewest' | 'withdrawn', boolean>,
): string {
  if (withdrawn) return `${from} was withdrawn upstream, and no update leaves it in ${where}`;
  return isNewest ? `${from} is the newest release of ${where}` : `no update leaves ${from} in ${where}`;
}

/** `every path … has risks that apply to the cluster or may apply; on the safest, A applies and B may apply`. */
function exposedInWords(
  { applying = [], unknown = [] }: Partial<Record<'applying' | 'unknown', readonly string[]>>,
  way: string,
): string {
  const parts = [
    ...(applying.length > 0 ? [`${list(applying)} ${applying.length === 1 ? 'applies' : 'apply'}`] : []),
    ...(unknown.length > 0
      ? [`it is not known whether ${list(unknown)} ${unknown.length === 1 ? 'applies' : 'apply'}`]
      : []),
  ];
  return `every path from ${way} has risks that apply to the cluster or may apply; on the safest, ${parts.join(', and ')}`;
}

function risksInWords(risks: readonly string[]): string {
  return `${risks.length === 1 ? 'the risk' : 'the risks'} ${list(risks)}`;
}

/** Items listed in one sentence; more would not be readable. */
const LISTED = 5;

function channelsInWords(channels: readonly string[], and?: string): string {
  return list(channels.map(labelledChannel), and);
}

function list(words: readonly string[], and = 'and'): string {
  const shown =
    words.length > LISTED ? [...words.slice(0, LISTED - 1), `${words.length - LISTED + 1} more`] : words;
  return joinInWords(shown, and);
}
