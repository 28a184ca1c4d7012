import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refuseUnless } from '../../../functions/command-line/flags.ts';
import type { ParsedArgs } from '../../../functions/command-line/parse.ts';
import { runScript, type Script } from '../../../functions/command-line/script.ts';
import { describeMachine } from '../../helpers/machine.ts';
import { type Part, stagesOf } from './parts.ts';
import { type Circumstances, type PartResult, reportOf } from './report.ts';

const FOLDER = '.tmp/figures';

const SOAK_MINUTES = 60;

export const FIGURES: Script = {
  name: 'figures',
  about: 'Takes every figure that the documentation has, in one run, and tells them in one report.',
  usage: 'npm run figures -- [flags]',
  margin: 18,
  flags: {
    quick: { kind: 'switch', help: 'minutes instead of hours: for a trial, not for comparison' },
    soak: {
      kind: 'text',
      value: 'MINUTES',
      help: `how long the soak lasts (${SOAK_MINUTES})`,
      refuse: refuseUnless((text) => /^[1-9]\d{0,3}$/.test(text), 'minutes from 1 to 9999 are'),
    },
    output: {
      kind: 'text',
      value: 'FILE',
      default: '.tmp/figures/report.md',
      help: 'where the report is kept (.tmp/figures/report.md)',
    },
  },
  notes: `First the soak, and beside it what does not go by the clock: faults, fuzz and
schemathesis. Then load and bench, which need the machine for themselves. It
takes about 90 minutes on two cores. .tmp/figures has all that each part said.
It exits with 1 when a part failed; a number that does not hold is told.`,
};

export function figuresFlags(given: ParsedArgs): {
  readonly isQuick: boolean;
  readonly soakMinutes: number;
  readonly output: string;
} {
  const isQuick = given.isSet('quick');
  const soakMinutes = given.number('soak') ?? (isQuick ? 1 : SOAK_MINUTES);
  return { isQuick, soakMinutes, output: given.text('output')! };
}

async function takeFigures(given: ParsedArgs): Promise<number> {
  const flags = figuresFlags(given);
  mkdirSync(FOLDER, { recursive: true });
  const around: Circumstances = {
    commit: git('rev-parse', 'HEAD'),
    isClean: git('status', '--porcelain') === '',
    machine: describeMachine(),
    startedAt: new Date().toISOString(),
    isQuick: flags.isQuick,
  };
  const results: PartResult[] = [];
  for (const stage of stagesOf(flags)) {
    await Promise.all(
      stage.map(async (lane) => {
        // A part that fails keeps no other from telling its figures.
        for (const part of lane) results.push(await runPart(part));
      }),
    );
  }
  const report = reportOf(results, around);
  mkdirSync(dirname(flags.output), { recursive: true });
  writeFileSync(flags.output, report);
  process.stdout.write(report);
  return results.every(({ exitCode }) => exitCode === 0) ? 0 : 1;
}

/** All that it says is kept as it comes; what it tells on its standard output is for the report. */
async function runPart(part: Part): Promise<PartResult> {
  const startedAt = performance.now();
  process.stderr.write(`${part.name}: ${part.command.join(' ')}\n`);
  const log = createWriteStream(join(FOLDER, `${part.name}.log`));
  const [program, ...rest] = part.command;
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  const told: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    told.push(chunk);
    log.write(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => log.write(chunk));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.off('exit', kill);
  log.end();
  const minutes = (performance.now() - startedAt) / 60_000;
  process.stderr.write(`${part.name}: ended with ${exitCode} after ${minutes.toFixed(1)} minutes\n`);
  return { part, told: Buffer.concat(told).toString(), exitCode, minutes };
}

function git(...words: readonly string[]): string {
  const { stdout, status } = spawnSync('git', words, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}

if (import.meta.main) {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.exitCode = await runScript(FIGURES, takeFigures);
}
