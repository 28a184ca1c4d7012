import { isInFuture } from '../time/future.ts';

/** Last notified value of a topic, to avoid repeats. */
export interface LastNotified {
  readonly value: string;
  /** Time of the notification; null if only recorded. */
  readonly at: string | null;
}

/** By topic, for one cluster or pruner. */
export type NotificationLog = Readonly<Record<string, LastNotified>>;

export interface TopicState<News> {
  readonly topic: string;
  readonly value: string;
  /** Notification for the change since the recorded value; null if there is none. */
  readonly news: News | null;
}

export interface Selection<News> {
  readonly told: NotificationLog;
  readonly news: readonly News[];
  /** Time of the next check in milliseconds, set if a topic is within its window. */
  readonly againAt: number | null;
}

/**
 * Selects at most one notification per topic within `windowMs`. A later change waits, and is dropped if the topic
 * returns to its notified value.
 */
export function selectNotifications<News>(
  told: NotificationLog,
  standings: readonly TopicState<News>[],
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Selection<News> {
  const next: Record<string, LastNotified> = { ...told };
  const news: News[] = [];
  let againAt: number | null = null;
  for (const standing of standings) {
    const { topic, value } = standing;
    const at = told[topic]?.at ?? null;
    // Ignore a time in the future: it would block the topic until then.
    const opensAt = at === null || isInFuture(at, now) ? now : Date.parse(at) + windowMs;
    if (standing.news === null) next[topic] = { value, at };
    else if (opensAt > now) againAt = Math.min(againAt ?? opensAt, opensAt);
    else {
      news.push(standing.news);
      next[topic] = { value, at: new Date(now).toISOString() };
    }
  }
  return { told: next, news, againAt };
}
