import { isIP } from 'node:net';
import type { ConfigNode } from '@cairn/shared/input/input-value';
import { readShape } from './setting-values.ts';
import type { RegistryBucket } from './settings.ts';

const MOST_BUCKETS = 20;
const BUCKET_NAME = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Nothing that would stand for more than itself in a policy. */
const PREFIX = /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*$/;
const ROLE = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/;

const BUCKETS_TEXT = `up to ${MOST_BUCKETS} different folders of buckets, such as [{"bucket": "registry", "prefix": "prod"}]`;
const BUCKET_TEXT = 'the name of a bucket, such as "registry.example.com"';
const ROLE_TEXT = 'the ARN of an IAM role, such as "arn:aws:iam::123456789012:role/cairn-pruner"';
const PREFIX_TEXT = 'the root directory of the registry, such as "prod" or "", of letters, digits and /_.-';

/** The buckets that pruners may delete in. */
export function readRegistryBuckets(node: ConfigNode): readonly RegistryBucket[] | null {
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

function readTarget(node: ConfigNode): RegistryBucket | null {
  const fields = node.fields(['bucket'], ['prefix', 'roleArn']);
  const bucket = fields
    .get('bucket')
    ?.parsed((text) => (isBucketName(text) ? text : null), 'the name of a bucket', BUCKET_TEXT);
  const prefixField = fields.get('prefix');
  const prefix = prefixField ? prefixField.parsed(prefixIn, 'such a directory', PREFIX_TEXT) : '';
  const role = fields.get('roleArn');
  const roleArn = role && readShape(role, ROLE, 'such an ARN', ROLE_TEXT);
  if (bucket === undefined || bucket === null || prefix === null) return null;
  return { bucket, prefix, ...(roleArn && { roleArn }) };
}

function isBucketName(text: string): boolean {
  return BUCKET_NAME.test(text) && isIP(text) === 0;
}

/** The settings of a registry may have slashes around it. */
function prefixIn(text: string): string | null {
  const prefix = text.replaceAll(/^\/+|\/+$/g, '');
  return prefix === '' || PREFIX.test(prefix) ? prefix : null;
}
