import { isInFuture } from '../time/future.ts';

/** What was last said of a topic, so that the same is not said again. */
export interface Said {
  readonly value: string;
  /** When somebody was told; null when it was only noted. */
  readonly at: string | null;
}

/** What was said of a cluster or a pruner, by topic. */
export type Told = Readonly<Record<string, Said>>;

/** How a topic stands now. */
export interface Standing<News> {
  readonly topic: string;
  /** To be noted. */
  readonly value: string;
  /** What there is to tell, compared with what was noted; null when nothing. */
  readonly news: News | null;
}

export interface Telling<News> {
  readonly told: Told;
  readonly news: readonly News[];
  /** When to look again, in milliseconds, because something was told too recently to be told of again. */
  readonly againAt: number | null;
}

/**
 * What to tell now, and what to note. Of one topic nobody is told twice within `windowMs`: what changes meanwhile is kept
 * back, and not told at all if by then it is again as it was said to be.
 */
export function tell<News>(
  told: Told,
  standings: readonly Standing<News>[],
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Telling<News> {
  const next: Record<string, Said> = { ...told };
  const news: News[] = [];
  let againAt: number | null = null;
  for (const standing of standings) {
    const { topic, value } = standing;
    const at = told[topic]?.at ?? null;
    // A time in the future was never: it would keep the topic closed until then.
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
