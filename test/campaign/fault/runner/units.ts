import type { FaultStage } from '../rig/stage.ts';
import type { OUTAGES } from '../sync/outages.ts';
import type { FaultKind, TrialOutcome } from '../world.ts';
import { loadWorld, type WorldName } from '../worlds.ts';

/** Something that one worker does at a time; plain data, so that it can be sent and told to others. */
export type Unit =
  | {
      readonly do: 'trial';
      readonly world: WorldName;
      readonly kind: FaultKind;
      readonly seed: number;
      readonly bug?: string;
      readonly without?: readonly number[];
    }
  | {
      readonly do: 'crash';
      readonly world: WorldName;
      readonly scenario: string;
      readonly call: number;
      readonly side: 'before' | 'after';
    }
  | { readonly do: 'outage'; readonly what: (typeof OUTAGES)[number]; readonly phase: number }
  | { readonly do: 'kill'; readonly seed: number }
  | { readonly do: 'blast'; readonly seed: number }
  /** Tries seeds until one finds the bug: the outcome is that one, or the last. */
  | { readonly do: 'bug'; readonly world: WorldName; readonly bug: string; readonly seeds: number }
  /** How many calls a scenario has. */
  | { readonly do: 'count'; readonly world: WorldName; readonly scenario: string };

export function runUnit(stage: FaultStage, unit: Unit): Promise<TrialOutcome> {
  switch (unit.do) {
    case 'trial':
      return runTrial(stage, unit);
    case 'crash':
      return scenarioOf(unit).then((scenario) => scenario.crashAt(stage, unit.call, unit.side));
    case 'count':
      return scenarioOf(unit)
        .then((scenario) => scenario.calls(stage))
        .then((calls) => ({ ...NOTHING, counts: { calls } }));
    case 'outage':
      return import('../sync/outages.ts').then(({ outageTrial }) =>
        outageTrial(stage, unit.what, unit.phase),
      );
    case 'kill':
      return import('../sync/kill-trial.ts').then(({ killTrial }) => killTrial(stage, unit.seed));
    case 'blast':
      return import('../prune/blast.ts').then(({ blastTrial }) => blastTrial(stage, unit.seed));
    default:
      return findBug(stage, unit);
  }
}

async function runTrial(stage: FaultStage, unit: Extract<Unit, { do: 'trial' }>): Promise<TrialOutcome> {
  const { seed, kind, bug, without } = unit;
  const world = await loadWorld(unit.world);
  return world.trial(stage, {
    seed,
    kind,
    ...(bug !== undefined && { bug }),
    ...(without && { without: new Set(without) }),
  });
}

async function findBug(stage: FaultStage, unit: Extract<Unit, { do: 'bug' }>): Promise<TrialOutcome> {
  const world = await loadWorld(unit.world);
  const { kind } = world.bugs[unit.bug]!;
  for (let seed = 1; ; seed++) {
    const outcome = await world.trial(stage, { seed, kind, bug: unit.bug });
    if (outcome.violations.length > 0 || seed === unit.seeds) return outcome;
  }
}

const NOTHING: TrialOutcome = { seed: 0, violations: [], steps: [], faults: [], counts: {} };

async function scenarioOf({ world, scenario }: { readonly world: WorldName; readonly scenario: string }) {
  const { crashScenarios } = await loadWorld(world);
  const found = crashScenarios.find(({ name }) => name === scenario);
  if (!found) throw new Error(`${world} has no scenario "${scenario}"`);
  return found;
}

/** How a person asks for this very unit again. */
export function replayOf(unit: Unit): string {
  const { do: what, ...rest } = unit;
  const parts = Object.entries(rest).map(([name, value]) => `${name}=${String(value)}`);
  return `npm run fault -- --replay "${[what, ...parts].join(' ')}"`;
}

/** What `replayOf` wrote. */
export function parseUnit(text: string): Unit {
  const [what, ...parts] = text.split(/ (?=\w+=)/);
  const fields = parts.map((part): [string, unknown] => {
    const [name = '', value = ''] = part.split('=');
    if (name === 'without') return [name, value === '' ? [] : value.split(',').map(Number)];
    return [name, /^\d+$/.test(value) ? Number(value) : value];
  });
  return { do: what, ...Object.fromEntries(fields) } as Unit;
}
