import type { ConfigNode } from '@cairn/shared/input/input-value';
import { showValue } from '@cairn/shared/text/quote';
import { isHostName, readCount, readList, readShape } from './setting-values.ts';
import { type AlarmSettings, DEFAULT_SETTINGS, type DomainSettings, type NewsSettings } from './settings.ts';

const MOST_ADDRESSES = 10;
/** AWS takes 50, and CloudFormation and CDK want some of them. */
const MOST_TAGS = 40;
const STAGE = /^(?!.*-$)[a-z][a-z0-9-]{0,19}$/;
const MAIL_BOX = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/;
const CERTIFICATE = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/;
const HOSTED_ZONE = /^Z[A-Z0-9]{1,31}$/;
/** Of the account itself, or one of AWS's own. */
const POLICY = /^arn:aws[a-z-]*:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]{1,512}$/;
const TABLE_NAME = /^[\w.-]{3,255}$/;
/** The characters that every service takes in keys and values. */
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

export function readStage(node: ConfigNode): string | null {
  return readShape(node, STAGE, 'the name of a stage', STAGE_TEXT);
}

export function readAlarms(node: ConfigNode): AlarmSettings {
  const email = node.fields(['email'], []).get('email');
  return { email: (email && readList(email, EMAILS)) ?? [] };
}

export function readNews(node: ConfigNode): NewsSettings {
  const fields = node.fields([], ['email', 'windowHours', 'digestAbove']);
  const { email, windowHours, digestAbove } = DEFAULT_SETTINGS.news;
  const [addresses, hours, most] = [
    fields.get('email'),
    fields.get('windowHours'),
    fields.get('digestAbove'),
  ];
  return {
    email: (addresses && readList(addresses, EMAILS)) ?? email,
    windowHours: (hours && readCount(hours, 'hours', 1, 24 * 30)) ?? windowHours,
    digestAbove: (most && readCount(most, 'messages', 1, 1000)) ?? digestAbove,
  };
}

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  return MAIL_BOX.test(text.slice(0, Math.max(at, 0))) && isHostName(text.slice(at + 1).toLowerCase());
}

export function readDomain(node: ConfigNode): DomainSettings {
  const fields = node.fields(['name', 'certificateArn'], ['hostedZoneId']);
  const name = fields
    .get('name')
    ?.parsed((text) => (isHostName(text) ? text : null), 'a host name', DOMAIN_TEXT);
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

export function readPermissionsBoundary(node: ConfigNode): string | null {
  return readShape(node, POLICY, 'such an ARN', POLICY_TEXT);
}

export function readTableName(node: ConfigNode): string | null {
  return readShape(node, TABLE_NAME, 'the name of a table', TABLE_TEXT);
}

export function readTags(node: ConfigNode): Readonly<Record<string, string>> | null {
  const members = node.members(TAGS_TEXT);
  if (members.length > MOST_TAGS) return node.refuse(`${members.length} are too many`, TAGS_TEXT);
  const tags = members.map(([key, member]) => {
    if (!TAG_KEY.test(key)) member.refuse(`${showValue(key)} is not the key of a tag`, TAG_KEY_TEXT, key);
    return [key, readShape(member, TAG_VALUE, 'the value of a tag', TAG_VALUE_TEXT) ?? ''] as const;
  });
  return Object.fromEntries(tags);
}
