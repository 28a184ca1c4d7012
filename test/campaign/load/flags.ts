import { readCommandLine } from '../../helpers/cli/command-line.ts';

export interface LoadFlags {
  readonly only: readonly string[];
  readonly isQuick: boolean;
  readonly soakMinutes: number;
}

export type LoadFlagReading =
  | { readonly kind: 'flags'; readonly flags: LoadFlags }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

const OPTIONS = {
  only: { type: 'string', multiple: true },
  quick: { type: 'boolean' },
  soak: { type: 'string' },
  help: { type: 'boolean' },
} as const;

export function loadHelp(rows: readonly { readonly name: string; readonly title: string }[]): string {
  return `Puts the local run under load and says which of the specified numbers hold here.

Usage: npm run load -- [flags]

  --only ROW      only this row; may be given several times
  --quick         seconds instead of minutes: to try it, not to judge by
  --soak MINUTES  also the soak, row L9, for so long
  --help          this text

Rows:
${rows.map(({ name, title }) => `  ${name.padEnd(4)} ${title}\n`).join('')}
The findings are kept in .tmp/load.json. It exits with 1 when a row could not
be measured; a number that does not hold is told, and may be the machine.
`;
}

/** Reads the command line; every mistake is told at once, with what would be accepted. */
export function readLoadFlags(argv: readonly string[], rows: readonly string[]): LoadFlagReading {
  const { values, mistakes } = readCommandLine(argv, OPTIONS);
  const given = values as { only?: string[]; quick?: boolean; soak?: string; help?: boolean };
  for (const name of given.only ?? []) {
    if (!rows.includes(name)) mistakes.push(`there is no row "${name}", accepted are ${rows.join(', ')}`);
  }
  if (given.soak !== undefined && !/^[1-9]\d{0,3}$/.test(given.soak)) {
    mistakes.push(`--soak "${given.soak}" is not accepted, minutes from 1 to 9999 are`);
  }
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  if (given.help) return { kind: 'help' };
  const soakMinutes = Number(given.soak ?? 0);
  return {
    kind: 'flags',
    flags: { only: given.only ?? rows, isQuick: given.quick ?? false, soakMinutes },
  };
}
