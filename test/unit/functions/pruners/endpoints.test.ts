import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { imagePrunerSpec } from '../../../../functions/pruners/schema.ts';
import { readPruner, revisePruner } from '../../../../functions/pruners/store.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import { PROPOSED } from '../../../helpers/prune/proposed-pruner.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] } };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
});
afterAll(() => deployment.close());
beforeEach(() => {
  deployment.scheduler.answer(200, {});
  deployment.scheduler.calls.length = 0;
});

let used = 0;
const newName = () => `pruner-${++used}`;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}
interface Pruner {
  readonly metadata: { readonly uid: string; readonly generation: number };
  readonly spec: Record<string, unknown>;
  readonly status: {
    readonly conditions: readonly Condition[];
    readonly nextRuns: readonly string[];
    readonly dryRun: string | null;
  };
}
interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

async function ask(
  method: string,
  target: string,
  options: { body?: string | Buffer; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { status, headers, body } = await deployment.request(method, target, options);
  const isPruner = status < 300 && body !== null && target.startsWith('/v1/image-pruners/');
  if (isPruner) parseStrictly('getImagePruner', body);
  return { status, headers, body };
}
const put = (name: string, spec: unknown, headers: Record<string, string> = {}) =>
  ask('PUT', `/v1/image-pruners/${name}`, {
    body: typeof spec === 'string' ? spec : JSON.stringify(spec),
    headers: { 'content-type': typeof spec === 'string' ? YAML_TYPE : JSON_TYPE, ...headers },
  });
const get = (name: string, headers: Record<string, string> = {}) =>
  ask('GET', `/v1/image-pruners/${name}`, { headers });
const remove = (name: string, headers: Record<string, string> = {}) =>
  ask('DELETE', `/v1/image-pruners/${name}`, { headers });
const problem = ({ status, body }: Answer) => [
  status,
  String((body as Record<string, unknown>)['type'])
    .split(':')
    .at(-1),
];
const prunerIn = ({ body }: Answer) => body as Pruner;
const conditionsOf = (answer: Answer) =>
  Object.fromEntries(
    prunerIn(answer).status.conditions.map(({ type, status, reason }) => [type, `${status}/${reason}`]),
  );
const conditionOf = (answer: Answer, type: string) =>
  prunerIn(answer).status.conditions.find((condition) => condition.type === type)!;
/** What was asked of the scheduler: `PUT /schedules/pruner-a`. */
const scheduled = () =>
  deployment.scheduler.calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`);

describe('PUT and GET /v1/image-pruners/{name}', () => {
  it('accept a complete proposal, and return its state', async () => {
    const name = newName();
    const made = await put(name, PROPOSED);
    expect([made.status, made.headers['location']]).toEqual([201, `/v1/image-pruners/${name}`]);
    expect(made.body).toEqual({
      apiVersion: 'imageregistry.operator.openshift.io/v1',
      kind: 'ImagePruner',
      metadata: { name, uid: expect.any(String), generation: 1, creationTimestamp: TIME },
      spec: {
        schedule: '*/1 * * * *',
        timeZone: 'UTC',
        suspend: false,
        keepTagRevisions: 3,
        keepYoungerThan: '60m',
        startingDeadlineSeconds: 60,
        history: { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 3 },
        managementState: 'Managed',
        target: { bucket: 'registry', prefix: 'prod' },
        dryRun: true,
        protectedTags: [],
        protectedRepositories: [],
        grace: '24h',
        requireInUse: false,
        maxDeletes: null,
        acknowledgeUnversioned: false,
        ignoreInvalidImageReferences: false,
        resources: {},
        affinity: {},
        nodeSelector: {},
        tolerations: {},
      },
      status: {
        observedGeneration: 1,
        conditions: [
          {
            type: 'Available',
            status: 'True',
            lastTransitionTime: TIME,
            reason: 'Ready',
            message:
              'Periodic image pruner has been created. Dry run: it reports what would go and deletes nothing until dryRun is false.',
          },
          {
            type: 'Scheduled',
            status: 'True',
            lastTransitionTime: TIME,
            reason: 'Scheduled',
            message: 'Image pruner job has been scheduled: */1 * * * * in UTC.',
          },
          {
            type: 'Failed',
            status: 'Unknown',
            lastTransitionTime: TIME,
            reason: 'NeverRun',
            message: 'No image pruning job has finished yet.',
          },
          {
            type: 'Degraded',
            status: 'False',
            lastTransitionTime: TIME,
            reason: 'AsExpected',
            message: '',
          },
          {
            type: 'Progressing',
            status: 'False',
            lastTransitionTime: TIME,
            reason: 'Idle',
            message: 'No run is under way.',
          },
        ],
        nextRuns: [TIME, TIME, TIME, TIME, TIME],
        lastRun: null,
        activeRun: null,
        inUse: null,
        notApplicable: ['/spec/resources', '/spec/affinity', '/spec/nodeSelector', '/spec/tolerations'],
        dryRun: 'a dry run: it reports what would go and deletes nothing until spec.dryRun is false',
      },
    });
    const minutes = prunerIn(made).status.nextRuns.map((time) => Date.parse(time) / 60_000);
    expect(minutes.map((minute) => minute - minutes[0]!)).toEqual([0, 1, 2, 3, 4]);
    expect(scheduled()).toContain(`PUT /schedules/pruner-${name}`);
    expect(deployment.scheduler.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      ScheduleExpression: 'cron(* * * * ? *)',
      ScheduleExpressionTimezone: 'UTC',
      State: 'ENABLED',
      Target: { Arn: 'arn:aws:lambda:us-east-1:1:function:prune' },
    });
    const read = await get(name);
    expect([read.status, prunerIn(read).spec]).toEqual([200, prunerIn(made).spec]);
  });

  it('accept their own response without a change', async () => {
    const name = newName();
    const made = await put(name, {
      apiVersion: 'imageregistry.operator.openshift.io/v1',
      kind: 'ImagePruner',
      metadata: { name },
      spec: { keepYoungerThan: 10_000_000_000, logLevel: 'Debug', failedJobsHistoryLimit: 5 },
    });
    expect(prunerIn(made).spec).toMatchObject({
      keepYoungerThan: '10s',
      logLevel: 'Debug',
      history: { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 5 },
    });
    const again = await put(name, made.body);
    expect([again.status, prunerIn(again).metadata]).toEqual([200, prunerIn(made).metadata]);
  });

  it('replace the whole spec, so that what is left out gets its default', async () => {
    const name = newName();
    const first = await put(name, { dryRun: false, keepTagRevisions: 7 });
    expect(first.status).toBe(201);
    expect([prunerIn(first).status.dryRun, conditionOf(first, 'Available').message]).toEqual([
      null,
      'Periodic image pruner has been created.',
    ]);
    const second = await put(name, { suspend: true });
    expect(prunerIn(second)).toMatchObject({
      metadata: { uid: prunerIn(first).metadata.uid, generation: 2 },
      spec: { suspend: true, dryRun: true, keepTagRevisions: 3 },
      status: { observedGeneration: 2, nextRuns: [] },
    });
    expect(conditionsOf(second)).toMatchObject({ Scheduled: 'False/Suspended', Available: 'True/Ready' });
    expect(conditionOf(second, 'Available').lastTransitionTime).toBe(
      conditionOf(first, 'Available').lastTransitionTime,
    );
    expect(deployment.scheduler.calls.findLast(({ method }) => method === 'PUT')?.body).toMatchObject({
      State: 'DISABLED',
    });
  });

  it('take YAML as curl sends it, also compressed', async () => {
    const yaml = 'schedule: "@weekly"\ntimeZone: Europe/Berlin\n';
    for (const type of ['application/x-www-form-urlencoded', 'text/yaml', 'application/x-yaml']) {
      const made = await put(newName(), yaml, { 'content-type': type });
      expect(prunerIn(made).spec, type).toMatchObject({ schedule: '@weekly', timeZone: 'Europe/Berlin' });
    }
    const packed = await ask('PUT', `/v1/image-pruners/${newName()}`, {
      body: gzipSync(yaml),
      headers: { 'content-type': 'application/gzip' },
    });
    expect(prunerIn(packed).spec).toMatchObject({ schedule: '@weekly' });
  });

  it('warn of what has no effect because of something else', async () => {
    const { headers } = await put(newName(), { keepYoungerThan: '1h', keepYoungerThanDuration: '2h' });
    expect(headers['warning']).toBe(
      '299 cairn "keepYoungerThan is ignored, since keepYoungerThanDuration is given"',
    );
  });

  it('report every mistake with its place, and store nothing', async () => {
    const name = newName();
    const refused = await put(name, {
      metadata: { name: 'other' },
      spec: { schedule: '0 0 31 2 *', suspend: 'yes', keepTagRevision: 1, target: { bucket: 'mine' } },
    });
    expect(problem(refused)).toEqual([400, 'invalid-body']);
    expect((refused.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer)).toEqual([
      '/metadata/name',
      '/spec/keepTagRevision',
      '/spec/schedule',
      '/spec/suspend',
      '/spec/target/bucket',
    ]);
    expect(problem(await get(name))).toEqual([404, 'unknown-pruner']);
    expect(scheduled()).toEqual([]);
  });

  it.each([
    ['Upper', 400],
    ['-a', 400],
    ['a_b', 400],
    ['a'.repeat(64), 400],
    [`${'a'.repeat(61)}.b`, 201],
    ['cluster', 201],
  ])('accept names as Kubernetes does: %s', async (name, status) => {
    expect((await put(name, {})).status).toBe(status);
  });

  it.each<[string, string, string, number, string]>([
    ['no YAML', YAML_TYPE, 'a: [', 400, 'invalid-body'],
    ['nothing', JSON_TYPE, '', 400, 'invalid-body'],
    ['a page', 'text/html', '<p>', 415, 'unsupported-media-type'],
    ['too much', YAML_TYPE, `a: ${'x'.repeat(70_000)}`, 413, 'body-too-large'],
  ])('refuse %s', async (_what, type, body, status, code) => {
    const answer = await ask('PUT', `/v1/image-pruners/${newName()}`, {
      body,
      headers: { 'content-type': type },
    });
    expect(problem(answer)).toEqual([status, code]);
  });

  it('let only one pruner delete in one place', async () => {
    const [first, second] = [newName(), newName()] as const;
    const real = { dryRun: false };
    expect((await put(first, real)).status).toBe(201);
    expect((await put(second, {})).status).toBe(201);
    const refused = await put(second, real);
    expect([problem(refused), (refused.body as { detail: string }).detail]).toEqual([
      [409, 'target-taken'],
      `${first} prunes registry/prod already, and only one may; with dryRun ${second} can be kept beside it`,
    ]);
    expect((await put(second, { ...real, managementState: 'Unmanaged' })).status).toBe(200);
    expect((await put(first, { ...real, suspend: true })).status).toBe(200);
    await remove(first);
    expect((await put(second, real)).status).toBe(200);
    await remove(second);
  });

  it('keep a change that the scheduler refuses, and say so', async () => {
    const name = newName();
    deployment.scheduler.answer(403, { __type: 'AccessDeniedException', Message: 'not for you' });
    const made = await put(name, { suspend: false });
    expect(made.status).toBe(201);
    expect(conditionsOf(made)).toMatchObject({ Available: 'False/Error', Scheduled: 'False/Error' });
    deployment.scheduler.answer(200, {});
    const mended = await put(name, { suspend: false });
    expect(prunerIn(mended).metadata.generation).toBe(1);
    expect(conditionsOf(mended)).toMatchObject({ Available: 'True/Ready', Scheduled: 'True/Scheduled' });
  });
});

describe('entity tags of pruners', () => {
  it('spare who has the newest from getting it again', async () => {
    const name = newName();
    await put(name, { schedule: '0 0 1 1 *' });
    const read = await get(name);
    const etag = read.headers['etag']!;
    const again = await get(name, { 'if-none-match': etag });
    expect([again.status, again.body, again.headers['etag']]).toEqual([304, null, etag]);
    await revisePruner(deployment.table, name, prunerIn(read).metadata.uid, (record) => ({
      ...record,
      consecutiveFailures: 5,
      inUse: null,
      activeRun: { id: 'r1', trigger: 'manual', dryRun: true, startedAt: '2026-11-16T08:00:00.000Z' },
    }));
    const running = await get(name, { 'if-none-match': etag });
    expect([running.status, conditionsOf(running)['Progressing']]).toEqual([200, 'True/Running']);
  });

  it('allow a change of the spec that was read, and of no other; runs do not interfere', async () => {
    const name = newName();
    const first = await put(name, {}, { 'if-none-match': '*' });
    expect(problem(await put(name, {}, { 'if-none-match': '*' }))).toEqual([412, 'precondition-failed']);
    await revisePruner(deployment.table, name, prunerIn(first).metadata.uid, (record) => ({
      ...record,
      consecutiveFailures: 1,
    }));
    const second = await put(name, { suspend: true }, { 'if-match': first.headers['etag']! });
    expect(second.status).toBe(200);
    for (const change of [
      () => put(name, { suspend: false }, { 'if-match': first.headers['etag']! }),
      () => remove(name, { 'if-match': first.headers['etag']! }),
    ]) {
      expect(problem(await change())).toEqual([412, 'precondition-failed']);
    }
    expect((await remove(name, { 'if-match': second.headers['etag']! })).status).toBe(204);
    expect(problem(await put(name, {}, { 'if-match': second.headers['etag']! }))).toEqual([
      412,
      'precondition-failed',
    ]);
  });
});

describe('DELETE /v1/image-pruners/{name}', () => {
  it('removes the pruner and its schedule', async () => {
    const name = newName();
    await put(name, {});
    deployment.scheduler.calls.length = 0;
    const removed = await remove(name);
    expect([removed.status, removed.body]).toEqual([204, null]);
    expect(scheduled()).toEqual([`DELETE /schedules/pruner-${name}`, `DELETE /schedules/pruner-${name}_dow`]);
    expect(problem(await get(name))).toEqual([404, 'unknown-pruner']);
    expect(problem(await remove(name))).toEqual([404, 'unknown-pruner']);
    const anew = await put(name, {});
    expect([anew.status, prunerIn(anew).metadata.generation]).toEqual([201, 1]);
  });

  it('removes the pruner also when its schedule cannot be removed yet', async () => {
    const name = newName();
    await put(name, {});
    deployment.scheduler.answer(403, { __type: 'AccessDeniedException', Message: 'not for you' });
    expect((await remove(name)).status).toBe(204);
    expect(problem(await get(name))).toEqual([404, 'unknown-pruner']);
    expect(await readPruner(deployment.table, name)).toBeNull();
  });
});

describe('GET /v1/image-pruners', () => {
  it('lists them by name, page by page', async () => {
    const names = ['list-c', 'list-a', 'list-b'];
    for (const name of names) await put(name, { suspend: name === 'list-b', schedule: '@daily' });
    await revisePruner(
      deployment.table,
      'list-a',
      (await readPruner(deployment.table, 'list-a'))!.record.uid,
      (record) => ({
        ...record,
        lastRun: {
          id: 'r1',
          trigger: 'schedule',
          dryRun: false,
          startedAt: '2026-11-16T08:00:00.000Z',
          finishedAt: '2026-11-16T08:01:00.000Z',
          outcome: 'Failed',
          reason: 'TooMuch',
          message: 'too much would go',
        },
      }),
    );
    const found: Record<string, unknown>[] = [];
    let cursor: string | null = null;
    do {
      const { status, body }: Answer = await ask(
        'GET',
        `/v1/image-pruners?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      parseStrictly('listImagePruners', body);
      const page = body as { pruners: Record<string, unknown>[]; nextCursor: string | null };
      expect(page.pruners.length).toBeLessThanOrEqual(2);
      found.push(...page.pruners);
      cursor = page.nextCursor;
    } while (cursor !== null);
    const listed = found.filter(({ name }) => names.includes(String(name)));
    expect(listed.map(({ name }) => name)).toEqual(['list-a', 'list-b', 'list-c']);
    expect(listed[0]).toEqual({
      name: 'list-a',
      schedule: '@daily',
      timeZone: 'UTC',
      suspend: false,
      dryRun: true,
      managementState: 'Managed',
      target: { bucket: 'registry', prefix: 'prod' },
      nextRun: expect.stringMatching(/T00:00:00.000Z$/) as string,
      lastRun: { id: 'r1', outcome: 'Failed', dryRun: false, finishedAt: '2026-11-16T08:01:00.000Z' },
      running: false,
      conditions: [
        { type: 'Available', status: 'True', reason: 'Ready' },
        { type: 'Scheduled', status: 'True', reason: 'Scheduled' },
        { type: 'Failed', status: 'True', reason: 'TooMuch' },
        { type: 'Degraded', status: 'False', reason: 'AsExpected' },
        { type: 'Progressing', status: 'False', reason: 'Idle' },
      ],
    });
    expect(listed[1]).toMatchObject({ suspend: true, nextRun: null });
  });

  it('refuses an invalid cursor', async () => {
    for (const target of ['?cursor=x', '?limit=0', '?name=a']) {
      expect(problem(await ask('GET', `/v1/image-pruners${target}`)), target).toEqual([
        400,
        'invalid-parameter',
      ]);
    }
  });
});

describe('docs/prune-a-registry.md', () => {
  it('explains every field', () => {
    const page = readFileSync(new URL('../../../../docs/prune-a-registry.md', import.meta.url), 'utf8');
    const fields = page.slice(page.indexOf('## Fields'), page.indexOf('## Dry run first'));
    const missing = Object.keys(imagePrunerSpec().shape).filter((name) => !fields.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});

describe('the interface document', () => {
  it('names the fields that are read, and no others', () => {
    const reading = readPrunerSpec(
      { 'a name like no other': 1 },
      { name: 'a', targets: [{ bucket: 'b', prefix: '' }] },
    );
    const detail = reading.ok ? '' : reading.mistakes[0]!.detail;
    const known = detail.replace(/^.*accepted are /, '').split(/, | and /);
    expect(Object.keys(imagePrunerSpec().shape).toSorted()).toEqual(known.toSorted());
  });

  it.each<[field: string, accepted: unknown[], refused: unknown[]]>([
    [
      'keepYoungerThan',
      ['60m', '1h30m', '1.5h', '7d', 'P7D', '0s', '0', 3_600_000_000_000],
      ['', '90', '1y'],
    ],
    ['keepYoungerThanDuration', ['2w', 'PT1H', '+1h'], ['one hour', '-1h']],
    ['grace', ['24h', '0s'], ['24']],
    ['timeZone', ['UTC', 'Europe/Berlin', 'America/Port-au-Prince'], ['europe/berlin', '+02:00', '']],
    ['keepTagRevisions', [0, 100_000], [-1, 100_001, 1.5]],
    ['startingDeadlineSeconds', [60, 86_400], [59, 86_401]],
    ['successfulJobsHistoryLimit', [1, 100], [0, 101]],
    ['maxDeletes', [1], [0]],
    ['protectedTags', [[], ['v*', 'shop/*:stable']], [['a b'], [''], 'v*']],
  ])('describes %s as it is read', (field, accepted, refused) => {
    const isRead = (value: unknown) =>
      readPrunerSpec({ [field]: value }, { name: 'a', targets: [{ bucket: 'b', prefix: '' }] }).ok;
    const isDescribed = (value: unknown) => imagePrunerSpec().safeParse({ [field]: value }).success;
    for (const value of accepted)
      expect([value, isRead(value), isDescribed(value)]).toEqual([value, true, true]);
    for (const value of refused)
      expect([value, isRead(value), isDescribed(value)]).toEqual([value, false, false]);
  });
});
