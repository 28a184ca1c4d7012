import { isIP } from 'node:net';
import { HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner-spec';
import { ConfigNode, type ConfigMistake } from '@cairn/shared/releases/config-node';
import { showValue } from '@cairn/shared/text/show-value';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DEFAULT_UPSTREAM } from '../../functions/upstream/egress.ts';
import { readRegistryBuckets } from './registry-settings.ts';

export interface AccessSettings {
  /** Opens the routes with release data to everyone; all others stay closed. */
  readonly publicReleaseData: boolean;
  /** Tokens of this issuer open the closed routes, instead of signed AWS requests. */
  readonly jwt?: JwtSettings;
}

export interface JwtSettings {
  readonly issuer: string;
  readonly audience: readonly string[];
}

/** What a deployment may choose. */
export interface DeploySettings {
  readonly access: AccessSettings;
  readonly syncIntervalMinutes: number;
  readonly watchIntervalMinutes: number;
  /** How long the rows of a minor stay after it left the configuration. */
  readonly retirementGraceDays: number;
  /** Most entries that the history of a cluster keeps. */
  readonly historyLimit: number;
  readonly logRetentionDays: RetentionDays;
  /** The update service to follow, in Cincinnati form. */
  readonly graphUrl: string;
  /** Registries that payloads may come from. */
  readonly payloadHosts: readonly string[];
  /** Where pruners may delete what registries keep; the first is their default. */
  readonly registryBuckets: readonly RegistryTarget[];
}

export type SettingsReading =
  | { readonly ok: true; readonly settings: DeploySettings }
  | { readonly ok: false; readonly mistakes: readonly ConfigMistake[] };

export const DEFAULT_SETTINGS: DeploySettings = {
  access: { publicReleaseData: false },
  syncIntervalMinutes: 10,
  watchIntervalMinutes: 15,
  retirementGraceDays: 14,
  historyLimit: HISTORY_LIMIT.default,
  logRetentionDays: RetentionDays.ONE_MONTH,
  graphUrl: DEFAULT_UPSTREAM,
  payloadHosts: ['quay.io'],
  registryBuckets: [],
};

const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof DeploySettings)[];

const RETENTIONS = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

const RETENTIONS_TEXT = `one of ${RETENTIONS.join(', ')}`;
const URL_TEXT = 'an https URL with a host name, without port, user, query or fragment';
const HOSTS_TEXT = 'host names, such as ["quay.io"]';
const AUDIENCE_TEXT = 'the client ids tokens are issued for, such as ["cairn"]';

/** Reads the parsed settings file; what it leaves out has its default, and every mistake is told at once. */
export function parseSettings(input: unknown): SettingsReading {
  const mistakes: ConfigMistake[] = [];
  const fields = new ConfigNode(input, mistakes, 'settings').fields([], SETTING_NAMES);
  const read = <Name extends keyof DeploySettings>(
    name: Name,
    reader: (node: ConfigNode) => DeploySettings[Name] | null,
  ): DeploySettings[Name] => {
    const node = fields.get(name);
    return (node && reader(node)) ?? DEFAULT_SETTINGS[name];
  };
  const settings: DeploySettings = {
    access: read('access', readAccess),
    syncIntervalMinutes: read('syncIntervalMinutes', (node) => readCount(node, 'minutes', 5, 1440)),
    watchIntervalMinutes: read('watchIntervalMinutes', (node) => readCount(node, 'minutes', 5, 1440)),
    retirementGraceDays: read('retirementGraceDays', (node) => readCount(node, 'days', 1, 365)),
    historyLimit: read('historyLimit', (node) =>
      readCount(node, 'entries', HISTORY_LIMIT.least, HISTORY_LIMIT.most),
    ),
    logRetentionDays: read('logRetentionDays', readRetention),
    graphUrl: read('graphUrl', readHttpsUrl),
    payloadHosts: read('payloadHosts', (node) => readList(node, HOSTS_TEXT, (text) => HOST.test(text))),
    registryBuckets: read('registryBuckets', readRegistryBuckets),
  };
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, settings };
}

function readAccess(node: ConfigNode): AccessSettings {
  const fields = node.fields([], ['publicReleaseData', 'jwt']);
  const isPublic = fields.get('publicReleaseData');
  const jwt = fields.get('jwt');
  return {
    publicReleaseData: isPublic ? readBoolean(isPublic) : DEFAULT_SETTINGS.access.publicReleaseData,
    ...(jwt && { jwt: readJwt(jwt) }),
  };
}

function readJwt(node: ConfigNode): JwtSettings {
  const fields = node.fields(['issuer', 'audience'], []);
  const issuer = fields.get('issuer');
  const audience = fields.get('audience');
  return {
    issuer: (issuer && readHttpsUrl(issuer)) ?? '',
    audience: (audience && readList(audience, AUDIENCE_TEXT, (text) => text.trim() !== '')) ?? [],
  };
}

function readBoolean(node: ConfigNode): boolean {
  if (typeof node.value !== 'boolean')
    node.refuse(`${showValue(node.value)} is not true or false`, 'true or false');
  return node.value === true;
}

function readCount(node: ConfigNode, unit: string, least: number, most: number): number | null {
  const { value } = node;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  return node.refuse(
    `${showValue(value)} is not accepted here`,
    `a whole number of ${unit} from ${least} to ${most}`,
  );
}

function readRetention(node: ConfigNode): RetentionDays | null {
  const retention = RETENTIONS.find((days) => days === node.value);
  return (
    retention ?? node.refuse(`${showValue(node.value)} is not a retention of CloudWatch`, RETENTIONS_TEXT)
  );
}

function readHttpsUrl(node: ConfigNode): string | null {
  return node.parsed((text) => (isPlainHttpsUrl(text) ? text : null), 'such a URL', URL_TEXT);
}

/** What the sync job would refuse at run time is refused here, before anything is deployed. */
function isPlainHttpsUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url?.protocol === 'https:' &&
    `${url.port}${url.username}${url.password}${url.search}${url.hash}` === '' &&
    isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0
  );
}

function readList(
  node: ConfigNode,
  accepted: string,
  isAccepted: (text: string) => boolean,
): readonly string[] | null {
  const items = node.items(accepted);
  if (Array.isArray(node.value) && items.length === 0) return node.refuse('the list is empty', accepted);
  return items.flatMap(
    (item) => item.parsed((text) => (isAccepted(text) ? text : null), 'accepted here', accepted) ?? [],
  );
}
