import type { ParsedArgs } from '../../../functions/command-line/parse.ts';
import { readScript, type Script } from '../../../functions/command-line/script.ts';

export function givenOf(script: Script, argv: readonly string[]): ParsedArgs {
  const reading = readScript(script, argv);
  if (reading.kind !== 'given') throw new Error(`${argv.join(' ')} is not accepted`);
  return reading.given;
}

export function mistakesOf(script: Script, argv: readonly string[]): readonly string[] {
  const reading = readScript(script, argv);
  return reading.kind === 'mistakes' ? reading.mistakes : [];
}
