import type { ClusterCondition } from '../cluster/facts.ts';

export const MINUTE_SECONDS = 60;

/** Transition time of a condition; `at` if it has no valid time or a later one, so that its age is 0. */
export function transitionOf({ since }: Pick<ClusterCondition, 'since'>, at: number): number {
  return since === null ? at : Math.min(Date.parse(since), at);
}

/** Seconds since the transition of a condition. */
export function ageOf(condition: Pick<ClusterCondition, 'since'>, at: number): number {
  return (at - transitionOf(condition, at)) / 1000;
}

/** Time as the document has it, but never after `at`; null without a valid time. */
export function sinceOf({ since }: Pick<ClusterCondition, 'since'>, at: number): string | null {
  return since !== null && Date.parse(since) > at ? isoTime(at) : since;
}

export function hasUsableTime({ since }: Pick<ClusterCondition, 'since'>, at: number): boolean {
  return since !== null && Date.parse(since) <= at;
}

export function momentOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}

/** ISO 8601 in UTC, without a fraction of zero. */
export function isoTime(moment: number): string {
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}

/** Minutes above ten minutes, else seconds; halves are rounded up. */
export function roundedSeconds(seconds: number): number {
  const unit = seconds > 10 * MINUTE_SECONDS ? MINUTE_SECONDS : 1;
  return Math.floor(seconds / unit + 0.5) * unit;
}

/** `24h8m54s`, `1h0m17s`, `1h`, `6s`; less than a second is `now`. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const counts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0);
  if (first === -1) return 'now';
  return ['h', 'm', 's']
    .map((unit, index) => (index < first || index > last ? '' : `${counts[index]}${unit}`))
    .join('');
}
