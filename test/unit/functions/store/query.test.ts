import {
  type DynamoDBClient,
  PutItemCommand,
  type QueryCommand,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { PRUNER_LIST, prunerKey, prunerListKey } from '../../../../functions/store/keys.ts';
import { indexPage } from '../../../../functions/store/query.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { newTable, tableEngines } from '../../../helpers/table/table.ts';

async function tableWith(url: string, names: readonly string[]): Promise<Table> {
  const table = await newTable(url);
  for (const name of names) {
    const Item = marshall({ ...prunerKey(name), ...prunerListKey(name) });
    await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
  }
  return table;
}

/** The first pages of a query are empty, as the table may answer, but are not the last. */
function withEmptyPages(table: Table, count: number): Table {
  let left = count;
  const send = async (command: QueryCommand): Promise<QueryCommandOutput> => {
    if (left-- <= 0) return table.client.send(command);
    const LastEvaluatedKey = marshall({ ...prunerKey(' '), ...prunerListKey(' ') });
    return { Items: [], LastEvaluatedKey, $metadata: {} };
  };
  return { ...table, client: { send } as unknown as DynamoDBClient };
}

describe.each(tableEngines)('pages of a list on $name', ({ url }) => {
  it('go on after their last name', async () => {
    const table = await tableWith(url, ['a', 'b', 'c']);
    const first = await indexPage(table, PRUNER_LIST, { after: null, limit: 2 });
    expect(first).toEqual({ names: ['a', 'b'], last: 'b' });
    const second = await indexPage(table, PRUNER_LIST, { after: first.last, limit: 2 });
    expect(second).toEqual({ names: ['c'], last: null });
  });

  it('are not over with an empty page that is not the last', async () => {
    const table = await tableWith(url, ['a', 'b']);
    expect(await indexPage(withEmptyPages(table, 2), PRUNER_LIST, { after: null, limit: 5 })).toEqual({
      names: ['a', 'b'],
      last: null,
    });
  });
});
