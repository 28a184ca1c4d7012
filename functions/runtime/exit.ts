import type { Verdict } from '@cairn/shared/safety/verdict';

/** What the command ends with, so that a job can go by it. */
export const EXIT = {
  ready: 0,
  actionRequired: 1,
  blocked: 2,
  /** It could not be found out: documents are missing, or nobody answers. */
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
