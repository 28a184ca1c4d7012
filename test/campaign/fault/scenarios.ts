import type { Scenario } from './scenario.ts';

/** Loaded when they are needed: a worker mostly tries one of them. */
const SCENARIOS: Readonly<Record<Scenario['name'], () => Promise<Scenario>>> = {
  sync: async () => (await import('./sync/scenario.ts')).syncScenario,
  clusters: async () => (await import('./clusters/scenario.ts')).clustersScenario,
  fleet: async () => (await import('./fleet/scenario.ts')).fleetScenario,
  prune: async () => (await import('./prune/scenario.ts')).pruneScenario,
};

export type ScenarioName = Scenario['name'];

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as readonly ScenarioName[];

export function loadScenario(name: ScenarioName): Promise<Scenario> {
  return SCENARIOS[name]();
}
