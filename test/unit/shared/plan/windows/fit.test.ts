import type { WorkerRollout } from '@cairn/shared/plan/pools';
import { fitHops, workOfHops } from '@cairn/shared/plan/windows/fit';
import { type HopWork, LOOK_AHEAD_WEEKS } from '@cairn/shared/plan/windows/openings';
import { describe, expect, it } from 'vitest';

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60;

function work(
  controlPlane: number | null,
  workersAfter: number | null = 0,
  workersBefore: number | null = 0,
): HopWork {
  return { workersBefore, controlPlane, workersAfter };
}

/** With all in minutes: openings as `100-160 200-260`. */
function fit(works: readonly HopWork[], openings: string, from = 0) {
  const inMinutes = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const { start, end, window, shortage, ...rest } = value as Record<string, unknown>;
    return {
      ...rest,
      ...(start !== undefined && { at: [Number(start) / MINUTE, Number(end) / MINUTE] }),
      ...(window !== undefined && { window: inMinutes(window) }),
      ...(shortage !== undefined && { shortage: shortage && shortageOf(shortage) }),
    };
  };
  const shortageOf = (shortage: object) => {
    const { longest, missing } = shortage as { longest: object; missing: number };
    return { longest: inMinutes(longest), missing };
  };
  const stretches = Array.from(openings.matchAll(/(\d+)-(\d+)/g), ([, start, end]) => ({
    start: Number(start) * MINUTE,
    end: Number(end) * MINUTE,
  }));
  return fitHops(works, stretches, from * MINUTE).map(inMinutes);
}

describe('hops', () => {
  const placed = (window: [number, number], at: [number, number]) => ({
    fit: 'whole',
    window: { at: window },
    at,
  });

  it('go into one window as long as they fit, then into the next', () => {
    expect(fit([work(30), work(20), work(20)], '100-160 200-260')).toEqual([
      placed([100, 160], [100, 130]),
      placed([100, 160], [130, 150]),
      placed([200, 260], [200, 220]),
    ]);
  });

  it('may be exactly as long as the window', () => {
    expect(fit([work(40, 20)], '100-160')).toEqual([placed([100, 160], [100, 160])]);
    expect(fit([work(41, 20)], '100-160')).toEqual([
      {
        fit: 'control-plane',
        window: { at: [100, 160] },
        at: [100, 141],
        shortage: { longest: { at: [100, 160] }, missing: 1 },
      },
    ]);
  });

  it('begin at once in a window that is open, if enough of it is left', () => {
    expect(fit([work(30)], '100-160', 130)).toEqual([placed([100, 160], [130, 160])]);
    expect(fit([work(30)], '100-160 200-260', 131)).toEqual([placed([200, 260], [200, 230])]);
  });

  it('pass over windows that are too short, for the first that is not', () => {
    const openings = '0-50 100-200 300-500';
    expect(fit([work(60, 30), work(40)], openings)).toEqual([
      placed([100, 200], [100, 190]),
      placed([300, 500], [300, 340]),
    ]);
  });

  it('go where they fit whole rather than where only the control plane does', () => {
    const openings = '0-70 100-200';
    expect(fit([work(60, 30)], openings)).toEqual([placed([100, 200], [100, 190])]);
  });

  it('of which only the control plane fits come first where it does, and the others wait', () => {
    const openings = '0-50 100-170 200-280';
    expect(fit([work(10), work(60, 90), work(10), work(10)], openings)).toEqual([
      placed([0, 50], [0, 10]),
      {
        fit: 'control-plane',
        window: { at: [100, 170] },
        at: [100, 160],
        shortage: { longest: { at: [200, 280] }, missing: 70 },
      },
      { fit: 'waiting', waitsFor: 1 },
      { fit: 'waiting', waitsFor: 1 },
    ]);
  });

  it('need the workers that come first as they need the control plane', () => {
    expect(fit([work(30, 60, 20)], '0-50')).toEqual([
      {
        fit: 'control-plane',
        window: { at: [0, 50] },
        at: [0, 50],
        shortage: { longest: { at: [0, 50] }, missing: 60 },
      },
    ]);
    expect(fit([work(30, 0, 21)], '0-50')).toEqual([
      { fit: 'too-long', shortage: { longest: { at: [0, 50] }, missing: 1 } },
    ]);
  });

  it('that are too long have the longest window, of a current one the remaining time', () => {
    const openings = '0-100 200-250 300-360';
    expect(fit([work(120)], openings, 10)).toEqual([
      { fit: 'too-long', shortage: { longest: { at: [10, 100] }, missing: 30 } },
    ]);
    expect(fit([work(120)], openings, 70)).toEqual([
      { fit: 'too-long', shortage: { longest: { at: [300, 360] }, missing: 60 } },
    ]);
    expect(fit([work(120)], '')).toEqual([{ fit: 'too-long', shortage: null }]);
  });

  it('of no known length stop the row', () => {
    expect(fit([work(null), work(10)], '0-100')).toEqual([
      { fit: 'not-known' },
      { fit: 'waiting', waitsFor: 0 },
    ]);
    expect(fit([work(10, 10, null)], '0-100')).toEqual([{ fit: 'not-known' }]);
    expect(fit([work(10, null), work(10)], '0-100')).toEqual([
      { fit: 'control-plane', window: { at: [0, 100] }, at: [0, 10], shortage: null },
      { fit: 'waiting', waitsFor: 0 },
    ]);
    expect(fit([work(110, null)], '0-100')).toEqual([
      { fit: 'too-long', shortage: { longest: { at: [0, 100] }, missing: 10 } },
    ]);
  });

  it('wait for five weeks, each', () => {
    const last = LOOK_AHEAD_WEEKS * WEEK;
    expect(fit([work(10)], `${last - 1}-${last + 9}`)).toEqual([
      placed([last - 1, last + 9], [last - 1, last + 9]),
    ]);
    expect(fit([work(10)], `${last}-${last + 10}`)).toEqual([{ fit: 'too-long', shortage: null }]);
    const second = 2 * last;
    expect(fit([work(10), work(10)], `${last - 1}-${last + 9} ${second}-${second + 10}`)[1]).toEqual(
      placed([second, second + 10], [second, second + 10]),
    );
  });

  it('are none without any', () => {
    expect(fit([], '0-100')).toEqual([]);
  });
});

describe('the work of hops', () => {
  const rollout = (beforeHop: number | null, max: number | null): WorkerRollout => ({
    version: '4.14.8',
    beforeHop,
    pools: [],
    minutes: max === null ? null : { min: 1, expected: 2, max },
  });

  it('has the workers that roll after the control plane, or before the first', () => {
    expect(workOfHops([125, 120], [rollout(0, 40), rollout(1, 60), rollout(null, 80)])).toEqual([
      work(125, 60, 40),
      work(120, 80),
    ]);
    expect(workOfHops([125, 120], [rollout(null, 80)])).toEqual([work(125), work(120, 80)]);
    expect(workOfHops([125], [])).toEqual([work(125)]);
  });

  it('is not known where a part is not', () => {
    expect(workOfHops([null], [rollout(0, null), rollout(null, null)])).toEqual([work(null, null, null)]);
  });
});
