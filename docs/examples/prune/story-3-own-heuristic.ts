import { createPruner, inMemoryStore, type Strategy } from '@cairn/shared/prune';

const pod = (name: string, creationTimestamp: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, creationTimestamp },
  status: { phase: 'Succeeded' },
});
type Pod = ReturnType<typeof pod>;

/** Of each day the last one stays. A pruner gives the objects oldest first. */
const earlierOfTheDay: Strategy<Pod> = (pods) => {
  const dayOf = ({ metadata }: Pod) => metadata.creationTimestamp.slice(0, 10);
  const lastOf = new Map(pods.map((pod) => [dayOf(pod), pod]));
  return pods.filter((pod) => lastOf.get(dayOf(pod)) !== pod);
};

const report = await createPruner({
  store: inMemoryStore([
    pod('scan-a', '2026-11-14T06:00:00Z'),
    pod('scan-b', '2026-11-14T18:00:00Z'),
    pod('scan-c', '2026-11-15T06:00:00Z'),
  ]),
  kinds: ['v1/Pod'],
  strategy: earlierOfTheDay,
  now: new Date('2026-11-16T12:00:00Z'),
}).run();

for (const { object, reason } of report.deleted) console.log(`deleted ${object.metadata.name}: ${reason}`);
for (const { object, reason } of report.kept) console.log(`kept ${object.metadata.name}: ${reason}`);
