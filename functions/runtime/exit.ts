import type { Verdict } from '@cairn/shared/safety/verdict';

/** Exit codes for scripts. */
export const EXIT = {
  ready: 0,
  actionRequired: 1,
  blocked: 2,
  /** Missing documents or an unreachable service. */
  unknown: 3,
  badInput: 64,
} as const;

const BY_VERDICT: Readonly<Record<Verdict, number>> = {
  ready: EXIT.ready,
  'ready-with-warnings': EXIT.ready,
  'action-required': EXIT.actionRequired,
  blocked: EXIT.blocked,
  unknown: EXIT.unknown,
};

export function exitCodeOf(verdict: Verdict): number {
  return BY_VERDICT[verdict];
}

/** Ends the command with a message for the user. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: number;
  readonly lines: readonly string[];

  constructor(lines: readonly string[], exitCode: number) {
    super(lines.join('\n'));
    this.lines = lines;
    this.exitCode = exitCode;
  }
}

export function badInput(...lines: readonly string[]): Failure {
  return new Failure(lines, EXIT.badInput);
}

export function notKnown(...lines: readonly string[]): Failure {
  return new Failure(lines, EXIT.unknown);
}
