import {
  all,
  createPruner,
  inMemoryStore,
  maxTotal,
  PrunableKinds,
  type Strategy,
} from '@cairn/shared/prune';

const snapshot = (name: string, day: number, gigabytes: number, phase = 'Ready') => ({
  apiVersion: 'example.com/v1',
  kind: 'Snapshot',
  metadata: { name, creationTimestamp: `2026-11-${String(day).padStart(2, '0')}T03:00:00Z` },
  status: { phase, gigabytes },
});
type Snapshot = ReturnType<typeof snapshot>;

const notOfTheFirstOfAMonth: Strategy<Snapshot> = (snapshots) =>
  snapshots.filter(({ metadata }) => !metadata.creationTimestamp.includes('-01T'));

const report = await createPruner({
  store: inMemoryStore([
    snapshot('first', 1, 40),
    snapshot('second', 8, 50),
    snapshot('third', 14, 30),
    snapshot('fourth', 15, 60),
    snapshot('fifth', 16, 0, 'Creating'),
  ]),
  kinds: ['example.com/v1/Snapshot'],
  registry: new PrunableKinds().register('example.com/v1/Snapshot', ({ status }: Snapshot) =>
    status.phase === 'Ready' ? { ok: true } : { ok: false, reason: `the snapshot is ${status.phase}` },
  ),
  strategy: all<Snapshot>(
    maxTotal(({ status }) => status.gigabytes, 100),
    notOfTheFirstOfAMonth,
  ),
  now: new Date('2026-11-16T12:00:00Z'),
}).run();

for (const { object, reason } of report.deleted) console.log(`deleted ${object.metadata.name}: ${reason}`);
for (const { object, reason } of report.skipped) console.log(`left ${object.metadata.name}: ${reason}`);
