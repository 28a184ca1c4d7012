import { readToken } from '../data/token.ts';
import { askForTokens, SignInError } from './issuer.ts';
import { readSession, storeToken } from './session.ts';

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
