import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CreateBucketCommand, PutBucketVersioningCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { takeSpec } from '@cairn/shared/prune/images/pruner/record';
import { readPrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { changePruner, readPruner } from '../../../functions/pruners/store.ts';
import type { Table } from '../../../functions/store/table.ts';
import { startBucketServer } from '../../../infra/local/s3/server.ts';
import { builtBundle } from '../../helpers/lambda/built.ts';
import { type Lambda, startLambda } from '../../helpers/lambda/lambda-host.ts';
import { listen } from '../../helpers/listen.ts';
import { clientOf } from '../../helpers/s3/bucket-process.ts';
import { newTable, tableEngines } from '../../helpers/table/table.ts';

const ROLE = 'arn:aws:iam::210987654321:role/registry-pruning';
const target = { bucket: 'far-away', prefix: 'prod' };
const own = { accessKeyId: 'AKIAOWN', secretAccessKey: 'own-secret' };
const ofRole = { accessKeyId: 'ASIAROLE', secretAccessKey: 'secret-of-the-role' };

const dir = mkdtempSync(join(tmpdir(), 'cairn-registry-role-'));
const closings: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true })];
let table: Table;
let lambda: Lambda;

/** What STS was asked for, and how it answers. */
let asked: Record<string, string>[] = [];
let answer: 'refuse' | { readonly lifeMs: number };
/** The keys and session tokens that came to a bucket, by its name. */
const callers = new Map<string, Set<string>>();

async function start(handle: (sent: IncomingMessage, reply: ServerResponse) => void): Promise<string> {
  const { url, close } = await listen(createServer(handle));
  closings.push(close);
  return url;
}

async function answerSts(sent: IncomingMessage, reply: ServerResponse): Promise<void> {
  asked.push(Object.fromEntries(new URLSearchParams(await text(sent))));
  reply.setHeader('content-type', 'text/xml');
  if (answer === 'refuse') {
    const message = `User is not authorized to perform: sts:AssumeRole on resource: ${ROLE}`;
    reply.statusCode = 403;
    reply.end(
      `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>${message}</Message></Error><RequestId>a</RequestId></ErrorResponse>`,
    );
    return;
  }
  const expiration = new Date(Date.now() + answer.lifeMs).toISOString();
  reply.end(
    `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials><AccessKeyId>${ofRole.accessKeyId}</AccessKeyId><SecretAccessKey>${ofRole.secretAccessKey}</SecretAccessKey><SessionToken>session-token</SessionToken><Expiration>${expiration}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
  );
}

beforeAll(async () => {
  table = await newTable();
  const at = { host: '127.0.0.1', port: 0, region: 'eu-west-1' };
  // Two accounts: each server takes the signatures of one key.
  const archive = await startBucketServer({ dir: join(dir, 'own'), ...at, ...own });
  const registry = await startBucketServer({ dir: join(dir, 'far'), ...at, ...ofRole });
  closings.push(
    () => archive.close(),
    () => registry.close(),
  );
  const archiveClient = clientOf(archive.url, own);
  await archiveClient.send(new CreateBucketCommand({ Bucket: 'archive' }));
  archiveClient.destroy();
  const registryClient = clientOf(registry.url, ofRole);
  await registryClient.send(new CreateBucketCommand({ Bucket: target.bucket }));
  await registryClient.send(
    new PutBucketVersioningCommand({
      Bucket: target.bucket,
      VersioningConfiguration: { Status: 'Enabled' },
    }),
  );
  await registryClient.send(
    new PutObjectCommand({
      Bucket: target.bucket,
      Key: 'prod/docker/registry/v2/repositories/shop/_manifests/tags/v1/current/link',
      Body: `sha256:${'a'.repeat(64)}`,
    }),
  );
  registryClient.destroy();

  const s3 = await start((sent, reply) => {
    const bucket = sent.url!.split(/[/?]/)[1]!;
    const key = /Credential=([^/]+)\//.exec(sent.headers.authorization ?? '')?.[1];
    const seen = callers.get(bucket) ?? callers.set(bucket, new Set()).get(bucket)!;
    seen.add(`${key} ${String(sent.headers['x-amz-security-token'] ?? 'no token')}`);
    const { port } = new URL(bucket === target.bucket ? registry.url : archive.url);
    const { method, url: path, headers } = sent;
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (got) => {
      reply.writeHead(got.statusCode!, got.headers);
      got.pipe(reply);
    });
    sent.pipe(onward);
  });
  const sts = await start((sent, reply) => void answerSts(sent, reply));
  lambda = await startLambda({
    bundleDir: builtBundle('run-pruner'),
    timeoutMs: 900_000,
    environment: {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: own.accessKeyId,
      AWS_SECRET_ACCESS_KEY: own.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: tableEngines[0]!.url,
      AWS_ENDPOINT_URL_S3: s3,
      AWS_ENDPOINT_URL_STS: sts,
      TABLE_NAME: table.name,
      BUCKET_NAME: 'archive',
      SERVICE_NAME: 'Cairn-test',
      REGISTRY_BUCKETS: JSON.stringify([
        { bucket: 'near', prefix: '' },
        { ...target, roleArn: ROLE },
      ]),
    },
  });
  closings.push(() => lambda.stop());
});
afterAll(async () => {
  for (const close of closings.toReversed()) await close();
});
beforeEach(() => {
  asked = [];
  callers.clear();
});

async function make(name: string): Promise<void> {
  const reading = readPrunerSpec({ target }, { name, targets: [target] });
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  const now = new Date().toISOString();
  await changePruner(table, name, () => takeSpec(null, reading.spec, { now, uid: name }));
}

const eventOf = (pruner: string) => ({ pruner, scheduledTime: new Date().toISOString(), trigger: 'manual' });

it('works in the bucket by the role, and everywhere else as itself', async () => {
  answer = { lifeMs: 3600_000 };
  await make('cluster');
  const event = eventOf('cluster');
  expect(await lambda.invoke(event), lambda.logs()).toMatchObject({
    ok: true,
    payload: { status: 'Done', outcome: 'Succeeded' },
  });
  expect(asked).toEqual([
    {
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: ROLE,
      RoleSessionName: `cluster@${event.scheduledTime.replaceAll(/[-:]|\.\d+/g, '')}`,
      ExternalId: 'Cairn-test',
    },
  ]);
  expect(Object.fromEntries(callers)).toEqual({
    archive: new Set([`${own.accessKeyId} no token`]),
    [target.bucket]: new Set([`${ofRole.accessKeyId} session-token`]),
  });
});

it('asks for a new session before the old one ends', async () => {
  // Shorter than what the client wants to be left of it.
  answer = { lifeMs: 60_000 };
  await make('short');
  expect(await lambda.invoke(eventOf('short'))).toMatchObject({ ok: true, payload: { status: 'Done' } });
  expect(asked.length).toBeGreaterThan(1);
});

it('keeps to what STS takes as the name of a session', async () => {
  answer = { lifeMs: 3600_000 };
  const name = `a${'b.c-'.repeat(15)}d`;
  await make(name);
  await lambda.invoke(eventOf(name));
  expect(asked.map(({ RoleSessionName }) => RoleSessionName)).toEqual([
    expect.stringMatching(/^ab\.c-[\w+=,.@-]{2,58}Z$/),
  ]);
});

it('reports that the role cannot be assumed, and changes nothing', async () => {
  answer = 'refuse';
  await make('refused');
  const event = eventOf('refused');
  const refusal = expect.stringMatching(`the role ${ROLE} could not be taken on: .*not authorized`) as string;
  for (const trigger of ['manual', 'resume']) {
    const result = await lambda.invoke({ ...event, trigger });
    expect(result).toMatchObject({ ok: false, error: { errorMessage: refusal } });
  }
  expect(await lambda.invoke({ ...event, trigger: 'resume' })).toMatchObject({
    ok: true,
    payload: { status: 'Done', outcome: 'Failed' },
  });
  expect((await readPruner(table, 'refused'))!.record.lastRun).toMatchObject({
    outcome: 'Failed',
    message: expect.stringContaining(`the role ${ROLE} could not be taken on`) as string,
  });
  expect(callers.has(target.bucket)).toBe(false);
});
