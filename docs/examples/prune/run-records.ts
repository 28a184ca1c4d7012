import { all, createPruner, inMemoryStore, keepNewest, olderThan } from '@cairn/shared/prune';

const run = (name: string, day: string) => ({ kind: 'RunRecord', name, createdAt: new Date(day) });

const report = await createPruner({
  store: inMemoryStore([
    run('run-1', '2026-09-20'),
    run('run-2', '2026-10-01'),
    run('run-3', '2026-11-14'),
    run('run-4', '2026-11-15'),
  ]),
  kinds: ['RunRecord'],
  allowUnregistered: ['RunRecord'],
  strategy: all(keepNewest(1), olderThan('30d')),
  now: new Date('2026-11-16'),
}).run();

for (const { object, reason } of report.deleted) console.log(`deleted ${object.name}: ${reason}`);
for (const { object, reason } of report.kept) console.log(`kept ${object.name}: ${reason}`);
