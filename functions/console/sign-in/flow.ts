import type { IssuerSignIn } from '../../site/schema.ts';
import { askForTokens, findEndpoints, SignInError } from './issuer.ts';
import { storeToken } from './session.ts';

/** Stored in the tab during the redirect. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly tokenEndpoint: string;
  /** URL to return to, with the plan. */
  readonly returnTo: string;
}

const ATTEMPT_KEY = 'cairn-sign-in';

/** Must be registered at the issuer. */
export function redirectUri(): string {
  return `${location.origin}/signed-in`;
}

export interface StartOptions {
  readonly returnTo: string;
  /** Makes the issuer ask for the account again. */
  readonly asAnother?: boolean;
}

export async function startSignIn(config: IssuerSignIn, options: StartOptions): Promise<void> {
  const { issuer, clientId, scopes } = config;
  const endpoints = await findEndpoints(config);
  const [state, nonce, verifier] = [randomText(), randomText(), randomText()];
  const attempt: Attempt = {
    state,
    nonce,
    verifier,
    issuer,
    clientId,
    tokenEndpoint: endpoints.token,
    returnTo: options.returnTo,
  };
  const url = new URL(endpoints.authorization);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    scope: scopes.join(' '),
    state,
    nonce,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ...(options.asAnother && { prompt: 'login' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  sessionStorage.setItem(ATTEMPT_KEY, JSON.stringify(attempt));
  location.assign(url);
}

/** Single use; null without a sign-in in this tab. */
export function takeAttempt(): Attempt | null {
  const text = sessionStorage.getItem(ATTEMPT_KEY);
  sessionStorage.removeItem(ATTEMPT_KEY);
  return text === null ? null : (JSON.parse(text) as Attempt);
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

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
  const reason = description ?? (known === undefined ? code : null);
  const start = known ?? 'The issuer refused.';
  return reason === null ? start : `${start} It says: ${reason.slice(0, 500)}`;
}

/** Characters; an issuer can send any text. */
const MOST_NAME = 100;

/** Skips the signature: the ID token comes over TLS and authorizes nothing. Its claims must match the request. */
function nameFrom(idToken: string, expected: Pick<Attempt, 'issuer' | 'clientId' | 'nonce'>): string | null {
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
