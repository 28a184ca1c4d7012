import type { ParsedArgs } from '../../../functions/command-line/parse.ts';
import { runScript, type Script } from '../../../functions/command-line/script.ts';
import { RowProcesses } from '../../helpers/row-processes.ts';
import { isRecordedDataPresent } from '../../helpers/upstream/recorded-data.ts';
import { canMeasure } from './channel-set.ts';
import { findingsTable, isFarFromGoal } from './findings-table.ts';
import type { Finding, RowMessage } from './row.ts';
import { ROWS } from './rows.ts';

export const benchScript = (rowNames: readonly string[]): Script => ({
  name: 'bench',
  about: 'Measures what the design promises, as ratios within one run.',
  usage: 'npm run bench -- [flags]',
  margin: 15,
  flags: {
    only: {
      kind: 'text',
      help: 'only rows with TEXT in their name',
      refuse: (text) =>
        rowNames.some((name) => name.includes(text))
          ? null
          : `no row has "${text}" in its name, there are: ${rowNames.join('; ')}`,
    },
    gate: { kind: 'switch', help: 'exit 1 when a goal is missed by more than 15 %' },
  },
  notes: `Rows:\n${rowNames.map((name) => `  ${name}`).join('\n')}`,
});

const names = ROWS.map((row) => row.name);

async function measure(given: ParsedArgs): Promise<number> {
  const rows = new RowProcesses<RowMessage>('bench', new URL('row-process.ts', import.meta.url));
  const only = given.text('only') ?? '';
  if (!isRecordedDataPresent)
    process.stdout.write('no recorded graphs at ../shared/data: demo channels only\n');
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
  return isBroken || (given.isSet('gate') && findings.some(isFarFromGoal)) ? 1 : 0;
}

if (import.meta.main) process.exitCode = await runScript(benchScript(names), measure);
