import { parseArgs } from 'node:util';
import { type FaultStage, startFaultStage } from './fault-stage.ts';
import { type BugName, PLANTED_BUGS } from './planted-bugs.ts';
import { runTrial, type TrialOutcome } from './prune-trial.ts';

const BUG_SEEDS = 100;

export interface CampaignTotals {
  seeds: number;
  failed: TrialOutcome[];
  runs: number;
  invocations: number;
  faults: number;
  breaks: number;
  deletedKeys: number;
  revived: number;
}

/** Trials of the seeds from one on. */
export async function runSeeds(
  stage: FaultStage,
  { first, count }: { readonly first: number; readonly count: number },
  onSeed: (totals: CampaignTotals) => void = () => {},
): Promise<CampaignTotals> {
  const totals = {
    seeds: 0,
    failed: [] as TrialOutcome[],
    runs: 0,
    invocations: 0,
    faults: 0,
    breaks: 0,
    deletedKeys: 0,
    revived: 0,
  };
  for (let seed = first; seed < first + count; seed++) {
    const trial = await runTrial(stage, seed);
    totals.seeds++;
    for (const name of ['runs', 'invocations', 'faults', 'breaks', 'deletedKeys', 'revived'] as const) {
      totals[name] += trial[name];
    }
    if (trial.violations.length > 0) totals.failed.push(trial);
    onSeed(totals);
  }
  return totals;
}

/** The first trial that finds a planted bug; null when none of so many does. */
export async function findBug(
  stage: FaultStage,
  bug: BugName,
  seeds = BUG_SEEDS,
): Promise<TrialOutcome | null> {
  for (let seed = 1; seed <= seeds; seed++) {
    const trial = await runTrial(stage, seed, bug);
    if (trial.violations.length > 0) return trial;
  }
  return null;
}

export function describeFailure({ seed, violations, steps }: TrialOutcome): string {
  return [`seed ${seed}:`, ...violations.map((violation) => `  ! ${violation}`), ...steps].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '500' },
      first: { type: 'string', default: '1' },
      bugs: { type: 'boolean', default: true },
      bug: { type: 'string' },
    },
    allowNegative: true,
  });
  const stage = await startFaultStage();
  try {
    if (values.bug !== undefined) {
      const trial = await runTrial(stage, Number(values.first), values.bug as BugName);
      console.log(describeFailure(trial));
    } else process.exitCode = await campaign(stage, Number(values.first), Number(values.seeds), values.bugs);
  } finally {
    await stage.close();
  }
}

async function campaign(stage: FaultStage, first: number, count: number, withBugs: boolean): Promise<number> {
  let failed = 0;
  const { seeds, ...totals } = await runSeeds(stage, { first, count }, (now) => {
    for (const trial of now.failed.slice(failed)) console.log(describeFailure(trial));
    failed = now.failed.length;
    if (now.seeds % 50 === 0) console.log(line(now));
  });
  if (seeds % 50 !== 0) console.log(line({ seeds, ...totals }));
  let missed = 0;
  if (withBugs) {
    for (const bug of Object.keys(PLANTED_BUGS) as BugName[]) {
      const found = await findBug(stage, bug);
      if (found === null) missed++;
      const how = found === null ? 'NOT FOUND' : `found by seed ${found.seed}: ${found.violations[0]}`;
      console.log(`planted "${bug}": ${how}`);
    }
  }
  return failed + missed === 0 ? 0 : 1;
}

function line({ seeds, failed, ...counts }: CampaignTotals): string {
  const told = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return `${seeds} seeds, ${failed.length} with violations, ${told.join(', ')}`;
}
