import { stalledAfterOf } from '@cairn/shared/fleet/cluster-settings';
import { CONFIGURATION, InputValue, type Mistake, notesIn } from '@cairn/shared/input/input-value';
import { HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import { EUS_TERMS, type EusTerms } from '@cairn/shared/releases/values';
import { quoteValue } from '@cairn/shared/text/quote';
import { STALLED_AFTER, STALLED_AFTER_RANGE } from '@cairn/shared/update-status/answer';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { readAccess, readRegistryBuckets } from './read-access.ts';
import { isHostName, readHttpsUrl, readList, readShape } from './setting-values.ts';
import {
  type AccessSettings,
  type AlarmSettings,
  DEFAULT_SETTINGS,
  type DeploySettings,
  type DomainSettings,
  type NewsSettings,
} from './settings.ts';

type SettingsReading =
  | { readonly ok: true; readonly settings: DeploySettings }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof DeploySettings)[];

/** Preferred names, by the former name that the code uses. */
const ALIASES: Readonly<Partial<Record<keyof DeploySettings, string>>> = {
  news: 'notifications',
  watchIntervalMinutes: 'housekeepingIntervalMinutes',
};

const MOST_ADDRESSES = 10;
/** AWS allows 50; CloudFormation and CDK use some. */
const MOST_TAGS = 40;
const STAGE = /^(?!.*-$)[a-z][a-z0-9-]{0,19}$/;
const MAIL_BOX = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/;
const CERTIFICATE = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/;
const HOSTED_ZONE = /^Z[A-Z0-9]{1,31}$/;
/** Policy of the account or an AWS managed one. */
const POLICY = /^arn:aws[a-z-]*:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]{1,512}$/;
const TABLE_NAME = /^[\w.-]{3,255}$/;
/** Characters that every AWS service accepts. */
const TAG_KEY = /^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+@-]{1,128}$/iu;
const TAG_VALUE = /^[\p{L}\p{Z}\p{N}_.:/=+@-]{0,256}$/u;

const STAGE_TEXT = 'up to 20 small letters, digits and dashes, such as "test"';
const EMAIL_TEXT = `up to ${MOST_ADDRESSES} different addresses, such as ["ops@example.com"]`;
const DOMAIN_TEXT = 'a host name, such as "cairn.example.com"';
const CERTIFICATE_TEXT = 'the ARN of a certificate of AWS Certificate Manager in the region of the stack';
const HOSTED_ZONE_TEXT = 'the id of a hosted zone of Route 53, such as "Z0123456789ABCDEFGHIJ"';
const POLICY_TEXT = 'the ARN of an IAM policy, such as "arn:aws:iam::123456789012:policy/boundary"';
const TABLE_TEXT = 'the name of a table of DynamoDB, such as "Cairn-restored"';
const TAGS_TEXT = `up to ${MOST_TAGS} tags, such as {"team": "platform"}`;
const TAG_KEY_TEXT =
  'a key of at most 128 letters, digits, spaces and _.:/=+-@ that does not begin with "aws:"';
const TAG_VALUE_TEXT = 'a text of at most 256 letters, digits, spaces and _.:/=+-@';

const EMAILS = { accepted: EMAIL_TEXT, isAccepted: isAddress, most: MOST_ADDRESSES, mayBeEmpty: true };
const RETENTIONS = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);
const RETENTIONS_TEXT = `one of ${RETENTIONS.join(', ')}`;
const REGION = /^[a-z]{2}-[a-z]+-\d$/;
const REGION_TEXT = 'a region that has Origin Shield, such as "eu-central-1"';
const PAYLOAD_HOSTS = { accepted: 'host names, such as ["quay.io"]', isAccepted: isHostName };

/** Applies defaults and reports all mistakes at once. */
export function parseSettings(input: unknown): SettingsReading {
  const mistakes: Mistake[] = [];
  const fields = new InputValue(input, notesIn(mistakes, CONFIGURATION), { source: 'settings' }).fields({
    optional: [...SETTING_NAMES, ...Object.values(ALIASES)],
  });
  const read = <Name extends keyof DeploySettings>(
    name: Name,
    reader: (node: InputValue) => DeploySettings[Name] | null,
  ): DeploySettings[Name] => {
    const node = settingIn(fields, name);
    return (node && reader(node)) ?? DEFAULT_SETTINGS[name];
  };
  const access = read('access', readAccess);
  const settings: DeploySettings = {
    stage: read('stage', (node) => readShape(node, STAGE, 'the name of a stage', STAGE_TEXT)),
    access,
    alarms: read('alarms', readAlarms),
    news: read('news', readNews),
    updates: read('updates', readUpdates),
    domain: read('domain', readDomain),
    cloudFront: read('cloudFront', (node) => readCloudFront(node, access, mistakes)),
    originShieldRegion: read('originShieldRegion', (node) =>
      readShieldRegion(node, fields.get('cloudFront')),
    ),
    permissionsBoundary: read('permissionsBoundary', (node) =>
      readShape(node, POLICY, 'such an ARN', POLICY_TEXT),
    ),
    tags: read('tags', readTags),
    restoredTable: read('restoredTable', (node) =>
      readShape(node, TABLE_NAME, 'the name of a table', TABLE_TEXT),
    ),
    syncIntervalMinutes: read('syncIntervalMinutes', (node) =>
      node.integer({ unit: 'minutes', least: 5, most: 1440 }),
    ),
    watchIntervalMinutes: read('watchIntervalMinutes', (node) =>
      node.integer({ unit: 'minutes', least: 5, most: 1440 }),
    ),
    fleetIntervalMinutes: read('fleetIntervalMinutes', (node) =>
      node.integer({ unit: 'minutes', least: 1, most: 1440 }),
    ),
    retirementGraceDays: read('retirementGraceDays', (node) =>
      node.integer({ unit: 'days', least: 1, most: 365 }),
    ),
    eusTerms: read('eusTerms', (node) => node.parsed(parseEusTerms, '0, 1, 2 or 3')),
    historyLimit: read('historyLimit', (node) =>
      node.integer({ unit: 'entries', least: HISTORY_LIMIT.least, most: HISTORY_LIMIT.most }),
    ),
    logRetentionDays: read('logRetentionDays', readRetention),
    graphUrl: read('graphUrl', readHttpsUrl),
    payloadHosts: read('payloadHosts', (node) => readList(node, PAYLOAD_HOSTS)),
    registryBuckets: read('registryBuckets', readRegistryBuckets),
  };
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, settings };
}

/** Reads the setting under its former or preferred name. */
function settingIn(
  fields: ReadonlyMap<string, InputValue>,
  name: keyof DeploySettings,
): InputValue | undefined {
  const preferred = ALIASES[name] ?? name;
  const [former, node = former] = [fields.get(name), fields.get(preferred)];
  if (former && node && JSON.stringify(former.value) !== JSON.stringify(node.value)) {
    return (
      node.refuse(
        `${preferred} and ${name} are the same setting, but their values differ`,
        `only ${preferred}`,
      ) ?? undefined
    );
  }
  return node;
}

function parseEusTerms(value: unknown): EusTerms | null {
  return EUS_TERMS.find((terms) => terms === value) ?? null;
}

function readAlarms(node: InputValue): AlarmSettings {
  const email = node.fields({ required: ['email'] }).get('email');
  return { email: (email && readList(email, EMAILS)) ?? [] };
}

function readNews(node: InputValue): NewsSettings {
  const fields = node.fields({ optional: ['email', 'windowHours', 'digestAbove'] });
  const { email, windowHours, digestAbove } = DEFAULT_SETTINGS.news;
  const [addresses, hours, most] = [
    fields.get('email'),
    fields.get('windowHours'),
    fields.get('digestAbove'),
  ];
  return {
    email: (addresses && readList(addresses, EMAILS)) ?? email,
    windowHours: (hours && hours.integer({ unit: 'hours', least: 1, most: 24 * 30 })) ?? windowHours,
    digestAbove: (most && most.integer({ unit: 'messages', least: 1, most: 1000 })) ?? digestAbove,
  };
}

function readUpdates(node: InputValue): DeploySettings['updates'] {
  const names = ['operators', 'controlPlaneNodes', 'workers'] as const;
  const [least, most] = STALLED_AFTER_RANGE;
  const fields = node
    .fields({ required: ['stalledAfterMinutes'] })
    .get('stalledAfterMinutes')
    ?.fields({ optional: names });
  const given = names.flatMap((name) => {
    const minutes = fields?.get(name)?.integer({ unit: 'minutes', least, most }) ?? null;
    return minutes === null ? [] : [[name, minutes] as const];
  });
  return {
    stalledAfterMinutes: stalledAfterOf(STALLED_AFTER, { stalledAfterMinutes: Object.fromEntries(given) }),
  };
}

function readDomain(node: InputValue): DomainSettings {
  const fields = node.fields({ required: ['name', 'certificateArn'], optional: ['hostedZoneId'] });
  const name = fields
    .get('name')
    ?.parsedText((text) => (isHostName(text) ? text : null), 'a host name', DOMAIN_TEXT);
  const certificate = fields.get('certificateArn');
  const zone = fields.get('hostedZoneId');
  const hostedZoneId = zone && readShape(zone, HOSTED_ZONE, 'the id of a hosted zone', HOSTED_ZONE_TEXT);
  return {
    name: name ?? '',
    certificateArn:
      (certificate && readShape(certificate, CERTIFICATE, 'such an ARN', CERTIFICATE_TEXT)) ?? '',
    ...(hostedZoneId && { hostedZoneId }),
  };
}

function readTags(node: InputValue): Readonly<Record<string, string>> | null {
  const members = node.entries(TAGS_TEXT);
  if (members.length > MOST_TAGS) return node.refuse(`${members.length} are too many`, TAGS_TEXT);
  const tags = members.map(([key, member]) => {
    if (!TAG_KEY.test(key)) member.refuse(`${quoteValue(key)} is not the key of a tag`, TAG_KEY_TEXT, key);
    return [key, readShape(member, TAG_VALUE, 'the value of a tag', TAG_VALUE_TEXT) ?? ''] as const;
  });
  return Object.fromEntries(tags);
}

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  return MAIL_BOX.test(text.slice(0, Math.max(at, 0))) && isHostName(text.slice(at + 1).toLowerCase());
}

/** CloudFront caches only public responses, so it requires public release data. */
function readCloudFront(
  node: InputValue,
  { publicReleaseData }: AccessSettings,
  mistakes: readonly Mistake[],
): boolean | null {
  const isOn = node.flag();
  const isAccessUnclear = mistakes.some(({ pointer }) => pointer.startsWith('/access'));
  if (isOn && publicReleaseData === 'none' && !isAccessUnclear) {
    return node.refuse(
      'true needs release data that is open to everyone',
      'true together with "graph" or "all" for access.publicReleaseData, otherwise false',
    );
  }
  return isOn;
}

/** AWS keeps adding Origin Shield regions, so only the format is checked. */
function readShieldRegion(node: InputValue, cloudFront: InputValue | undefined): string | null {
  if (cloudFront === undefined || cloudFront.value === false) {
    return node.refuse(
      'a shield needs CloudFront',
      'a region together with true for cloudFront, otherwise nothing',
    );
  }
  return readShape(node, REGION, 'the name of a region', REGION_TEXT);
}

function readRetention(node: InputValue): RetentionDays | null {
  const retention = RETENTIONS.find((days) => days === node.value);
  return retention ?? node.mismatch(RETENTIONS_TEXT, 'a retention of CloudWatch');
}
