import { TOKEN_KEY } from '../data/token.ts';

/** Who signed in, and how that is renewed; the token itself lies beside it. */
export interface Session {
  /** As the issuer calls the person; null when it does not say. */
  readonly name: string | null;
  readonly issuer: string;
  readonly clientId: string;
  readonly tokenEndpoint: string;
  /** Null when the issuer gave none. */
  readonly refreshToken: string | null;
  /** In milliseconds; null when the issuer did not say. */
  readonly expiresAt: number | null;
}

const SESSION_KEY = 'cairn-session';

/** Null when nobody signed in, or the token was pasted. */
export function readSession(): Session | null {
  const text = sessionStorage.getItem(SESSION_KEY);
  return text === null ? null : (JSON.parse(text) as Session);
}

/** Kept for as long as the tab is open. A token that was pasted comes without a session. */
export function storeToken(token: string, session: Session | null): void {
  sessionStorage.setItem(TOKEN_KEY, token);
  if (session === null) sessionStorage.removeItem(SESSION_KEY);
  else sessionStorage.setItem(SESSION_KEY, JSON.stringify(session));
}

export function forgetToken(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  sessionStorage.removeItem(SESSION_KEY);
}
