import type { UpgradeAnswer } from './find-upgrade.ts';

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
