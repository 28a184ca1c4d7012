import { expect, it } from 'vitest';
import { fleetMetrics } from '../../../../functions/fleet/job.ts';

it('counts the clusters and notifications of a run that is done', () => {
  const counts = { clusters: 3, failed: 1, news: 2, messagesLeft: 4, riskDisagreements: 5 };
  const updates = {
    stalled: 1,
    silent: 2,
    slow: 3,
    held: 4,
    'control-plane': 5,
    workers: 6,
    completed: 7,
  };
  expect(fleetMetrics({ status: 'Done', counts, updates })).toEqual([
    [
      {
        fleetSucceeded: 1,
        clustersLookedAt: 3,
        clustersNotLookedAt: 1,
        newsTold: 2,
        riskDisagreements: 5,
        updatesStalled: 1,
        updatesSilent: 2,
        updatesSlow: 3,
        updatesHeld: 4,
        updatesGoingOn: 11,
      },
    ],
  ]);
});

it('counts nothing for a run that was skipped', () => {
  expect(fleetMetrics({ status: 'Skipped', reason: 'Superseded' })).toEqual([]);
});
