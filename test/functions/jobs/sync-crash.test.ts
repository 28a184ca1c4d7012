import { describe, expect, it } from 'vitest';
import type { SyncDependencies } from '../../../functions/jobs/sync/context.ts';
import {
  at,
  chainGraph,
  configOf,
  following,
  series,
  startRig,
  type SyncRig,
} from '../../helpers/sync-rig.ts';
import { tableContents } from '../../helpers/table-contents.ts';

const DAY = 24 * 60;

interface Scenario {
  readonly name: string;
  /** Brings a fresh rig to the state before the step; the runs that die begin with copies of it. */
  prepare(rig: SyncRig): Promise<void>;
  /** Minutes of the sync under test. */
  readonly minutes: number;
  readonly accept?: readonly string[];
}

/** Versions of each channel, at first. */
const COUNT = 3;
const minors = ['4.11', '4.12', '4.13', '4.14', '4.15', '4.16'].map((minor) => `stable-${minor}`);

const scenarios: readonly Scenario[] = [
  { name: 'the first sync', minutes: 0, async prepare() {} },
  {
    name: 'a new version',
    minutes: 10,
    async prepare(rig) {
      await rig.sync(0);
      rig.stub.setSource((channel) => chainGraph(series(channel.slice(-4), COUNT + 1)));
    },
  },
  {
    name: 'a version found withdrawn',
    minutes: 400,
    async prepare(rig) {
      await rig.sync(0);
      rig.stub.setSource((channel) =>
        chainGraph(series(channel.slice(-4), COUNT).filter((version) => version !== '4.14.1')),
      );
      await rig.sync(10);
      await rig.sync(200);
    },
  },
  {
    name: 'a held answer accepted by hand',
    minutes: 20,
    accept: ['stable-4.14/amd64'],
    async prepare(rig) {
      await rig.sync(0);
      rig.stub.setSource((channel) => (channel === 'stable-4.14' ? null : chainGraph(series('4.15', COUNT))));
      await rig.sync(10);
    },
  },
  {
    name: 'rows of a retired minor deleted',
    minutes: 15 * DAY,
    async prepare(rig) {
      rig.config = following(...minors);
      await rig.sync(0);
      rig.config = following(...minors.slice(1));
      await rig.sync(10);
    },
  },
  {
    name: 'a changed configuration',
    minutes: 10,
    async prepare(rig) {
      await rig.sync(0);
      rig.config = configOf({
        release_sources: following('stable-4.14', 'fast-4.15', 'stable-4.15').asConfigured,
        ignored_openshift_versions: ['4.14.1'],
      });
    },
  },
];

const WRITE = /^(?:Put|Update|Delete|BatchWrite)/;

/**
 * Counts the writes to table and bucket, and lets the process "die" after the given one: applied, but never answered.
 * A death after a read leaves what the one after the write before it leaves.
 */
function dieAfter(rig: SyncRig, write: number): { writes: () => number; revive: () => void } {
  let writes = 0;
  let isDead = false;
  const { table, bucket } = rig.dependencies;
  const clients = [table.client, bucket.client] as { middlewareStack: typeof table.client.middlewareStack }[];
  for (const { middlewareStack } of clients) {
    middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          if (isDead) throw new Error('died');
          const result = await next(args);
          isDead ||= WRITE.test(commandName) && writes++ === write;
          if (isDead) throw new Error('died');
          return result;
        },
      { name: 'death' },
    );
  }
  return {
    writes: () => writes,
    revive: () => clients.forEach(({ middlewareStack }) => middlewareStack.remove('death')),
  };
}

/** One pair at a time: then the order of calls is the same in every run. */
const oneByOne: Partial<SyncDependencies> = { limits: { pairsAtOnce: 1, rowWritesAtOnce: 1 } };

describe.each(scenarios)('a crash anywhere in $name', (scenario) => {
  const request = scenario.accept ? { trigger: 'manual' as const, accept: scenario.accept } : {};
  const step = (rig: SyncRig, delay: number) =>
    rig.sync(scenario.minutes + delay, { ...request, scheduledTime: at(scenario.minutes + delay) }, oneByOne);

  it('is completed by the next run, to the same contents', { timeout: 120_000 }, async () => {
    const prepared = await startRig({
      config: following('stable-4.14', 'stable-4.15'),
      source: (channel) => chainGraph(series(channel.slice(-4), COUNT)),
    });
    await scenario.prepare(prepared);
    const reference = await prepared.fork();
    const counter = dieAfter(reference, Infinity);
    await step(reference, 0);
    counter.revive();
    const expected = await tableContents(reference.table);
    expect(expected['strayBodies']).toEqual([]);

    expect(counter.writes()).toBeGreaterThan(5);

    for (let write = 0; write < counter.writes(); write++) {
      const rig = await prepared.fork();
      const death = dieAfter(rig, write);
      await step(rig, 0).catch(() => {});
      expect(death.writes(), `death after write ${write}`).toBe(write + 1);
      death.revive();
      await step(rig, 10);
      expect(await tableContents(rig.table), `death after write ${write}`).toEqual(expected);
    }
    await prepared.close();
  });
});
