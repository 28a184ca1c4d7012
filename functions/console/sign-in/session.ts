import { readToken, TOKEN_KEY } from '../data/status.ts';
import { askForTokens, SignInError } from './issuer.ts';

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

let underWay: Promise<boolean> | undefined;

/**
 * Gets a new token in place of `refused`, without asking the person; false when that cannot be done. Requests that were
 * refused at the same time share one, as a refresh token may be good only once.
 */
export async function renew(refused: string): Promise<boolean> {
  if (underWay === undefined && readToken() !== refused) return true;
  underWay ??= askAgain(refused).finally(() => (underWay = undefined));
  return underWay;
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
    // The page says that a sign-in is needed. What the issuer takes no more is not sent again with every request.
    const isPassing = error instanceof SignInError && error.isPassing;
    if (!isPassing) storeToken(refused, { ...session, refreshToken: null });
    return false;
  }
}
