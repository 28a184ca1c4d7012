import { nameFrom } from './identity.ts';
import { askForTokens, SignInError } from './issuer.ts';
import { storeToken } from './session.ts';
import { type Attempt, redirectUri } from './start.ts';

/** Takes what the issuer sent a person back with, and gets the token for it. */
export async function finishSignIn(attempt: Attempt | null, answer: URLSearchParams): Promise<void> {
  if (attempt === null) throw new SignInError('No sign-in is under way in this tab.');
  const { issuer, clientId, tokenEndpoint, verifier } = attempt;
  const from = answer.get('iss');
  if (answer.get('state') !== attempt.state || (from !== null && from !== issuer)) {
    throw new SignInError(
      'This is not the answer to the sign-in that was begun here. Nothing was taken from it.',
    );
  }
  const refusal = answer.get('error');
  if (refusal !== null) throw new SignInError(refusalInWords(refusal, answer.get('error_description')));
  const tokens = await askForTokens(tokenEndpoint, {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    redirect_uri: redirectUri(),
    client_id: clientId,
    code_verifier: verifier,
  });
  const { accessToken, refreshToken, idToken, expiresAt } = tokens;
  const name = idToken === null ? null : nameFrom(idToken, attempt);
  storeToken(accessToken, { name, issuer, clientId, tokenEndpoint, refreshToken, expiresAt });
}

const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'The issuer did not let you in.'],
  ['invalid_scope', 'The issuer does not give the scopes that this service asks for.'],
  ['temporarily_unavailable', 'The issuer is not available at the moment.'],
]);

function refusalInWords(code: string, description: string | null): string {
  const known = REFUSALS.get(code);
  const said = description ?? (known === undefined ? code : null);
  const start = known ?? 'The issuer refused.';
  return said === null ? start : `${start} It says: ${said.slice(0, 500)}`;
}
