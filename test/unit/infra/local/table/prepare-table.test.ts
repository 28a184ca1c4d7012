import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import dynalite from 'dynalite';
import { afterAll, expect, it } from 'vitest';
import type { Table } from '../../../../../functions/store/table.ts';
import { ensureTable, restoreIndex } from '../../../../../infra/local/table/prepare-table.ts';
import { dumpTable } from '../../../../helpers/table/table.ts';

interface Level {
  keys(): AsyncIterable<string>;
  del(key: string): Promise<void>;
  close(): Promise<void>;
}
const ofDynalite = createRequire(createRequire(import.meta.url).resolve('dynalite'));
const { Level: OpenLevel } = ofDynalite('level') as { Level: new (path: string) => Level };

const dir = mkdtempSync(join(tmpdir(), 'cairn-index-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function withTable<T>(work: (table: Table) => Promise<T>): Promise<T> {
  const server = dynalite({ path: dir, createTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  try {
    return await work({ client, name: 'cairn' });
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

/** Takes entries out of the index behind the back of dynalite, as a kill in the middle of a write may. */
async function loseIndex(): Promise<number> {
  const level = new OpenLevel(dir);
  let lost = 0;
  for await (const key of level.keys()) {
    if (!key.startsWith('index-global~')) continue;
    await level.del(key);
    lost++;
  }
  await level.close();
  return lost;
}

const listed = async (table: Table): Promise<unknown[]> => {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'gsi1',
      KeyConditionExpression: 'gsi1pk = :list',
      ExpressionAttributeValues: marshall({ ':list': 'LIST' }),
    }),
  );
  return Items.map((item) => unmarshall(item)['pk']);
};

it('puts every item in the index again that belongs there, and changes none', async () => {
  const before = await withTable(async (table) => {
    await ensureTable(table);
    for (const name of ['a', 'b', 'c']) {
      const keys = name === 'b' ? {} : { gsi1pk: 'LIST', gsi1sk: name };
      const item = marshall({ pk: name, sk: '1', ...keys, value: name });
      await table.client.send(new PutItemCommand({ TableName: table.name, Item: item }));
    }
    expect(await listed(table)).toEqual(['a', 'c']);
    return dumpTable(table);
  });
  expect(await loseIndex()).toBe(2);
  await withTable(async (table) => {
    expect(await listed(table)).toEqual([]);
    await restoreIndex(table);
    expect(await listed(table)).toEqual(['a', 'c']);
    expect(await dumpTable(table)).toEqual(before);
  });
});
