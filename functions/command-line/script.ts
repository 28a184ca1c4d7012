import type { Flags } from './flags.ts';
import { flagLines } from './help.ts';
import { type ParsedArgs, readArguments } from './parse.ts';

/** npm script of this repository that takes only flags: `npm run bench -- --only graph`. */
export interface Script {
  /** Prefix of its mistakes. */
  readonly name: string;
  readonly about: string;
  readonly usage: string;
  readonly flags: Flags;
  /** Column of the flag texts in help. */
  readonly margin: number;
  /** Text after the flags in help. */
  readonly notes?: string;
  /** Mistakes across several flags. */
  readonly conflicts?: (given: ParsedArgs) => readonly string[];
}

export type ScriptReading =
  | { readonly kind: 'given'; readonly given: ParsedArgs }
  | { readonly kind: 'help'; readonly help: string }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

/** Reports all mistakes at once. */
export function readScript({ conflicts, ...script }: Script, argv: readonly string[]): ScriptReading {
  const flags: Flags = { ...script.flags, help: { kind: 'switch', help: 'this text' } };
  const syntax = { name: script.name, most: 0, flags, isScript: true };
  const { isHelp, mistakes: misread, given } = readArguments(syntax, argv);
  if (isHelp && misread.length === 0) return { kind: 'help', help: helpText({ ...script, flags }) };
  const mistakes = [...misread, ...(conflicts?.(given) ?? [])];
  return mistakes.length > 0 ? { kind: 'mistakes', mistakes } : { kind: 'given', given };
}

export async function runScript(
  script: Script,
  run: (given: ParsedArgs) => Promise<number>,
): Promise<number> {
  const reading = readScript(script, process.argv.slice(2));
  if (reading.kind === 'given') return run(reading.given);
  if (reading.kind === 'help') process.stdout.write(reading.help);
  else process.stderr.write(reading.mistakes.map((mistake) => `${script.name}: ${mistake}\n`).join(''));
  return reading.kind === 'help' ? 0 : 1;
}

function helpText({ about, usage, flags, margin, notes }: Script): string {
  return `${about}\n\nUsage: ${usage}\n\n${flagLines(flags, margin)}\n${notes === undefined ? '' : `\n${notes}\n`}`;
}
