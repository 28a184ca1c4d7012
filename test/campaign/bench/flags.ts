import { readCommandLine } from '../../helpers/cli/command-line.ts';

export interface BenchFlags {
  /** Only rows with this in their name. */
  readonly only: string;
  /** Fail on a goal that is clearly missed. */
  readonly gate: boolean;
}

export type BenchFlagReading =
  | { readonly kind: 'flags'; readonly flags: BenchFlags }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

const OPTIONS = {
  only: { type: 'string', default: '' },
  gate: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

export function helpText(rowNames: readonly string[]): string {
  return `Measures what the design promises, as ratios within one run.

Usage: npm run bench -- [flags]

  --only TEXT  only rows with TEXT in their name
  --gate       exit 1 when a goal is missed by more than 15 %
  --help       this text

Rows:
${rowNames.map((name) => `  ${name}\n`).join('')}`;
}

/** Reads the command line; every mistake is told at once, with what would be accepted. */
export function readBenchFlags(argv: readonly string[], rowNames: readonly string[]): BenchFlagReading {
  const { values, mistakes } = readCommandLine(argv, OPTIONS);
  const { only, gate, help } = values as { only: string; gate: boolean; help: boolean };
  if (mistakes.length === 0 && !rowNames.some((name) => name.includes(only))) {
    mistakes.push(`no row has "${only}" in its name, there are: ${rowNames.join('; ')}`);
  }
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  return help ? { kind: 'help' } : { kind: 'flags', flags: { only, gate } };
}
