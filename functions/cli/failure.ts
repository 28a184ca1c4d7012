import { EXIT } from './exit.ts';

/** Ends the command with a message for whoever called it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;
  /** One line each. */
  readonly lines: readonly string[];

  constructor(lines: readonly string[], exitCode: number) {
    super(lines.join('\n'));
    this.lines = lines;
    this.exitCode = exitCode;
  }
}

/** The caller has to mend something. */
export function badInput(...lines: readonly string[]): Failure {
  return new Failure(lines, EXIT.badInput);
}

/** Nobody knows, as somebody or something does not answer. */
export function notKnown(...lines: readonly string[]): Failure {
  return new Failure(lines, EXIT.unknown);
}
