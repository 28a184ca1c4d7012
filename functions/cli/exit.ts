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
