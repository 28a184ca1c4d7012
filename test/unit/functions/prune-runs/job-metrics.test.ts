import { expect, it } from 'vitest';
import { pruneMetrics } from '../../../../functions/prune-runs/job.ts';

it.each(['Unknown', 'Duplicate', 'Suspended'] as const)(
  'counts a skipped run of its pruner: %s',
  (reason) => {
    expect(pruneMetrics('a', { status: 'Skipped', reason })).toEqual([
      [{ pruneRunSkipped: 1 }, { Pruner: 'a' }],
    ]);
  },
);

it('leaves a run that is done to the metrics of its record', () => {
  expect(pruneMetrics('a', { status: 'Done', run: 'a', outcome: 'Succeeded', reason: 'Pruned' })).toEqual([]);
});
