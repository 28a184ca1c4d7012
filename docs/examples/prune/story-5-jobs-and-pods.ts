import { createPruner, finishedPodsAndJobs, inMemoryStore } from '@cairn/shared/prune';

const job = (name: string, time: string) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, creationTimestamp: `2026-11-${time}:00Z` },
  status: { conditions: [{ type: 'Complete', status: 'True' }] },
});
const pod = (name: string, time: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, creationTimestamp: `2026-11-${time}:00Z` },
  status: { phase: 'Succeeded' },
});

const report = await createPruner({
  ...finishedPodsAndJobs({ olderThan: '7d' }),
  store: inMemoryStore([
    pod('migrate-x7k2p', '02T03:01'),
    pod('orphan-q9w8e', '05T03:00'),
    pod('import-m4n5b', '15T03:01'),
    job('migrate', '02T03:00'),
    job('import', '15T03:00'),
  ]),
  dryRun: true,
  now: new Date('2026-11-16T12:00:00Z'),
}).run();

for (const { object, reason } of report.selected) {
  console.log(`would delete ${object.kind} ${object.metadata.name}: ${reason}`);
}
