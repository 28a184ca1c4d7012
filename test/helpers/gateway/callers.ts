import { createHmac } from 'node:crypto';
import type { Route } from '../../../functions/http/route.ts';
import type { Level } from '../../../infra/aws/http-api.ts';
import { ACCOUNT, type DeployedApi } from './deployed-api.ts';
import type { TestClaims, TestIssuer } from './issuer.ts';
import type { GatewayRequest } from './request.ts';
import { type AwsCaller, signRequest } from './signed-request.ts';

type Access = Route['access'];
type Prepare = (request: GatewayRequest) => Promise<GatewayRequest> | GatewayRequest;

/** Access of each level. Repeated here on purpose, to detect mistakes in the product. */
const REACH: Readonly<Record<Level, readonly Access[]>> = {
  read: ['graph', 'public', 'read'],
  write: ['graph', 'public', 'read', 'write'],
  admin: ['graph', 'public', 'read', 'write', 'admin'],
};

export interface Identities {
  readonly roles: Readonly<Record<Level | 'guest', AwsCaller>>;
  readonly issuer: TestIssuer;
  readonly foreign: TestIssuer;
}

/** A caller with valid, invalid or forged credentials. */
export interface Caller {
  readonly name: string;
  readonly reach: readonly Access[];
  /** 401 for an unknown caller, 403 for a forbidden one. */
  readonly refusal: 401 | 403;
  /** How it makes a request its own. */
  readonly prepare: (identities: Identities) => Prepare;
}

/** Who has a key: one role per policy that the template makes, and one with none. */
export function rolesOf({ policies }: DeployedApi): Identities['roles'] {
  const create = (role: Level | 'guest'): AwsCaller => {
    const policy = policies.get(`Cairn-${role}`);
    return {
      accessKeyId: `ASIA${role.toUpperCase()}`,
      secretAccessKey: `secret of ${role}`,
      sessionToken: `session of ${role}`,
      userArn: `arn:aws:sts::${ACCOUNT}:assumed-role/${role}/anna`,
      policies: policy ? [policy] : [],
    };
  };
  return { guest: create('guest'), read: create('read'), write: create('write'), admin: create('admin') };
}

const MINUTE = 60_000;
const OTHER_BODY = Buffer.from('{"other":1}');

function signer(caller: AwsCaller, shift = 0): (request: GatewayRequest) => Promise<GatewayRequest> {
  return (request) => signRequest(request, caller, new Date(Date.now() + shift));
}

const byAdmin =
  (
    change: (
      request: GatewayRequest,
      sign: (request: GatewayRequest) => Promise<GatewayRequest>,
    ) => Promise<GatewayRequest>,
  ): Caller['prepare'] =>
  ({ roles }) =>
  (request) =>
    change(request, signer(roles.admin));

const unsigned = (name: string, prepare: Caller['prepare']): Caller => ({
  name,
  reach: [],
  refusal: 403,
  prepare,
});

const signed = (name: string, level: Level, shift = 0): Caller => ({
  name,
  reach: REACH[level],
  refusal: 403,
  prepare: ({ roles }) => signer(roles[level], shift),
});

/** Callers with valid and invalid signatures. */
export const SIGNING_CALLERS: readonly Caller[] = [
  unsigned('nobody', () => (request) => request),
  unsigned('a role without a policy', ({ roles }) => signer(roles.guest)),
  signed('a reader', 'read'),
  signed('a writer', 'write'),
  signed('an admin', 'admin'),
  signed('an admin whose clock is 4 minutes late', 'admin', -4 * MINUTE),
  unsigned('an admin whose clock is 6 minutes late', ({ roles }) => signer(roles.admin, -6 * MINUTE)),
  unsigned('an admin whose clock is 6 minutes early', ({ roles }) => signer(roles.admin, 6 * MINUTE)),
  unsigned('a key nobody knows', ({ roles }) => signer({ ...roles.admin, accessKeyId: 'ASIANOBODY' })),
  unsigned('a wrong secret', ({ roles }) => signer({ ...roles.admin, secretAccessKey: 'guessed' })),
  unsigned('the key of an admin with the session of a reader', ({ roles: { admin, read } }) =>
    signer({ ...admin, sessionToken: read.sessionToken! }),
  ),
  unsigned(
    'a body changed on the way',
    byAdmin(async (request, sign) => ({ ...(await sign(request)), body: OTHER_BODY })),
  ),
  unsigned('a body changed on the way, with no hash beside it', ({ roles }) => async (request) => ({
    ...(await signRequest(request, roles.admin, new Date(), false)),
    body: OTHER_BODY,
  })),
  unsigned(
    'a query changed on the way',
    byAdmin(async (request, sign) => ({
      ...(await sign({ ...request, target: `${request.target}?page=1` })),
      target: `${request.target}?page=2`,
    })),
  ),
  unsigned(
    'a header changed on the way',
    byAdmin(async (request, sign) => {
      const headers = { ...request.headers, 'if-match': '"a"' };
      const { headers: sent } = await sign({ ...request, headers });
      return { ...request, headers: { ...sent, 'if-match': '"b"' } };
    }),
  ),
  unsigned(
    'a signature of another path',
    byAdmin(async (request, sign) => ({
      ...request,
      headers: (await sign({ ...request, target: '/v1/elsewhere' })).headers,
    })),
  ),
  unsigned(
    'a signature of another method',
    byAdmin(async (request, sign) => ({
      ...request,
      headers: (await sign({ ...request, method: 'PATCH' })).headers,
    })),
  ),
  unsigned('a token in the place of a signature', ({ issuer }) =>
    bearer(issuer.token({ scope: 'fleet:admin' })),
  ),
];

const now = Math.floor(Date.now() / 1000);
const scope = 'fleet:admin';

const known = (name: string, level: Level, claims: TestClaims): Caller => ({
  name,
  reach: REACH[level],
  refusal: 403,
  prepare: ({ issuer }) => bearer(issuer.token(claims)),
});

const unknown = (name: string, token: (identities: Identities) => Promise<string> | string): Caller => ({
  name,
  reach: [],
  refusal: 401,
  prepare: (identities) => bearer(token(identities)),
});

const unknownClaims = (name: string, claims: TestClaims): Caller =>
  unknown(name, ({ issuer }) => issuer.token({ scope, ...claims }));

/** Callers with valid and invalid tokens. */
export const TOKEN_CALLERS: readonly Caller[] = [
  { name: 'nobody', reach: [], refusal: 401, prepare: () => (request) => request },
  known('a reader', 'read', { scope: 'openid fleet:read' }),
  known('a writer', 'write', { scope: 'fleet:write' }),
  known('an admin', 'admin', { scope }),
  known('an admin with a list of scopes', 'admin', { scp: ['profile', scope] }),
  known('an admin named by client_id', 'admin', { aud: undefined, client_id: 'cairn', scope }),
  { ...known('a token without scope', 'read', {}), reach: [] },
  { ...known('scopes that only look like ours', 'read', { scope: 'fleet:administrator fleet' }), reach: [] },
  unknownClaims('an expired token', { exp: now - 60 }),
  unknownClaims('a token without an end', { exp: undefined }),
  unknownClaims('a token of tomorrow', { nbf: now + 86_400, exp: now + 90_000 }),
  unknownClaims('a token issued tomorrow', { iat: now + 86_400, exp: now + 90_000 }),
  unknownClaims('a token for another audience', { aud: 'billing' }),
  unknownClaims('a token for another audience, by our client', { aud: 'billing', client_id: 'cairn' }),
  unknown('a token of another issuer', ({ foreign }) => foreign.token({ scope })),
  unknown('a token of another issuer under our name', ({ issuer, foreign }) =>
    foreign.token({ iss: issuer.url, scope }),
  ),
  unknown('a token by a key that is not published', ({ issuer }) =>
    issuer.token({ scope }, { kid: 'second' }),
  ),
  unknown('a token that names no key', ({ issuer }) => issuer.token({ scope }, { kid: undefined })),
  unknown(
    'an unsigned token',
    (identities) => `${encoded({ alg: 'none', kid: 'first' })}.${encoded(goodClaims(identities))}.`,
  ),
  unknown('a token signed with the public key', signedWithPublicKey),
  unknown('something else', () => 'let-me-in'),
  {
    name: 'a signature in the place of a token',
    reach: [],
    refusal: 401,
    prepare: ({ roles }) => signer(roles.admin),
  },
];

function bearer(token: Promise<string> | string): Prepare {
  return async (request) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${await token}` },
  });
}

function goodClaims({ issuer }: Identities): TestClaims {
  return { iss: issuer.url, aud: 'cairn', sub: 'someone', exp: now + 3600, scope };
}

/** HS256 with a text that everyone can read: who takes the algorithm from the token takes it for a signature. */
function signedWithPublicKey(identities: Identities): string {
  const content = `${encoded({ alg: 'HS256', kid: 'first' })}.${encoded(goodClaims(identities))}`;
  return `${content}.${createHmac('sha256', identities.issuer.publicKey).update(content).digest('base64url')}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
