import type { FaultStage } from '../harness/stage.ts';
import type { FaultKind, TrialOutcome } from '../scenario.ts';
import { loadScenario, type ScenarioName } from '../scenarios.ts';
import type { OUTAGES } from '../sync/outages.ts';

/** Something that one worker does at a time; plain data, so that it can be sent and told to others. */
export type Unit =
  | {
      readonly do: 'trial';
      readonly scenario: ScenarioName;
      readonly kind: FaultKind;
      readonly seed: number;
      readonly bug?: string;
      readonly without?: readonly number[];
    }
  | {
      readonly do: 'crash';
      readonly scenario: ScenarioName;
      readonly crashCase: string;
      readonly call: number;
      readonly side: 'before' | 'after';
    }
  | { readonly do: 'outage'; readonly what: (typeof OUTAGES)[number]; readonly phase: number }
  | { readonly do: 'kill'; readonly seed: number }
  | { readonly do: 'blast'; readonly seed: number }
  /** Tries seeds until one finds the bug: the outcome is that one, or the last. */
  | { readonly do: 'bug'; readonly scenario: ScenarioName; readonly bug: string; readonly seeds: number }
  /** How many calls a crash case has. */
  | { readonly do: 'count'; readonly scenario: ScenarioName; readonly crashCase: string };

export function runUnit(stage: FaultStage, unit: Unit): Promise<TrialOutcome> {
  switch (unit.do) {
    case 'trial':
      return runTrial(stage, unit);
    case 'crash':
      return crashCaseOf(unit).then((crashCase) => crashCase.crashAt(stage, unit.call, unit.side));
    case 'count':
      return crashCaseOf(unit)
        .then((crashCase) => crashCase.calls(stage))
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
  const scenario = await loadScenario(unit.scenario);
  return scenario.trial(stage, {
    seed,
    kind,
    ...(bug !== undefined && { bug }),
    ...(without && { without: new Set(without) }),
  });
}

async function findBug(stage: FaultStage, unit: Extract<Unit, { do: 'bug' }>): Promise<TrialOutcome> {
  const scenario = await loadScenario(unit.scenario);
  const { kind } = scenario.bugs[unit.bug]!;
  for (let seed = 1; ; seed++) {
    const outcome = await scenario.trial(stage, { seed, kind, bug: unit.bug });
    if (outcome.violations.length > 0 || seed === unit.seeds) return outcome;
  }
}

const NOTHING: TrialOutcome = { seed: 0, violations: [], steps: [], faults: [], counts: {} };

async function crashCaseOf({ scenario, crashCase }: Extract<Unit, { crashCase: string }>) {
  const { crashCases } = await loadScenario(scenario);
  const found = crashCases.find(({ name }) => name === crashCase);
  if (!found) throw new Error(`${scenario} has no crash case "${crashCase}"`);
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
