import { RowProcesses } from '../../helpers/row-processes.ts';
import { canMeasure, isRecordedThere } from './channel-set.ts';
import { findingsTable, isFarFromGoal } from './findings-table.ts';
import { helpText, readBenchFlags } from './flags.ts';
import type { Finding, RowMessage } from './row.ts';
import { ROWS } from './rows.ts';

const rows = new RowProcesses<RowMessage>('bench', new URL('row-process.ts', import.meta.url));

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
  for (const name of names.filter((candidate) => candidate.includes(only) && canMeasure(candidate))) {
    process.stderr.write(`measuring ${name}\n`);
    const message = await rows.run((folder) => [name, folder]);
    if ('findings' in message) findings.push(...message.findings);
    else {
      isBroken = true;
      process.stderr.write(`bench: ${name}: ${message.error}\n`);
    }
  }
  process.stdout.write(`\n${findingsTable(findings)}`);
  return isBroken || (gate && findings.some(isFarFromGoal)) ? 1 : 0;
}

process.exitCode = await main();
