import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { refuseUnless } from '../../../functions/command-line/flags.ts';
import type { ParsedArgs } from '../../../functions/command-line/parse.ts';
import { runScript, type Script } from '../../../functions/command-line/script.ts';
import type { EngineName } from './harness/stage.ts';
import { type Campaign, CAMPAIGNS, bugUnits } from './runner/campaigns.ts';
import { minimise } from './runner/minimise.ts';
import { Pool } from './runner/pool.ts';
import { type CampaignResult, describeFailure, resultTable } from './runner/report.ts';
import { parseUnit, replayOf, type Unit } from './runner/units.ts';
import type { UnitResult } from './runner/worker.ts';
import { SCENARIO_NAMES } from './scenarios.ts';

/** Seeds that a planted bug may take. */
const BUG_SEEDS = 100;
const FAILURES_TOLD = 5;
const TOLD_CHARACTERS = 200;
const FOLDER = join(import.meta.dirname, '../../../.tmp');

const BUGS = 'bugs';
const CAMPAIGN_NAMES = [...CAMPAIGNS.map(({ name }) => name), BUGS];
/** Those whose units are more than a seed: they are played again by `--replay`. */
const NOT_BY_SEED = ['crash', 'outages', BUGS];
const ENGINES: readonly EngineName[] = ['dynalite', 'dynamodb-local'];
const WORKERS = availableParallelism();

const NUMBER = {
  kind: 'text',
  value: 'NUMBER',
  refuse: refuseUnless((text) => /^[1-9]\d{0,8}$/.test(text), 'a whole number from 1 is'),
} as const;
const oneOf = (names: readonly string[]) =>
  ({
    kind: 'text',
    value: 'NAME',
    refuse: refuseUnless((text) => names.includes(text), `${names.join(', ')} are`),
  }) as const;

export const FAULT: Script = {
  name: 'fault',
  about: `Puts the product among faults, and checks that every promise holds.
docs/reliability.md says what is promised and what is done to break it.`,
  usage: 'npm run fault -- [flags]',
  margin: 20,
  flags: {
    smoke: { kind: 'switch', help: 'a small part of everything, within three minutes on two cores' },
    campaign: { ...oneOf(CAMPAIGN_NAMES), help: `only this one: ${CAMPAIGN_NAMES.join(', ')}` },
    seeds: { ...NUMBER, help: 'as many units of each campaign' },
    first: { ...NUMBER, default: '1', help: 'seeds from this one on (1)' },
    workers: {
      ...NUMBER,
      default: String(WORKERS),
      help: `processes at once (one per core: ${WORKERS})`,
    },
    engine: {
      ...oneOf(ENGINES),
      default: 'dynalite',
      help: 'dynalite, or dynamodb-local, which needs java and takes longer',
    },
    replay: { kind: 'text', value: '"..."', help: 'one unit again, as a failure tells it' },
    seed: {
      ...NUMBER,
      help: `one trial again, with --campaign (any), and --scenario ${SCENARIO_NAMES.join(', ')} (${SCENARIO_NAMES[0]})`,
    },
    scenario: { ...oneOf(SCENARIO_NAMES), default: SCENARIO_NAMES[0]!, help: '' },
    verbose: { kind: 'switch', help: 'with --replay or --seed: every step of it' },
  },
  notes: `The figures are kept in .tmp/fault.json. It exits with 1 when a promise was
broken or a planted bug was not found.`,
  conflicts(given) {
    const campaign = given.text('campaign') ?? 'any';
    return given.text('seed') !== undefined && NOT_BY_SEED.includes(campaign)
      ? [`--seed does not go with --campaign ${campaign}, use --replay as a failure tells it`]
      : [];
  },
};

/** One unit again, in the place of campaigns. */
export function unitOf(given: ParsedArgs): Unit | null {
  const [replayed, seed, campaign = 'any'] = ['replay', 'seed', 'campaign'].map((name) => given.text(name));
  if (replayed !== undefined) return parseUnit(replayed);
  if (seed === undefined) return null;
  if (campaign === 'blast-radius') return parseUnit(`blast seed=${seed}`);
  if (campaign === 'kill') return parseUnit(`kill seed=${seed}`);
  return parseUnit(`trial scenario=${given.text('scenario')} kind=${campaign} seed=${seed}`);
}

async function runFaults(given: ParsedArgs): Promise<number> {
  const again = unitOf(given);
  const campaign = given.text('campaign') ?? null;
  const engine = given.text('engine') as EngineName;
  const flags: CampaignFlags = {
    isSmoke: given.isSet('smoke'),
    seeds: given.number('seeds') ?? null,
    first: given.number('first')!,
  };
  const pool = await Pool.open(engine, again ? 1 : given.number('workers')!);
  try {
    if (again) return await replay(pool, again, given.isSet('verbose'));
    const results: CampaignResult[] = [];
    for (const one of CAMPAIGNS) {
      if (campaign === null || campaign === one.name) results.push(await runCampaign(pool, one, flags));
    }
    if (campaign === null || campaign === BUGS) results.push(await findBugs(pool, flags));
    console.log(`\nseeds from ${flags.first} on, ${engine}\n\n${resultTable(results)}`);
    mkdirSync(FOLDER, { recursive: true });
    const { first } = flags;
    writeFileSync(join(FOLDER, 'fault.json'), `${JSON.stringify({ engine, first, results }, null, 2)}\n`);
    return results.every(({ violations }) => violations === 0) ? 0 : 1;
  } finally {
    pool.close();
  }
}

interface CampaignFlags {
  readonly isSmoke: boolean;
  /** Units of each campaign; null is as many as it has. */
  readonly seeds: number | null;
  readonly first: number;
}

async function replay(pool: Pool, unit: Unit, isVerbose: boolean): Promise<number> {
  const { outcome, error } = await pool.one(unit);
  if (!outcome) {
    console.error(error);
    return 1;
  }
  if (isVerbose) console.log(outcome.steps.join('\n'));
  console.log(describeFailure(unit, outcome));
  return outcome.violations.length === 0 ? 0 : 1;
}

async function runCampaign(
  pool: Pool,
  campaign: Campaign,
  { isSmoke, seeds, first }: CampaignFlags,
): Promise<CampaignResult> {
  const units = await campaign.units(pool, seeds ?? (isSmoke ? campaign.smoke : campaign.size), first);
  return runUnits(pool, campaign.name, campaign.what, units, tellAtOnce, async (failures) => {
    for (const { unit, result } of failures.slice(0, FAILURES_TOLD)) await tellFailure(pool, unit, result);
    return failures.length;
  });
}

/** Bugs count as violations when they are not found. */
async function findBugs(pool: Pool, { isSmoke }: CampaignFlags): Promise<CampaignResult> {
  const units = await bugUnits(BUG_SEEDS, isSmoke ? 1 : Infinity);
  const found: number[] = [];
  const what = 'planted bugs that must be found';
  const result = await runUnits(
    pool,
    BUGS,
    what,
    units,
    () => {},
    async (failures) => {
      for (const unit of units) {
        const failure = failures.find((other) => other.unit === unit);
        const { outcome = null, error = null } = failure?.result ?? {};
        if (outcome) found.push(outcome.seed);
        const told = outcome
          ? `found by seed ${outcome.seed}: ${outcome.violations[0]}`
          : (error ?? 'NOT FOUND');
        console.log(`  ${(unit as { bug: string }).bug}: ${told.slice(0, TOLD_CHARACTERS)}`);
      }
      return units.length - found.length;
    },
  );
  const median = found.toSorted((a, b) => a - b)[Math.floor(found.length / 2)] ?? 0;
  return { ...result, counts: { found: found.length, medianSeed: median } };
}

interface Failure {
  readonly unit: Unit;
  readonly result: UnitResult;
}

async function runUnits(
  pool: Pool,
  name: string,
  what: string,
  units: readonly Unit[],
  onFailure: (unit: Unit, result: UnitResult) => void,
  verify: (failures: readonly Failure[]) => Promise<number>,
): Promise<CampaignResult> {
  const startedAt = performance.now();
  const counts: Record<string, number> = {};
  const failures: Failure[] = [];
  let done = 0;
  let cpuMs = 0;
  const step = Math.max(1, Math.ceil(units.length / 10));
  console.error(`${name}: ${units.length} units, ${what}`);
  await pool.run(units, (unit, result) => {
    done++;
    cpuMs += result.cpuMs;
    for (const [key, count] of Object.entries(result.outcome?.counts ?? {})) {
      counts[key] = (counts[key] ?? 0) + count;
    }
    if (!result.outcome || result.outcome.violations.length > 0) {
      failures.push({ unit, result });
      onFailure(unit, result);
    }
    if (done % step === 0 || done === units.length) {
      console.error(`  ${done} of ${units.length}, ${failures.length} with findings`);
    }
  });
  const violations = await verify(failures);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return {
    name,
    what,
    size: units.length,
    violations,
    counts,
    seconds,
    cpuSeconds: Math.round(cpuMs / 1000),
  };
}

/** Before it is made smaller, which takes minutes. */
function tellAtOnce(unit: Unit, { outcome, error }: UnitResult): void {
  const why = outcome?.violations[0] ?? error ?? '';
  console.log(`  ! ${why.slice(0, TOLD_CHARACTERS)}\n    again: ${replayOf(unit)}`);
}

async function tellFailure(pool: Pool, unit: Unit, { outcome, error }: UnitResult): Promise<void> {
  if (!outcome) {
    console.log(`${error}\n  again: ${replayOf(unit)}`);
    return;
  }
  const small = unit.do === 'trial' ? await minimise(pool, unit, outcome) : { unit, outcome };
  console.log(`${describeFailure(small.unit, small.outcome)}\n  again: ${replayOf(small.unit)}`);
}

if (import.meta.main) process.exitCode = await runScript(FAULT, runFaults);
