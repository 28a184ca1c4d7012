import { gzipSync } from 'node:zlib';
import { CreateBucketCommand, PutBucketVersioningCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PruneRequest, runPruner } from '../../../../functions/prune-runs/job.ts';
import { readPruner, revisePruner } from '../../../../functions/pruners/store.ts';
import type { RouteId } from '../../../../functions/routes.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';
import { parseStrictly } from '../../../helpers/lambda/strict.ts';
import {
  byDigest,
  byTag,
  digest,
  image,
  pod,
  stream,
  workload,
} from '../../../helpers/prune/cluster-scenario.ts';
import { TestRegistry } from '../../../helpers/registry/test-registry.ts';
import { drawnConfig, drawnSource } from '../../../helpers/upstream/drawn-upstream.ts';

const HOUR = 3600_000;
const JSON_TYPE = 'application/json';
const ASKED = 'pods,rc,rs,deployments,statefulsets,daemonsets,jobs,cronjobs,builds,bc,dc';
const silent = { info: () => {}, warn: () => {}, error: () => {} };

let deployment: Deployment;
let registry: TestRegistry;
beforeAll(async () => {
  deployment = await startDeployment({ releases: drawnConfig({}), source: drawnSource({}) });
  const { client } = deployment.bucket;
  await client.send(new CreateBucketCommand({ Bucket: 'registry' }));
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  await client.send(new PutBucketVersioningCommand({ Bucket: 'registry', VersioningConfiguration }));
  registry = new TestRegistry(client, 'registry', 'prod');
  await registry.push('team/app', 'latest', ['base', 'old']);
  await registry.push('team/app', 'latest', ['base', 'new']);
  await registry.push('team/big', 'v1', [
    'base',
    ...Array.from({ length: 26 }, (_, layer) => `layer ${layer}`),
  ]);
});
afterAll(() => deployment.close());
beforeEach(() => {
  deployment.scheduler.answer(200, {});
  deployment.scheduler.calls.length = 0;
});

const at = (name: string) => `/v1/image-pruners/${name}`;

async function ask(route: RouteId, method: string, target: string, body?: unknown) {
  const isBytes = Buffer.isBuffer(body);
  const answer = await deployment.request(method, target, {
    ...(body !== undefined && { body: isBytes ? body : JSON.stringify(body) }),
    headers: { 'content-type': isBytes ? 'application/gzip' : JSON_TYPE },
  });
  const isData = answer.status < 300 && answer.body !== null;
  if (isData) parseStrictly(route, answer.body);
  return { ...answer, data: answer.body as Record<string, unknown> };
}
const put = (name: string, spec: object) => ask('putImagePruner', 'PUT', at(name), { spec });
const start = (name: string, body: object = {}) =>
  ask('startImagePrunerRun', 'POST', `${at(name)}/runs`, body);
const list = (name: string) => ask('listImagePrunerRuns', 'GET', `${at(name)}/runs`);
const get = (name: string, run: string, query = '') =>
  ask('getImagePrunerRun', 'GET', `${at(name)}/runs/${run}${query}`);
const tell = (name: string, documents: unknown, fields: object = {}) =>
  ask('putImagesInUse', 'PUT', `${at(name)}/in-use`, { documents, ...fields });
const problem = ({ status, data }: { status: number; data: Record<string, unknown> }) => [
  status,
  String(data['type']).split(':').at(-1),
];

/** As the function does it, on the same table and bucket. */
function run(pruner: string, hours: number, request: Partial<PruneRequest> = {}, remainingMs = 900_000) {
  return runPruner(
    {
      table: deployment.table,
      bucket: deployment.bucket,
      registry: deployment.bucket.client,
      log: silent,
      count: () => {},
      clock: Date.now,
      remainingMs: () => remainingMs,
    },
    {
      pruner,
      scheduledTime: new Date(Date.now() + hours * HOUR).toISOString(),
      trigger: 'manual',
      ...request,
    },
  );
}
async function ranTo(...args: Parameters<typeof run>): Promise<string> {
  const result = await run(...args);
  if (result.status === 'Skipped') throw new Error(result.reason);
  return result.run;
}

describe('POST /v1/image-pruners/{name}/runs', () => {
  it('starts a run by a schedule that fires once, also of a pruner that is suspended', async () => {
    await put('start', { suspend: true });
    deployment.scheduler.calls.length = 0;
    const { status, data, headers } = await start('start', { dryRun: true });
    expect(status).toBe(202);
    expect(data['id']).toBe(data['run']);
    expect(data['status']).toBe(`${at('start')}/runs/${String(data['id'])}`);
    expect(headers['location']).toBe(data['status']);
    const [call] = deployment.scheduler.calls;
    const { Target } = call!.body as { Target: { Arn: string; Input: string } };
    expect(Target.Arn).toBe('arn:aws:lambda:us-east-1:1:function:prune');
    expect(JSON.parse(Target.Input)).toEqual({
      pruner: 'start',
      trigger: 'manual',
      dryRun: true,
      scheduledTime: data['run'],
    });
    // Until it has begun there is nothing to tell.
    expect((await get('start', String(data['run']))).data).toMatchObject({ state: 'waiting' });
    expect((await get('start', String(data['run']), '?format=text')).text).toMatch(/^# Waiting: /);
  });

  it('does no more than the pruner may', async () => {
    await put('start', { dryRun: true });
    const refused = await start('start', { dryRun: false });
    expect(problem(refused)).toEqual([400, 'invalid-body']);
    expect(refused.data['errors']).toMatchObject([
      { pointer: '/dryRun', detail: expect.stringContaining('PUT /v1/image-pruners/start') as string },
    ]);
    expect(problem(await start('start', { agree: '0123456789abcdef' }))).toEqual([400, 'invalid-body']);
    expect(deployment.scheduler.calls.filter(({ path }) => path.includes('prune-now'))).toEqual([]);
  });

  it.each([
    [{ dryRun: 'yes' }, '/dryRun'],
    [{ agree: 'all' }, '/agree'],
    [{ dryrun: true }, '/dryrun'],
  ])('refuses %j', async (body, pointer) => {
    await put('start', {});
    const { status, data } = await start('start', body);
    expect([status, (data['errors'] as { pointer: string }[])[0]!.pointer]).toEqual([400, pointer]);
  });

  it('refuses where there is no such pruner, or one is under way', async () => {
    expect(problem(await start('nobody'))).toEqual([404, 'unknown-pruner']);
    await put('busy', { dryRun: true });
    const slot = await ranTo('busy', 0, {}, 0);
    const refused = await start('busy');
    expect(problem(refused)).toEqual([409, 'run-in-progress']);
    expect(refused.data['detail']).toContain(`GET ${at('busy')}/runs/${slot}`);
    expect(refused.headers['retry-after']).toBe('30');
  });

  it('refuses where the bucket has left the settings', async () => {
    await put('withdrawn', {});
    const { uid } = (await readPruner(deployment.table, 'withdrawn'))!.record;
    await revisePruner(deployment.table, 'withdrawn', uid, (record) => ({
      ...record,
      spec: { ...record.spec, target: { bucket: 'registry', prefix: 'former' } },
    }));
    const refused = await start('withdrawn');
    expect(problem(refused)).toEqual([409, 'target-withdrawn']);
    expect(refused.data['detail']).toContain('registry/former');
  });
});

describe('GET /v1/image-pruners/{name}/runs', () => {
  it('shows how far a run is, then its report, then in a text what to know of it', async () => {
    const name = 'plan';
    await put(name, { dryRun: true, keepTagRevisions: 1, keepYoungerThan: '0s', grace: '0s' });
    const slot = await ranTo(name, 1, {}, 0);
    expect((await get(name, slot)).data).toMatchObject({
      id: slot,
      state: 'paused',
      phase: 'inventory',
      trigger: 'manual',
      dryRun: true,
      percent: null,
    });
    expect((await get(name, slot, '?format=text')).text).toContain('# Phase inventory: ');
    expect((await list(name)).data['runs']).toMatchObject([{ id: slot, state: 'paused' }]);

    expect(await ranTo(name, 0, { trigger: 'resume', scheduledTime: slot })).toBe(slot);
    const { status, data } = await get(name, slot);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      id: slot,
      pruner: name,
      state: 'finished',
      outcome: 'Succeeded',
      reason: 'DryRun',
      dryRun: true,
      deleted: {},
      spec: { keepTagRevisions: 1, keepYoungerThan: '0s' },
      plan: {
        breaker: null,
        frozen: [],
        frozenTotal: 0,
        totals: { tag: { unlinked: { count: 1 } }, blob: { swept: { count: 3 } } },
        examplesTotal: 7,
      },
      cluster: null,
    });
    const { plan } = data as { plan: { examples: { kind: string; key: string }[] } };
    expect(plan.examples.map(({ kind }) => kind)).toEqual([
      'tag',
      'revision',
      'layer',
      'layer',
      'blob',
      'blob',
      'blob',
    ]);
    const few = (await get(name, slot, '?examples=1')).data as { plan: typeof plan };
    expect(few.plan.examples.map(({ kind }) => kind)).toEqual(['tag', 'revision', 'layer', 'blob']);

    const { text, headers } = await get(name, slot, '?format=text&examples=1');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# DRY RUN: nothing was deleted and nothing condemned\n/);
    expect(text).toMatch(/#\s+KIND +KEPT .* WOULD GO NOW +BYTES\n/);
    expect(text).toMatch(/#\s+blob +unreferenced +\d+ +\d+ B\n/);
    expect(text).toContain(plan.examples[0]!.key.slice(registry.root.length));
    expect(text).toContain('#   and 3 more\n');
    expect((await list(name)).data['runs']).toMatchObject([
      { id: slot, state: 'finished', reason: 'DryRun', planned: 7 },
    ]);
    // Without fractions of a second, and as some clients write a colon in a path.
    expect((await get(name, slot.replaceAll(':', '%3A'))).data['id']).toBe(slot);
  });

  it('shows what stopped a run and how to confirm it, and then what was deleted', async () => {
    const name = 'real';
    await registry.push(
      'waste/app',
      null,
      Array.from({ length: 40 }, (_, layer) => `waste ${layer}`),
    );
    await put(name, { dryRun: false, keepTagRevisions: 5, keepYoungerThan: '0s', grace: '0s' });
    const blocked = await ranTo(name, 1);
    const { data } = await get(name, blocked);
    const { planHash } = (data as { plan: { planHash: string } }).plan;
    expect(data).toMatchObject({
      outcome: 'Failed',
      reason: 'TooMuch',
      plan: { breaker: { reason: 'TooMuch' } },
    });
    const { text } = await get(name, blocked, '?format=text');
    expect(text).toContain('# STOPPED by a circuit breaker, TooMuch: ');
    expect(text).toContain(`POST ${at(name)}/runs {"agree": "${planHash}"}`);
    expect(text).not.toContain('DRY RUN');

    await start(name, { agree: planHash });
    expect(JSON.stringify(deployment.scheduler.calls.at(-1)!.body)).toContain(planHash);
    const done = await ranTo(name, 2, { agree: planHash });
    expect((await get(name, done)).data).toMatchObject({
      reason: 'Pruned',
      deleted: { blob: { count: 42 } },
    });
    expect((await get(name, done, '?format=text')).text).toMatch(/# Deleted:\n#\s+KIND +COUNT +BYTES\n/);
    expect((await list(name)).data['runs']).toMatchObject([
      { id: done, reason: 'Pruned' },
      { id: blocked, reason: 'TooMuch' },
    ]);
  });

  it('shows why a run was skipped, and answers 404 for an unknown run', async () => {
    const name = 'skipped';
    await put(name, { suspend: true });
    const scheduledTime = '2026-01-02T03:04:00.000Z';
    await run(name, 0, { trigger: 'schedule', scheduledTime });
    const skipped = { id: scheduledTime, state: 'skipped', message: 'the pruner is suspended' };
    expect((await list(name)).data['runs']).toMatchObject([skipped]);
    expect((await get(name, '2026-01-02T03:04:00Z')).data).toMatchObject(skipped);
    expect((await get(name, scheduledTime, '?format=text')).text).toBe(
      '# Skipped: the pruner is suspended\n',
    );
    expect(problem(await get(name, '2026-01-02T03:05:00.000Z'))).toEqual([404, 'unknown-run']);
    expect(problem(await get(name, 'last'))).toEqual([400, 'invalid-parameter']);
    expect(problem(await get(name, scheduledTime, '?examples=1001'))).toEqual([400, 'invalid-parameter']);
    expect(problem(await get('nobody', scheduledTime))).toEqual([404, 'unknown-pruner']);
    expect(problem(await list('nobody'))).toEqual([404, 'unknown-pruner']);
  });
});

const objects = [
  ...['D0', 'D1', 'D2', 'D3', 'D4'].map((name) => image(name)),
  stream('foo/bar', { latest: ['D0', 'D1', 'D2', 'D3', 'D4'] }),
  pod('Running', byTag('foo/bar', 'latest')),
  workload('CronJob', byDigest('foo/bar', 'D4')),
];
const asked = ASKED.split(',');

describe('PUT /v1/image-pruners/{name}/in-use', () => {
  const filesOf = async (name: string) =>
    (await deployment.archived()).filter((key) => key.startsWith(`runs/${name}/in-use/`));

  it('keeps what is in use in the place of the report before', async () => {
    const name = 'in-use';
    await put(name, {});
    const { status, data } = await tell(name, objects, { asked });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      inUse: { complete: true, missing: [], images: 1, tags: 1, imageStreams: 1, invalidReferences: 0 },
      imagesKept: null,
      invalidReferences: [],
      input: { objects: 8 },
    });
    const first = (await readPruner(deployment.table, name))!.record.inUse!;
    expect(data['inUse']).toEqual(first);
    expect(await filesOf(name)).toEqual([`runs/${name}/in-use/${first.revision}`]);

    const body = gzipSync(JSON.stringify({ kind: 'List', apiVersion: 'v1', items: objects }));
    const again = await ask('putImagesInUse', 'PUT', `${at(name)}/in-use?asked=${ASKED}`, body);
    const second = (await readPruner(deployment.table, name))!.record.inUse!;
    expect([again.status, again.data['inUse']]).toEqual([200, second]);
    expect(await filesOf(name)).toEqual([`runs/${name}/in-use/${second.revision}`]);
  });

  it('keeps an incomplete report and says what is missing', async () => {
    await put('incomplete', {});
    const { data } = await tell('incomplete', [pod('Running', byTag('foo/bar', 'latest'))], {
      asked: ['po'],
    });
    expect(data['inUse']).toMatchObject({
      complete: false,
      missing: expect.arrayContaining(['Deployment', 'CronJob']) as string[],
      imageStreams: null,
    });
  });

  it('refuses references that it cannot read, unless they are to protect what they seem to name', async () => {
    await put('invalid', {});
    const documents = [pod('Running', 'Not A Reference'), ...objects];
    const refused = await tell('invalid', documents, { asked });
    expect(problem(refused)).toEqual([400, 'invalid-documents']);
    expect(refused.data['errors']).toEqual([
      {
        value: 'Not A Reference',
        detail: expect.stringContaining('Pod shop/pod-running, container c0: ') as string,
      },
    ]);
    expect((await readPruner(deployment.table, 'invalid'))!.record.inUse).toBeNull();
    const taken = await tell('invalid', documents, { asked, ignore_invalid: true });
    expect(taken.data).toMatchObject({
      inUse: { invalidReferences: 1 },
      invalidReferences: [{ place: 'container c0' }],
    });
    await put('invalid', { ignoreInvalidImageReferences: true });
    expect((await tell('invalid', documents, { asked })).status).toBe(200);
  });

  it('takes a report after one with a time in the future, which a wrong clock wrote', async () => {
    const name = 'ahead';
    await put(name, {});
    expect((await tell(name, objects, { asked })).status).toBe(200);
    const { record } = (await readPruner(deployment.table, name))!;
    const collectedAt = new Date(Date.now() + 30 * 24 * HOUR).toISOString();
    await revisePruner(deployment.table, name, record.uid, (former) => ({
      ...former,
      inUse: { ...former.inUse!, collectedAt },
    }));
    expect((await tell(name, objects, { asked })).status).toBe(200);
    expect((await readPruner(deployment.table, name))!.record.inUse!.collectedAt < collectedAt).toBe(true);
  });

  it('shows the last event that started no run', async () => {
    await put('skipped', {});
    const run = await ranTo('skipped', 0);
    await expect(ranTo('skipped', 0, { scheduledTime: run })).rejects.toThrow('Duplicate');
    const lastSkipped = { slot: run, trigger: 'manual', reason: 'Duplicate' };
    expect((await list('skipped')).data).toMatchObject({ lastSkipped });
  });

  it('refuses what is older than what is known, or of the future', async () => {
    const name = 'older';
    await put(name, {});
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
    const [one, two] = [hoursAgo(1), hoursAgo(2)];
    expect((await tell(name, objects, { asked, collected_at: one })).status).toBe(200);
    const older = await tell(name, objects, { asked, collected_at: two });
    expect(problem(older)).toEqual([409, 'outdated-report']);
    expect((await tell(name, objects, { asked, collected_at: one })).status).toBe(200);
    expect(problem(await tell(name, objects, { collected_at: hoursAgo(-1) }))).toEqual([400, 'invalid-body']);
    expect(await filesOf(name)).toHaveLength(1);
    expect(problem(await tell('nobody', objects))).toEqual([404, 'unknown-pruner']);
    expect(problem(await tell(name, objects, { askd: asked }))).toEqual([400, 'invalid-body']);
  });

  it('is confirmed by its digest, which makes it young again', async () => {
    const name = 'confirmed';
    await put(name, {});
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
    const first = (await tell(name, objects, { asked, collected_at: hoursAgo(7) })).data['inUse'] as Record<
      string,
      string
    >;
    expect(first['digest']).toMatch(/^[0-9a-f]{32}$/);
    const files = await filesOf(name);
    const confirm = (query: string, body?: unknown) =>
      ask('putImagesInUse', 'PUT', `${at(name)}/in-use?${query}`, body);
    const collectedAt = hoursAgo(1);
    const { status, data } = await confirm(`unchanged=${first['digest']}&collected_at=${collectedAt}`);
    expect([status, data['inUse'], data['kinds']]).toEqual([200, { ...first, collectedAt }, []]);
    expect(await filesOf(name)).toEqual(files);
    const inBody = { unchanged: first['digest'], collected_at: collectedAt };
    expect((await ask('putImagesInUse', 'PUT', `${at(name)}/in-use`, inBody)).status).toBe(200);

    // The job goes by when it was last found to be so.
    await put(name, { requireInUse: true });
    const reasonAfter = async (hours: number) => {
      const { data: report } = await get(name, await ranTo(name, hours));
      return (report as { plan: { breaker: { reason: string } | null } }).plan.breaker?.reason;
    };
    expect(await reasonAfter(0)).not.toBe('StaleInUse');
    expect(await reasonAfter(6)).toBe('StaleInUse');

    const older = await confirm(`unchanged=${first['digest']}&collected_at=${hoursAgo(2)}`);
    expect(problem(older)).toEqual([409, 'outdated-report']);
    expect(problem(await confirm(`unchanged=${'0'.repeat(32)}`))).toEqual([412, 'precondition-failed']);
    expect(problem(await confirm('unchanged=x'))).toEqual([400, 'invalid-parameter']);
    const both = await confirm(`unchanged=${first['digest']}`, { documents: objects });
    expect([problem(both), both.data['errors']]).toEqual([
      [400, 'invalid-parameter'],
      [{ parameter: 'unchanged', detail: 'is given beside documents, one of them is accepted' }],
    ]);
    await put('never-told', {});
    const never = await ask('putImagesInUse', 'PUT', `${at('never-told')}/in-use`, {
      unchanged: first['digest'],
    });
    expect(problem(never)).toEqual([412, 'precondition-failed']);
  });

  it('has the same digest for other users of the same images, and another for other images', async () => {
    const name = 'digests';
    await put(name, {});
    const digestOf = async (...args: Parameters<typeof tell>) =>
      ((await tell(...args)).data['inUse'] as Record<string, string>)['digest'];
    const first = await digestOf(name, objects, { asked });
    expect(await digestOf(name, [...objects, workload('Job', byDigest('foo/bar', 'D4'))], { asked })).toBe(
      first,
    );
    expect(
      await digestOf(name, [...objects, workload('Job', byDigest('foo/bar', 'D3'))], { asked }),
    ).not.toBe(first);
    const { data } = await ask('getImagePruner', 'GET', at(name));
    expect(data).toMatchObject({
      status: { inUse: { complete: true, digest: expect.any(String) as string } },
    });
  });

  it('is not complete without what its sender could not read', async () => {
    await put('lacking', {});
    const { data } = await tell('lacking', objects, { asked, missing: ['deployments.apps', 'imagestreams'] });
    expect(data['inUse']).toMatchObject({ complete: false, missing: ['Deployment', 'imagestreams'] });
    expect(problem(await tell('lacking', objects, { missing: ['no name'] }))).toEqual([400, 'invalid-body']);
  });

  it('of one cluster is not taken for that of another', async () => {
    const name = 'sources';
    await put(name, {});
    const source = (of: string) => ({ asked, source: of });
    const first = (await tell(name, objects, source('prod-1'))).data['inUse'] as Record<string, string>;
    expect(first['source']).toBe('prod-1');
    const other = await tell(name, objects, source('prod-2'));
    expect([problem(other), other.data['detail']]).toEqual([
      [409, 'source-mismatch'],
      expect.stringMatching(
        /^prod-1 tells sources what is in use, and a report of prod-2 would take/,
      ) as string,
    ]);
    const confirmed = { unchanged: first['digest'], source: 'prod-2' };
    expect(problem(await ask('putImagesInUse', 'PUT', `${at(name)}/in-use`, confirmed))).toEqual([
      409,
      'source-mismatch',
    ]);
    expect(await filesOf(name)).toHaveLength(1);
    expect((await tell(name, objects, source('prod-1'))).status).toBe(200);
    // Whoever does not say where it comes from takes the place of any, and any may follow.
    expect((await tell(name, objects, { asked })).data['inUse']).not.toHaveProperty('source');
    expect((await tell(name, objects, source('prod-2'))).status).toBe(200);
    expect(problem(await tell(name, objects, source('prod 2')))).toEqual([400, 'invalid-body']);
  });

  it('decides whether the current image of a tag goes', async () => {
    await put('real', { dryRun: false, suspend: true });
    await ask('deleteImagePruner', 'DELETE', at('real'));
    const name = 'decides';
    await put(name, { dryRun: true, keepTagRevisions: 0, keepYoungerThan: '0s', grace: '0s' });
    const tagsThatGo = async (hours: number) => {
      const { data } = await get(name, await ranTo(name, hours));
      const { totals } = (data as { plan: { totals: Record<string, Record<string, { count: number }>> } })
        .plan;
      return totals['tag']!['unlinked']!.count;
    };
    expect(await tagsThatGo(1)).toBe(1);
    await tell(name, [pod('Running', byTag('team/big', 'v1'))], { asked });
    // The current link and both revisions of team/app:latest.
    expect(await tagsThatGo(2)).toBe(3);
  });
});

describe('a pruner of a registry that is Removed or Unmanaged', () => {
  it('gives commands for what the cluster keeps, and leaves the storage alone', async () => {
    const name = 'removed';
    await put(name, { dryRun: false, managementState: 'Removed', keepTagRevisions: 1 });
    const before = await registry.keys();
    const unknown = await ranTo(name, 0);
    expect((await get(name, unknown)).data).toMatchObject({
      outcome: 'Failed',
      reason: 'NoInUse',
      cluster: null,
    });

    expect((await tell(name, objects, { asked })).data['imagesKept']).toBe(5);
    const { data, text } = await get(name, await ranTo(name, 1));
    expect(data, text).toMatchObject({
      outcome: 'Succeeded',
      reason: 'Reported',
      plan: null,
      cluster: {
        examined: { imageStreams: 1, tagItems: 5, images: 5 },
        tagItemsTotal: 3,
        imagesTotal: 3,
        inCommands: { tagItems: 3, images: 3 },
        commands: [
          { command: expect.stringMatching(/^oc patch imagestreams.* bar -n foo /) as string },
          {
            command: `oc delete images.image.openshift.io --ignore-not-found ${['D1', 'D2', 'D3'].map(digest).join(' ')}`,
          },
        ],
      },
    });
    const report = await get(name, String(data['id']), '?format=text');
    const commands = report.text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
    expect(commands.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['oc patch', 'oc delete']);

    const stale = await ranTo(name, 8);
    expect((await get(name, stale)).data).toMatchObject({ outcome: 'Failed', reason: 'StaleInUse' });
    expect(await registry.keys()).toEqual(before);
  });
});
