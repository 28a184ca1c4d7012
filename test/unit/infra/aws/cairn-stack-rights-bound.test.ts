import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { CreateScheduleCommand, DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  assessmentKey,
  clusterPartition,
  headKey,
  FLEET_STATE_KEY,
  INDEX_CONDITION,
  type Key,
  prunerKey,
  SWITCHES_KEY,
  SYNC_STATE_KEY,
  WEBHOOK_KEY,
} from '../../../../functions/store/keys.ts';
import { TABLE } from '../../../../functions/store/table.ts';
import {
  type FunctionName,
  FUNCTIONS,
  type GuardedStack,
  NAMES,
  startGuardedStack,
} from '../../../helpers/iam/guarded-stack.ts';
import { templateOf } from '../../../helpers/template/template.ts';

interface Clients {
  readonly table: DynamoDBClient;
  readonly s3: S3Client;
  readonly events: EventBridgeClient;
  readonly scheduler: SchedulerClient;
}

const dir = mkdtempSync(join(tmpdir(), 'cairn-bound-'));
const clients = {} as Record<FunctionName, Clients>;
let stack: GuardedStack;
beforeAll(async () => {
  stack = await startGuardedStack({
    template: await templateOf({ registryBuckets: [{ bucket: NAMES.registry, prefix: 'prod' }] }),
    outdir: dir,
    dir: join(dir, 'buckets'),
    source: () => null,
  });
  for (const name of Object.keys(FUNCTIONS) as FunctionName[]) {
    const urls = await stack.guard(name, stack.policies[name]);
    const at = (service: string) => ({
      endpoint: urls[`AWS_ENDPOINT_URL_${service}`]!,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      maxAttempts: 1,
    });
    clients[name] = {
      table: new DynamoDBClient(at('DYNAMODB')),
      s3: new S3Client({ ...at('S3'), forcePathStyle: true }),
      events: new EventBridgeClient(at('EVENTBRIDGE')),
      scheduler: new SchedulerClient(at('SCHEDULER')),
    };
  }
});
afterAll(async () => {
  await stack.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  stack.denials.length = 0;
});

const { bucket: OWN, registry: REGISTRY } = NAMES;
const ROOT = 'prod/docker/registry/v2/';
const get = (key: Key) => (at: Clients) =>
  at.table.send(new GetItemCommand({ TableName: stack.table.name, Key: marshall(key) }));
const getAll = (keys: readonly Key[]) => (at: Clients) => {
  const Keys = keys.map((key) => marshall(key));
  return at.table.send(new BatchGetItemCommand({ RequestItems: { [stack.table.name]: { Keys } } }));
};
const put = (key: Key) => (at: Clients) =>
  at.table.send(new PutItemCommand({ TableName: stack.table.name, Item: marshall(key) }));
const listed = (list: string) => (at: Clients) =>
  at.table.send(
    new QueryCommand({
      TableName: stack.table.name,
      IndexName: TABLE.index.name,
      KeyConditionExpression: INDEX_CONDITION.list,
      ExpressionAttributeValues: marshall({ ':list': list }),
    }),
  );
const read = (Bucket: string, Key: string) => (at: Clients) =>
  at.s3.send(new GetObjectCommand({ Bucket, Key }));
const write = (Bucket: string, Key: string) => (at: Clients) =>
  at.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'a' }));
const list = (Bucket: string, Prefix?: string) => (at: Clients) =>
  at.s3.send(new ListObjectsV2Command({ Bucket, Prefix }));
const schedule =
  (GroupName: string, rolePath = 'Pruning/Role') =>
  (at: Clients) =>
    at.scheduler.send(
      new CreateScheduleCommand({
        Name: 'a',
        GroupName,
        ScheduleExpression: 'rate(1 day)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: 'arn:aws:lambda:us-east-1:1:function:a', RoleArn: stack.roleArnAt(rolePath) },
      }),
    );

type Attempt = readonly [role: FunctionName, what: string, attempt: (at: Clients) => Promise<unknown>];

it.each<Attempt>([
  ['query', 'reads the state of the sync', get(SYNC_STATE_KEY)],
  [
    'manage',
    'reads several clusters at once',
    getAll([headKey(clusterPartition('a')), headKey(clusterPartition('b'))]),
  ],
  ['manage', 'writes an upload', write(OWN, 'uploads/a')],
  ['manage', 'makes a schedule with the role for it', schedule('Cairn')],
  ['manage', 'sets a webhook', put(WEBHOOK_KEY)],
  ['follow-fleet', 'reads where to post', get(WEBHOOK_KEY)],
  ['follow-fleet', 'finds whom a channel concerns', listed('ON#stable-4.14/amd64')],
  ['follow-fleet', 'lists all clusters', listed('CLUSTERS')],
  ['run-pruner', 'lists a registry', list(REGISTRY, `${ROOT}blobs/`)],
  ['run-pruner', 'lists without a prefix, which docs/security.md tells', list(REGISTRY)],
])('%s %s', async (role, _, attempt) => {
  await attempt(clients[role]);
  expect(stack.denials).toEqual([]);
});

it.each<Attempt>([
  ['query', 'read a cluster', get(headKey(clusterPartition('a')))],
  ['query', 'read where messages are posted', get(WEBHOOK_KEY)],
  [
    'query',
    'look through the table',
    (at) => at.table.send(new ScanCommand({ TableName: stack.table.name })),
  ],
  [
    'query',
    'read another table',
    (at) => at.table.send(new GetItemCommand({ TableName: 'other', Key: marshall(SYNC_STATE_KEY) })),
  ],
  ['sync-releases', 'read a pruner', get(prunerKey('a'))],
  ['sync-releases', 'read what it has archived', read(OWN, 'archive/a')],
  [
    'sync-releases',
    'tell another bus',
    (at) =>
      at.events.send(
        new PutEventsCommand({
          Entries: [{ EventBusName: 'default', Source: 'a', DetailType: 'a', Detail: '{}' }],
        }),
      ),
  ],
  [
    'manage',
    'read a cluster and what else is there at once',
    getAll([headKey(clusterPartition('a')), SWITCHES_KEY]),
  ],
  ['manage', 'write what was told', put(FLEET_STATE_KEY)],
  ['manage', 'read the archive', read(OWN, 'archive/a')],
  ['manage', 'list the archive', list(OWN, 'archive/')],
  ['manage', 'write a report of a run', write(OWN, 'runs/a/report.json')],
  ['manage', 'touch a registry', write(REGISTRY, `${ROOT}blobs/a`)],
  ['manage', 'make a schedule in another group', schedule('default')],
  ['manage', 'hand out a role that is not for it', schedule('Cairn', 'Pruning/RunPrunerRole')],
  ['follow-fleet', 'change a cluster', put(headKey(clusterPartition('a')))],
  ['follow-fleet', 'change where messages are posted', put(WEBHOOK_KEY)],
  ['follow-fleet', 'read the state of the sync', get(SYNC_STATE_KEY)],
  ['watch', 'read where messages are posted', get(WEBHOOK_KEY)],
  ['watch', 'read what lies ahead of a cluster', get(assessmentKey('a'))],
  [
    'watch',
    'remove a schedule of another group',
    (at) => at.scheduler.send(new DeleteScheduleCommand({ Name: 'a', GroupName: 'other' })),
  ],
  ['watch', 'read a registry', read(REGISTRY, `${ROOT}blobs/a`)],
  ['watch', 'list all of a bucket', list(REGISTRY)],
  ['run-pruner', 'read a cluster', get(headKey(clusterPartition('a')))],
  ['run-pruner', 'list another folder', list(REGISTRY, 'stage/')],
  [
    'run-pruner',
    'delete in another folder',
    (at) => at.s3.send(new DeleteObjectCommand({ Bucket: REGISTRY, Key: 'stage/a' })),
  ],
  [
    'run-pruner',
    'delete in another folder among its own',
    (at) =>
      at.s3.send(
        new DeleteObjectsCommand({
          Bucket: REGISTRY,
          Delete: { Objects: [{ Key: `${ROOT}a` }, { Key: 'a&b' }] },
        }),
      ),
  ],
  [
    'run-pruner',
    'delete a version of its own files',
    (at) => at.s3.send(new DeleteObjectCommand({ Bucket: OWN, Key: 'runs/a', VersionId: 'null' })),
  ],
  [
    'run-pruner',
    'copy an upload',
    (at) => at.s3.send(new CopyObjectCommand({ Bucket: OWN, Key: 'runs/a', CopySource: `${OWN}/uploads/a` })),
  ],
])('%s cannot %s', async (role, _, attempt) => {
  await expect(attempt(clients[role])).rejects.toMatchObject({
    name: expect.stringMatching(/^AccessDenied(Exception)?$/) as string,
  });
  expect(stack.denials).toHaveLength(1);
});

it('a caller without the right to list a bucket cannot see that an object is missing', async () => {
  await expect(
    clients['sync-releases'].s3.send(new HeadObjectCommand({ Bucket: OWN, Key: 'archive/a' })),
  ).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  const missing = read(OWN, 'runs/a');
  await expect(missing(clients.manage)).rejects.toMatchObject({ name: 'NoSuchKey' });
});
