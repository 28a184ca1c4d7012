import { mkdirSync, writeFileSync } from 'node:fs';
import { describeMachine } from '../../helpers/machine.ts';
import { RowProcesses } from '../../helpers/row-processes.ts';
import { loadHelp, readLoadFlags } from './flags.ts';
import { loadTable, type RowFinding } from './load-table.ts';
import { isHeld, type LoadMessage } from './row.ts';
import { LOAD_ROWS } from './rows.ts';

const RESULTS = '.tmp/load.json';
const rows = new RowProcesses<LoadMessage>('load', new URL('row-process.ts', import.meta.url));

async function main(): Promise<number> {
  const names = LOAD_ROWS.map(({ name }) => name);
  const reading = readLoadFlags(process.argv.slice(2), names);
  if (reading.kind === 'help') {
    process.stdout.write(loadHelp(LOAD_ROWS));
    return 0;
  }
  if (reading.kind === 'mistakes') {
    process.stderr.write(reading.mistakes.map((mistake) => `load: ${mistake}\n`).join(''));
    return 1;
  }
  const { only, isQuick, soakMinutes } = reading.flags;
  const machine = describeMachine();
  process.stdout.write(`${machine}${isQuick ? '; quick, not to judge by' : ''}\n`);
  const findings: RowFinding[] = [];
  let isBroken = false;
  for (const name of names.filter((candidate) => only.includes(candidate))) {
    process.stderr.write(`${name}\n`);
    const message = await rows.run((folder) => [name, JSON.stringify({ folder, isQuick, soakMinutes })]);
    if ('findings' in message)
      findings.push(...message.findings.map((finding) => ({ row: name, ...finding })));
    else {
      isBroken = true;
      process.stderr.write(`load: ${name}: ${message.error}\n`);
    }
  }
  process.stdout.write(`\n${loadTable(findings)}`);
  mkdirSync('.tmp', { recursive: true });
  const kept = findings.map((finding) => ({ ...finding, held: isHeld(finding) }));
  writeFileSync(
    RESULTS,
    `${JSON.stringify({ machine, isQuick, at: new Date().toISOString(), findings: kept }, null, 2)}\n`,
  );
  return isBroken ? 1 : 0;
}

process.exitCode = await main();
