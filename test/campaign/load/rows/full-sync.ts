import { setTimeout as sleep } from 'node:timers/promises';
import { runSync } from '../../../../functions/sync/job.ts';
import { startEngines } from '../../../../infra/local/engines.ts';
import { openUpstream } from '../../../../infra/local/upstream.ts';
import { configOf } from '../../../helpers/path/builders.ts';
import { startCincinnatiStub } from '../../../helpers/upstream/cincinnati-stub.ts';
import { answerOf } from '../measure.ts';
import { atMost, type LoadRow } from '../row.ts';

const UPSTREAM_MS = 200;
const ARCHES = ['x86_64', 'arm64', 'multi'];
const PREFIXES = ['stable', 'fast', 'candidate', 'eus'];
const MINORS = Array.from({ length: 19 }, (_, place) => `4.${place + 2}`);
const PAIRS = ARCHES.length * PREFIXES.length * MINORS.length;
const PARALLEL = 8;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** All channels at once from an upstream that takes its time, first new, then unchanged. */
export const fullSync: LoadRow = {
  async run({ folder }) {
    // Each release of a channel is of its minor, as upstream has it.
    const stub = await startCincinnatiStub(async (channel) => {
      await sleep(UPSTREAM_MS);
      const minor = channel.split('-')[1]!;
      return answerOf(100, 3000).text.replaceAll(
        /"4\.(\d+)\.(\d+)"/g,
        (_, line, patch) => `"${minor}.${Number(line) * 10 + Number(patch)}"`,
      );
    });
    const engines = await startEngines(folder, (reason) => {
      throw new Error(reason);
    });
    try {
      let writes = 0;
      const counted = <Next extends (call: never) => unknown>(
        next: Next,
        { commandName = '' }: { commandName?: string },
      ): Next =>
        ((call: never) => {
          if (!/^(?:Get|Head|List|Query|Scan|BatchGet)/.test(commandName)) writes++;
          return next(call);
        }) as Next;
      engines.table.client.middlewareStack.add(counted, { step: 'initialize' });
      engines.bucket.client.middlewareStack.add(counted, { step: 'initialize' });
      const config = configOf({
        release_sources: MINORS.map((minor) => ({
          openshift_version: minor,
          upgrade_channels: ARCHES.map((cpu) => ({ cpu_architecture: cpu, channels: PREFIXES })),
        })),
      });
      let now = Date.UTC(2026, 0, 1);
      const sync = async (): Promise<{ seconds: number; writes: number }> => {
        now += 600_000;
        writes = 0;
        const start = performance.now();
        const result = await runSync(
          {
            table: engines.table,
            bucket: engines.bucket,
            config,
            upstream: { kind: 'demo', url: stub.url, open: () => openUpstream(stub.url) },
            events: { publish: async () => [] },
            log: silent,
            clock: () => now,
          },
          { scheduledTime: new Date(now).toISOString(), trigger: 'schedule' },
        );
        if (result.status !== 'Done' || result.record.outcome !== 'Succeeded') {
          throw new Error(`the sync did not succeed: ${JSON.stringify(result).slice(0, 1000)}`);
        }
        return { seconds: (performance.now() - start) / 1000, writes };
      };
      const first = await sync();
      const unchanged = await sync();
      const waiting = (PAIRS / PARALLEL) * (UPSTREAM_MS / 1000);
      return [
        {
          what: `the first sync of ${PAIRS} pairs, upstream taking ${UPSTREAM_MS} ms`,
          measured: first.seconds,
          unit: 's',
          goal: atMost(60),
          ratio: { value: first.seconds / waiting, to: 'waiting for upstream alone' },
        },
        {
          what: 'one that finds nothing new',
          measured: unchanged.seconds,
          unit: 's',
          goal: atMost(15),
          ratio: { value: unchanged.seconds / waiting, to: 'waiting for upstream alone' },
        },
        // The specification allows two for each pair.
        {
          what: 'its writes, for all pairs together',
          measured: unchanged.writes,
          unit: 'writes',
          goal: atMost(2),
        },
      ];
    } finally {
      await Promise.all([engines.close(), stub.close()]);
    }
  },
};
