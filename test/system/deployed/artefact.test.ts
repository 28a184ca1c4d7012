import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stage } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleManifest } from '../../../functions/site/page.ts';
import { PROJECT_ROOT } from '../../../infra/aws/bundling/options.ts';
import { type Lambda, startLambda } from '../../helpers/lambda/lambda-host.ts';
import { createStack, synthesize } from '../../helpers/template/synthesize.ts';
import { readTemplate, textsIn } from '../../helpers/template/template.ts';

const outdir = mkdtempSync(join(tmpdir(), 'cairn-synth-'));
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

const registryBuckets = [{ bucket: 'registry', prefix: 'prod' }];
const stack = createStack(
  { outdir, context: { 'aws:cdk:enable-asset-metadata': true } },
  { registryBuckets },
);
Stage.of(stack)?.synth();
const { resource, statementsOf, idOf } = readTemplate(synthesize(stack));

const WRITES = ['DeleteItem', 'PutItem', 'UpdateItem'];
const TABLE_OPERATIONS = [
  'BatchGetItem',
  'BatchWriteItem',
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'TransactGetItems',
  'TransactWriteItems',
  'UpdateItem',
];

function bundleDirOf(path: string): string {
  return join(outdir, resource(path).Metadata['aws:asset:path']);
}

/** As deployed, with a name in the place of what only exists once it is deployed. */
function environmentOf(path: string): Record<string, string> {
  const variables = Object.entries<unknown>(resource(path).Properties.Environment.Variables);
  return Object.fromEntries(
    variables.map(([name, value]) => [name, typeof value === 'string' ? value : 'known-when-deployed']),
  );
}

function httpEvent(method: string, path: string, routeKey = `${method} ${path}`, headers = {}) {
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: '',
    headers,
    requestContext: { http: { method, path }, requestId: 'a', routeKey },
    isBase64Encoded: false,
  };
}

const PATHS = ['Query', 'Manage', 'SyncReleases', 'Watch', 'FollowFleet', 'Pruning/RunPruner'] as const;

it.each(PATHS)('%s has every right on the table that its code uses, and no other', (path) => {
  const files = readdirSync(bundleDirOf(path)).filter((file) => file.endsWith('.mjs'));
  const code = files.map((file) => readFileSync(join(bundleDirOf(path), file), 'utf8')).join('\n');
  const used = TABLE_OPERATIONS.filter((operation) => code.includes(`"${operation}"`));
  const granted = textsIn(statementsOf(idOf(`${path}Role`)).map(({ Action }) => Action))
    .filter((action) => action.startsWith('dynamodb:'))
    .map((action) => action.slice('dynamodb:'.length));
  // `writeItem` brings all three; rights-suffice.test.ts shows which of them the function calls.
  const isWritten = WRITES.some((operation) => granted.includes(operation));
  const needed = used.filter((operation) => !isWritten || !WRITES.includes(operation));
  const writes = WRITES.filter((operation) => granted.includes(operation));
  expect([...new Set(granted)].toSorted()).toEqual([...needed, ...writes].toSorted());
});

describe('under the runtime of Lambda, with the variables of the template', () => {
  const lambdas = new Map<string, Lambda>();
  beforeAll(async () => {
    const start = async (path: string) =>
      lambdas.set(
        path,
        await startLambda({ bundleDir: bundleDirOf(path), environment: environmentOf(path) }),
      );
    await Promise.all(PATHS.map(start));
  });
  afterAll(() => Promise.all([...lambdas.values()].map((lambda) => lambda.stop())));

  const invoke = (path: (typeof PATHS)[number], event: unknown) => lambdas.get(path)!.invoke(event);

  it('query answers', async () => {
    expect(await invoke('Query', httpEvent('GET', '/healthz'))).toMatchObject({
      ok: true,
      payload: { statusCode: 200 },
    });
  });

  it('query answers what is no route, too', async () => {
    expect(await invoke('Query', httpEvent('GET', '/nowhere', '$default'))).toMatchObject({
      ok: true,
      payload: { statusCode: 404 },
    });
  });

  it('query has the console beside it', async () => {
    const event = httpEvent('GET', '/', 'GET /', { accept: 'text/html', 'accept-encoding': 'gzip' });
    const { page } = JSON.parse(
      readFileSync(join(bundleDirOf('Query'), 'console/manifest.json'), 'utf8'),
    ) as ConsoleManifest;
    expect(await invoke('Query', event)).toMatchObject({
      ok: true,
      payload: {
        statusCode: 200,
        headers: { 'content-type': page.mediaType, etag: `"${page.hash}-gzip"` },
        isBase64Encoded: true,
      },
    });
  });

  it('manage answers', async () => {
    const event = {
      ...httpEvent('POST', '/v1/sync/runs'),
      body: '{',
      headers: { 'content-type': 'application/json' },
    };
    expect(await invoke('Manage', event)).toMatchObject({ ok: true, payload: { statusCode: 400 } });
  });

  it('the sync has the releases beside it', () => {
    const shipped = readFileSync(join(PROJECT_ROOT, 'infra/releases.json'), 'utf8');
    expect(readFileSync(join(bundleDirOf('SyncReleases'), 'releases.json'), 'utf8')).toBe(shipped);
  });

  it.each([
    ['SyncReleases', { trigger: 'nonsense' }, 'scheduledTime'],
    ['Watch', { trigger: 'nonsense' }, 'scheduledTime'],
    ['FollowFleet', { trigger: 'nonsense' }, 'scheduledTime'],
    ['Pruning/RunPruner', { trigger: 'schedule', scheduledTime: '2026-01-01T00:00:00Z' }, 'pruner'],
  ] as const)('%s starts and refuses an invalid event', async (path, event, field) => {
    const result = await invoke(path, event);
    expect(result.ok ? '' : result.error.errorMessage).toContain(field);
  });
});
