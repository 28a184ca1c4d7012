export const TOKEN_KEY = 'cairn-token';

/** Kept for as long as the tab is open; `sign-in/session.ts` puts it there. */
export function readToken(): string | null {
  return sessionStorage.getItem(TOKEN_KEY);
}
