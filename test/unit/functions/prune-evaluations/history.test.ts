import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openEvaluations } from '../../../helpers/lambda/evaluations.ts';

const { post, refusal } = openEvaluations();

interface Verdict {
  readonly kept: readonly object[];
  readonly removed: readonly { index: number; rank: number; class: string; reason: string; entry: object }[];
  readonly ranks: readonly { index: number; rank: number; terms: { weight: number; counted: boolean }[] }[];
}

const entries = (...texts: readonly string[]) =>
  texts.map((text) => ({ state: text.startsWith('C') ? 'Completed' : 'Partial', version: text.slice(1) }));
/** Nine minors and a try. */
const nine = entries(
  'C4.9.0',
  'C4.8.0',
  'C4.7.0',
  'C4.6.0',
  'C4.5.0',
  'C4.4.0',
  'P4.4.0',
  'C4.3.0',
  'C4.2.0',
);

describe('POST /v1/prune-evaluations/history', () => {
  it('says what a cluster would drop, with every rank, and gives entries back as they were sent', async () => {
    const history = nine.map((entry, index) => ({ ...entry, image: `i${index}`, added: { later: [1] } }));
    const { status, body } = await post('history', { history, max: 8 });
    expect(status).toBe(200);
    const { kept, removed, ranks } = body as Verdict;
    expect(body).toMatchObject({ mode: 'cvo', max: 8 });
    expect(removed).toEqual([
      {
        index: 6,
        rank: expect.closeTo(13.94, 9) as number,
        class: 'minor-partial',
        reason: 'a partial update within a minor transition',
        entry: history[6],
      },
    ]);
    expect(kept).toEqual(history.filter((_, index) => index !== 6));
    expect(ranks).toHaveLength(9);
    for (const { rank, terms } of ranks) {
      const sum = terms.filter(({ counted }) => counted).reduce((total, { weight }) => total + weight, 0);
      expect(rank).toBeCloseTo(sum, 9);
    }
    expect(ranks[6]).toMatchObject({ version: '4.4.0', state: 'Partial' });
  });

  it('removes one entry by cvo, and as many as it takes by fleet', async () => {
    const history = [...nine, ...entries('C4.1.1', 'C4.1.0')];
    const byCluster = (await post('history', { history, max: 8 })).body as Verdict;
    expect(byCluster.removed).toHaveLength(1);
    const byFleet = (await post('history', { history, max: 8, mode: 'fleet' })).body as Verdict;
    expect(byFleet.kept).toHaveLength(8);
    expect(byFleet.kept.at(-1)).toEqual(history.at(-1));
  });

  it('ranks by other weights', async () => {
    const { body } = await post('history', {
      history: nine,
      max: 8,
      weights: { minorPartial: 40, minorEdge: -5 },
    });
    expect((body as Verdict).removed.map(({ index }) => index)).toEqual([7]);
  });

  it('takes an entry without state or version, and a history that is short enough, or empty', async () => {
    const bare = [{ image: 'a' }, { state: '', version: '' }];
    expect((await post('history', { history: bare })).body).toMatchObject({
      kept: bare,
      removed: [],
      max: 100,
    });
    expect((await post('history', { history: [] })).body).toMatchObject({ kept: [], removed: [], ranks: [] });
  });

  it('keeps the order of the entries, whatever their times', async () => {
    const history = nine.map((entry, index) => ({
      ...entry,
      startedTime: `2026-01-0${index + 1}T00:00:00Z`,
    }));
    const turned = (await post('history', { history, max: 8 })).body as Verdict;
    expect(turned.removed.map(({ index }) => index)).toEqual([6]);
  });

  it('lists for many in short what each would lose, compressed', async () => {
    const histories = [nine, { name: 'north', history: nine }, { history: nine.slice(1) }];
    const { status, body } = await post(
      'history',
      gzipSync(JSON.stringify({ histories, max: 8, mode: 'fleet' })),
    );
    expect(status).toBe(200);
    const removal = { index: 6, version: '4.4.0', state: 'Partial', class: 'minor-partial' };
    expect(body).toMatchObject({
      evaluations: [
        { name: null, entries: 9, keptTotal: 8, removedTotal: 1, removed: [removal] },
        { name: 'north', removed: [removal] },
        { name: null, entries: 8, keptTotal: 8, removedTotal: 0, removed: [] },
      ],
      summary: { histories: 3, entries: 26, removed: 2, byClass: { 'minor-partial': 2, other: 0 } },
    });
  });

  it('lists at most 10,000 removals of many, and counts them all', async () => {
    const long = Array.from({ length: 1000 }, (_, index) => ({
      state: 'Completed',
      version: `4.1.${index}`,
    }));
    const { body } = await post('history', { histories: Array(11).fill(long), max: 8, mode: 'fleet' });
    const { evaluations, summary } = body as {
      evaluations: { removedTotal: number; removed: object[] }[];
      summary: { removed: number };
    };
    expect(summary.removed).toBe(11 * 992);
    expect(evaluations.map(({ removed }) => removed.length)).toEqual([...Array<number>(10).fill(992), 80]);
    expect(evaluations.at(-1)!.removedTotal).toBe(992);
  });

  it('as text', async () => {
    const one = await post('history', { history: nine, max: 8, format: 'text' });
    expect(one.headers['content-type']).toBe('text/plain; charset=utf-8');
    const lines = one.text.split('\n');
    expect(lines[0]).toMatch(/^INDEX {2}STATE {6}VERSION {5}RANK {2}CLASS/);
    expect(lines[7]).toMatch(
      /^ {4}6 {2}Partial {4}4\.4\.0 {6}13\.94 {2}minor-partial {2}removed 1 {2}a partial/,
    );
    expect(lines.slice(-3)).toEqual(['', '1 of 9 entries removed (mode cvo, max 8)', '']);
    const hostile = { name: 'south\n\u001b[2Jrm', history: nine };
    const many = await post('history', { histories: [hostile, []], max: 8, format: 'text' });
    expect(many.text).toMatch(/^south rm: 1 of 9 entries removed\n {2}INDEX/);
    expect(many.text).toContain('\n\nhistory 1: nothing of 0 entries removed\n\n');
    expect(many.text).toMatch(
      /1 of 9 entries in 2 histories removed: 1 minor-partial \(mode cvo, max 8\)\n$/,
    );
  });

  const long = Array.from({ length: 1001 }, () => ({}));
  it.each<[string, unknown, object]>([
    ['no history', {}, { pointer: '/history', detail: expect.stringMatching(/^is missing/) as string }],
    ['nothing', '', { pointer: '/history' }],
    ['both', { history: [], histories: [] }, { pointer: '/histories' }],
    ['no list', { history: {} }, { pointer: '/history' }],
    ['none of many', { histories: [] }, { pointer: '/histories', detail: 'at least one history is needed' }],
    [
      'a max below 8',
      { history: [], max: 7 },
      { pointer: '/max', detail: 'a whole number from 8 to 1000 is accepted' },
    ],
    ['a max above 1000', { history: [], max: 1001 }, { pointer: '/max' }],
    ['a max that is a text', { history: [], max: '100' }, { pointer: '/max' }],
    ['a max with a fraction', { history: [], max: 10.5 }, { pointer: '/max' }],
    ['another mode', { history: [], mode: 'CVO' }, { pointer: '/mode', detail: 'cvo or fleet is accepted' }],
    ['another format', { history: [], format: 'yaml' }, { pointer: '/format' }],
    [
      'a name that is not known',
      { history: [], maxx: 8 },
      { pointer: '/maxx', detail: 'is not known, did you mean max?' },
    ],
    [
      'a weight that is not known',
      { history: [], weights: { minorEgde: 1 } },
      { pointer: '/weights/minorEgde', detail: 'is not known, did you mean minorEdge?' },
    ],
    [
      'a weight named as what objects inherit',
      '{"history":[],"weights":{"__proto__":1}}',
      { pointer: '/weights/__proto__' },
    ],
    ['a weight that is no number', { history: [], weights: { final: '1' } }, { pointer: '/weights/final' }],
    [
      'a weight that is not finite',
      '{"history":[],"weights":{"final":1e999}}',
      { pointer: '/weights/final' },
    ],
    ['weights that are none', { history: [], weights: 3 }, { pointer: '/weights' }],
    [
      'an unknown state',
      { history: [{ state: 'Done' }] },
      { pointer: '/history/0/state', detail: 'expected Completed, Partial or an empty text, found "Done"' },
    ],
    ['a state that is a number', { history: [{ state: 1 }] }, { pointer: '/history/0/state' }],
    [
      'a version that is a number',
      { history: [{ version: 4.1 }] },
      { pointer: '/history/0/version', detail: 'expected a string, found 4.1' },
    ],
    [
      'an entry that is none',
      { history: [{}, null] },
      { pointer: '/history/1', detail: 'expected an entry' },
    ],
    ['an entry that is a list', { history: [[]] }, { pointer: '/history/0' }],
    [
      'too many entries',
      { history: long },
      { pointer: '/history', detail: '1001 are given, at most 1000 entries are accepted in a history' },
    ],
    [
      'too many entries in one of many',
      { histories: [[], { history: long }] },
      { pointer: '/histories/1/history' },
    ],
    [
      'too many in all',
      { histories: Array(201).fill(long.slice(1)) },
      { pointer: '/histories/200', detail: 'with these there are more than 200000 entries in all' },
    ],
    ['too many histories', { histories: Array(10_001).fill([]) }, { pointer: '/histories' }],
    ['one of many that is none', { histories: [[], 7] }, { pointer: '/histories/1' }],
    ['one of many without its history', { histories: [{ name: 'a' }] }, { pointer: '/histories/0/history' }],
    [
      'one of many with another name',
      { histories: [{ historie: [] }] },
      { pointer: '/histories/0/historie', detail: 'is not known, did you mean history?' },
    ],
    ['a name that is no text', { histories: [{ name: 7, history: [] }] }, { pointer: '/histories/0/name' }],
  ])('refuses %s', async (_name, request, error) => {
    const { status, type, errors } = await refusal('history', request);
    expect([status, type]).toEqual([400, 'urn:cairn:problem:invalid-body']);
    expect(errors![0]).toMatchObject(error);
  });

  it('reports at most twenty faults', async () => {
    const { errors } = await refusal('history', { history: Array(1000).fill({ state: 'x', version: 1 }) });
    expect(errors).toHaveLength(20);
  });

  it.each([
    ['deep nesting', `{"history":[{"x":${'['.repeat(5000)}${']'.repeat(5000)}}]}`, 400, 'invalid-body'],
    ['no JSON', '{"history":', 400, 'invalid-body'],
    ['no object', '[]', 400, 'invalid-body'],
    [
      'millions of values in few bytes',
      gzipSync(`{"history":[${'[],'.repeat(5_000_000)}0]}`, { level: 1 }),
      413,
      'body-too-large',
    ],
    [
      'more than can be answered',
      gzipSync(JSON.stringify({ history: [{ acceptedRisks: 'x'.repeat(6_000_000) }] })),
      413,
      'body-too-large',
    ],
    [
      'many names that are not known',
      gzipSync(`{${Array.from({ length: 300_000 }, (_, index) => `"n${index}":1`).join()}}`),
      400,
      'invalid-body',
    ],
  ])('refuses %s', async (_name, body, status, type) => {
    const refused = await refusal('history', body);
    expect([refused.status, refused.type]).toEqual([status, `urn:cairn:problem:${type}`]);
    expect(refused.errors?.length ?? 0).toBeLessThanOrEqual(20);
  });
});
