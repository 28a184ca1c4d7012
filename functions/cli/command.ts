import type { CommandSyntax } from '../command-line/flags.ts';
import type { Given } from '../command-line/parse.ts';
import type { Machine } from './machine.ts';

export interface Command extends CommandSyntax {
  readonly summary: string;
  /** What follows the name: `FROM [TO]`. */
  readonly arguments: string;
  /** Those that the first argument may be, where they are few. */
  readonly argumentValues?: readonly string[];
  readonly about: string;
  readonly examples: readonly string[];
  /** Gives the code to exit with. */
  run(given: Given, machine: Machine): Promise<number>;
}
