import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replay, runCampaign } from './campaign.ts';
import { FUZZ_HELP, readFuzzFlags } from './flags.ts';
import { shotOf } from './grammar/shots.ts';
import { objectionsTo, reportOf } from './report.ts';
import { curlOf, openedShot, savedShot, type SavedShot, type Shot } from './request.ts';

const FOLDER = '.tmp/fuzz';

async function main(): Promise<number> {
  const reading = readFuzzFlags(process.argv.slice(2), Date.now() % 2 ** 31);
  if (reading.kind === 'help') {
    process.stdout.write(FUZZ_HELP);
    return 0;
  }
  if (reading.kind === 'mistakes') {
    process.stderr.write(reading.mistakes.map((mistake) => `fuzz: ${mistake}\n`).join(''));
    return 1;
  }
  const { requests, seed, only, replay: file } = reading.flags;
  if (file !== null) return again((JSON.parse(readFileSync(file, 'utf8')) as SavedShot[]).map(openedShot));
  if (only !== null) return again([shotOf(seed, only)]);
  process.stderr.write(`seed ${seed}\n`);
  const onProgress = (done: number): void => void process.stderr.write(`\r${done} of ${requests}`);
  const result = await runCampaign({ seed, requests, onProgress });
  process.stderr.write('\n');
  process.stdout.write(reportOf(result));
  if (result.failures.length > 0) {
    mkdirSync(FOLDER, { recursive: true });
    const kept = join(FOLDER, `seed-${seed}.json`);
    writeFileSync(
      kept,
      JSON.stringify(
        result.failures.map(({ shot }) => savedShot(shot)),
        null,
        2,
      ),
    );
    process.stdout.write(`\nthe requests that failed are in ${kept}: npm run fuzz -- --replay ${kept}\n`);
  }
  return objectionsTo(result).length === 0 ? 0 : 1;
}

/** Sends a few again and shows all that came of each. */
async function again(shots: readonly Shot[]): Promise<number> {
  const { target, judged, mishaps } = await replay(shots);
  for (const [place, { route, faults, outcome }] of judged.entries()) {
    const answer =
      outcome.kind === 'answer'
        ? `${outcome.answer.status}\n${outcome.answer.headerLines.join('\n')}\n\n${outcome.answer.body.toString('utf8', 0, 4000)}`
        : `${outcome.kind}: ${outcome.detail}`;
    process.stdout.write(`${curlOf(shots[place]!, target)}\n${route}: ${answer}\n`);
    process.stdout.write(faults.length === 0 ? 'as it should be\n\n' : `FAULT ${faults.join('; ')}\n\n`);
  }
  for (const mishap of mishaps) process.stdout.write(`the service told: ${mishap}\n`);
  return mishaps.length > 0 || judged.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

process.exitCode = await main();
