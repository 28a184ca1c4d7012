import type { Arch } from '@cairn/shared/version/arch';
import type { SyncAnswer } from '../data/responses.ts';
import { Pill, type Tone } from '../ui/pill.tsx';
import { localTime, sentence } from '../ui/text.ts';

interface PairPillProps {
  readonly sync: SyncAnswer;
  readonly channel: string;
  readonly arch: Arch;
}

export function PairPill({ sync, channel, arch }: PairPillProps) {
  const pair = sync.pairs.find((known) => known.channel === channel && known.arch === arch);
  if (!pair) return null;
  const { tone, word, detail, time } = pairState(pair);
  return (
    <>
      <span class="nowrap">
        <Pill tone={tone}>{word}</Pill>
      </span>
      {(detail !== null || time !== null) && (
        <p class="small muted releases-why">
          {detail !== null && sentence(detail)} {time !== null && `${time.what} ${localTime(time.at)}`}
        </p>
      )}
    </>
  );
}

export type SyncPair = SyncAnswer['pairs'][number];

export interface PairState {
  readonly tone: Tone;
  readonly word: string;
  readonly detail: string | null;
  readonly time: { readonly what: string; readonly at: string } | null;
}

export function pairState({ state, stale, error, held, lastSuccessAt }: SyncPair): PairState {
  const lastGood = lastSuccessAt === null ? null : { what: 'Last good answer:', at: lastSuccessAt };
  if (state === 'Failing') {
    return { tone: 'block', word: 'Failing', detail: error?.detail ?? null, time: lastGood };
  }
  if (held !== null) {
    return { tone: 'cond', word: 'Held back', detail: held.detail, time: { what: 'Since', at: held.since } };
  }
  if (stale) {
    const detail = state === 'Unknown' ? 'the time of its last good answer is in the future' : null;
    return { tone: 'cond', word: 'Stale', detail, time: lastGood };
  }
  if (state === 'Skipped') {
    return { tone: 'plain', word: 'Waiting', detail: 'the last round did not get to it', time: null };
  }
  return { tone: 'ok', word: 'Current', detail: null, time: null };
}
