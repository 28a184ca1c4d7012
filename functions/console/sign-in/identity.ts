import { SignInError } from './issuer.ts';

interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
}

/** Names are for people; an issuer may put anything into them. */
const MOST_NAME = 100;

/**
 * What the issuer calls the person. Its signature is not looked at: the id token comes from the token endpoint itself,
 * over TLS, and nothing is opened by it. It has to be the one that was asked for.
 */
export function nameFrom(idToken: string, expected: Expected): string | null {
  const claims = claimsOf(idToken);
  const isForUs =
    claims['iss'] === expected.issuer &&
    claims['nonce'] === expected.nonce &&
    [claims['aud']].flat().includes(expected.clientId);
  if (!isForUs) throw new SignInError('What the issuer sent is not the answer to this sign-in.');
  const name = ['name', 'email', 'preferred_username', 'sub']
    .map((claim) => claims[claim])
    .find((value): value is string => typeof value === 'string' && value.trim() !== '');
  return name?.slice(0, MOST_NAME) ?? null;
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  } catch {
    throw new SignInError('The id token of the issuer cannot be read.');
  }
}
