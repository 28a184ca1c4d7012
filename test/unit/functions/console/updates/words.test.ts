import { describe, expect, it } from 'vitest';
import {
  adviceIn,
  type Bar,
  barsOf,
  clock,
  type Counts,
  endOf,
  factsIn,
  headlineOf,
  leftAfterFix,
  noteOf,
  progressNote,
  spanInWords,
  type UpdateLine,
  workersBar,
} from '../../../../../functions/console/updates/words.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const MINUTE_MS = 60_000;
const ago = (minutes: number): string => new Date(NOW - minutes * MINUTE_MS).toISOString();
const pool = (name: string, updated: number, total: number, changes: object = {}) => ({
  name,
  role: name === 'master' ? ('control-plane' as const) : ('worker' as const),
  updated,
  total,
  progressing: 0,
  draining: 0,
  stuck: 0,
  paused: false,
  ...changes,
});

function aLine(changes: Partial<UpdateLine> = {}): UpdateLine {
  const pools = changes.pools ?? [pool('master', 3, 3), pool('worker', 14, 21)];
  const sumOf = (of: 'updated' | 'total') => pools.reduce((sum, each) => sum + each[of], 0);
  return {
    id: 'prod-1',
    state: 'workers',
    from: '4.16.41',
    to: '4.16.68',
    kind: 'update',
    percent: 100,
    operators: { updated: 34, total: 34 },
    nodes: { updated: sumOf('updated'), total: sumOf('total') },
    poolsOmitted: 0,
    draining: 0,
    stuck: 0,
    worstLevel: null,
    attention: null,
    startedAt: ago(90),
    lastProgressAt: null,
    completedAt: null,
    forecast: null,
    lastReportAt: ago(5),
    ...changes,
    pools,
  };
}

const NONE: Counts = {
  stalled: 0,
  silent: 0,
  slow: 0,
  held: 0,
  'control-plane': 0,
  workers: 0,
  completed: 0,
};

describe('the headline of the updates', () => {
  it.each([
    [{}, 'No cluster is updating'],
    [{ completed: 5 }, 'No cluster is updating'],
    [{ workers: 1 }, 'The update is on track'],
    [{ workers: 3, 'control-plane': 1 }, 'All 4 updates are on track'],
    [{ stalled: 1, workers: 8, completed: 2 }, '1 of 9 updates is stalled'],
    [{ stalled: 2, silent: 1, workers: 6 }, '2 of 9 updates are stalled'],
    [{ silent: 1, slow: 4 }, '1 of 5 updates is silent'],
    [{ held: 1 }, 'The update is paused'],
  ])('of %o', (counts, title) => {
    expect(headlineOf({ ...NONE, ...counts }).title).toBe(title);
  });
});

describe('the bars of a cluster', () => {
  const texts = (line: UpdateLine) => barsOf(line).map(({ name, text }) => `${name}: ${text}`);

  it('are the control plane and each worker pool with nodes', () => {
    const pools = [pool('master', 3, 3), pool('worker', 14, 21), pool('infra', 3, 3), pool('empty', 0, 0)];
    expect(texts(aLine({ pools }))).toEqual(['Control plane: Done', 'worker: 14 of 21', 'infra: Done']);
  });

  it('wait while operators are updated, and say so when a pool is paused', () => {
    const operators = { updated: 27, total: 34 };
    const pools = [pool('master', 0, 3), pool('worker', 0, 9), pool('infra', 0, 2, { paused: true })];
    expect(texts(aLine({ state: 'control-plane', operators, pools }))).toEqual([
      'Control plane: 27 of 34',
      'worker: Waiting',
      'infra: Paused',
    ]);
  });

  it('show the nodes in progress and the stuck ones of each pool', () => {
    const pools = [
      pool('master', 1, 3, { progressing: 1, stuck: 1 }),
      pool('worker', 1, 9, { progressing: 3, draining: 2, stuck: 1 }),
      pool('infra', 1, 3, { stuck: 2, paused: true }),
    ];
    const amounts = ({ done, moving, stuck, total }: Bar) => [done, moving, stuck, total];
    const line = aLine({ operators: { updated: 33, total: 34 }, pools });
    expect(barsOf(line).slice(1).map(amounts)).toEqual([
      [1, 2, 1, 9],
      [1, 0, 2, 3],
    ]);
    expect(amounts(workersBar(line))).toEqual([2, 0, 3, 12]);
  });

  it('do not wait while a node is in progress', () => {
    const operators = { updated: 33, total: 34 };
    const pools = [pool('worker', 0, 9, { progressing: 1 }), pool('infra', 0, 2)];
    expect(texts(aLine({ operators, pools }))).toEqual([
      'Control plane: 33 of 34',
      'worker: 0 of 9',
      'infra: Waiting',
    ]);
  });

  it('of all workers leave out the control plane', () => {
    expect(workersBar(aLine())).toMatchObject({ done: 14, total: 21, text: '14 of 21' });
    const compact = [pool('master', 1, 3)];
    expect(workersBar(aLine({ pools: compact }))).toMatchObject({ total: 0, text: 'No nodes' });
    const paused = [pool('master', 3, 3), pool('worker', 2, 9, { paused: true })];
    expect(workersBar(aLine({ pools: paused }))).toMatchObject({ text: 'Paused' });
  });

  it('do not call a control plane done of which nothing is known', () => {
    const none = { updated: 0, total: 0 };
    expect(texts(aLine({ operators: none, percent: null }))[0]).toBe('Control plane: Unknown');
    expect(texts(aLine({ operators: none, percent: 100 }))[0]).toBe('Control plane: Done');
  });

  it('are stalled in the control plane only while it is behind', () => {
    const isStalled = (changes: Partial<UpdateLine>) =>
      barsOf(aLine({ state: 'stalled', ...changes }))[0]!.isStalled;
    expect(isStalled({})).toBe(false);
    expect(isStalled({ operators: { updated: 3, total: 34 } })).toBe(true);
  });
});

describe('the end and the note of a cluster', () => {
  const forecast = (minutes: number) => ({
    likelyAt: ago(-minutes),
    earliestAt: ago(-minutes + 1),
    latestAt: ago(-minutes - 10),
    basis: 'nodes' as const,
  });

  it.each<[string, Partial<UpdateLine>, string, string]>([
    ['is forecast', { forecast: forecast(28) }, clock(ago(-28), NOW), 'in 28 min'],
    ['has passed', { forecast: forecast(-3) }, 'Late', `was due ${clock(ago(3), NOW)}`],
    ['was the moment of the report', { forecast: forecast(-5) }, 'Late', `was due ${clock(ago(5), NOW)}`],
    ['has no forecast', {}, 'Unknown', 'no forecast'],
    ['is silent', { state: 'silent', forecast: forecast(9) }, 'Unknown', `last report ${clock(ago(5), NOW)}`],
    ['is paused', { state: 'held' }, 'Open', 'until it is unpaused'],
    ['is over', { state: 'completed', completedAt: ago(65) }, clock(ago(65), NOW), '1 h 5 min ago'],
  ])('when it %s', (_, changes, time, note) => {
    expect(endOf(aLine(changes), NOW)).toEqual({ time, note });
  });

  it.each<[Partial<UpdateLine>, string]>([
    [{ state: 'silent', lastReportAt: ago(42) }, 'No report for 42 min'],
    [{ state: 'slow' }, 'Later than forecast'],
    [
      {
        state: 'held',
        pools: [pool('worker', 1, 3, { paused: true }), pool('infra', 2, 2, { paused: true })],
      },
      'Paused: worker',
    ],
    [{ draining: 1 }, '1 node draining'],
    [{ state: 'control-plane', operators: { updated: 33, total: 34 } }, '1 operator left'],
    [{}, 'Nodes are updating'],
    [{ stuck: 1 }, '1 node stuck'],
    [{ state: 'completed', completedAt: ago(5) }, 'Took 1 h 25 min'],
  ])('of %o is “%s”', (changes, note) => {
    expect(noteOf(aLine(changes), NOW)).toBe(note);
  });

  it('tell when it last progressed', () => {
    expect(progressNote(aLine({ lastProgressAt: ago(4) }), NOW)).toBe('Progressed 4 min ago');
    expect(progressNote(aLine(), NOW)).toBeNull();
    expect(progressNote(aLine({ state: 'completed', lastProgressAt: ago(4) }), NOW)).toBeNull();
  });

  it('count the rest of a stalled update from its last report', () => {
    expect(leftAfterFix(aLine({ forecast: forecast(80) }))).toBe('1 h 25 min');
    expect(leftAfterFix(aLine({ forecast: forecast(-5) }))).toBe('Unknown');
    expect(leftAfterFix(aLine())).toBe('Unknown');
  });
});

describe('times', () => {
  it.each([
    [30_000, 'under 1 min'],
    [42 * MINUTE_MS, '42 min'],
    [72 * MINUTE_MS, '1 h 12 min'],
    [120 * MINUTE_MS, '2 h'],
    [47 * 60 * MINUTE_MS, '47 h'],
    [49 * 60 * MINUTE_MS, '2 days'],
  ])('of %d ms are “%s”', (ms, words) => {
    expect(spanInWords(ms)).toBe(words);
  });

  it('name the day when it is another one', () => {
    expect(clock(ago(-24 * 60 * 2), NOW)).toMatch(/^Wed \d\d:00$/);
    expect(clock(ago(24 * 60 * 20), NOW)).toMatch(/27.* \d\d:00$/);
  });
});

describe('the commands of an explanation', () => {
  it('follow the sentences that name them', () => {
    const text = 'Look for budgets: oc get pdb -A. Read why the drain waits: oc logs -n a b | grep node-1';
    expect(adviceIn(text)).toEqual([
      { text: 'Look for budgets:', command: 'oc get pdb -A' },
      { text: 'Read why the drain waits:', command: 'oc logs -n a b | grep node-1' },
    ]);
    expect(adviceIn('Read more with: oc get co. It says why.')).toEqual([
      { text: 'Read more with:', command: 'oc get co' },
      { text: 'It says why.', command: null },
    ]);
    expect(adviceIn('Check the console of the machine')).toEqual([
      { text: 'Check the console of the machine', command: null },
    ]);
  });

  it('are apart from what is known', () => {
    const text = 'Disruption budgets that allow no disruption: pay/db. Read why the drain waits: oc logs x';
    expect(factsIn(text)).toEqual({
      facts: 'Disruption budgets that allow no disruption: pay/db.',
      lead: 'Read why the drain waits:',
      command: 'oc logs x',
    });
    expect(factsIn('broken')).toEqual({ facts: 'broken', lead: '', command: null });
  });
});
