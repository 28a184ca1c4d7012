import { type AddressInfo, createServer, type Socket } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DeleteObjectsCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { clientSettings } from '../../../../functions/store/client.ts';

/** Begins an answer whose rest never comes. */
const HALF = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{';

const sockets = new Set<Socket>();
let requests = 0;
/** What a request is answered with; null is nothing at all. */
let reply: string | null;

const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => {});
  socket.on('data', (data) => {
    if (!/^[A-Z]+ \S+ HTTP/.test(data.toString())) return;
    requests++;
    if (reply !== null) socket.write(reply);
  });
});
beforeAll(() => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready)));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});
beforeEach(() => {
  requests = 0;
});

const ATTEMPTS = 2;
const client = () => ({
  // Long enough that a busy machine has sent the request by then.
  ...clientSettings(ATTEMPTS, 500),
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});
const bucket = () => new S3Client({ ...client(), forcePathStyle: true });

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  DynamoDB: () =>
    new DynamoDBClient(client()).send(new GetItemCommand({ TableName: 'a', Key: { pk: { S: 'a' } } })),
  S3: () => bucket().send(new DeleteObjectsCommand({ Bucket: 'a', Delete: { Objects: [{ Key: 'a' }] } })),
  EventBridge: () =>
    new EventBridgeClient(client()).send(
      new PutEventsCommand({ Entries: [{ Source: 'a', DetailType: 'a', Detail: '{}' }] }),
    ),
  Scheduler: () => new SchedulerClient(client()).send(new GetScheduleCommand({ Name: 'a' })),
  STS: () =>
    new STSClient(client()).send(
      new AssumeRoleCommand({ RoleArn: 'arn:aws:iam::123456789012:role/a', RoleSessionName: 'aa' }),
    ),
};

it.each(Object.keys(CALLS))('%s that never answers is asked again, and then given up', async (service) => {
  reply = null;
  await expect(CALLS[service]!()).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect.poll(() => requests).toBe(ATTEMPTS);
});

it.each(Object.keys(CALLS))(
  '%s that stops in its answer is asked again, and then given up',
  async (service) => {
    reply = HALF;
    await expect(CALLS[service]!()).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect.poll(() => requests).toBe(ATTEMPTS);
  },
);

it('a file that stops in its middle ends with an error', async () => {
  reply = HALF;
  const { Body } = await bucket().send(new GetObjectCommand({ Bucket: 'a', Key: 'a' }));
  await expect(Body!.transformToByteArray()).rejects.toMatchObject({ name: 'TimeoutError' });
});
