import { preferredChannel } from '../graph/channel-index.ts';
import { minorOf } from '../version/minor.ts';
import type { ReleaseVersion } from '../version/release-version.ts';
import { search, type Searched, searchChosenChannels } from './channel-choice.ts';
import type { Explanation } from './explain.ts';
import type { Reason } from './explanation-texts.ts';
import type { PayloadConflict } from './prepared-graph.ts';
import {
  isPlainlySearchable,
  type KnownReleases,
  settleQuestion,
  type SettledQuestion,
  type UpgradeQuestion,
} from './question.ts';
import type { FoundPath } from './solver/solve.ts';

interface Answer {
  readonly from: string;
  /** What `latest` or a minor came to; null when no release fits. */
  readonly to: string | null;
  /** Those that were searched. */
  readonly channels: readonly string[];
  /** Those asked for that hold nothing. */
  readonly channelsLeftOut: readonly string[];
  readonly conflicts: readonly PayloadConflict[];
  readonly sourceWithdrawn: boolean;
}

export type UpgradeAnswer =
  | (Answer & { readonly found: true; readonly to: string; readonly upgrade: FoundPath })
  | (Answer & { readonly found: false; readonly explanation: Explanation });

/**
 * The way from a version to another, to the newest of a minor or of a channel, in the channels named or in the best that
 * can be found; or why there is none, and what there is instead. Expects versions and channel names that were checked.
 */
export async function findUpgrade(asked: UpgradeQuestion, releases: KnownReleases): Promise<UpgradeAnswer> {
  const question = settleQuestion(asked, releases.directory);
  const before = isPlainlySearchable(question, releases)
    ? null
    : await (await explanations()).reasonBeforeSearch(question, releases);
  if (before) return noPath(question, before, null, releases);
  const { to } = question;
  const searched = to === null ? null : await searchFor(question, to, releases);
  if (to !== null && searched?.result.found) {
    return { ...describe(question, searched, releases), found: true, to: to.raw, upgrade: searched.result };
  }
  const { reasonOfSearch, targetMissing } = await explanations();
  const reason = searched ? reasonOfSearch(question, searched, releases) : targetMissing(question, releases);
  return noPath(question, reason, searched, releases);
}

/** Most questions have a path, and why there is none takes as much code as finding it: a page need not load that first. */
const explanations = () => import('./explain.ts');

/** Null when no channel leads there, as is known without reading a graph. */
async function searchFor(
  question: SettledQuestion,
  to: ReleaseVersion,
  releases: KnownReleases,
): Promise<Searched | null> {
  const { asked, channels, from } = question;
  if (asked.channels.length > 0) return search(question, to, channels, releases);
  const chosen = await searchChosenChannels(question, to, releases);
  if (chosen) return chosen;
  // What can be reached instead is to be seen in the channel that its cluster would most likely follow.
  const holders = releases.directory.holders(from.raw).map((channel) => ({ channel, withdrawn: false }));
  const channel = preferredChannel(minorOf(from), holders);
  return channel === null ? null : search(question, to, [channel], releases);
}

async function noPath(
  question: SettledQuestion,
  reason: Reason,
  searched: Searched | null,
  releases: KnownReleases,
): Promise<UpgradeAnswer> {
  const { explain } = await explanations();
  const explanation = await explain(question, reason, searched, releases);
  return { ...describe(question, searched, releases), found: false, explanation };
}

function describe(
  { asked, from, to, channels }: SettledQuestion,
  searched: Searched | null,
  { directory }: KnownReleases,
): Answer {
  const named = searched?.graph.channels ?? channels;
  return {
    from: from.raw,
    to: to?.raw ?? null,
    channels: named,
    channelsLeftOut: asked.channels.filter((name) => !channels.includes(name)),
    conflicts: searched?.graph.conflicts ?? [],
    sourceWithdrawn: directory.isWithdrawn(from.raw, named),
  };
}

/** How old the graphs are that an answer comes from. */
export interface AnswerFreshness {
  /** Of the one that was renewed longest ago. */
  readonly syncedAt: string | null;
  readonly stale: boolean;
}

/** Something to know beside an answer, which it is no reason against. */
export interface AnswerWarning {
  readonly code: string;
  readonly message: string;
}

/** What an answer leaves open: `source_withdrawn` says `4.14.3 is no longer listed upstream`. */
export function answerWarnings(
  answer: UpgradeAnswer,
  { stale, syncedAt }: AnswerFreshness,
): readonly AnswerWarning[] {
  const { from, channels, channelsLeftOut, conflicts, sourceWithdrawn } = answer;
  const warnings: AnswerWarning[] = [];
  const warn = (code: string, message: string): number => warnings.push({ code, message });
  if (stale) {
    const since = syncedAt === null ? 'ever' : `since ${syncedAt}`;
    warn('stale_graph', `upstream has not given a good answer ${since}; what is newer is missing here`);
  }
  if (channelsLeftOut.length > 0 && channels.length > 0) {
    warn('channel_left_out', `${channelsLeftOut.join(', ')} holds no releases and was not searched`);
  }
  if (sourceWithdrawn) warn('source_withdrawn', `${from} is no longer listed upstream`);
  for (const { version, channel, keptPayload } of conflicts) {
    warn(
      'payload_conflict',
      `${version} is another image in ${channel}, which was not joined; ${keptPayload} is used`,
    );
  }
  if (answer.found && !answer.upgrade.exact) {
    warn(
      'not_exact',
      'another path of as many hops may have fewer different risks: there are too many to compare all',
    );
  }
  return warnings;
}
