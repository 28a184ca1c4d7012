import { mkdirSync, writeFileSync } from 'node:fs';
import { refuseUnless } from '../../../functions/command-line/flags.ts';
import type { ParsedArgs } from '../../../functions/command-line/parse.ts';
import { runScript, type Script } from '../../../functions/command-line/script.ts';
import { describeMachine } from '../../helpers/machine.ts';
import { RowProcesses } from '../../helpers/row-processes.ts';
import { loadTable, type RowFinding } from './load-table.ts';
import { isHeld, type LoadMessage } from './row.ts';
import { LOAD_ROWS } from './rows.ts';

const RESULTS = '.tmp/load.json';

const names = LOAD_ROWS.map(({ name }) => name);

export const LOAD: Script = {
  name: 'load',
  about: 'Puts the local run under load and says which of the specified numbers hold here.',
  usage: 'npm run load -- [flags]',
  margin: 18,
  flags: {
    only: {
      kind: 'list',
      value: 'ROW',
      help: 'only this row; may be given several times',
      refuse: (row) =>
        names.includes(row) ? null : `there is no row "${row}", accepted are ${names.join(', ')}`,
    },
    quick: { kind: 'switch', help: 'seconds instead of minutes: for a trial, not for comparison' },
    soak: {
      kind: 'text',
      value: 'MINUTES',
      help: 'also the soak, row L9, for so long',
      refuse: refuseUnless((text) => /^[1-9]\d{0,3}$/.test(text), 'minutes from 1 to 9999 are'),
    },
  },
  notes: `Rows:
${LOAD_ROWS.map(({ name, title }) => `  ${name.padEnd(4)} ${title}\n`).join('')}
The findings are kept in .tmp/load.json. It exits with 1 when a row could not
be measured; a number that does not hold is told, and may be the machine.`,
};

async function measure(given: ParsedArgs): Promise<number> {
  const rows = new RowProcesses<LoadMessage>('load', new URL('row-process.ts', import.meta.url));
  const chosen = given.list('only');
  const isQuick = given.isSet('quick');
  const soakMinutes = given.number('soak') ?? 0;
  const machine = describeMachine();
  process.stdout.write(`${machine}${isQuick ? '; quick, not for comparison' : ''}\n`);
  const findings: RowFinding[] = [];
  let isBroken = false;
  for (const name of names.filter((row) => chosen.length === 0 || chosen.includes(row))) {
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

if (import.meta.main) process.exitCode = await runScript(LOAD, measure);
