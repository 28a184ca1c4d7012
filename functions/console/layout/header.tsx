import { isInFuture } from '@cairn/shared/time/future';
import { useEffect, useState } from 'preact/hooks';
import { useSync } from '../data/sync.ts';
import { useStatus } from '../data/status.ts';
import { Pill, type Tone } from '../ui/pill.tsx';
import { ageInWords, localTime } from '../ui/text.ts';

const HOUR = 3600_000;

/** How old the data is, in words and colour; and that it is made up, where it is. */
export function DataBadges() {
  const now = useNow();
  const sync = useSync();
  const { freshness } = useStatus();
  const syncedAt = freshness?.syncedAt ?? sync?.lastRun?.slot ?? null;
  return (
    <>
      {sync?.upstream?.kind === 'demo' && <Pill tone="info">Demo data</Pill>}
      {syncedAt !== null && (
        <span title={localTime(syncedAt)}>
          <Pill tone={toneOf(syncedAt, now)}>Data {ageInWords(syncedAt, now)}</Pill>
        </span>
      )}
    </>
  );
}

function toneOf(at: string, now: number): Tone {
  const age = now - Date.parse(at);
  if (isInFuture(at, now)) return 'block';
  if (age <= HOUR) return 'ok';
  return age <= 24 * HOUR ? 'cond' : 'block';
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
