import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUGS, FAULT_HELP, type FaultFlags, readFaultFlags } from './flags.ts';
import { type Campaign, CAMPAIGNS, bugUnits } from './runner/campaigns.ts';
import { minimise } from './runner/minimise.ts';
import { Pool } from './runner/pool.ts';
import { type CampaignResult, describeFailure, resultTable } from './runner/report.ts';
import { replayOf, type Unit } from './runner/units.ts';
import type { UnitResult } from './runner/worker.ts';

/** Seeds that a planted bug may take. */
const BUG_SEEDS = 100;
const FAILURES_TOLD = 5;
const TOLD_CHARACTERS = 200;
const FOLDER = join(import.meta.dirname, '../../../.tmp');

async function main(): Promise<number> {
  const reading = readFaultFlags(process.argv.slice(2));
  if (reading.kind === 'help') {
    process.stdout.write(FAULT_HELP);
    return 0;
  }
  if (reading.kind === 'mistakes') {
    process.stderr.write(reading.mistakes.map((mistake) => `fault: ${mistake}\n`).join(''));
    return 1;
  }
  const { flags } = reading;
  const { again, campaign, engine } = flags;
  const pool = await Pool.open(engine, again ? 1 : flags.workers);
  try {
    if (again) return await replay(pool, again, flags);
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

async function replay(pool: Pool, unit: Unit, { isVerbose }: FaultFlags): Promise<number> {
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
  { isSmoke, seeds, first }: FaultFlags,
): Promise<CampaignResult> {
  const units = await campaign.units(pool, seeds ?? (isSmoke ? campaign.smoke : campaign.size), first);
  return runUnits(pool, campaign.name, campaign.what, units, tellAtOnce, async (failures) => {
    for (const { unit, result } of failures.slice(0, FAILURES_TOLD)) await tellFailure(pool, unit, result);
    return failures.length;
  });
}

/** Bugs count as violations when they are not found. */
async function findBugs(pool: Pool, { isSmoke }: FaultFlags): Promise<CampaignResult> {
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

process.exitCode = await main();
