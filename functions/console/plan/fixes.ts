import type { Explanation } from '@cairn/shared/path/explain';
import type { Reason } from '@cairn/shared/path/explanation-texts';
import { labelledChannel } from '@cairn/shared/releases/channel';
import { CHANNEL_ORDER } from '@cairn/shared/releases/values';
import { joinInWords } from '@cairn/shared/text/words';
import type { UrlState } from '../state/url-state.ts';

/** Common shape of both solvers; page and service write the risky path differently. */
type Bare<R> = R extends { readonly code: infer Code; readonly details: infer Details }
  ? { readonly code: Code; readonly details: Omit<Details, 'path'> }
  : never;
export type ShownReason = Bare<Reason>;

/** Change of the question that may lead to a path. */
export interface Fix {
  readonly label: string;
  readonly patch: Partial<UrlState>;
}

/** The question, and the channels that contain both of its ends. */
export interface Asked extends Pick<UrlState, 'channel' | 'risks'> {
  readonly holdsBoth: (channel: string) => boolean;
  /** True if other channels are known to lead to the target. */
  readonly hasOtherPath: boolean;
}

const MOST_CHANNELS = 4;

/** One-click changes, most promising first. */
export function fixesFor(
  reason: ShownReason,
  asked: Asked,
  { below, above }: Explanation['nearestTarget'],
): Fix[] {
  const nearest = [
    ...(below === null ? [] : [{ label: `Go only as far as ${below}`, patch: { to: below } }]),
    ...(above === null ? [] : [{ label: `Go to ${above} instead`, patch: { to: above } }]),
  ];
  const choose = letCairnChoose(reason, asked);
  const rest = asked.hasOtherPath ? [...choose, ...nearest] : [...nearest, ...choose];
  return [...ownFixes(reason, asked), ...rest];
}

function ownFixes(reason: ShownReason, asked: Asked): Fix[] {
  switch (reason.code) {
    case 'invalid_order':
      return [{ label: 'Go to the recommended target instead', patch: { to: '' } }];
    case 'channel_unknown':
    case 'channel_empty':
      return [
        ...switchTo(reason.details.nearest.filter(asked.holdsBoth), asked),
        ...switchArch(reason.details.arches),
      ];
    case 'arch_unavailable':
      return switchArch(reason.details.arches);
    case 'source_not_in_channel': {
      const { through, channels, nearestVersions } = reason.details;
      return [
        ...(through
          ? [
              {
                label: `First to ${through.newest} in ${labelledChannel(through.channel)}`,
                patch: { channel: through.channel, to: through.newest },
              },
            ]
          : []),
        ...switchTo(through ? [through.channel, ...channels] : channels, asked),
        ...nearestVersions.map((from) => ({ label: `Start from ${from}`, patch: { from } })),
      ];
    }
    case 'target_not_in_channel': {
      const { channels, nearestVersions } = reason.details;
      return [
        // A channel without the start version would only give the next reason.
        ...switchTo(channels.filter(asked.holdsBoth), asked),
        ...nearestVersions.map((to) => ({ label: `Go to ${to}`, patch: { to } })),
      ];
    }
    case 'excluded':
      return reason.details.nearestVersions.map((to) => ({ label: `Go to ${to}`, patch: { to } }));
    case 'no_recommended_path':
      return [allow(reason.details.risks, [])];
    case 'risks_not_accepted':
      return [allow(reason.details.missing, typeof asked.risks === 'string' ? [] : asked.risks)];
    default:
      return [];
  }
}

/** Channels that lead there first, by rank. */
function switchTo(channels: readonly string[], { channel, holdsBoth }: Asked): Fix[] {
  const rank = (name: string): number => CHANNEL_ORDER.findIndex((prefix) => name.startsWith(`${prefix}-`));
  const ordered = channels.toSorted((a, b) => rank(a) - rank(b));
  return [...new Set([...ordered.filter(holdsBoth), ...ordered])]
    .filter((name) => name !== channel)
    .slice(0, MOST_CHANNELS)
    .map((name) => ({ label: `Switch to ${labelledChannel(name)}`, patch: { channel: name } }));
}

function switchArch(arches: readonly UrlState['arch'][]): Fix[] {
  return arches.map((arch) => ({ label: `Switch to ${arch}`, patch: { arch } }));
}

function allow(names: readonly string[], accepted: readonly string[]): Fix {
  const label = names.length === 1 ? `Accept ${names[0]}` : `Accept these ${names.length} risks`;
  return { label, patch: { risks: [...new Set([...accepted, ...names])] } };
}

/** Without a requested channel, the best one was already tried. */
function letCairnChoose({ code }: ShownReason, { channel }: Asked): Fix[] {
  const isAboutChannel = !['excluded', 'invalid_order', 'arch_unavailable'].includes(code);
  return channel && isAboutChannel ? [{ label: 'Let Cairn choose the channel', patch: { channel: '' } }] : [];
}

/** Further details, one sentence each. */
export function detailsInWords(reason: ShownReason, from: string, to: string): string[] {
  switch (reason.code) {
    case 'source_not_in_channel': {
      const { newestSibling } = reason.details;
      return newestSibling === null ? [] : [`The newest of its minor there is ${newestSibling}.`];
    }
    case 'no_recommended_path':
    case 'risks_not_accepted': {
      const { firstBlocked, always } = reason.details;
      const applies = always.length === 1 ? 'applies' : 'apply';
      return [
        `The first update in the way is ${firstBlocked.from} to ${firstBlocked.to}, with ${joinInWords(firstBlocked.risks)}.`,
        ...(always.length > 0 ? [`${joinInWords(always)} ${applies} to every cluster.`] : []),
      ];
    }
    case 'disconnected': {
      const { farthest, gateways } = reason.details;
      return [
        farthest.length > 0
          ? `${from} gets as far as ${joinInWords(farthest)}.`
          : `Nothing can be reached from ${from} this way.`,
        ...gateways.map(({ minor, oldest, newest, count }) =>
          count === 1
            ? `${to} is reached from ${oldest}.`
            : `${to} is reached from ${count} releases of ${minor}, ${oldest} to ${newest}.`,
        ),
      ];
    }
    default:
      return [];
  }
}
