import { readToken, TOKEN_KEY } from '../data/status.ts';
import { askForTokens, SignInError } from './issuer.ts';

/** Sign-in data for renewal; the token is stored separately. */
export interface Session {
  /** User name from the issuer, if any. */
  readonly name: string | null;
  readonly issuer: string;
  readonly clientId: string;
  readonly tokenEndpoint: string;
  readonly refreshToken: string | null;
  /** Milliseconds; null if the issuer sent none. */
  readonly expiresAt: number | null;
}

const SESSION_KEY = 'cairn-session';

/** Null if signed out, or with a pasted token. */
export function readSession(): Session | null {
  const text = sessionStorage.getItem(SESSION_KEY);
  return text === null ? null : (JSON.parse(text) as Session);
}

/** Cleared when the tab closes. A pasted token has no session. */
export function storeToken(token: string, session: Session | null): void {
  sessionStorage.setItem(TOKEN_KEY, token);
  if (session === null) sessionStorage.removeItem(SESSION_KEY);
  else sessionStorage.setItem(SESSION_KEY, JSON.stringify(session));
}

export function forgetToken(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  sessionStorage.removeItem(SESSION_KEY);
}

let renewal: Promise<boolean> | undefined;

/**
 * Replaces `refused` without user interaction; false if not possible. Concurrent requests share one renewal, since a
 * refresh token can be single use.
 */
export async function renew(refused: string): Promise<boolean> {
  if (renewal === undefined && readToken() !== refused) return true;
  renewal ??= askAgain(refused).finally(() => (renewal = undefined));
  return renewal;
}

async function askAgain(refused: string): Promise<boolean> {
  const session = readSession();
  if (!session?.refreshToken) return false;
  const { clientId, refreshToken, tokenEndpoint } = session;
  try {
    const tokens = await askForTokens(tokenEndpoint, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
    });
    const { accessToken, expiresAt } = tokens;
    storeToken(accessToken, { ...session, expiresAt, refreshToken: tokens.refreshToken ?? refreshToken });
    return true;
  } catch (error) {
    // The page asks for a sign-in. Drops a rejected refresh token, so that it is not sent with every request.
    const isPassing = error instanceof SignInError && error.isPassing;
    if (!isPassing) storeToken(refused, { ...session, refreshToken: null });
    return false;
  }
}
