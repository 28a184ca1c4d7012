import type { PlanModel } from './plan-model.ts';

/** A part of a row, in minutes from the start. */
export interface Span {
  readonly kind: 'update' | 'rollout' | 'paused';
  readonly start: number;
  readonly length: number;
  /** `4.15.64` */
  readonly version: string;
  /** Of an update; a rollout has that of the hop that waits for it, and the last none. */
  readonly hop: number | null;
}

export interface Timeline {
  readonly total: number;
  readonly controlPlane: readonly Span[];
  readonly workers: readonly Span[];
  /** Where workers that are held back have to be let go before the way goes on. */
  readonly unpauses: readonly { readonly at: number; readonly hop: number; readonly version: string }[];
}

/** A rollout whose length is not known still has to be seen. */
const UNKNOWN_ROLLOUT = 15;

/** The way on one axis: a hop begins when the one before is done, and waits for workers that have to be rolled first. */
export function timelineOf({
  hops,
  rollouts,
  isHeldBack,
}: Pick<PlanModel, 'hops' | 'rollouts' | 'isHeldBack'>): Timeline | null {
  if (hops.length === 0 || hops.some(({ minutes }) => minutes === null)) return null;
  const controlPlane: Span[] = [];
  const workers: Span[] = [];
  const unpauses: { at: number; hop: number; version: string }[] = [];
  let now = 0;
  let pausedSince = 0;
  const roll = (beforeHop: number | null): void => {
    const rollout = rollouts.find((each) => each.beforeHop === beforeHop);
    if (!rollout) return;
    if (isHeldBack && now > pausedSince) {
      workers.push({ kind: 'paused', start: pausedSince, length: now - pausedSince, version: '', hop: null });
    }
    if (isHeldBack && beforeHop !== null) {
      unpauses.push({ at: now, hop: beforeHop, version: rollout.version });
    }
    const length = rollout.minutes?.expected ?? UNKNOWN_ROLLOUT;
    workers.push({ kind: 'rollout', start: now, length, version: rollout.version, hop: beforeHop });
    now += length;
    pausedSince = now;
  };
  for (const [index, { to, minutes }] of hops.entries()) {
    roll(index);
    const length = minutes!.expected;
    controlPlane.push({ kind: 'update', start: now, length, version: to, hop: index });
    now += length;
  }
  roll(null);
  return { total: now, controlPlane, workers, unpauses };
}
