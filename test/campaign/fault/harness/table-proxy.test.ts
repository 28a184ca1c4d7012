import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Table } from '../../../../functions/store/table.ts';
import { userAgentOf } from '../../../helpers/s3/actor.ts';
import { newTable, tableEngines } from '../../../helpers/table/table.ts';
import { startTableProxy, type TableCall, type TableFault, type TableProxy } from './table-proxy.ts';

let direct: Table;
let proxy: TableProxy;
let client: DynamoDBClient;
const calls: TableCall[] = [];
const applied: string[] = [];

beforeEach(async () => {
  calls.length = 0;
  applied.length = 0;
  direct = await newTable();
  proxy = await startTableProxy(tableEngines[0]!.url);
  client = new DynamoDBClient({
    endpoint: proxy.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    customUserAgent: userAgentOf('somebody'),
    maxAttempts: 1,
  });
});
afterEach(() => proxy.close());

/** The next call meets this fault. */
function meet(fault: TableFault): void {
  let isFirst = true;
  proxy.use({
    async next(call) {
      calls.push(call);
      const now = isFirst ? fault : null;
      isFirst = false;
      return now;
    },
    carriedOut: ({ operation }, status) => void applied.push(`${operation} ${status}`),
  });
}

const key = (sk: string) => ({ pk: { S: 'P' }, sk: { S: sk } });
const put = (sk: string, value: string) =>
  client.send(new PutItemCommand({ TableName: direct.name, Item: { ...key(sk), value: { S: value } } }));
const read = async (sk: string, from: DynamoDBClient = direct.client, ConsistentRead = true) => {
  const asked = new GetItemCommand({ TableName: direct.name, Key: key(sk), ConsistentRead });
  return (await from.send(asked)).Item?.['value']?.S;
};
const query = (more: object = {}) =>
  client.send(
    new QueryCommand({
      TableName: direct.name,
      KeyConditionExpression: 'pk = :partition',
      ExpressionAttributeValues: { ':partition': { S: 'P' } },
      ...more,
    }),
  );

describe('a write that is refused', () => {
  it.each<[TableFault & string, string]>([
    ['throttled', 'ThrottlingException'],
    ['over-capacity', 'ProvisionedThroughputExceededException'],
    ['failed', 'InternalServerError'],
    ['unavailable', 'ServiceUnavailable'],
    ['reset', 'TimeoutError'],
  ])('%s is not carried out', async (fault, name) => {
    meet(fault);
    await expect(put('a', 'new')).rejects.toMatchObject({ name });
    expect(applied).toEqual([]);
    expect(await read('a')).toBeUndefined();
  });
});

describe('a write whose answer is lost', () => {
  it.each<TableFault & string>(['lost-reset', 'lost-failed', 'lost-truncated', 'lost-garbled'])(
    '%s is carried out',
    async (fault) => {
      meet(fault);
      await expect(put('a', 'new')).rejects.toBeInstanceOf(Error);
      expect(applied).toEqual(['PutItem 200']);
      expect(await read('a')).toBe('new');
    },
  );
});

it('names the caller and the items of a call', async () => {
  meet('throttled');
  await put('a', 'new').catch(() => {});
  expect(calls[0]).toMatchObject({ actor: 'somebody', operation: 'PutItem', keys: ['P|a'], isWrite: true });
});

it('leaves items out of a batch and returns them as unprocessed', async () => {
  meet({ unprocessed: 2 });
  const requests = ['a', 'b', 'c'].map((sk) => ({ PutRequest: { Item: { ...key(sk), value: { S: sk } } } }));
  const written = await client.send(new BatchWriteItemCommand({ RequestItems: { [direct.name]: requests } }));
  expect(written.UnprocessedItems![direct.name]).toHaveLength(2);
  expect([await read('a'), await read('b'), await read('c')]).toEqual(['a', undefined, undefined]);
  meet({ unprocessed: 1 });
  const Keys = ['a', 'b'].map(key);
  const found = await client.send(new BatchGetItemCommand({ RequestItems: { [direct.name]: { Keys } } }));
  expect(found.UnprocessedKeys![direct.name]!.Keys).toEqual([key('b')]);
});

it('gives short and empty pages that can be gone on from', async () => {
  for (const sk of ['a', 'b', 'c']) await put(sk, sk);
  meet('page-of-one');
  const one = await query();
  expect(one.Items!.map((item) => item['sk']!.S)).toEqual(['a']);
  const rest = await query({ ExclusiveStartKey: one.LastEvaluatedKey });
  expect(rest.Items!.map((item) => item['sk']!.S)).toEqual(['b', 'c']);
  meet('empty-page');
  const none = await query();
  expect(none.Items).toEqual([]);
  const all = await query({ ExclusiveStartKey: none.LastEvaluatedKey });
  expect(all.Items).toHaveLength(3);
});

it('answers from before the last writes where a read need not be consistent', async () => {
  for (const value of ['one', 'two', 'three']) await put('a', value);
  await put('b', 'other');
  meet({ stale: 2 });
  expect(await read('a', client, false)).toBe('two');
  meet({ stale: 2 });
  const { Items } = await query();
  expect(Items!.map((item) => [item['sk']!.S, item['value']!.S])).toEqual([['a', 'two']]);
  meet({ stale: 4 });
  expect(await read('a', client, false)).toBeUndefined();
});
