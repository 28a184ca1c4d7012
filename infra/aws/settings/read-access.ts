import { isIP } from 'node:net';
import type { InputValue } from '@cairn/shared/input/input-value';
import { readHttpsUrl, readList, readShape } from './setting-values.ts';
import type {
  AccessSettings,
  JwtSettings,
  PublicReleaseData,
  RegistryBucket,
  SignInSettings,
} from './settings.ts';

const PUBLIC_RELEASE_DATA: readonly PublicReleaseData[] = ['none', 'graph', 'all'];
/** OAuth scope: printable, without space, quote and backslash. */
const SCOPE = /^[!#-[\]-~]{1,128}$/;
const CLIENT_ID = /^[!-~]{1,256}$/;
const MOST_BUCKETS = 20;
const BUCKET_NAME = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** No wildcard characters of IAM policies. */
const PREFIX = /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*$/;
const ROLE = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/;

const AUDIENCE_TEXT = 'the client ids tokens are issued for, such as ["cairn"]';
const SCOPES_TEXT = 'scopes of the issuer, such as ["openid", "profile"]';
const CLIENT_ID_TEXT = 'the id under which the issuer knows the console, such as "cairn-console"';
const ENDPOINTS_TEXT = 'both authorizationEndpoint and tokenEndpoint, or neither';
const BUCKETS_TEXT = `up to ${MOST_BUCKETS} different folders of buckets, such as [{"bucket": "registry", "prefix": "prod"}]`;
const BUCKET_TEXT = 'the name of a bucket, such as "registry.example.com"';
const ROLE_TEXT = 'the ARN of an IAM role, such as "arn:aws:iam::123456789012:role/cairn-pruner"';
const PREFIX_TEXT = 'the root directory of the registry, such as "prod" or "", of letters, digits and /_.-';

const DEFAULT_SIGN_IN_SCOPES: readonly string[] = ['openid'];

export function readAccess(node: InputValue): AccessSettings {
  const fields = node.fields({ optional: ['publicReleaseData', 'jwt'] });
  const isPublic = fields.get('publicReleaseData');
  const jwt = fields.get('jwt');
  return {
    publicReleaseData: (isPublic && readPublicReleaseData(isPublic)) ?? 'none',
    ...(jwt && { jwt: readJwt(jwt) }),
  };
}

/** True and false stand for all and none. */
function readPublicReleaseData(node: InputValue): PublicReleaseData | null {
  if (typeof node.value === 'boolean') return node.value ? 'all' : 'none';
  const parse = (text: string) => PUBLIC_RELEASE_DATA.find((choice) => choice === text) ?? null;
  return node.parsedText(parse, 'something that can be opened', PUBLIC_RELEASE_DATA);
}

function readJwt(node: InputValue): JwtSettings {
  const fields = node.fields({ required: ['issuer', 'audience'], optional: ['signIn'] });
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

function readSignIn(node: InputValue): SignInSettings {
  const fields = node.fields({
    required: ['clientId'],
    optional: ['scopes', 'authorizationEndpoint', 'tokenEndpoint'],
  });
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

/** Buckets in which pruners may delete. */
export function readRegistryBuckets(node: InputValue): readonly RegistryBucket[] | null {
  const items = node.items(BUCKETS_TEXT);
  if (items.length > MOST_BUCKETS) return node.refuse(`${items.length} are too many`, BUCKETS_TEXT);
  const places = new Set<string>();
  return items.flatMap((item) => {
    const target = readTarget(item);
    if (target === null) return [];
    const place = `${target.bucket}/${target.prefix}`;
    if (places.has(place)) item.refuse(`${place} is there twice`, BUCKETS_TEXT);
    places.add(place);
    return [target];
  });
}

function readTarget(node: InputValue): RegistryBucket | null {
  const fields = node.fields({ required: ['bucket'], optional: ['prefix', 'roleArn'] });
  const bucket = fields
    .get('bucket')
    ?.parsedText((text) => (isBucketName(text) ? text : null), 'the name of a bucket', BUCKET_TEXT);
  const prefixField = fields.get('prefix');
  const prefix = prefixField ? prefixField.parsedText(prefixIn, 'such a directory', PREFIX_TEXT) : '';
  const role = fields.get('roleArn');
  const roleArn = role && readShape(role, ROLE, 'such an ARN', ROLE_TEXT);
  if (bucket === undefined || bucket === null || prefix === null) return null;
  return { bucket, prefix, ...(roleArn && { roleArn }) };
}

function isBucketName(text: string): boolean {
  return BUCKET_NAME.test(text) && isIP(text) === 0;
}

/** Registry settings can have slashes around the prefix. */
function prefixIn(text: string): string | null {
  const prefix = text.replaceAll(/^\/+|\/+$/g, '');
  return prefix === '' || PREFIX.test(prefix) ? prefix : null;
}
