import { beforeEach, describe, expect, it } from 'vitest';
import {
  type JobRun,
  listRuns,
  type PrunableRun,
  recordRun,
  runStore,
} from '../../../../functions/store/run-records.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { newTable, tableEngines } from '../../../helpers/table/table.ts';

const slot = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();

function aRun(changes: Partial<JobRun> = {}): JobRun {
  return {
    job: 'watch',
    slot: slot(1),
    trigger: 'schedule',
    outcome: 'Succeeded',
    durationMs: 12,
    counts: { seen: 3, byClass: { other: 1 } },
    notes: ['all is well'],
    ...changes,
  };
}

describe.each(tableEngines)('runs on $name', ({ url }) => {
  let table: Table;
  beforeEach(async () => {
    table = await newTable(url);
  });

  it('are kept by job, oldest first', async () => {
    for (const day of [3, 1, 2]) await recordRun(table, aRun({ slot: slot(day) }));
    await recordRun(table, aRun({ job: 'image-pruner/nightly', counts: null }));
    const runs = await listRuns(table, 'watch');
    expect(runs.map((run) => run.slot)).toEqual([1, 2, 3].map(slot));
    expect(runs[0]).toEqual(aRun());
    expect(await listRuns(table, 'image-pruner/nightly')).toEqual([
      aRun({ job: 'image-pruner/nightly', counts: null }),
    ]);
    expect(await listRuns(table, 'image-pruner')).toEqual([]);
  });

  it('that are repeated take the place of the former one', async () => {
    await recordRun(table, aRun({ outcome: 'Failed' }));
    await recordRun(table, aRun());
    expect(await listRuns(table, 'watch')).toEqual([aRun()]);
  });

  it('that were skipped take the place of nothing', async () => {
    const skipped = aRun({ outcome: 'Skipped', counts: null, notes: [] });
    await recordRun(table, skipped);
    await recordRun(table, aRun());
    await recordRun(table, skipped);
    await recordRun(table, { ...skipped, slot: slot(2) });
    expect(await listRuns(table, 'watch')).toEqual([aRun(), { ...skipped, slot: slot(2) }]);
  });

  it('can be listed and removed by a pruner, one that is gone too', async () => {
    for (const day of [1, 2]) await recordRun(table, aRun({ slot: slot(day) }));
    const store = runStore(table);
    const kind = { group: '', version: '', kind: 'RunRecord' };
    const listed: PrunableRun[] = [];
    for await (const run of store.list({ kind, namespace: 'watch' })) listed.push(run);
    expect(listed).toEqual(
      [1, 2].map((day) => ({
        kind: 'RunRecord',
        namespace: 'watch',
        name: slot(day),
        createdAt: new Date(slot(day)),
      })),
    );
    expect(await store.remove(listed[0]!)).toBe('deleted');
    expect(await store.remove(listed[0]!)).toBe('absent');
    expect((await listRuns(table, 'watch')).map((run) => run.slot)).toEqual([slot(2)]);
  });
});
