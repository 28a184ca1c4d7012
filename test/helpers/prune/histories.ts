import type { HistoryEntry } from '@cairn/shared/cluster/facts';

/** Midnight, days after 2020-01-01. */
export function onDay(day: number): string {
  return new Date(Date.UTC(2020, 0, day)).toISOString();
}

export function completed(version: string, day: number): HistoryEntry {
  return {
    state: 'Completed',
    version,
    image: `registry.example/release@${version}`,
    startedTime: onDay(day),
    completionTime: new Date(Date.UTC(2020, 0, day, 1)).toISOString(),
    verified: false,
    acceptedRisks: '',
  };
}

/** An abandoned update. */
export function partial(version: string, day: number): HistoryEntry {
  return { ...completed(version, day), state: 'Partial' };
}

/** Completed updates minor by minor, newest first: `4.2.1, 4.2.0, 4.1.1, 4.1.0` for two of each. */
export function updates(count: number, { perMinor = 10 } = {}): HistoryEntry[] {
  return Array.from({ length: count }, (_, index) =>
    completed(`4.${Math.floor(index / perMinor) + 1}.${index % perMinor}`, index + 1),
  ).toReversed();
}
