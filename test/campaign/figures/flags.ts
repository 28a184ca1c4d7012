import { readCommandLine } from '../../helpers/cli/command-line.ts';

export interface FiguresFlags {
  readonly isQuick: boolean;
  readonly soakMinutes: number;
  /** Where the report is kept. */
  readonly output: string;
}

export type FiguresFlagReading =
  | { readonly kind: 'flags'; readonly flags: FiguresFlags }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

const OPTIONS = {
  quick: { type: 'boolean' },
  soak: { type: 'string' },
  output: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const SOAK_MINUTES = 60;

export const FIGURES_HELP = `Takes every figure that the documentation has, in one run, and tells them in one report.

Usage: npm run figures -- [flags]

  --quick         minutes instead of hours: to try it, not to judge by
  --soak MINUTES  how long the soak lasts (${SOAK_MINUTES})
  --output FILE   where the report is kept (.tmp/figures/report.md)
  --help          this text

First the soak, and beside it what does not go by the clock: faults, fuzz and
schemathesis. Then load and bench, which need the machine for themselves. It
takes about 90 minutes on two cores. .tmp/figures has all that each part said.
It exits with 1 when a part failed; a number that does not hold is told.
`;

export function readFiguresFlags(argv: readonly string[]): FiguresFlagReading {
  const { values, mistakes } = readCommandLine(argv, OPTIONS);
  const given = values as { quick?: boolean; soak?: string; output?: string; help?: boolean };
  if (given.soak !== undefined && !/^[1-9]\d{0,3}$/.test(given.soak)) {
    mistakes.push(`--soak "${given.soak}" is not accepted, minutes from 1 to 9999 are`);
  }
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  if (given.help) return { kind: 'help' };
  const isQuick = given.quick ?? false;
  const soakMinutes = Number(given.soak ?? (isQuick ? 1 : SOAK_MINUTES));
  return { kind: 'flags', flags: { isQuick, soakMinutes, output: given.output ?? '.tmp/figures/report.md' } };
}
