import { describe, expect, it } from 'vitest';
import {
  breakerAdvice,
  kindTotals,
  progressWords,
  prunerMarks,
  realRunCommand,
  reasonWords,
  settingText,
  type ActiveRun,
} from '../../../../../functions/console/pruners/pruner-words.ts';

const HEALTHY = { running: false, suspend: false, dryRun: false, managementState: 'Managed' } as const;
const conditions = (failed: string, degraded = 'False', available = 'True', scheduled = 'Scheduled') => [
  { type: 'Available', status: available, reason: '' },
  { type: 'Scheduled', status: scheduled === 'Scheduled' ? 'True' : 'False', reason: scheduled },
  { type: 'Failed', status: failed, reason: '' },
  { type: 'Degraded', status: degraded, reason: '' },
];

describe('how a pruner stands', () => {
  it.each([
    [{}, conditions('False'), ['Healthy']],
    [{}, conditions('Unknown'), ['Has not run yet']],
    [{}, conditions('True'), ['Last run failed']],
    [{}, conditions('True', 'True'), ['Degraded']],
    [{}, conditions('Unknown', 'False', 'False'), ['No schedule']],
    [{}, conditions('False', 'False', 'True', 'Stopped'), ['Healthy', 'Stopped, with all others']],
    [{ running: true }, conditions('True', 'True'), ['Running']],
    [{ suspend: true, dryRun: true }, conditions('False'), ['Healthy', 'Suspended', 'Dry run']],
    [{ managementState: 'Removed' as const }, conditions('False'), ['Healthy', 'Registry is Removed']],
  ])('%j %#', (pruner, which, words) => {
    const marks = prunerMarks({ ...HEALTHY, ...pruner, conditions: which });
    expect(marks.map((mark) => mark.words)).toEqual(words);
    // Never by colour alone: tones without a sign of their own have one here.
    expect(
      marks
        .filter(({ tone, words: said }) => !said.startsWith('Registry') && ['info', 'plain'].includes(tone))
        .every(({ sign }) => sign !== undefined),
    ).toBe(true);
  });
});

const ACTIVE: ActiveRun = {
  id: '2026-11-16T09:26:24.580Z',
  state: 'running',
  trigger: 'manual',
  dryRun: false,
  startedAt: '2026-11-16T09:26:24.580Z',
  phase: 'inventory',
  listed: 1200,
  planned: 0,
  deleted: {},
  percent: null,
};

it.each([
  [{}, 'Listing the storage, 1200 objects so far'],
  [{ phase: 'decide' as const }, 'Deciding what may go of 1200 objects'],
  [{ phase: 'delete' as const, percent: 40 }, 'Deleting, 40 % done'],
  [
    { phase: 'revive' as const, state: 'paused' as const },
    'Bringing back what came into use meanwhile; paused, goes on by itself',
  ],
])('says how far a run is %#', (more, words) => {
  expect(progressWords({ ...ACTIVE, ...more })).toBe(words);
});

it('sums up what becomes of each kind', () => {
  const total = (count: number, bytes: number) => ({ count, bytes });
  expect(
    kindTotals({
      blob: {
        kept: total(5, 500),
        young: total(1, 10),
        condemned: total(2, 20),
        unlinked: total(0, 0),
        swept: total(3, 30),
      },
    }),
  ).toEqual([{ kind: 'blob', stays: 6, later: 2, now: 3, bytes: 50 }]);
});

it('leaves words that it does not know as they are', () => {
  expect(reasonWords('untagged')).toBe('no tag leads to it');
  expect(reasonWords('constructor')).toBe('constructor');
});

it.each([
  ['TooMuch', /agree/],
  ['StaleInUse', /in use/],
  ['NoTags', /in use/],
])('says what to do about %s', (reason, advice) => {
  expect(breakerAdvice(reason)).toMatch(advice);
});

it('has no advice where the message says it all', () => {
  expect(breakerAdvice('IncompleteListing')).toBeNull();
});

it('gives the commands for a real run', () => {
  expect(realRunCommand('http://127.0.0.1:8080/v1/image-pruners/cluster').split('\n')).toEqual([
    'url=http://127.0.0.1:8080/v1/image-pruners/cluster',
    "curl -s $url | jq '.spec.dryRun = false' | curl -s -X PUT --data-binary @- -H 'content-type: application/json' $url",
    "curl -s -X POST --data '{}' -H 'content-type: application/json' $url/runs",
  ]);
});

it.each([
  [3, '3'],
  [true, 'true'],
  ['24h', '24h'],
  [[], 'none'],
  [null, 'none'],
  [['v*', 'shop/web:latest'], 'v*, shop/web:latest'],
  [{ bucket: 'registry', prefix: 'prod' }, 'bucket: registry, prefix: prod'],
])('shows the setting %j', (value, text) => {
  expect(settingText(value)).toBe(text);
});
