import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type ChannelChange,
  listChangesBefore,
  recordChange,
} from '../../../../functions/channels/changes.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { newTable, tableEngines } from '../../../helpers/table/table.ts';
import { startTableProxy, type TableProxy } from './table-proxy.ts';

let table: Table;
let proxy: TableProxy;
beforeEach(async () => {
  const { name } = await newTable();
  proxy = await startTableProxy(tableEngines[0]!.url);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  table = { client: new DynamoDBClient({ endpoint: proxy.url, region: 'us-east-1', credentials }), name };
});
afterEach(() => proxy.close());

const changeAt = (at: string): ChannelChange =>
  ({ channel: 'stable-4.14', arch: 'amd64', at, id: 'one', versionsAdded: [at] }) as unknown as ChannelChange;

it('changes go on after an empty page of the table', async () => {
  for (const at of ['2027-01-01', '2027-01-02', '2027-01-03']) await recordChange(table, changeAt(at));
  let queries = 0;
  proxy.use({ next: async () => (queries++ % 2 === 0 ? 'empty-page' : null) });
  const place = { channel: 'stable-4.14', arch: 'amd64' } as const;
  const first = await listChangesBefore(table, place, { since: '', before: null, limit: 2 });
  expect(first.changes.map(({ at }) => at)).toEqual(['2027-01-03', '2027-01-02']);
  const rest = await listChangesBefore(table, place, { since: '', before: first.last, limit: 2 });
  expect(rest.changes.map(({ at }) => at)).toEqual(['2027-01-01']);
  expect(rest.last).toBeNull();
});
