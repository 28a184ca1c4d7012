import { type DynamoDBClient, QueryCommand, type UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import { expect, it } from 'vitest';
import { ReleaseRows } from '../../../../functions/sync/release-rows.ts';
import { SYNC_LIMITS } from '../../../../functions/sync/run.ts';

/** A table whose writes take a turn of the event loop; it counts those at once. */
function slowTable(fails: (version: string) => boolean) {
  let atOnce = 0;
  const seen = { most: 0, written: [] as string[] };
  const send = async (command: QueryCommand | UpdateItemCommand) => {
    if (command instanceof QueryCommand) return { Items: [] };
    seen.most = Math.max(seen.most, ++atOnce);
    await new Promise(setImmediate);
    atOnce--;
    const version = command.input.ExpressionAttributeValues![':version']!.S!;
    if (fails(version)) throw new Error(`${version} was refused`);
    seen.written.push(version);
    return {};
  };
  return { seen, table: { client: { send } as unknown as DynamoDBClient, name: 'test' } };
}

const pairOf = (minor: '4.14' | '4.15'): ConfigPair => ({ channel: `stable-${minor}`, arch: 'amd64', minor });
const nodesOf = (minor: string) =>
  Array.from({ length: 5 }, (_, patch) => ({
    version: `${minor}.${patch}`,
    payload: `quay.io/a/b@sha256:${patch}`,
    metadata: {},
  }));

it('limits the writes of all channels together, and a refused one fails its own channel alone', async () => {
  const { seen, table } = slowTable((version) => version === '4.14.0');
  const rows = new ReleaseRows(table, { ...SYNC_LIMITS, rowWritesAtOnce: 3 });
  const added = ['4.14', '4.15'].map((minor) =>
    rows.add(pairOf(minor as '4.14' | '4.15'), nodesOf(minor), '2025-01-01T00:00:00.000Z'),
  );
  const [refused, accepted] = await Promise.allSettled(added);
  expect(refused).toMatchObject({ status: 'rejected', reason: { message: '4.14.0 was refused' } });
  expect(accepted).toMatchObject({ status: 'fulfilled', value: { ok: true } });
  expect(seen.most).toBe(3);
  expect(seen.written).toHaveLength(9);
});
