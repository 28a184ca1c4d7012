import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESPONSES } from '../../../functions/api/schemas/responses.ts';
import { type Deployment, startDeployment } from '../../helpers/deployment.ts';
import { drawnConfig, drawnSource } from '../../helpers/drawn-upstream.ts';
import { type Json, listOf, node, typedListOf } from '../../shared/cluster/objects.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig({}), source: drawnSource({}) });
}, 120_000);
afterAll(() => deployment.close());

type Route = 'history' | 'resources';

async function post(route: Route, body: unknown, query = '') {
  const isGzip = Buffer.isBuffer(body);
  const answer = await deployment.request('POST', `/v1/prune-evaluations/${route}${query}`, {
    body: isGzip || typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': isGzip ? 'application/gzip' : 'application/json' },
  });
  const schema = RESPONSES[route === 'history' ? 'evaluateHistoryPruning' : 'evaluateResourcePruning']!;
  if (answer.status === 200 && answer.body !== null) schema.parse(answer.body);
  return answer;
}

async function refusal(route: Route, body: unknown, query = '') {
  const { status, body: problem } = await post(route, body, query);
  return { status, ...(problem as { type: string; detail: string; errors?: readonly object[] }) };
}

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

  it('takes the order as it stands, whatever the times say', async () => {
    const history = nine.map((entry, index) => ({
      ...entry,
      startedTime: `2026-01-0${index + 1}T00:00:00Z`,
    }));
    const turned = (await post('history', { history, max: 8 })).body as Verdict;
    expect(turned.removed.map(({ index }) => index)).toEqual([6]);
  });

  it('says of many in short what each would lose, compressed', async () => {
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

  it('tells at most twenty faults', async () => {
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

const NOW = '2026-11-16T08:00:00Z';
const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * 24 * 3600_000).toISOString();
const pod = (name: string, days: number, phase = 'Succeeded', metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ci', uid: `uid-${name}`, creationTimestamp: daysAgo(days), ...metadata },
  spec: { containers: [{ name: 'main', image: 'an image' }] },
  status: { phase },
});
const job = (name: string, days: number, condition: string | null): Json => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name,
    namespace: 'ci',
    creationTimestamp: daysAgo(days),
    ownerReferences: [
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        name: name.replace(/-\d+$/, ''),
        uid: 'u',
        controller: true,
      },
    ],
  },
  status: condition === null ? { active: 1 } : { conditions: [{ type: condition, status: 'True' }] },
});

const objects: readonly Json[] = [
  pod('build-3', 3),
  pod('build-1', 41),
  pod('build-2', 12),
  pod('broken', 30, 'Failed'),
  pod('shop', 400, 'Running', { namespace: 'web' }),
  pod('web-old', 9, 'Succeeded', { namespace: 'web', labels: { app: 'web' } }),
  pod('leaving', 50, 'Succeeded', { deletionTimestamp: daysAgo(0) }),
  job('nightly-1', 20, 'Complete'),
  job('nightly-2', 10, 'Complete'),
  job('nightly-3', 1, null),
  node('w0'),
];

interface Evaluation {
  readonly selected: readonly { name: string; reason: string; age: string; createdAt: string }[];
  readonly kept: readonly { name: string; reason: string }[];
  readonly protected: readonly { name: string; reason: string }[];
  readonly notTried: readonly { name: string; reason: string }[];
  readonly commands: readonly string[];
}

async function evaluate(policy: Json, documents: unknown = objects) {
  const { status, body, text } = await post('resources', { documents, policy: { now: NOW, ...policy } });
  expect(status, text).toBe(200);
  return body as Evaluation;
}
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

describe('POST /v1/prune-evaluations/resources', () => {
  it('says what would go, what is protected, what is kept, each with its reason, and the commands', async () => {
    const { status, body } = await post('resources', {
      documents: objects,
      policy: { older_than: '7d', now: NOW },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      policy: {
        kinds: ['v1/Pod', 'batch/v1/Job'],
        namespaces: null,
        olderThan: '7d',
        match: 'any',
        failed: 'keep',
        maxDeletes: null,
        now: '2026-11-16T08:00:00.000Z',
      },
      examined: 10,
      filtered: 0,
      selectedTotal: 5,
      selected: [
        {
          kind: 'v1/Pod',
          namespace: 'ci',
          name: 'build-1',
          createdAt: daysAgo(41),
          age: '41d',
          reason: '41d old, older than 7d',
        },
        { name: 'nightly-1' },
        { name: 'build-2' },
        { name: 'nightly-2' },
        { name: 'web-old' },
      ],
      protectedTotal: 4,
      protected: [
        { name: 'shop', reason: 'the pod is Running' },
        { name: 'leaving', reason: 'it is being deleted already' },
        { name: 'broken', reason: expect.stringContaining('Failed') as string },
        { name: 'nightly-3', reason: 'the job is running' },
      ],
      keptTotal: 1,
      kept: [{ name: 'build-3', reason: '3d old, not older than 7d' }],
      notTriedTotal: 0,
      inCommands: 5,
      commands: [
        'oc delete pod -n ci --ignore-not-found build-1 build-2',
        'oc delete job -n ci --ignore-not-found nightly-1 nightly-2',
        'oc delete pod -n web --ignore-not-found web-old',
      ],
      input: { documents: 11, objects: 11, emptyLists: 0, ignored: [{ kind: 'Node', count: 1 }] },
    });
  });

  it.each<[string, Json, readonly string[]]>([
    ['the newest of each kind', { keep_newest: 1 }, ['build-1', 'nightly-1', 'build-2', 'web-old']],
    ['the newest of a namespace', { keep_newest_per: 'namespace' }, ['build-1', 'nightly-1', 'build-2']],
    ['the newest of an owner', { keep_newest: 1, keep_newest_per: 'owner' }, ['nightly-1']],
    ['the newest of a label', { keep_newest: 0, keep_newest_per: 'label:app' }, ['web-old']],
    ['one of two rules', { kinds: ['pods'], keep_newest: 2, older_than: '40d' }, ['build-1', 'build-2']],
    ['both rules', { kinds: ['Pod'], keep_newest: 2, older_than: '40d', match: 'all' }, ['build-1']],
    ['failed ones as well', { kinds: ['Pod'], older_than: '20d', failed: 'prune' }, ['build-1', 'broken']],
    ['those of a namespace', { older_than: '7d', namespaces: ['web'] }, ['web-old']],
    ['those with a label', { older_than: '7d', labels: 'app in (web, shop)' }, ['web-old']],
    ['those without a label', { older_than: '7d', labels: '!app', kinds: ['Pod'] }, ['build-1', 'build-2']],
    ['those of an owner', { older_than: '1h', owner: 'CronJob/nightly' }, ['nightly-1', 'nightly-2']],
    [
      'running ones counted',
      { kinds: ['Job'], keep_newest: 1, count_unprunable: true },
      ['nightly-1', 'nightly-2'],
    ],
    ['with a duration of ISO 8601', { kinds: ['v1/Pod'], older_than: 'P40D' }, ['build-1']],
  ])('%s', async (_name, policy, expected) => {
    expect(names((await evaluate(policy)).selected)).toEqual(expected);
  });

  it('counts what is outside of the question', async () => {
    expect(await evaluate({ older_than: '7d', namespaces: ['web'] })).toMatchObject({
      examined: 2,
      filtered: 8,
    });
  });

  it('says why each is kept', async () => {
    const { kept } = await evaluate({
      keep_newest: 2,
      keep_newest_per: 'owner',
      older_than: '15d',
      match: 'all',
    });
    expect(Object.fromEntries(kept.map(({ name, reason }) => [name, reason]))).toEqual({
      'build-1': 'it has no owner',
      'build-2': '12d old, not older than 15d',
      'build-3': '3d old, not older than 15d',
      'nightly-1': 'among the 2 newest of CronJob/nightly in ci',
      'nightly-2': '10d old, not older than 15d',
      'web-old': '9d old, not older than 15d',
    });
    const any = await evaluate({ kinds: ['Job'], keep_newest: 2, older_than: '60d' });
    expect(any.kept[0]!.reason).toBe('among the 2 newest; 20d old, not older than 60d');
  });

  it('leaves for another time what is over max_deletes', async () => {
    const verdict = await evaluate({ older_than: '7d', max_deletes: 2 });
    expect(names(verdict.selected)).toEqual(['build-1', 'nightly-1']);
    expect(names(verdict.notTried)).toEqual(['build-2', 'nightly-2', 'web-old']);
    expect(verdict.commands.join('\n')).not.toContain('build-2');
  });

  it('keeps kinds that nothing is known of, unless they are allowed', async () => {
    const run = {
      apiVersion: 'tekton.dev/v1',
      kind: 'PipelineRun',
      metadata: { name: 'r-1', namespace: 'ci', creationTimestamp: daysAgo(9) },
    };
    const kinds = ['tekton.dev/v1/PipelineRun'];
    const guarded = await evaluate({ kinds, older_than: '7d' }, [run]);
    expect(guarded.protected[0]!.reason).toContain('allow_unregistered');
    const allowed = await evaluate({ kinds, older_than: '7d', allow_unregistered: kinds }, [run]);
    expect(allowed.commands).toEqual(['oc delete PipelineRun.v1.tekton.dev -n ci --ignore-not-found r-1']);
  });

  it('keeps what has no name or no time, and what no command can name', async () => {
    const odd = [
      { kind: 'Pod', apiVersion: 'v1', status: { phase: 'Succeeded' } },
      pod('timeless', 0, 'Succeeded', { creationTimestamp: 'yesterday' }),
      pod('--all', 9),
      pod('secret/a', 9),
      pod('plain', 9, 'Succeeded', { namespace: '-A' }),
      pod("it's; reboot", 9),
    ];
    const { selected, protected: guarded, commands } = await evaluate({ older_than: '7d' }, odd);
    expect(names(selected)).toEqual(["it's; reboot"]);
    expect(guarded).toHaveLength(5);
    expect(commands).toEqual([String.raw`oc delete pod -n ci --ignore-not-found 'it'\''s; reboot'`]);
  });

  it('takes documents in every form', async () => {
    const policy = { older_than: '7d', now: NOW };
    const query = `?older_than=7d&now=${encodeURIComponent(NOW)}`;
    const asked = (await post('resources', { documents: objects, policy })).body as Evaluation;
    const { body: created } = await deployment.request('POST', '/v1/uploads');
    const { upload, url } = created as { upload: string; url: string };
    const sent = gzipSync(JSON.stringify(listOf(...objects)));
    expect((await fetch(url, { method: 'PUT', body: new Uint8Array(sent) })).status).toBe(200);
    const jobs = objects.filter(({ kind }) => kind === 'Job');
    const others = objects.filter(({ kind }) => kind !== 'Job');
    for (const [body, inQuery] of [
      [{ documents: listOf(...objects), policy }, ''],
      [{ documents: objects }, query],
      [{ upload, policy }, ''],
      [{ upload }, query],
      [objects.map((object) => JSON.stringify(object, null, 4)).join('\n'), query],
      [gzipSync(JSON.stringify(listOf(...objects))), `${query}&kinds=Pod,Job`],
      [[typedListOf('Job', 'batch/v1', jobs), ...others], `${query}&kinds=Pod&kinds=batch/v1/Job`],
    ] as const) {
      const { status, body: answer, text } = await post('resources', body, inQuery);
      expect(status, text).toBe(200);
      const { selected, protected: guarded, kept, commands } = answer as Evaluation;
      expect({ selected, guarded, kept, commands }).toEqual({
        selected: asked.selected,
        guarded: asked.protected,
        kept: asked.kept,
        commands: asked.commands,
      });
    }
  });

  it('counts an object that is there twice once, and takes nothing for nothing', async () => {
    expect(await evaluate({ older_than: '7d' }, [...objects, ...objects])).toMatchObject({ examined: 10 });
    expect(await evaluate({ older_than: '7d' }, [])).toMatchObject({ examined: 0, commands: [] });
  });

  it('lists 1,000 of each, and gives commands of up to 50 names for 10,000', async () => {
    const many = Array.from({ length: 10_050 }, (_, index) => pod(`p-${String(index).padStart(5, '0')}`, 9));
    const body = gzipSync(JSON.stringify({ documents: many, policy: { older_than: '7d', now: NOW } }));
    const { body: answer } = await post('resources', body);
    expect(answer).toMatchObject({ selectedTotal: 10_050, inCommands: 10_000 });
    const { selected, commands } = answer as Evaluation;
    expect(selected).toHaveLength(1000);
    expect(commands).toHaveLength(200);
    expect(commands[0]!.split(' ')).toHaveLength(6 + 50);
  });

  it('as text that a shell can run, whatever the names', async () => {
    const hostile = pod('a\n\u001b[31mrm -rf ~', 9);
    const { headers, text } = await post('resources', {
      documents: [...objects, hostile],
      policy: { older_than: '7d', now: NOW, max_deletes: 4 },
      format: 'text',
    });
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines.filter((line) => !line.startsWith('#'))).toEqual([
      'oc delete pod -n ci --ignore-not-found build-1 build-2',
      'oc delete job -n ci --ignore-not-found nightly-1 nightly-2',
    ]);
    expect(lines[0]).toBe('# Policy: v1/Pod and batch/v1/Job: older than 7d; failed ones are kept');
    expect(text).toContain('11 objects examined, 4 would go, 5 protected, 1 kept, 1 left for another time');
    expect(text).toContain('#   v1/Pod        ci         build-1    41d  41d old, older than 7d');
    expect(text).toContain('# 2 × v1/Pod in ci, created 2026-10-06T08:00:00Z to 2026-11-04T08:00:00Z\n');
    const none = await post('resources', [], '?older_than=7d&format=text');
    expect(none.text).toMatch(/^# Policy.+\n# At .+0 objects examined, 0 would go/);
  });

  it.each<[string, Json, string, string]>([
    [
      'a policy that says nothing',
      {},
      '/policy/older_than',
      'is missing, as are keep_newest and keep_newest_per',
    ],
    ['a negative count', { keep_newest: -1 }, '/policy/keep_newest', 'a whole number from 0'],
    ['a fraction', { keep_newest: 1.5 }, '/policy/keep_newest', 'a whole number from 0'],
    ['no duration', { older_than: '7 days' }, '/policy/older_than', '7d or P7D is accepted'],
    ['a duration in months', { older_than: 'P1M' }, '/policy/older_than', '"P1M" is no duration'],
    ['a number as duration', { older_than: 7 }, '/policy/older_than', '7d or P7D is accepted'],
    ['no kinds', { older_than: '7d', kinds: [] }, '/policy/kinds', 'at least one kind'],
    [
      'a kind without its group',
      { older_than: '7d', kinds: ['Pod', 'PipelineRun'] },
      '/policy/kinds/1',
      '"PipelineRun" is no kind',
    ],
    [
      'a kind without its version',
      { older_than: '7d', kinds: ['batch/Job'] },
      '/policy/kinds/0',
      'group, version and kind',
    ],
    [
      'an allowed kind that is not asked for',
      { older_than: '7d', allow_unregistered: ['v1/Event'] },
      '/policy/allow_unregistered/0',
      'is not one of kinds',
    ],
    [
      'a broken selector',
      { older_than: '7d', labels: 'app in web' },
      '/policy/labels',
      'at character 8 expected "("',
    ],
    ['an empty selector', { older_than: '7d', labels: '' }, '/policy/labels', 'a label selector such as'],
    [
      'a namespace that is none',
      { older_than: '7d', namespaces: ['CI'] },
      '/policy/namespaces/0',
      'small letters',
    ],
    ['an owner without a name', { older_than: '7d', owner: 'CronJob' }, '/policy/owner', 'CronJob/backup'],
    [
      'another grouping',
      { keep_newest_per: 'node' },
      '/policy/keep_newest_per',
      'namespace, owner or a label',
    ],
    ['a label that is none', { keep_newest_per: 'label:-a' }, '/policy/keep_newest_per', '"-a" is no label'],
    ['another match', { older_than: '7d', match: 'none' }, '/policy/match', 'any or all'],
    ['no deletes', { older_than: '7d', max_deletes: 0 }, '/policy/max_deletes', 'from 1'],
    ['a time that is none', { older_than: '7d', now: '2026-02-31T25:00:00Z' }, '/policy/now', 'is no time'],
    ['a name that is not known', { older_then: '7d' }, '/policy/older_then', 'did you mean older_than?'],
  ])('refuses %s', async (_name, policy, pointer, detail) => {
    const { status, type, errors } = await refusal('resources', { documents: [], policy });
    expect([status, type]).toEqual([400, 'urn:cairn:problem:invalid-body']);
    expect(errors![0]).toMatchObject({ pointer, detail: expect.stringContaining(detail) as string });
  });

  it.each<[string, unknown, string, string, object]>([
    ['a policy that is none', { documents: [], policy: 7 }, '', 'invalid-body', { pointer: '/policy' }],
    [
      'its fields beside the documents',
      { documents: [], keep_newest: 1 },
      '',
      'invalid-body',
      { pointer: '/keep_newest' },
    ],
    ['no documents', { policy: { older_than: '7d' } }, '', 'invalid-body', { pointer: '/documents' }],
    [
      'a policy here and there',
      { documents: [], policy: { older_than: '7d' } },
      '?keep_newest=1',
      'invalid-body',
      { pointer: '/policy' },
    ],
    [
      'the format here and there',
      { documents: [], format: 'json' },
      '?older_than=7d&format=text',
      'invalid-body',
      { pointer: '/format' },
    ],
    ['no policy in the query', '[]', '', 'invalid-parameter', { parameter: 'older_than' }],
    [
      'a broken field in the query',
      '[]',
      '?keep_newest=many',
      'invalid-parameter',
      { parameter: 'keep_newest', value: 'many' },
    ],
    [
      'an unknown field in the query',
      '[]',
      '?keep_newst=1',
      'invalid-parameter',
      { parameter: 'keep_newst', detail: 'is not known, did you mean keep_newest?' },
    ],
    [
      'a broken kind in the query',
      '[]',
      '?older_than=7d&kinds=Pod,Foo',
      'invalid-parameter',
      { parameter: 'kinds', value: 'Pod,Foo' },
    ],
    ['documents that are no JSON', '{"kind":"Pod",', '?older_than=7d', 'invalid-documents', { document: 0 }],
    ['no documents at all', '', '?older_than=7d', 'invalid-documents', { document: 0 }],
    [
      'an object that is none',
      { documents: [{ kind: 'Pod', metadata: 7 }], policy: { older_than: '7d' } },
      '',
      'invalid-documents',
      { pointer: '/documents/0/metadata' },
    ],
    [
      'an owner that is none',
      listOf({ kind: 'Job', metadata: { ownerReferences: 1 } }),
      '?older_than=7d',
      'invalid-documents',
      { document: 0, pointer: '/items/0/metadata/ownerReferences' },
    ],
  ])('refuses %s', async (_name, body, query, type, error) => {
    const refused = await refusal('resources', body, query);
    expect([refused.status, refused.type]).toEqual([400, `urn:cairn:problem:${type}`]);
    expect(refused.errors![0]).toMatchObject(error);
  });

  it('refuses an upload that is not there, and much beside the documents', async () => {
    const upload = 'AAAAAAAAAAAAAAAAAAAAAA';
    const policy = { older_than: '7d' };
    expect(await refusal('resources', { upload, policy })).toMatchObject({ status: 404 });
    const much = gzipSync(`{"documents":[],"policy":{"kinds":[${'[],'.repeat(3_000_000)}0]}}`);
    expect(await refusal('resources', much)).toMatchObject({
      status: 413,
      type: 'urn:cairn:problem:body-too-large',
    });
  });
});

describe('docs/pruning.md', () => {
  const docs = new URL('../../../docs/', import.meta.url);
  const page = readFileSync(new URL('pruning.md', docs), 'utf8');
  const example = (name: string) =>
    JSON.parse(readFileSync(new URL(`examples/pruning/${name}`, docs), 'utf8')) as Json;
  const cluster = example('clusterversion.json') as {
    spec: { clusterID: string };
    status: { history: object[] };
  };

  it.each<[string, Route, unknown, string]>([
    ['of a history', 'history', { history: cluster.status.history, max: 11, format: 'text' }, ''],
    [
      'of a fleet',
      'history',
      {
        histories: [{ name: cluster.spec.clusterID, history: cluster.status.history }],
        mode: 'fleet',
        max: 9,
        weights: { zPartial: 40 },
        format: 'text',
      },
      '',
    ],
    [
      'of Pods and Jobs',
      'resources',
      example('pods-and-jobs.json'),
      `?older_than=3d&now=${encodeURIComponent(NOW)}&format=text`,
    ],
  ])('shows the answer %s as it is', async (_name, route, body, query) => {
    const { text } = await post(route, body, query);
    expect(page).toContain(`\n\`\`\`\n${text}\`\`\`\n`);
  });

  it('names every field of a policy', async () => {
    const { detail } = await refusal('resources', { documents: [], policy: { a: 1, b: 1 } });
    const fields = /accepted are ([^;]+)/.exec(detail)![1]!.split(', ');
    expect(fields.length).toBeGreaterThan(10);
    expect(fields.filter((field) => !page.includes(`| \`${field}\` `))).toEqual([]);
  });
});
