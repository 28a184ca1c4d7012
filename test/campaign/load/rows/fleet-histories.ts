import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import { pruneHistory } from '@cairn/shared/prune/history/prune-history';
import { mostMemory, timeOf } from '../measure.ts';
import { atMost, type LoadRow, finding } from '../row.ts';

const CLUSTERS = 10_000;
const ENTRIES = 100;
const MAX = 50;

/** The histories of a fleet, one after the other; half of each goes. `npm run bench` has it against a copy of a list. */
export const fleetHistories: LoadRow = {
  async run() {
    let copying = 0;
    const pruning = timeOf(() => {
      for (let cluster = 0; cluster < CLUSTERS; cluster++) {
        const { kept } = pruneHistory(historyOf(cluster), { mode: 'fleet', max: MAX });
        if (kept.length !== MAX) throw new Error(`${kept.length} entries are left`);
      }
    });
    for (let cluster = 0; cluster < CLUSTERS / 10; cluster++) {
      const history = historyOf(cluster);
      copying += timeOf(() => structuredClone(history));
    }
    return [
      finding(`evaluating ${CLUSTERS} histories of ${ENTRIES} entries`, pruning / 1000, 's', {
        goal: atMost(60),
        ratio: { value: pruning / (copying * 10), to: 'structuredClone of them' },
      }),
      finding('all memory of the process that does so', mostMemory(), 'MB', { goal: atMost(256) }),
    ];
  },
};

function historyOf(cluster: number): HistoryEntry[] {
  return Array.from({ length: ENTRIES }, (_, age) => ({
    state: (age + cluster) % 4 === 3 ? 'Partial' : 'Completed',
    version: `4.${24 - Math.floor((age + (cluster % 10)) / 10)}.${10 - ((age + cluster) % 10)}`,
    image: `registry.example/openshift/release@sha256:${String(age).padStart(64, '0')}`,
    startedTime: new Date(Date.UTC(2026, 0, -10 * age, 8)).toISOString(),
    completionTime: new Date(Date.UTC(2026, 0, -10 * age, 10)).toISOString(),
    verified: true,
    acceptedRisks: '',
  }));
}
