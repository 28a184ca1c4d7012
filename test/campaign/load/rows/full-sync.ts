import { setTimeout as sleep } from 'node:timers/promises';
import { startEngines } from '../../../../infra/local/engines.ts';
import { configOf } from '../../../helpers/path/builders.ts';
import { startCincinnatiStub } from '../../../helpers/upstream/cincinnati-stub.ts';
import { watchCommands } from '../../../helpers/wrap-command.ts';
import { onUnexpectedEnd, syncOnce } from '../../bench/sync-once.ts';
import { answerOf } from '../measure.ts';
import { atMost, type LoadRow, finding } from '../row.ts';

const UPSTREAM_MS = 200;
const ARCHES = ['x86_64', 'arm64', 'multi'];
const PREFIXES = ['stable', 'fast', 'candidate', 'eus'];
const MINORS = Array.from({ length: 19 }, (_, place) => `4.${place + 2}`);
const PAIRS = ARCHES.length * PREFIXES.length * MINORS.length;
const PARALLEL = 8;

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
    const engines = await startEngines(folder, onUnexpectedEnd);
    try {
      let writes = 0;
      for (const { client } of [engines.table, engines.bucket]) {
        watchCommands(client, (command) => {
          if (!/^(?:Get|Head|List|Query|Scan|BatchGet)/.test(command)) writes++;
        });
      }
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
        await syncOnce(engines, { config, upstream: stub, now });
        return { seconds: (performance.now() - start) / 1000, writes };
      };
      const first = await sync();
      const unchanged = await sync();
      const waiting = (PAIRS / PARALLEL) * (UPSTREAM_MS / 1000);
      return [
        finding(`the first sync of ${PAIRS} pairs, upstream taking ${UPSTREAM_MS} ms`, first.seconds, 's', {
          goal: atMost(60),
          ratio: { value: first.seconds / waiting, to: 'waiting for upstream alone' },
        }),
        finding('one that finds nothing new', unchanged.seconds, 's', {
          goal: atMost(15),
          ratio: { value: unchanged.seconds / waiting, to: 'waiting for upstream alone' },
        }),
        // The specification allows two for each pair.
        finding('its writes, for all pairs together', unchanged.writes, 'writes', { goal: atMost(2) }),
      ];
    } finally {
      await Promise.all([engines.close(), stub.close()]);
    }
  },
};
