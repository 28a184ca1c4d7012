import { type ChannelSet, followAll } from '../channel-set.ts';
import type { Row } from '../row.ts';
import { startSyncScenario } from '../sync-scenario.ts';

const ROUNDS = 5;
const GOALS = { writes: 2, batchReads: 5, growthMb: 64 };

/** Rounds of the sync that find everything as it was: the usual case, so it has to cost next to nothing. */
export function unchangedSync(channels: ChannelSet): Row {
  return {
    name: `unchanged sync, ${channels.name}`,
    async run(folder) {
      const scenario = await startSyncScenario(folder, channels, followAll(channels));
      try {
        await scenario.sync();
        // The first round also compiles code and opens connections, which is not growth.
        await scenario.sync();
        const before = collectedMemory();
        let [writes, batchReads, otherReads, growth] = [0, 0, 0, 0];
        for (let round = 0; round < ROUNDS; round++) {
          const { record, calls } = await scenario.sync();
          if (record.pairs.unchanged !== channels.pairs.length) {
            throw new Error(`a round was not unchanged: ${JSON.stringify(record.pairs)}`);
          }
          const kinds = Map.groupBy(calls, kindOf);
          writes = Math.max(writes, kinds.get('write')?.length ?? 0);
          batchReads = Math.max(batchReads, kinds.get('batch read')?.length ?? 0);
          otherReads = Math.max(otherReads, kinds.get('read')?.length ?? 0);
          growth = Math.max(growth, collectedMemory() - before);
        }
        const title = `unchanged sync of ${channels.pairs.length} pairs (${channels.name})`;
        return [
          { what: `${title}: writes`, measured: writes, unit: 'calls', goal: GOALS.writes },
          { what: `${title}: batch reads`, measured: batchReads, unit: 'calls', goal: GOALS.batchReads },
          { what: `${title}: other reads`, measured: otherReads, unit: 'calls' },
          {
            what: `${title}: RSS growth over ${ROUNDS} rounds`,
            measured: growth,
            unit: 'MB',
            goal: GOALS.growthMb,
          },
        ];
      } finally {
        await scenario.close();
      }
    },
  };
}

/** `GetItemCommand` is a read; whatever is not known to be one counts as a write. */
function kindOf(commandName: string): 'batch read' | 'read' | 'write' {
  if (commandName.startsWith('BatchGet')) return 'batch read';
  return /^(?:Get|Head|List|Query|Scan)/.test(commandName) ? 'read' : 'write';
}

/** Memory of this process in MB that a full collection does not give back. */
function collectedMemory(): number {
  if (!globalThis.gc) throw new Error('the garbage collector cannot be called, start it by npm run bench');
  globalThis.gc();
  return process.memoryUsage.rss() / 1024 / 1024;
}
