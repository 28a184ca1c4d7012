import { showValue } from './show-value.ts';

/** What an error says; anything may be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : showValue(error);
}
