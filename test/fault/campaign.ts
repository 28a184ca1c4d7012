import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Campaign, CAMPAIGNS, bugUnits } from './runner/campaigns.ts';
import { minimise } from './runner/minimise.ts';
import { Pool } from './runner/pool.ts';
import { type CampaignResult, describeFailure, resultTable } from './runner/report.ts';
import { parseUnit, replayOf, type Unit } from './runner/units.ts';
import type { UnitResult } from './runner/worker.ts';
import type { EngineName } from './rig/stage.ts';

const HELP = `npm run fault -- [options]

Puts the sync, the clusters and the image pruner among faults, and checks that every promise holds.
docs/reliability.md says what is promised and what is done to break it.

  --smoke            a small part of everything, within three minutes on two cores
  --campaign NAME    only this one: ${[...CAMPAIGNS.map(({ name }) => name), 'bugs'].join(', ')}
  --seeds N          as many units of each campaign
  --first N          seeds from this one on (default 1)
  --workers N        processes at once (default: one per core)
  --engine NAME      dynalite (default) or dynamodb-local, which needs java and takes longer
  --replay "..."     one unit again, as a failure tells it
  --seed N           one trial again, with --campaign, and --world sync, clusters or prune (default sync)
  --verbose          with --replay or --seed: every step of it
  --help             this text
`;

/** Seeds that a planted bug may take. */
const BUG_SEEDS = 100;
const FAILURES_TOLD = 5;
const TOLD_CHARACTERS = 200;
const FOLDER = join(import.meta.dirname, '../../.tmp');

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    campaign: { type: 'string' },
    seeds: { type: 'string' },
    first: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
    engine: { type: 'string', default: 'dynalite' },
    replay: { type: 'string' },
    seed: { type: 'string' },
    world: { type: 'string', default: 'sync' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(HELP);
else process.exitCode = await main();

async function main(): Promise<number> {
  const again = unitToReplay();
  const wanted = CAMPAIGNS.filter(({ name }) => options.campaign === undefined || options.campaign === name);
  const withBugs = options.campaign === undefined || options.campaign === 'bugs';
  if (wanted.length === 0 && !withBugs) {
    console.error(`there is no campaign "${options.campaign}", see --help`);
    return 1;
  }
  const pool = await Pool.open(options.engine as EngineName, again ? 1 : Number(options.workers));
  try {
    if (again) return await replay(pool, again);
    const results: CampaignResult[] = [];
    for (const campaign of wanted) results.push(await runCampaign(pool, campaign));
    if (withBugs) results.push(await findBugs(pool));
    console.log(`\n${resultTable(results)}`);
    mkdirSync(FOLDER, { recursive: true });
    const engine = options.engine;
    writeFileSync(join(FOLDER, 'fault.json'), `${JSON.stringify({ engine, results }, null, 2)}\n`);
    return results.every(({ violations }) => violations === 0) ? 0 : 1;
  } finally {
    pool.close();
  }
}

function unitToReplay(): Unit | null {
  if (options.replay !== undefined) return parseUnit(options.replay);
  if (options.seed === undefined) return null;
  const { world, campaign = 'any', seed } = options;
  if (campaign === 'blast-radius') return parseUnit(`blast seed=${seed}`);
  if (campaign === 'kill') return parseUnit(`kill seed=${seed}`);
  return parseUnit(`trial world=${world} kind=${campaign} seed=${seed}`);
}

async function replay(pool: Pool, unit: Unit): Promise<number> {
  const { outcome, error } = await pool.one(unit);
  if (!outcome) {
    console.error(error);
    return 1;
  }
  if (options.verbose) console.log(outcome.steps.join('\n'));
  console.log(describeFailure(unit, outcome));
  return outcome.violations.length === 0 ? 0 : 1;
}

async function runCampaign(pool: Pool, campaign: Campaign): Promise<CampaignResult> {
  const usual = options.smoke ? campaign.smoke : campaign.size;
  const size = options.seeds === undefined ? usual : Number(options.seeds);
  const units = await campaign.units(pool, size, Number(options.first));
  return runUnits(pool, campaign.name, campaign.what, units, tellAtOnce, async (failures) => {
    for (const { unit, result } of failures.slice(0, FAILURES_TOLD)) await tellFailure(pool, unit, result);
    return failures.length;
  });
}

/** Bugs count as violations when they are not found. */
async function findBugs(pool: Pool): Promise<CampaignResult> {
  const units = await bugUnits(BUG_SEEDS, options.smoke ? 1 : Infinity);
  const found: number[] = [];
  const what = 'planted bugs that must be found';
  const result = await runUnits(
    pool,
    'bugs',
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
  judge: (failures: readonly Failure[]) => Promise<number>,
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
  const violations = await judge(failures);
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
