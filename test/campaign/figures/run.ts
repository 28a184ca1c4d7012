import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeMachine } from '../../helpers/machine.ts';
import { FIGURES_HELP, readFiguresFlags } from './flags.ts';
import { type Part, stagesOf } from './parts.ts';
import { type Circumstances, type PartResult, reportOf } from './report.ts';

const FOLDER = '.tmp/figures';

async function main(): Promise<number> {
  const reading = readFiguresFlags(process.argv.slice(2));
  if (reading.kind === 'help') {
    process.stdout.write(FIGURES_HELP);
    return 0;
  }
  if (reading.kind === 'mistakes') {
    process.stderr.write(reading.mistakes.map((mistake) => `figures: ${mistake}\n`).join(''));
    return 1;
  }
  const { flags } = reading;
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

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.exitCode = await main();
