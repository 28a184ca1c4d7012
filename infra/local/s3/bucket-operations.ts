import {
  type Answer,
  bucketOf,
  type Call,
  countParameter,
  nameEncoder,
  wholeSeconds,
  writeCheck,
} from './conditions.ts';
import { S3Error } from './errors.ts';
import { byteName, keyOfByteName, listPage } from './listing.ts';
import { applyDeletion, type DeletionResult } from './object-operations.ts';
import { readText } from './payload.ts';
import { isDeleteMarker, type StoredObject, type StoredVersion } from './records.ts';
import {
  isVersioningStatus,
  readVersionId,
  sequenceOfId,
  versionIdOf,
  type VersionIndex,
} from './version-index.ts';
import { branch, childText, leaf, parseXml, xmlDocument, type XmlElement } from './xml.ts';

const MAX_KEYS = 1000;
/** 1,000 keys of 1,024 bytes, each byte as a character reference. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;
const MAX_CONFIGURATION_BYTES = 64 * 1024;

export function listBuckets({ store }: Call): Answer {
  const buckets = store
    .list()
    .map(({ name, createdAt }) =>
      branch('Bucket', leaf('Name', name), leaf('CreationDate', new Date(createdAt).toISOString())),
    );
  const owner = branch('Owner', leaf('ID', 'local'), leaf('DisplayName', 'local'));
  return { status: 200, body: xmlDocument('ListAllMyBucketsResult', owner, branch('Buckets', ...buckets)) };
}

/** Idempotent, so that every start can create the bucket. */
export async function createBucket(call: Call): Promise<Answer> {
  await readText(call.payload(), MAX_DOCUMENT_BYTES);
  call.store.create(call.bucketName);
  return { status: 200, headers: { location: `/${call.bucketName}` } };
}

export function headBucket(call: Call): Answer {
  bucketOf(call);
  return { status: 200, headers: { 'x-amz-bucket-region': call.region } };
}

export function getBucketLocation(call: Call): Answer {
  bucketOf(call);
  // S3 returns its oldest region as empty.
  return {
    status: 200,
    body: xmlDocument('LocationConstraint', call.region === 'us-east-1' ? '' : call.region),
  };
}

export function listObjects(call: Call): Answer {
  const { query } = call;
  const encode = nameEncoder(call);
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after');
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const limit = countParameter(call, 'max-keys', MAX_KEYS);
  const after = token === undefined ? byteName(startAfter ?? '') : parseToken(token);
  const page = listPage(bucketOf(call).versions.current, {
    prefix: byteName(prefix),
    delimiter: byteName(delimiter),
    after,
    limit,
  });
  return {
    status: 200,
    body: xmlDocument(
      'ListBucketResult',
      leaf('Name', call.bucketName),
      leaf('Prefix', encode(prefix)),
      delimiter === '' ? '' : leaf('Delimiter', encode(delimiter)),
      leaf('MaxKeys', limit),
      query.get('encoding-type') === 'url' ? leaf('EncodingType', 'url') : '',
      leaf('KeyCount', page.entries.length + page.commonPrefixes.length),
      leaf('IsTruncated', page.next !== null),
      token === undefined ? '' : leaf('ContinuationToken', token),
      page.next === null ? '' : leaf('NextContinuationToken', formatToken(page.next)),
      startAfter === undefined ? '' : leaf('StartAfter', encode(startAfter)),
      ...page.entries.map((object) => contents(object, encode)),
      ...page.commonPrefixes.map((name) =>
        branch('CommonPrefixes', leaf('Prefix', encode(keyOfByteName(name)))),
      ),
    ),
  };
}

/** Reports each key; a missing key counts as deleted. */
export async function deleteObjects(call: Call): Promise<Answer> {
  const bucket = bucketOf(call);
  const request = parseXml(await readText(call.payload(), MAX_DOCUMENT_BYTES));
  const entries = request.children.filter((child) => child.name === 'Object');
  if (request.name !== 'Delete' || entries.length === 0 || entries.length > MAX_KEYS) {
    throw new S3Error(
      'MalformedXML',
      `the document names ${entries.length} objects, expected 1 to ${MAX_KEYS}`,
    );
  }
  const isQuiet = childText(request, 'Quiet') === 'true';
  const now = wholeSeconds(call.now);
  const results = entries.map(entryOf).map((entry) => {
    const { key, version } = entry;
    try {
      const check = writeCheck(entry.etag === undefined ? {} : { 'if-match': entry.etag });
      const result = applyDeletion(bucket, { key, versionId: readVersionId(version), check }, now);
      return isQuiet ? '' : deleted(entry, result);
    } catch (error) {
      const code = error instanceof S3Error ? error.code : 'InternalError';
      const message = error instanceof S3Error ? error.message : 'the object could not be removed';
      return branch('Error', ...namesOf(entry), leaf('Code', code), leaf('Message', message));
    }
  });
  return { status: 200, body: xmlDocument('DeleteResult', ...results) };
}

type DeletionEntry = ReturnType<typeof entryOf>;

function entryOf(entry: XmlElement) {
  const key = childText(entry, 'Key');
  if (key === undefined || key === '')
    throw new S3Error('MalformedXML', 'an object in the document has no key');
  return { key, version: childText(entry, 'VersionId'), etag: childText(entry, 'ETag') };
}

function namesOf({ key, version }: DeletionEntry): string[] {
  return [leaf('Key', key), version === undefined ? '' : leaf('VersionId', version)];
}

function deleted(entry: DeletionEntry, { versionId, isDeleteMarker }: DeletionResult): string {
  const marker = isDeleteMarker
    ? [leaf('DeleteMarker', true), leaf('DeleteMarkerVersionId', versionId ?? '')]
    : [];
  return branch('Deleted', ...namesOf(entry), ...marker);
}

function contents(object: StoredObject, encode: (name: string) => string): string {
  return branch(
    'Contents',
    leaf('Key', encode(object.key)),
    leaf('LastModified', new Date(object.modifiedAt).toISOString()),
    leaf('ETag', `"${object.etag}"`),
    leaf('Size', object.size),
    leaf('StorageClass', 'STANDARD'),
  );
}

/** `continuation-token` of the page after this byte name. */
export function formatToken(after: string): string {
  return Buffer.from(`1${after}`, 'latin1').toString('base64url');
}

// The leading 1 identifies our own tokens.
export function parseToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString('latin1');
  if (!text.startsWith('1') || formatToken(text.slice(1)) !== token) {
    throw new S3Error('InvalidArgument', `the continuation-token "${token}" was not given out here`);
  }
  return text.slice(1);
}

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

/** Keys in byte order, the newest version of each first. */
export function listVersionPage(index: VersionIndex, request: VersionPageRequest) {
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
