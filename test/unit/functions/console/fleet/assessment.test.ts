import type { Condition } from '@cairn/shared/safety/condition';
import { describe, expect, it } from 'vitest';
import type { NotificationsAnswer, PlanAnswer } from '../../../../../functions/console/data/responses.ts';
import {
  assessedUpgradeOf,
  findingsOf,
  missingTakers,
  type PlannedHop,
} from '../../../../../functions/console/fleet/assessment.tsx';

const finding = (type: string, effect: Condition['effect'], more: Partial<Condition> = {}): Condition => ({
  type,
  status: effect === 'ok' ? 'True' : 'False',
  reason: 'Reason',
  message: `${type} says ${effect}`,
  effect,
  origin: 'computed',
  ...more,
});

const pool = (lag: number | null, limit: number | null): PlannedHop['pools'][number] => ({
  pool: 'worker',
  hop: 0,
  kubeletsBefore: [],
  kubeletsAfter: [],
  lag,
  limit,
  isWithinLimit: null,
});

const hop = (to: string, more: Partial<PlannedHop> = {}) =>
  ({ to, conditions: [], pools: [], verdict: 'allowed', ...more }) as Partial<PlannedHop> as PlannedHop;

const plan = (more: Partial<PlanAnswer>) =>
  ({
    verdict: 'ready',
    nextStep: 'Update',
    pathExists: finding('PathExists', 'ok'),
    hops: [],
    ...more,
  }) as Partial<PlanAnswer> as PlanAnswer;

describe('the outlook of a plan', () => {
  it('says what the verdict is and what to do', () => {
    expect(assessedUpgradeOf(plan({ hops: [hop('4.15.51'), hop('4.16.55')] }))).toEqual({
      tone: 'ok',
      verdict: 'Ready',
      skew: null,
      findings: [],
      nextStep: 'Update',
    });
  });

  it('has what is wrong with a cluster at its target', () => {
    const conditions = [finding('NodesHealthy', 'block')];
    const shown = assessedUpgradeOf(plan({ verdict: 'blocked', conditions: conditions }));
    expect(shown).toMatchObject({ tone: 'block', verdict: 'At its target, blocked', findings: conditions });
  });

  it('distinguishes no path from nothing to do', () => {
    const pathExists = finding('PathExists', 'block');
    expect(assessedUpgradeOf(plan({ verdict: 'blocked', pathExists }))).toMatchObject({
      tone: 'block',
      verdict: 'No path',
      findings: [pathExists],
    });
    expect(assessedUpgradeOf(plan({}))).toMatchObject({ tone: 'ok', verdict: 'At its target' });
  });

  it('says what several hops meet once, the weightiest first', () => {
    const later = finding('APIRemovals', 'inform');
    const now = finding('OverridesUnset', 'block');
    const hops = [
      hop('4.15.51', { conditions: [finding('PoolsReady', 'warn'), finding('X', 'info'), now] }),
      hop('4.16.55', { conditions: [finding('PoolsReady', 'warn'), later] }),
    ];
    expect(assessedUpgradeOf(plan({ verdict: 'blocked', hops })).findings.map(({ type }) => type)).toEqual([
      'OverridesUnset',
      'APIRemovals',
      'PoolsReady',
    ]);
  });

  it.each([
    [[], null],
    [[pool(null, 2)], null],
    // Assessment, as in an update that is under way.
    [[pool(-1, 2)], { tone: 'ok', words: '0 of 2' }],
    [[pool(0, 2)], { tone: 'ok', words: '0 of 2' }],
    [[pool(0, 1), pool(1, 2)], { tone: 'ok', words: '1 of 2' }],
    // One that is at its limit is nearer to trouble than one that is further behind and may be.
    [[pool(2, 3), pool(2, 2)], { tone: 'ok', words: '2 of 2' }],
    [[pool(1, 2), pool(3, 1)], { tone: 'block', words: '3 of 1' }],
  ])('kubelets %#', (pools, skew) => {
    expect(assessedUpgradeOf(plan({ hops: [hop('4.15.51', { pools })] })).skew).toEqual(skew);
  });
});

it('leaves out what was accepted', () => {
  expect(findingsOf([finding('A', 'block', { accepted: true }), finding('B', 'warn')])).toMatchObject([
    { type: 'B' },
  ]);
});

const WEBHOOK = { host: 'hooks.example.com', format: 'slack', since: '', by: 'me' } as const;
type Left = NotificationsAnswer['undelivered'][number]['left'];

it.each<[NotificationsAnswer['webhook'], Left[], words: string]>([
  [WEBHOOK, [['webhook'], ['webhook']], 'the webhook at hooks.example.com'],
  [WEBHOOK, [['events'], ['webhook']], 'the webhook at hooks.example.com and the event bus'],
  [null, [['events']], 'the event bus'],
  // Taken away since.
  [null, [['webhook']], 'the webhook'],
])('names who has not taken messages %#', (webhook, lefts, words) => {
  const undelivered = lefts.map((left) => ({ id: '', at: '', count: 1, text: '', left }));
  expect(missingTakers({ webhook, undelivered })).toBe(words);
});
