import type { Table } from '../../../functions/store/table.ts';
import { itemContents } from './item-contents.ts';
import { dumpTable } from './table.ts';

/** Table contents without values that can differ for equal states. */
export async function tableContents(table: Table): Promise<Record<string, unknown>> {
  return itemContents(await dumpTable(table));
}
