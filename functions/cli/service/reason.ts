import { messageOf } from '@cairn/shared/text/quote';

/** `fetch failed` alone says nothing; its cause does. */
export function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return cause === undefined ? messageOf(error) : messageOf(cause);
}
