import { expect, it } from 'vitest';
import { fleetMetrics } from '../../../../functions/fleet/job.ts';

it('counts the clusters and notifications of a run that is done', () => {
  const counts = { clusters: 3, failed: 1, news: 2, messagesLeft: 4 };
  expect(fleetMetrics({ status: 'Done', counts })).toEqual([
    [{ fleetSucceeded: 1, clustersLookedAt: 3, clustersNotLookedAt: 1, newsTold: 2 }],
  ]);
});

it('counts nothing for a run that was skipped', () => {
  expect(fleetMetrics({ status: 'Skipped', reason: 'Superseded' })).toEqual([]);
});
