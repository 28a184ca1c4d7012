import type { FaultKind } from '../scenario.ts';
import { loadScenario, SCENARIO_NAMES, type ScenarioName } from '../scenarios.ts';
import { OUTAGE_PHASES, OUTAGES } from '../sync/outages.ts';
import type { Pool } from './pool.ts';
import type { Unit } from './units.ts';

export interface Campaign {
  readonly name: string;
  readonly what: string;
  /** As many units as a full run has, and as a smoke run has. */
  readonly size: number;
  readonly smoke: number;
  /** So many of its units, from a seed on. */
  units(pool: Pool, size: number, first: number): Promise<readonly Unit[]>;
}

/** Of a hundred seeds, how many are of each scenario. */
type Shares = Readonly<Partial<Record<ScenarioName, number>>>;

function seeded(
  name: FaultKind,
  what: string,
  sizes: { readonly size: number; readonly smoke: number },
  shares: Shares,
): Campaign {
  return {
    name,
    what,
    ...sizes,
    async units(_pool, size, first) {
      return Object.entries(shares).flatMap(([scenario, share]) =>
        Array.from({ length: Math.max(1, Math.round((size * share) / 100)) }, (_, index): Unit => ({
          do: 'trial',
          scenario: scenario as ScenarioName,
          kind: name,
          seed: first + index,
        })),
      );
    },
  };
}

const numbered = (size: number, first: number) => Array.from({ length: size }, (_, index) => first + index);

export const CAMPAIGNS: readonly Campaign[] = [
  {
    name: 'crash',
    what: 'killed at every call, before and after it',
    size: Infinity,
    smoke: 36,
    async units(pool, size) {
      const units: Unit[] = [];
      for (const scenario of SCENARIO_NAMES) {
        for (const { name: crashCase } of (await loadScenario(scenario)).crashCases) {
          const { outcome, error } = await pool.one({ do: 'count', scenario, crashCase });
          if (!outcome) throw new Error(error ?? crashCase);
          for (const call of numbered(outcome.counts['calls']!, 1)) {
            units.push({ do: 'crash', scenario, crashCase, call, side: 'before' });
            units.push({ do: 'crash', scenario, crashCase, call, side: 'after' });
          }
        }
      }
      if (units.length <= size) return units;
      // An odd step meets both sides.
      const step = Math.floor(units.length / size);
      return units.filter((_, index) => index % (step % 2 === 0 ? step + 1 : step) === 0);
    },
  },
  seeded(
    'any',
    'one to three kills and a mixture of faults',
    { size: 1000, smoke: 16 },
    { sync: 45, clusters: 20, fleet: 15, prune: 20 },
  ),
  seeded(
    'concurrent',
    'two to four at once, some stand still for longer than their lease',
    { size: 500, smoke: 8 },
    { sync: 40, clusters: 28, fleet: 14, prune: 18 },
  ),
  seeded(
    'lost-answers',
    'three of ten writes are carried out and not answered',
    { size: 300, smoke: 8 },
    { sync: 38, clusters: 30, fleet: 14, prune: 18 },
  ),
  seeded(
    'throttled',
    'half of all calls are refused, then none',
    { size: 50, smoke: 4 },
    { sync: 50, clusters: 50 },
  ),
  {
    name: 'outages',
    what: 'table, bucket or upstream gone from some moment on',
    size: OUTAGES.length * OUTAGE_PHASES,
    smoke: 6,
    async units(_pool, size) {
      const all = numbered(OUTAGE_PHASES, 1).flatMap((phase) =>
        OUTAGES.map((what): Unit => ({ do: 'outage', what, phase })),
      );
      return all.slice(0, size);
    },
  },
  seeded(
    'duplicates',
    'every slot comes two to five times',
    { size: 200, smoke: 6 },
    { sync: 50, clusters: 18, fleet: 14, prune: 18 },
  ),
  seeded(
    'clock',
    'clocks that are wrong by seconds to years',
    { size: 200, smoke: 6 },
    { sync: 40, clusters: 25, fleet: 13, prune: 22 },
  ),
  {
    name: 'blast-radius',
    what: 'hostile configurations and inventories',
    size: 300,
    smoke: 6,
    units: async (_pool, size, first) => numbered(size, first).map((seed): Unit => ({ do: 'blast', seed })),
  },
  {
    name: 'kill',
    what: 'processes that are really killed',
    size: 40,
    smoke: 2,
    units: async (_pool, size, first) => numbered(size, first).map((seed): Unit => ({ do: 'kill', seed })),
  },
];

/** Every planted bug of every scenario. */
export async function bugUnits(seeds: number, only: number = Infinity): Promise<readonly Unit[]> {
  const units: Unit[] = [];
  for (const scenario of SCENARIO_NAMES) {
    const names = Object.keys((await loadScenario(scenario)).bugs);
    units.push(...names.slice(0, only).map((bug): Unit => ({ do: 'bug', scenario, bug, seeds })));
  }
  return units;
}
