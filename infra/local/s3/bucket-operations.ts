import { type Answer, bucketOf, type Call, wholeSeconds, writeCheck } from './conditions.ts';
import { S3Error } from './errors.ts';
import { OWNER } from './list-operations.ts';
import { applyDeletion, type DeletionResult } from './object-operations.ts';
import { readText } from './payload.ts';
import { isVersioningStatus, readVersionId } from './version-index.ts';
import { branch, childText, leaf, parseXml, xmlDocument, type XmlElement } from './xml.ts';

const MAX_DELETED_KEYS = 1000;
/** 1,000 keys of 1,024 bytes, each byte as a character reference. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;
const MAX_CONFIGURATION_BYTES = 64 * 1024;

export function listBuckets({ store }: Call): Answer {
  const buckets = store
    .list()
    .map(({ name, createdAt }) =>
      branch('Bucket', leaf('Name', name), leaf('CreationDate', new Date(createdAt).toISOString())),
    );
  return { status: 200, body: xmlDocument('ListAllMyBucketsResult', OWNER, branch('Buckets', ...buckets)) };
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

/** Reports each key; a missing key counts as deleted. */
export async function deleteObjects(call: Call): Promise<Answer> {
  const bucket = bucketOf(call);
  const request = parseXml(await readText(call.payload(), MAX_DOCUMENT_BYTES));
  const entries = request.children.filter((child) => child.name === 'Object');
  if (request.name !== 'Delete' || entries.length === 0 || entries.length > MAX_DELETED_KEYS) {
    throw new S3Error(
      'MalformedXML',
      `the document names ${entries.length} objects, expected 1 to ${MAX_DELETED_KEYS}`,
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
