import { createPruner, finishedJobs, inMemoryStore } from '@cairn/shared/prune';

const job = (name: string, day: number, status: object, owner = 'daily') => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name,
    creationTimestamp: `2026-11-${day}T03:00:00Z`,
    ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Report', name: owner, uid: owner }],
  },
  status,
});
const complete = { completionTime: '2026-11-16T04:00:00Z' };
const failed = { conditions: [{ type: 'Failed', status: 'True' }] };

const store = inMemoryStore([
  job('daily-11', 11, complete),
  job('daily-12', 12, failed),
  job('daily-13', 13, complete),
  job('daily-14', 14, complete),
  job('daily-15', 15, { active: 1 }),
  job('weekly-46', 10, complete, 'weekly'),
]);

const report = await createPruner({
  ...finishedJobs({ keepNewest: 2, failed: 'prune' }),
  store,
  owner: { kind: 'Report', name: 'daily' },
  now: new Date('2026-11-16T12:00:00Z'),
}).run();

for (const { object, reason } of report.deleted) console.log(`deleted ${object.metadata.name}: ${reason}`);
for (const { object, reason } of report.skipped) console.log(`left ${object.metadata.name}: ${reason}`);
console.log('remaining:', store.remaining.map(({ metadata }) => metadata.name).join(' '));
