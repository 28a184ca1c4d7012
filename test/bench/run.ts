import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecordedThere } from './channel-set.ts';
import { findingsTable, isFarFromGoal } from './findings-table.ts';
import { helpText, readBenchFlags } from './flags.ts';
import type { Finding, RowMessage } from './row.ts';
import { ROWS } from './rows.ts';

const rowProcess = fileURLToPath(new URL('row-process.ts', import.meta.url));

async function main(): Promise<number> {
  const names = ROWS.map((row) => row.name);
  const reading = readBenchFlags(process.argv.slice(2), names);
  if (reading.kind === 'help') {
    process.stdout.write(helpText(names));
    return 0;
  }
  if (reading.kind === 'mistakes') {
    process.stderr.write(reading.mistakes.map((mistake) => `bench: ${mistake}\n`).join(''));
    return 1;
  }
  const { only, gate } = reading.flags;
  if (!isRecordedThere) process.stdout.write('no recorded graphs at ../shared/data: demo channels only\n');
  const findings: Finding[] = [];
  let isBroken = false;
  for (const name of names.filter((candidate) => candidate.includes(only))) {
    process.stderr.write(`measuring ${name}\n`);
    const message = await inOwnProcess(name);
    if ('findings' in message) findings.push(...message.findings);
    else {
      isBroken = true;
      process.stderr.write(`bench: ${name}: ${message.error}\n`);
    }
  }
  process.stdout.write(`\n${findingsTable(findings)}`);
  return isBroken || (gate && findings.some(isFarFromGoal)) ? 1 : 0;
}

function inOwnProcess(name: string): Promise<RowMessage> {
  const folder = mkdtempSync(join(workFolder, 'row-'));
  const child = fork(rowProcess, [name, folder]);
  return new Promise((resolve, reject) => {
    let told: RowMessage | undefined;
    child.once('message', (message: RowMessage) => (told = message));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      remove(folder);
      resolve(told ?? { error: `its process ended early (${signal ?? code})` });
    });
  });
}

/** An engine that is just ending may still write a file into what is being removed. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

const workFolder = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
process.once('exit', () => remove(workFolder));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

process.exitCode = await main();
