import { createPruner, inMemoryStore, keepNewest, PrunableKinds } from '@cairn/shared/prune';

const backup = (name: string, day: number, phase: string) => ({
  apiVersion: 'example.com/v1',
  kind: 'Backup',
  metadata: { name, creationTimestamp: `2026-11-${day}T03:00:00Z` },
  status: { phase },
});
type Backup = ReturnType<typeof backup>;

const registry = new PrunableKinds().register('example.com/v1/Backup', ({ status }: Backup) =>
  status.phase === 'Verified' ? { ok: true } : { ok: false, reason: `the backup is ${status.phase}` },
);

const report = await createPruner({
  store: inMemoryStore([
    backup('backup-11', 11, 'Verified'),
    backup('backup-12', 12, 'Uploading'),
    backup('backup-13', 13, 'Verified'),
    backup('backup-14', 14, 'Verified'),
  ]),
  kinds: ['example.com/v1/Backup'],
  registry,
  strategy: keepNewest(2),
  now: new Date('2026-11-16T12:00:00Z'),
}).run();

for (const { object, reason } of report.deleted) console.log(`deleted ${object.metadata.name}: ${reason}`);
for (const { object, reason } of report.skipped) console.log(`left ${object.metadata.name}: ${reason}`);
