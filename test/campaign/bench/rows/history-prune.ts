import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import type { HistoryMode } from '@cairn/shared/prune/history/criteria';
import { pruneHistory } from '@cairn/shared/prune/history/prune-history';
import { cpuCostOf, medianRatio, repeat } from '../interleave.ts';
import { type Finding, ratio, type Row } from '../row.ts';

const MODES: readonly HistoryMode[] = ['cvo', 'fleet'];
/** One more than a cluster keeps, which is what it has right after an update. */
const ENTRIES = 101;

const ROUNDS = 50;
/** One list is too short for the clock of CPU time. */
const REPEATS = 200;
const GOAL = 0.5;

const FLEET_ROUNDS = 7;
const FLEET = 10_000;
const SMALL_FLEET = 100;
/** A large fleet may cost what its memory costs, and nothing that grows with it. */
const FLEET_GOAL = 1.25;

/** Removing what goes from a history that is full, against a copy of it; and a fleet's, against those of a small one. */
export const historyPrune: Row = {
  name: 'history prune',
  async run() {
    const findings: Finding[] = [];
    for (const mode of MODES) findings.push(await againstCopy(mode));
    const fleet = Array.from({ length: FLEET }, (_, cluster) => historyOf(cluster));
    for (const mode of MODES) findings.push(await againstSmallFleet(fleet, mode));
    return findings;
  },
};

async function againstCopy(mode: HistoryMode): Promise<Finding> {
  const history = historyOf(0);
  const measured = await medianRatio(
    () => cpuCostOf(() => repeat(REPEATS, () => prune(history, mode))),
    () => cpuCostOf(() => repeat(REPEATS, () => structuredClone(history))),
    ROUNDS,
  );
  return ratio(`pruning a history of ${ENTRIES} entries, ${mode} / structuredClone of it`, measured, GOAL);
}

async function againstSmallFleet(
  fleet: readonly (readonly HistoryEntry[])[],
  mode: HistoryMode,
): Promise<Finding> {
  const pruneAll = (histories: readonly (readonly HistoryEntry[])[]): void => {
    for (const history of histories) prune(history, mode);
  };
  const smallFleet = fleet.slice(0, SMALL_FLEET);
  const measured = await medianRatio(
    () => cpuCostOf(() => pruneAll(fleet)),
    // As many histories in all, so that both are the same amount of work.
    () => cpuCostOf(() => repeat(FLEET / SMALL_FLEET, () => pruneAll(smallFleet))),
    FLEET_ROUNDS,
  );
  return ratio(
    `a history of ${FLEET} clusters, ${mode} / one of ${SMALL_FLEET} clusters`,
    measured,
    FLEET_GOAL,
  );
}

function prune(history: readonly HistoryEntry[], mode: HistoryMode): void {
  const { kept, removed } = pruneHistory(history, { mode });
  if (kept.length !== ENTRIES - 1 || removed.length !== 1) throw new Error(`kept ${kept.length}`);
}

/** What pruning does not look at is the same for all clusters, so that a large fleet fits in memory. */
const ELSE = Array.from({ length: ENTRIES }, (_, index) => ({
  image: `registry.example/openshift/release@sha256:${String(index).padStart(64, '0')}`,
  startedTime: new Date(Date.UTC(2026, 0, -10 * index, 8)).toISOString(),
  completionTime: new Date(Date.UTC(2026, 0, -10 * index, 10)).toISOString(),
  verified: true,
  acceptedRisks: '',
}));

/** Updates of a long life, newest first: ten of each minor, of which now and then one was given up. */
function historyOf(cluster: number): HistoryEntry[] {
  return ELSE.map((rest, index) => {
    const age = index + (cluster % 10);
    return {
      state: (index + cluster) % 4 === 3 ? 'Partial' : 'Completed',
      version: `4.${24 - Math.floor(age / 10)}.${10 - (age % 10)}`,
      ...rest,
    };
  });
}
