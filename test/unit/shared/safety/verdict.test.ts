import { type Condition, finding } from '@cairn/shared/safety/condition';
import type { Effect } from '@cairn/shared/safety/values';
import { countEffect, hopVerdict, overallVerdict, type HopVerdict } from '@cairn/shared/safety/verdict';
import { describe, expect, it } from 'vitest';
import { aCluster, context } from '../../../helpers/cluster/clusters.ts';

function conditionWith(effect: Effect, more: Partial<Condition> = {}): Condition {
  return {
    ...finding({
      type: 'Some',
      status: effect === 'ok' ? 'True' : 'False',
      reason: 'SomeReason',
      message: 'why',
      effect: 'ok',
    }),
    effect,
    ...more,
  };
}

const ok = conditionWith('ok');
const info = conditionWith('info');
const warn = conditionWith('warn');
const inform = conditionWith('inform');
const block = conditionWith('block');
const missing = conditionWith('warn', { status: 'Unknown', reason: 'InputMissing' });
const accepted = (condition: Condition): Condition => ({ ...condition, accepted: true });

const NEXT = context(aCluster(), ['4.14.8', '4.15.3']).hop;
const PATCH = context(aCluster(), ['4.14.8', '4.14.9']).hop;
const LATER = context(aCluster(), ['4.14.8', '4.15.3', '4.16.1']).hop;
const LATER_PATCH = context(aCluster(), ['4.14.8', '4.15.3', '4.15.9']).hop;

describe('verdict of a hop', () => {
  it.each<[string, Condition[], HopVerdict]>([
    ['nothing', [], 'allowed'],
    ['all well', [ok, ok], 'allowed'],
    ['worth knowing', [ok, info], 'allowed'],
    ['a warning', [ok, warn, info], 'allowed-with-warnings'],
    ['in the way later', [warn, inform], 'will-block'],
    ['in the way', [warn, inform, block], 'blocked'],
    ['something missing', [warn, missing], 'unknown'],
    ['something missing beside what is in the way', [missing, block], 'blocked'],
    ['in the way, but accepted', [ok, accepted(block)], 'allowed'],
    ['accepted, and a warning', [accepted(block), warn], 'allowed-with-warnings'],
    ['accepted, and something else', [accepted(block), block], 'blocked'],
    ['missing, but accepted', [accepted(missing)], 'allowed'],
  ])('%s', (_name, conditions, verdict) => {
    expect(hopVerdict(conditions, NEXT)).toBe(verdict);
  });

  it.each([
    ['InputMissing', 'unknown'],
    ['NoNodes', 'unknown'],
    ['NoClusterOperators', 'unknown'],
    ['NoHistory', 'unknown'],
    ['KubeletMinorVersionAhead', 'allowed-with-warnings'],
    ['InvalidCurrentVersion', 'allowed-with-warnings'],
  ])('not known because of %s: %s', (reason, verdict) => {
    expect(hopVerdict([{ ...missing, reason }], NEXT)).toBe(verdict);
  });

  it('only the next minor is left open by what is missing', () => {
    expect([PATCH, LATER, LATER_PATCH].map((hop) => hopVerdict([missing], hop))).toEqual([
      'allowed-with-warnings',
      'allowed-with-warnings',
      'allowed-with-warnings',
    ]);
  });
});

describe('verdict of the way', () => {
  const hop = (...conditions: Condition[]) => ({ verdict: hopVerdict(conditions, NEXT), conditions });

  it.each([
    ['no hop at all', [], 'ready'],
    ['all well', [hop(ok), hop(info)], 'ready'],
    ['accepted', [hop(accepted(block)), hop(accepted(warn))], 'ready'],
    ['a warning', [hop(ok), hop(warn)], 'ready-with-warnings'],
    ['in the way later', [hop(warn), hop(inform)], 'action-required'],
    ['something missing', [hop(missing), hop(inform)], 'unknown'],
    ['in the way', [hop(missing), hop(inform), hop(block)], 'blocked'],
  ])('%s: %s', (_name, hops, verdict) => {
    expect(overallVerdict(hops, true)).toBe(verdict);
  });

  it.each([[[]], [[hop(ok)]], [[hop(missing)]]])('without a path it is blocked', (hops) => {
    expect(overallVerdict(hops, false)).toBe('blocked');
  });
});

it('counts what was not accepted', () => {
  const conditions = [ok, block, accepted(block), inform, block];
  expect((['block', 'inform', 'warn'] as const).map((effect) => countEffect(conditions, effect))).toEqual([
    2, 1, 0,
  ]);
});
