import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Json, listOf, node, typedListOf } from '../../../helpers/cluster/objects.ts';
import { openEvaluations } from '../../../helpers/lambda/evaluations.ts';

const evaluations = openEvaluations();
const { post, refusal } = evaluations;

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
  it('returns what would be deleted, what is protected, what is kept, each with its reason, and the commands', async () => {
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
    const { body: created } = await evaluations.deployment.request('POST', '/v1/uploads');
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
    ['a name that is not known', { older_then: '7d' }, '/policy/older_then', 'did you mean olderThan?'],
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
