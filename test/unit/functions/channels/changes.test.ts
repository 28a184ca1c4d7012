import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ChangePlace,
  listChanges,
  listChangesBefore,
  recordChange,
} from '../../../../functions/channels/changes.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { newTable, tableEngines } from '../../../helpers/table/table.ts';

const PAIR = { channel: 'stable-4.14', arch: 'amd64' } as const;
const time = (hour: number) => `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z`;

function change(hour: number, id = 'a', versionsAdded: readonly string[] = []) {
  const lists = {
    versionsWithdrawn: [],
    turnedConditional: [],
    turnedPlain: [],
    risksNew: [],
    risksGone: [],
  };
  const none = { versionsWithdrawn: 0, turnedConditional: 0, turnedPlain: 0, edgesAdded: 0, edgesRemoved: 0 };
  const counts = { versionsAdded: versionsAdded.length, ...none };
  return { ...PAIR, at: time(hour), id, versionsAdded, ...lists, counts };
}

describe.each(tableEngines)('changes of a channel on $name', ({ url }) => {
  let table: Table;
  beforeEach(async () => {
    table = await newTable(url);
  });

  const places = (changes: readonly ChangePlace[]) => changes.map(({ at, id }) => `${at.slice(11, 13)}${id}`);
  /** Every page from a time on, as lists of hour and id. */
  const pages = async (since: string, limit: number): Promise<string[][]> => {
    const found: string[][] = [];
    let before: ChangePlace | null = null;
    do {
      const page: Awaited<ReturnType<typeof listChangesBefore>> = await listChangesBefore(table, PAIR, {
        since,
        before,
        limit,
      });
      found.push(places(page.changes));
      before = page.last;
    } while (before);
    return found;
  };

  it('are listed oldest first, and in pages newest first', async () => {
    for (const hour of [3, 1, 5, 2, 4]) await recordChange(table, change(hour));
    await recordChange(table, change(4, 'b'));
    await recordChange(table, { ...change(4, 'c'), channel: 'stable-4.15' });
    expect(places(await listChanges(table, PAIR.channel, PAIR.arch, time(3)))).toEqual([
      '03a',
      '04a',
      '04b',
      '05a',
    ]);
    expect(await pages(time(2), 2)).toEqual([['05a', '04b'], ['04a', '03a'], ['02a']]);
    expect(await pages(time(2), 5)).toEqual([['05a', '04b', '04a', '03a', '02a']]);
    expect(await pages(time(6), 5)).toEqual([[]]);
  });

  it('end a page early rather than make one that no answer can hold', async () => {
    const large = Array.from({ length: 3000 }, (_, patch) => `4.14.${patch}-${'x'.repeat(80)}`);
    for (const hour of [1, 2, 3, 4, 5, 6]) await recordChange(table, change(hour, 'a', large));
    const found = await pages(time(0), 1000);
    expect(found.length).toBeGreaterThan(1);
    expect(found.flat()).toEqual(['06a', '05a', '04a', '03a', '02a', '01a']);
  });
});
