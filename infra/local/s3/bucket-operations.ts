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
import type { StoredObject } from './records.ts';
import { readVersionId } from './version-index.ts';
import { branch, childText, leaf, parseXml, xmlDocument, type XmlElement } from './xml.ts';

const MAX_KEYS = 1000;
/** 1,000 keys of 1,024 bytes, each byte as a character reference. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

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

interface DeletionEntry {
  readonly key: string;
  readonly version: string | undefined;
  readonly etag: string | undefined;
}

function entryOf(entry: XmlElement): DeletionEntry {
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
