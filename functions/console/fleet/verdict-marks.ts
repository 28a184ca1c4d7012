import type { Verdict } from '../state/url-state.ts';
import type { Tone } from '../ui/pill.tsx';

export const VERDICT_MARKS: Readonly<Record<Verdict, readonly [tone: Tone, words: string]>> = {
  blocked: ['block', 'Blocked'],
  unknown: ['cond', 'Not enough is known'],
  'action-required': ['cond', 'Something to do on the way'],
  'ready-with-warnings': ['cond', 'Ready, with warnings'],
  ready: ['ok', 'Ready'],
  pending: ['plain', 'Not looked at yet'],
};
