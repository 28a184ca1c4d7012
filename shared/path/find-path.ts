import { isForTesters, NOT_FOR_PRODUCTION } from '../releases/channel.ts';
import { EXCLUDING_SETTING } from '../releases/values.ts';
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
  /** Resolved `latest` or minor; null if no release matches. */
  readonly to: string | null;
  readonly channels: readonly string[];
  /** Requested channels without releases. */
  readonly channelsLeftOut: readonly string[];
  readonly conflicts: readonly PayloadConflict[];
  readonly sourceWithdrawn: boolean;
  readonly sourceExcluded: boolean;
}

export type PathResult =
  | (Answer & { readonly found: true; readonly to: string; readonly upgrade: FoundPath })
  | (Answer & { readonly found: false; readonly explanation: Explanation });

/** Explains a missing path and suggests others. Expects validated versions and channel names. */
export async function findPath(asked: UpgradeQuestion, releases: KnownReleases): Promise<PathResult> {
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

/** @deprecated Use `findPath`. */
export const findUpgrade = findPath;

/** Loaded on demand: most questions have a path, and the explanations are as large as the search. */
const explanations = () => import('./explain.ts');

/** Null if the directory already rules out a path. */
async function searchFor(
  question: SettledQuestion,
  to: ReleaseVersion,
  releases: KnownReleases,
): Promise<Searched | null> {
  const { asked, channels, from } = question;
  if (asked.channels.length > 0) return search(question, to, channels, releases);
  const chosen = await searchChosenChannels(question, to, releases);
  if (chosen) return chosen;
  // Search the channel that leads nearest to the target, to report reachable versions.
  const { nearestTarget } = await import('./nearby.ts');
  const [nearest] = releases.directory.channels
    .filter(({ name }) => releases.directory.holds(name, from.raw))
    .toSorted(nearestTarget(question, minorOf(to)));
  return nearest === undefined ? null : search(question, to, [nearest.name], releases);
}

async function noPath(
  question: SettledQuestion,
  reason: Reason,
  searched: Searched | null,
  releases: KnownReleases,
): Promise<PathResult> {
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
    sourceExcluded: directory.excluded.has(from.raw),
  };
}

/**
 * `source_withdrawn`: `4.14.3 is no longer listed upstream`. `syncedAt` is the time of the graph that was synced longest
 * ago.
 */
export function answerWarnings(
  answer: PathResult,
  { stale, syncedAt }: { readonly syncedAt: string | null; readonly stale: boolean },
) {
  const { from, channels, channelsLeftOut, conflicts, sourceWithdrawn, sourceExcluded } = answer;
  const warnings: { readonly code: string; readonly message: string }[] = [];
  const warn = (code: string, message: string): number => warnings.push({ code, message });
  if (stale) {
    const since = syncedAt === null ? 'ever' : `since ${syncedAt}`;
    warn('stale_graph', `upstream has not given a good answer ${since}; what is newer is missing here`);
  }
  if (channelsLeftOut.length > 0 && channels.length > 0) {
    warn('channel_left_out', `${channelsLeftOut.join(', ')} holds no releases and was not searched`);
  }
  if (answer.found && channels.some(isForTesters)) {
    const names = channels.filter(isForTesters);
    warn('not_for_production', `${names.join(', ')}: ${NOT_FOR_PRODUCTION}`);
  }
  if (sourceWithdrawn) warn('source_withdrawn', `${from} is no longer listed upstream`);
  if (sourceExcluded)
    warn('source_excluded', `${from} is excluded by ${EXCLUDING_SETTING}, so no path leads to it`);
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
