import { type Answer, bucketOf, type Call, countParameter, nameEncoder } from './conditions.ts';
import { S3Error } from './errors.ts';
import { byteName } from './listing.ts';
import { readText } from './payload.ts';
import { isDeleteMarker, type StoredVersion } from './records.ts';
import {
  isVersioningStatus,
  readVersionId,
  sequenceOfId,
  versionIdOf,
  type VersionIndex,
} from './version-index.ts';
import { branch, childText, leaf, parseXml, xmlDocument } from './xml.ts';

const MAX_KEYS = 1000;
const MAX_CONFIGURATION_BYTES = 64 * 1024;

export function getBucketVersioning(call: Call): Answer {
  const { versioning } = bucketOf(call);
  return {
    status: 200,
    body: xmlDocument('VersioningConfiguration', versioning === null ? '' : leaf('Status', versioning)),
  };
}

/** Versioning can be suspended but not disabled, as in S3. */
export async function putBucketVersioning(call: Call): Promise<Answer> {
  const bucket = bucketOf(call);
  const request = parseXml(await readText(call.payload(), MAX_CONFIGURATION_BYTES));
  if (request.name !== 'VersioningConfiguration') {
    throw new S3Error('MalformedXML', `the document is "${request.name}", expected VersioningConfiguration`);
  }
  if (childText(request, 'MfaDelete') === 'Enabled') {
    throw new S3Error('NotImplemented', 'there are no devices for MfaDelete here, leave it out');
  }
  const status = childText(request, 'Status');
  if (!isVersioningStatus(status)) {
    throw new S3Error(
      'IllegalVersioningConfigurationException',
      `Status is ${status === undefined ? 'missing' : `"${status}"`}, expected Enabled or Suspended`,
    );
  }
  bucket.setVersioning(status);
  return { status: 200 };
}

export function listObjectVersions(call: Call): Answer {
  const { query } = call;
  if ((query.get('delimiter') ?? '') !== '') {
    throw new S3Error('NotImplemented', 'versions are listed without a delimiter here');
  }
  const encode = nameEncoder(call);
  const prefix = query.get('prefix') ?? '';
  const keyMarker = query.get('key-marker') ?? '';
  const versionIdMarker = readVersionId(query.get('version-id-marker'));
  if (versionIdMarker !== undefined && keyMarker === '') {
    throw new S3Error('InvalidArgument', 'version-id-marker was sent without key-marker, expected both');
  }
  const limit = countParameter(call, 'max-keys', MAX_KEYS);
  const { entries, isTruncated } = listVersionPage(bucketOf(call).versions, {
    prefix: byteName(prefix),
    keyMarker: byteName(keyMarker),
    versionIdMarker,
    limit,
  });
  const last = isTruncated ? entries.at(-1)?.version : undefined;
  return {
    status: 200,
    body: xmlDocument(
      'ListVersionsResult',
      leaf('Name', call.bucketName),
      leaf('Prefix', encode(prefix)),
      leaf('KeyMarker', encode(keyMarker)),
      leaf('VersionIdMarker', versionIdMarker ?? ''),
      last === undefined ? '' : leaf('NextKeyMarker', encode(last.key)),
      last === undefined ? '' : leaf('NextVersionIdMarker', versionIdOf(last)),
      leaf('MaxKeys', limit),
      query.get('encoding-type') === 'url' ? leaf('EncodingType', 'url') : '',
      leaf('IsTruncated', isTruncated),
      ...entries.map((entry) => listedVersion(entry, encode)),
    ),
  };
}

function listedVersion({ version, isLatest }: ListedVersion, encode: (name: string) => string): string {
  const common = [
    leaf('Key', encode(version.key)),
    leaf('VersionId', versionIdOf(version)),
    leaf('IsLatest', isLatest),
    leaf('LastModified', new Date(version.modifiedAt).toISOString()),
  ];
  if (isDeleteMarker(version)) return branch('DeleteMarker', ...common);
  return branch(
    'Version',
    ...common,
    leaf('ETag', `"${version.etag}"`),
    leaf('Size', version.size),
    leaf('StorageClass', 'STANDARD'),
  );
}

/** Byte names; the page starts after the key marker, or after one version of that key. */
interface VersionPageRequest {
  readonly prefix: string;
  readonly keyMarker: string;
  readonly versionIdMarker: string | undefined;
  readonly limit: number;
}

export interface ListedVersion {
  readonly version: StoredVersion;
  readonly isLatest: boolean;
}

export interface VersionPage {
  readonly entries: readonly ListedVersion[];
  readonly isTruncated: boolean;
}

/** Keys in byte order, the newest version of each first. */
export function listVersionPage(index: VersionIndex, request: VersionPageRequest): VersionPage {
  const { prefix, keyMarker, versionIdMarker, limit } = request;
  const entries: ListedVersion[] = [];
  // S3 returns a page of size 0 as the last one.
  if (limit === 0) return { entries, isTruncated: false };
  // The smallest name after `x` is `x` with a zero byte.
  const start = versionIdMarker === undefined ? `${keyMarker}\0` : keyMarker;
  let name = index.ceiling(keyMarker >= prefix ? start : prefix);
  while (name?.startsWith(prefix) === true) {
    const versions = index.all(name);
    const isResumed = name === keyMarker && versionIdMarker !== undefined;
    const first = isResumed ? positionBehind(versions, versionIdMarker) : 0;
    for (let at = first; at < versions.length; at++) {
      if (entries.length === limit) return { entries, isTruncated: true };
      entries.push({ version: versions[at]!, isLatest: at === 0 });
    }
    name = index.ceiling(`${name}\0`);
  }
  return { entries, isTruncated: false };
}

/** The marker can be deleted since the last page: an undo deletes what it lists. */
function positionBehind(versions: readonly StoredVersion[], marker: string): number {
  const at = versions.findIndex((version) => versionIdOf(version) === marker);
  if (at !== -1) return at + 1;
  // A deleted `null` version leaves no position. Listing versions twice is better than omitting some.
  const sequence = sequenceOfId(marker);
  if (Number.isNaN(sequence)) return 0;
  const older = versions.findIndex((version) => (version.sequence ?? 0) < sequence);
  return older === -1 ? versions.length : older;
}
