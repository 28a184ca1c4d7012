import type { Arch } from '@cairn/shared/version/arch';
import type { SyncAnswer } from '../data/responses.ts';
import { sentence } from '../ui/words.ts';
import { Pill } from '../ui/pill.tsx';
import { localTime } from '../ui/text.ts';
import { pairState } from './pair-state.ts';

interface PairPillProps {
  readonly sync: SyncAnswer;
  readonly channel: string;
  readonly arch: Arch;
}

/** How well a channel is followed, and why it is not better. */
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
