import type { Table } from '../../../functions/store/table.ts';
import { itemContents } from './item-contents.ts';
import { dumpTable } from './table.ts';

/** What the table says, without what may differ between two ways to the same state. */
export async function tableContents(table: Table): Promise<Record<string, unknown>> {
  return itemContents(await dumpTable(table));
}
