import { readFileSync } from 'node:fs';
import { type AttributeValue, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, it } from 'vitest';
import { clusterPartition, headKey, SWITCHES_KEY, SYNC_STATE_KEY } from '../../../../functions/store/keys.ts';
import { changeSwitch, readStops } from '../../../../functions/switches/store.ts';
import { newTable } from '../../../helpers/table/table.ts';

const docs = new URL('../../../../docs/', import.meta.url);
const restore = readFileSync(new URL('restore.md', docs), 'utf8');
type Item = Record<string, AttributeValue>;
const keys = [...restore.matchAll(/--key '([^']+)'/g)].map(([, key]) => JSON.parse(key!) as Item);

it('the items in the restore commands have the keys that are written', () => {
  expect(keys.map((key) => unmarshall(key))).toEqual([
    SWITCHES_KEY,
    SYNC_STATE_KEY,
    headKey(clusterPartition('prod-1')),
  ]);
});

it('what is stopped is copied before the deployment is pointed at the restored table', () => {
  const order = [
    'aws dynamodb restore-table-to-point-in-time',
    '--query Item --output json >switches.json',
    'aws dynamodb put-item --table-name "$TABLE-restored" --item file://switches.json',
    '(runbook.md#stop-everything)), which a deployment does not undo',
    '{ "restoredTable": ',
    'GET /v1/switches',
  ].map((step) => restore.indexOf(step));
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

it('the copied item stops the same', async () => {
  const [old, restored] = [await newTable(), await newTable()];
  const stop = { reason: 'the table is damaged', since: '2026-01-01T00:00:00.000Z', by: 'anna' };
  const stops = await changeSwitch(old, 'prune', () => stop);
  const { Item } = await old.client.send(new GetItemCommand({ TableName: old.name, Key: keys[0] }));
  await restored.client.send(new PutItemCommand({ TableName: restored.name, Item }));
  expect(await readStops(restored)).toEqual(stops);
  expect(stops).toEqual({ prune: stop });
});
