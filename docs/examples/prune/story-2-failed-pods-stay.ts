import { createPruner, finishedPods, inMemoryStore } from '@cairn/shared/prune';

const pod = (name: string, day: number, phase: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'builds',
    creationTimestamp: `2026-11-${day}T03:00:00Z`,
    labels: { 'app.example.com/part': 'build' },
  },
  status: { phase },
});

const store = inMemoryStore([
  pod('build-1', 11, 'Succeeded'),
  pod('build-2', 12, 'Failed'),
  pod('build-3', 13, 'Succeeded'),
  pod('build-4', 14, 'Succeeded'),
]);

const report = await createPruner({
  ...finishedPods({ keepNewest: 1 }),
  store,
  namespaces: ['builds'],
  labels: 'app.example.com/part=build',
  now: new Date('2026-11-16T12:00:00Z'),
}).run();

for (const { object, reason } of report.deleted) console.log(`deleted ${object.metadata.name}: ${reason}`);
for (const { object, reason } of report.skipped) console.log(`left ${object.metadata.name}: ${reason}`);
