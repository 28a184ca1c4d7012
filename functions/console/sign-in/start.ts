import type { IssuerSignIn } from '../../site/sign-in.ts';
import { findEndpoints } from './issuer.ts';

/** What is kept in the tab while the person is at the issuer. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly tokenEndpoint: string;
  /** The address that the person came from, plan and all. */
  readonly returnTo: string;
}

const ATTEMPT_KEY = 'cairn-sign-in';

/** Where the issuer sends people back to; it has to know this address. */
export function redirectUri(): string {
  return `${location.origin}/signed-in`;
}

export interface StartOptions {
  readonly returnTo: string;
  /** Lets the issuer ask who it is, also when it knows. */
  readonly asAnother?: boolean;
}

/** Sends the person to the issuer; ends with the page. */
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

/** It is good for one answer of the issuer; null when there is none under way in this tab. */
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
