import type { IssuerSignIn } from '../../site/schema.ts';

const TIMEOUT_MS = 20_000;

export class SignInError extends Error {
  override readonly name = 'SignInError';
  /** A retry can succeed. */
  readonly isPassing: boolean;

  constructor(message: string, { isPassing = false } = {}) {
    super(message);
    this.isPassing = isPassing;
  }
}

/** From the settings or the discovery document. */
export async function findEndpoints(config: IssuerSignIn) {
  const { issuer, authorizationEndpoint, tokenEndpoint } = config;
  if (authorizationEndpoint && tokenEndpoint) {
    return { authorization: authorizationEndpoint, token: tokenEndpoint };
  }
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const { status, body } = await ask(url, {});
  if (status !== 200) {
    throw new SignInError(`${hostOf(issuer)} answered ${status} when it was asked how to sign in.`);
  }
  // Otherwise one issuer could redirect users to another.
  if (body['issuer'] !== issuer) {
    throw new SignInError(
      `${hostOf(issuer)} says that it is the issuer “${shown(body['issuer'])}”, this service expects “${issuer}”.`,
    );
  }
  return {
    authorization: endpointOf(body, 'authorization_endpoint', issuer),
    token: allowedEndpoint(endpointOf(body, 'token_endpoint', issuer), issuer),
  };
}

function endpointOf(document: Members, name: string, issuer: string): string {
  const url = document[name];
  if (typeof url === 'string' && URL.parse(url)?.protocol === new URL(issuer).protocol) return url;
  throw new SignInError(`${hostOf(issuer)} names no ${name} that can be used: “${shown(url)}”.`);
}

/** The content security policy allows only hosts known at deployment. */
function allowedEndpoint(url: string, issuer: string): string {
  if (new URL(url).origin === new URL(issuer).origin) return url;
  throw new SignInError(
    `The issuer gives out tokens at ${hostOf(url)}, which this page may not ask. ` +
      'Whoever runs this service has to set authorizationEndpoint and tokenEndpoint.',
  );
}

/** Accepts a code or a refresh token. */
export async function askForTokens(endpoint: string, parameters: Readonly<Record<string, string>>) {
  const { status, body } = await ask(endpoint, { method: 'POST', body: new URLSearchParams(parameters) });
  const text = (name: string): string | null => (typeof body[name] === 'string' ? body[name] : null);
  if (status !== 200) {
    throw new SignInError(
      `${hostOf(endpoint)} gave no token. It says: ${text('error_description') ?? text('error') ?? status}`,
      { isPassing: status === 429 || status >= 500 },
    );
  }
  const accessToken = text('access_token');
  if (!accessToken) throw new SignInError(`The answer of ${hostOf(endpoint)} has no access token in it.`);
  const seconds = Number(body['expires_in'] ?? NaN);
  return {
    accessToken,
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    expiresAt: Number.isFinite(seconds) ? Date.now() + seconds * 1000 : null,
  };
}

type Members = Readonly<Record<string, unknown>>;

async function ask(url: string, request: RequestInit) {
  let response: Response;
  try {
    response = await fetch(url, {
      ...request,
      headers: { accept: 'application/json' },
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    // Browsers do not reveal which of the two happened.
    throw new SignInError(
      `${hostOf(url)} cannot be reached, or it does not answer pages of ${location.origin}.`,
      { isPassing: true },
    );
  }
  const body: unknown = await response.json().catch(() => null);
  const members: Members = typeof body === 'object' && body !== null ? { ...body } : {};
  return { status: response.status, body: members };
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : 'nothing';
}
