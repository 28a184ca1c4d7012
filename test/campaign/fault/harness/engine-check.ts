import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Bucket } from '../../../../functions/store/bucket.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { checkBucket } from '../../../../infra/local/s3/self-check.ts';

type Check = readonly [what: string, holds: () => Promise<boolean>];

/**
 * What the promises rest on. An engine that overwrites where it should refuse would let every trial pass: then none
 * is begun.
 */
export async function checkEngines(table: Table, bucket: Bucket): Promise<void> {
  const failed: string[] = [];
  for (const [what, holds] of tableChecks(table)) {
    if (!(await holds())) failed.push(what);
  }
  failed.push(...(await checkBucket(bucket.client, bucket.name)));
  if (failed.length > 0) throw new Error(`the engines are not fit for trials: ${failed.join('; ')}`);
}

const key = (sk: string) => ({ pk: { S: 'CHECK' }, sk: { S: sk } });

function tableChecks({ client, name: TableName }: Table): readonly Check[] {
  const put = (sk: string, value: string, ConditionExpression?: string) =>
    client.send(
      new PutItemCommand({ TableName, Item: { ...key(sk), value: { S: value } }, ConditionExpression }),
    );
  const read = async (sk: string) => {
    const asked = new GetItemCommand({ TableName, Key: key(sk), ConsistentRead: true });
    return (await client.send(asked)).Item;
  };
  const isNew = 'attribute_not_exists(pk)';
  const deletes = (count: number) =>
    new BatchWriteItemCommand({
      RequestItems: {
        [TableName]: Array.from({ length: count }, (_, n) => ({ DeleteRequest: { Key: key(`batch${n}`) } })),
      },
    });
  return [
    ['a conditional put creates an item', () => put('a', 'first', isNew).then(() => true)],
    ['a second one is refused', () => isRefused(put('a', 'second', isNew))],
    ['a refused put changes nothing', async () => (await read('a'))?.['value']?.S === 'first'],
    [
      'an update under a condition that does not hold is refused',
      () =>
        isRefused(
          client.send(
            new UpdateItemCommand({
              TableName,
              Key: key('a'),
              ConditionExpression: '#value = :other',
              UpdateExpression: 'SET #value = :other',
              ExpressionAttributeNames: { '#value': 'value' },
              ExpressionAttributeValues: { ':other': { S: 'other' } },
            }),
          ),
        ),
    ],
    [
      'numbers count up and come back with the update',
      async () => {
        const count = new UpdateItemCommand({
          TableName,
          Key: key('count'),
          UpdateExpression: 'SET #n = if_not_exists(#n, :zero) + :one',
          ExpressionAttributeNames: { '#n': 'n' },
          ExpressionAttributeValues: { ':zero': { N: '0' }, ':one': { N: '1' } },
          ReturnValues: 'ALL_NEW',
        });
        await client.send(count);
        return (await client.send(count)).Attributes?.['n']?.N === '2';
      },
    ],
    [
      'a set takes in what it has not',
      async () => {
        for (const member of ['x', 'y', 'x']) {
          const ExpressionAttributeValues = { ':member': { SS: [member] } };
          const UpdateExpression = 'ADD members :member';
          await client.send(
            new UpdateItemCommand({
              TableName,
              Key: key('set'),
              UpdateExpression,
              ExpressionAttributeValues,
            }),
          );
        }
        return (await read('set'))?.['members']?.SS?.toSorted().join() === 'x,y';
      },
    ],
    [
      'a query gives pages in order',
      async () => {
        const KeyConditionExpression = 'pk = :pk';
        const ExpressionAttributeValues = { ':pk': { S: 'CHECK' } };
        const asked = { TableName, KeyConditionExpression, ExpressionAttributeValues, Limit: 1 };
        const first = await client.send(new QueryCommand(asked));
        const next = new QueryCommand({ ...asked, ExclusiveStartKey: first.LastEvaluatedKey });
        const second = await client.send(next);
        return first.Items?.[0]?.['sk']?.S === 'a' && second.Items?.[0]?.['sk']?.S === 'count';
      },
    ],
    ['a batch of 25 is taken', () => client.send(deletes(25)).then(() => true)],
    ['a batch of 26 is refused', () => isRefused(client.send(deletes(26)), 'ValidationException')],
    [
      'an item of 401 KB is refused',
      () => isRefused(put('large', 'x'.repeat(401 * 1024)), 'ValidationException'),
    ],
    [
      'a delete of what is gone is no error',
      async () => {
        const gone = new DeleteItemCommand({ TableName, Key: key('a') });
        await client.send(gone);
        await client.send(gone);
        return (await read('a')) === undefined;
      },
    ],
  ];
}

async function isRefused(sent: Promise<unknown>, code?: string): Promise<boolean> {
  try {
    await sent;
    return false;
  } catch (error) {
    return code === undefined
      ? error instanceof ConditionalCheckFailedException
      : (error as Error).name === code;
  }
}
