import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseUnless } from '../../../functions/command-line/flags.ts';
import type { ParsedArgs } from '../../../functions/command-line/parse.ts';
import { runScript, type Script } from '../../../functions/command-line/script.ts';
import { replay, runCampaign } from './campaign.ts';
import { shotOf } from './grammar/shots.ts';
import { objectionsTo, reportOf } from './report.ts';
import { curlOf, openedShot, savedShot, type SavedShot, type Shot } from './request.ts';

const FOLDER = '.tmp/fuzz';

const MOST = 2 ** 31 - 1;
const NUMBER = {
  kind: 'text',
  value: 'NUMBER',
  refuse: refuseUnless(
    (text) => /^\d{1,10}$/.test(text) && Number(text) <= MOST,
    `a whole number up to ${MOST} is`,
  ),
} as const;

export const FUZZ: Script = {
  name: 'fuzz',
  about: 'Sends made-up requests to every route of a local run and checks each answer.',
  usage: 'npm run fuzz -- [flags]',
  margin: 21,
  flags: {
    requests: { ...NUMBER, default: '50000', help: 'how many (50000)' },
    seed: { ...NUMBER, help: 'which ones; the same number gives the same requests (drawn)' },
    only: { ...NUMBER, help: 'only the request with this number of the seed' },
    replay: { kind: 'text', value: 'FILE', help: 'the requests of a file that a run left in .tmp/fuzz' },
  },
  notes: `It exits with 1 when an answer is not as it should be: any 5xx but a 503 that
is documented, an error without a documented type, data that is not as the
interface document says, a header that came out of a request, a crash, or
memory that grows by more than a tenth.`,
};

async function fuzz(given: ParsedArgs): Promise<number> {
  const requests = given.number('requests')!;
  const seed = given.number('seed') ?? Date.now() % 2 ** 31;
  const [only, file] = [given.number('only'), given.text('replay')];
  if (file !== undefined)
    return again((JSON.parse(readFileSync(file, 'utf8')) as SavedShot[]).map(openedShot));
  if (only !== undefined) return again([shotOf(seed, only)]);
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
  const { target, verified, mishaps } = await replay(shots);
  for (const [place, { route, faults, outcome }] of verified.entries()) {
    const answer =
      outcome.kind === 'answer'
        ? `${outcome.answer.status}\n${outcome.answer.headerLines.join('\n')}\n\n${outcome.answer.body.toString('utf8', 0, 4000)}`
        : `${outcome.kind}: ${outcome.detail}`;
    process.stdout.write(`${curlOf(shots[place]!, target)}\n${route}: ${answer}\n`);
    process.stdout.write(faults.length === 0 ? 'as it should be\n\n' : `FAULT ${faults.join('; ')}\n\n`);
  }
  for (const mishap of mishaps) process.stdout.write(`the service told: ${mishap}\n`);
  return mishaps.length > 0 || verified.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

if (import.meta.main) process.exitCode = await runScript(FUZZ, fuzz);
