import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { parseVersion } from '@cairn/shared/version/release-version';
import { beforeEach, describe, expect, it } from 'vitest';
import { recordChange } from '../../../../functions/channels/changes.ts';
import {
  addRelease,
  claimRelease,
  deleteRelease,
  listReleases,
  setWithdrawn,
} from '../../../../functions/releases/rows.ts';
import { deleteItems, readItems } from '../../../../functions/store/batch.ts';
import { TABLE, type Table } from '../../../../functions/store/table.ts';
import { dumpTable, newTable, tableEngines } from '../../../helpers/table/table.ts';

describe.each(tableEngines)('release rows on $name', ({ url }) => {
  let table: Table;
  beforeEach(async () => {
    table = await newTable(url);
  });
  const add = (version: string, channel: string, payload = `image@${version}`, seenAt = 'T1') =>
    addRelease(table, {
      version: parseVersion(version)!,
      arch: 'amd64',
      channels: new Set([channel]),
      payload,
      seenAt,
    });

  it('lists versions in release order', async () => {
    for (const version of ['4.10.0', '4.9.12', '4.9.2', '4.10.0-rc.2', '4.10.0-rc.10', '5.0.0-ec.1']) {
      await add(version, 'stable-4.9');
    }
    const versions = (await listReleases(table, 'amd64')).map((row) => row.version);
    expect(versions).toEqual(['4.9.2', '4.9.12', '4.10.0-rc.2', '4.10.0-rc.10', '4.10.0', '5.0.0-ec.1']);
    expect(await listReleases(table, 'arm64')).toEqual([]);
  });

  it('only ever adds: channels unite, payload and first sighting stay', async () => {
    await add('4.14.1', 'candidate-4.14', 'first', 'T1');
    await add('4.14.1', 'stable-4.14', 'second', 'T2');
    await add('4.14.1', 'stable-4.14', 'third', 'T3');
    expect(await listReleases(table, 'amd64')).toEqual([
      {
        version: '4.14.1',
        arch: 'amd64',
        channels: ['candidate-4.14', 'stable-4.14'],
        payload: 'first',
        firstSeenAt: 'T1',
      },
    ]);
  });

  it('loses nothing when many writers add channels to one release at once', async () => {
    const channels = Array.from({ length: 20 }, (_, index) => `channel-4.${index}`);
    await Promise.all(channels.map((channel) => add('4.14.1', channel)));
    const [row] = await listReleases(table, 'amd64');
    expect(row?.channels).toEqual(channels.toSorted());
  });

  it('flags and unflags a withdrawn release, never making one up', async () => {
    await add('4.14.1', 'stable-4.14');
    await setWithdrawn(table, { version: '4.14.1', arch: 'amd64' }, 'T5');
    expect((await listReleases(table, 'amd64'))[0]?.withdrawnAt).toBe('T5');
    await setWithdrawn(table, { version: '4.14.1', arch: 'amd64' }, null);
    expect((await listReleases(table, 'amd64'))[0]).not.toHaveProperty('withdrawnAt');
    await expect(setWithdrawn(table, { version: '4.14.9', arch: 'amd64' }, 'T5')).rejects.toThrow(
      'conditional',
    );
  });

  it('pages over more than one answer', async () => {
    const versions = Array.from({ length: 60 }, (_, patch) => `4.14.${patch}`);
    await Promise.all(versions.map((version) => add(version, 'stable-4.14', 'x'.repeat(30_000))));
    expect((await listReleases(table, 'amd64')).map((row) => row.version)).toEqual(versions);
  });

  it('deletes what no later run has claimed', async () => {
    await add('4.14.1', 'stable-4.14', 'p1');
    await add('4.14.2', 'stable-4.14', 'p2');
    const rows = await listReleases(table, 'amd64');
    await claimRelease(table, rows[0]!, 6);
    expect(await deleteRelease(table, rows[0]!, 5)).toBe(false);
    expect(await deleteRelease(table, rows[1]!, 5)).toBe(true);
    expect(await listReleases(table, 'amd64')).toEqual([rows[0]]);
    expect(await deleteRelease(table, rows[0]!, 6)).toBe(true);
    expect(await deleteRelease(table, rows[0]!, 6)).toBe(true);
  });

  it('brings a row back with a claim when an earlier run has just deleted it', async () => {
    await add('4.14.1', 'stable-4.14', 'p1');
    await setWithdrawn(table, { version: '4.14.1', arch: 'amd64' }, 'T3');
    const [row] = await listReleases(table, 'amd64');
    await deleteRelease(table, row!, 5);
    await claimRelease(table, row!, 6);
    expect(await listReleases(table, 'amd64')).toEqual([row]);
  });

  it('leaves a row alone that is another one by now', async () => {
    await add('4.14.1', 'stable-4.14', 'p1');
    const [row] = await listReleases(table, 'amd64');
    expect(await deleteRelease(table, { ...row!, firstSeenAt: 'T0' }, 5)).toBe(false);
    expect(await listReleases(table, 'amd64')).toEqual([row]);
  });

  it('does not lower a claim', async () => {
    await add('4.14.1', 'stable-4.14', 'p1');
    const [row] = await listReleases(table, 'amd64');
    await claimRelease(table, row!, 6);
    await claimRelease(table, row!, 4);
    expect(await deleteRelease(table, row!, 5)).toBe(false);
  });

  it('reads more items than one batch holds, leaving out those that are not there', async () => {
    const keys = Array.from({ length: 130 }, (_, index) => ({ pk: 'P', sk: String(index) }));
    for (const key of keys.slice(0, 120)) {
      await table.client.send(new PutItemCommand({ TableName: table.name, Item: marshall(key) }));
    }
    expect(await readItems(table, keys)).toHaveLength(120);
    await deleteItems(table, keys);
    expect(await dumpTable(table)).toEqual([]);
  });

  it('writes the same change again under the same key', async () => {
    const change = {
      channel: 'stable-4.14',
      arch: 'amd64',
      at: 'T1',
      id: '1-1',
      versionsAdded: ['4.14.1'],
      versionsWithdrawn: [],
      turnedConditional: [],
      turnedPlain: [],
      risksNew: [],
      risksGone: [],
      counts: {
        versionsAdded: 1,
        versionsWithdrawn: 0,
        turnedConditional: 0,
        turnedPlain: 0,
        edgesAdded: 0,
        edgesRemoved: 0,
      },
    } as const;
    await recordChange(table, change);
    await recordChange(table, change);
    expect(await dumpTable(table)).toHaveLength(1);
  });

  it('has a sparse index', async () => {
    const { name, partitionKey, sortKey } = TABLE.index;
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall({ pk: 'A', sk: '1', [partitionKey]: 'X', [sortKey]: '1' }),
      }),
    );
    await table.client.send(
      new PutItemCommand({ TableName: table.name, Item: marshall({ pk: 'B', sk: '1' }) }),
    );
    const { Items } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: name,
        KeyConditionExpression: `${partitionKey} = :x`,
        ExpressionAttributeValues: marshall({ ':x': 'X' }),
      }),
    );
    expect(Items).toHaveLength(1);
  });
});
