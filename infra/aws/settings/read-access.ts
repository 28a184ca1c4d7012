import type { ConfigNode } from '@cairn/shared/input/input-value';
import { readHttpsUrl, readList, readShape } from './setting-values.ts';
import type { AccessSettings, JwtSettings, PublicReleaseData, SignInSettings } from './settings.ts';

const PUBLIC_RELEASE_DATA: readonly PublicReleaseData[] = ['none', 'graph', 'all'];
/** As OAuth has it: printable, without space, quote and backslash. */
const SCOPE = /^[!#-[\]-~]{1,128}$/;
const CLIENT_ID = /^[!-~]{1,256}$/;

const AUDIENCE_TEXT = 'the client ids tokens are issued for, such as ["cairn"]';
const SCOPES_TEXT = 'scopes of the issuer, such as ["openid", "profile"]';
const CLIENT_ID_TEXT = 'the id under which the issuer knows the console, such as "cairn-console"';
const ENDPOINTS_TEXT = 'both authorizationEndpoint and tokenEndpoint, or neither';

const DEFAULT_SIGN_IN_SCOPES: readonly string[] = ['openid'];

/** Who may call the API. */
export function readAccess(node: ConfigNode): AccessSettings {
  const fields = node.fields([], ['publicReleaseData', 'jwt']);
  const isPublic = fields.get('publicReleaseData');
  const jwt = fields.get('jwt');
  return {
    publicReleaseData: (isPublic && readPublicReleaseData(isPublic)) ?? 'none',
    ...(jwt && { jwt: readJwt(jwt) }),
  };
}

/** True and false stand for all and none. */
function readPublicReleaseData(node: ConfigNode): PublicReleaseData | null {
  if (typeof node.value === 'boolean') return node.value ? 'all' : 'none';
  const parse = (text: string) => PUBLIC_RELEASE_DATA.find((choice) => choice === text) ?? null;
  return node.named(parse, 'something that can be opened', PUBLIC_RELEASE_DATA);
}

function readJwt(node: ConfigNode): JwtSettings {
  const fields = node.fields(['issuer', 'audience'], ['signIn']);
  const issuer = fields.get('issuer');
  const audience = fields.get('audience');
  const signIn = fields.get('signIn');
  const audiences = { accepted: AUDIENCE_TEXT, isAccepted: (text: string) => text.trim() !== '' };
  return {
    issuer: (issuer && readHttpsUrl(issuer)) ?? '',
    audience: (audience && readList(audience, audiences)) ?? [],
    ...(signIn && { signIn: readSignIn(signIn) }),
  };
}

function readSignIn(node: ConfigNode): SignInSettings {
  const fields = node.fields(['clientId'], ['scopes', 'authorizationEndpoint', 'tokenEndpoint']);
  const clientId = fields.get('clientId');
  const scopes = fields.get('scopes');
  const authorization = fields.get('authorizationEndpoint');
  const token = fields.get('tokenEndpoint');
  if ((authorization === undefined) !== (token === undefined)) {
    node.refuse('one endpoint is given without the other', ENDPOINTS_TEXT);
  }
  const authorizationEndpoint = authorization && readHttpsUrl(authorization);
  const tokenEndpoint = token && readHttpsUrl(token);
  const scopeRule = { accepted: SCOPES_TEXT, isAccepted: (text: string) => SCOPE.test(text) };
  return {
    clientId: (clientId && readShape(clientId, CLIENT_ID, 'such an id', CLIENT_ID_TEXT)) ?? '',
    scopes: (scopes && readList(scopes, scopeRule)) ?? DEFAULT_SIGN_IN_SCOPES,
    ...(authorizationEndpoint && { authorizationEndpoint }),
    ...(tokenEndpoint && { tokenEndpoint }),
  };
}
