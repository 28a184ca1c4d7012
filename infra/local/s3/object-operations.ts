import type { FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { BucketFolder, WriteCheck } from './bucket-folder.ts';
import type { Checksum } from './checksum.ts';
import { type Answer, bucketOf, type Call, checkRead, wholeSeconds, writeCheck } from './conditions.ts';
import { S3Error } from './errors.ts';
import { isDeleteMarker, type NewObject, type StoredHeaders, type StoredObject } from './records.ts';
import { parseTarget } from './signature.ts';
import { readVersionId, versionIdOf } from './version-index.ts';
import { leaf, xmlDocument } from './xml.ts';

/** S3 limit for one PUT. */
const MAX_OBJECT_BYTES = 5 * 1024 ** 3;
const MAX_METADATA_BYTES = 2048;
const METADATA_PREFIX = 'x-amz-meta-';
const KEPT_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
]);

export async function putObject(call: Call): Promise<Answer> {
  if (call.headers['x-amz-copy-source'] !== undefined) return copyObject(call);
  const bucket = bucketOf(call);
  const headers = headersToKeep(call.headers);
  const check = writeCheck(call.headers);
  checkBodyLength(call.headers);
  const payload = call.payload();
  const blob = await bucket.writeBlob(payload);
  const { checksum } = payload;
  const object = bucket.putObject(
    {
      key: call.key,
      ...blob,
      modifiedAt: wholeSeconds(call.now),
      headers,
      ...(checksum === undefined ? {} : { checksum }),
    },
    check,
  );
  return {
    status: 200,
    headers: { etag: `"${blob.etag}"`, ...checksumHeader(checksum), ...versionHeader(bucket, object) },
  };
}

export async function getObject(call: Call): Promise<Answer> {
  const { object, handle } = await bucketOf(call).openObject(call.key, versionNamed(call));
  try {
    const { range, ...answer } = describeObject(call, object);
    if (range === null || range.length === 0) {
      await handle.close();
      return answer;
    }
    const body = handle.createReadStream({ start: range.start, end: range.start + range.length - 1 });
    return { ...answer, body };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export function headObject(call: Call): Answer {
  const object = bucketOf(call).read(call.key, versionNamed(call));
  const { range: _, ...answer } = describeObject(call, object);
  return answer;
}

export function deleteObject(call: Call): Answer {
  const { versionId, isDeleteMarker } = applyDeletion(
    bucketOf(call),
    { key: call.key, versionId: versionNamed(call), check: writeCheck(call.headers) },
    wholeSeconds(call.now),
  );
  return {
    status: 204,
    headers: {
      ...(versionId === undefined ? {} : { 'x-amz-version-id': versionId }),
      ...(isDeleteMarker ? { 'x-amz-delete-marker': 'true' } : {}),
    },
  };
}

interface Deletion {
  readonly key: string;
  /** Deletes exactly this version, permanently. */
  readonly versionId: string | undefined;
  readonly check: WriteCheck;
}

export interface DeletionResult {
  /** ID of the deleted version, or of the new delete marker. */
  readonly versionId: string | undefined;
  readonly isDeleteMarker: boolean;
}

/** Deleting a missing object succeeds, as in S3. */
export function applyDeletion(bucket: BucketFolder, deletion: Deletion, now: number): DeletionResult {
  const { key, versionId, check } = deletion;
  if (versionId !== undefined) {
    const removed = bucket.removeVersion(key, versionId, check);
    return { versionId, isDeleteMarker: removed !== undefined && isDeleteMarker(removed) };
  }
  const marker = bucket.removeObject(key, now, check);
  return marker === undefined
    ? { versionId: undefined, isDeleteMarker: false }
    : { versionId: versionIdOf(marker), isDeleteMarker: true };
}

export function headersToKeep(headers: IncomingHttpHeaders): StoredHeaders {
  const kept: [string, string][] = [];
  let metadataBytes = 0;
  for (const [name, value] of Object.entries(headers)) {
    const isMetadata = name.startsWith(METADATA_PREFIX);
    if (!isMetadata && !KEPT_HEADERS.has(name)) continue;
    const text = [value ?? ''].flat().join(',');
    if (isMetadata) metadataBytes += name.length - METADATA_PREFIX.length + Buffer.byteLength(text);
    // aws-chunked describes the transfer, not the content.
    const plain = name === 'content-encoding' ? withoutChunked(text) : text;
    if (isMetadata || plain !== '') kept.push([name, plain]);
  }
  if (metadataBytes > MAX_METADATA_BYTES) {
    throw new S3Error('MetadataTooLarge', `the metadata has ${metadataBytes} bytes, at most 2048 fit`);
  }
  return kept;
}

export function checkBodyLength(headers: IncomingHttpHeaders): void {
  const length = headers['x-amz-decoded-content-length'] ?? headers['content-length'];
  if (length === undefined) throw new S3Error('MissingContentLength', 'the length of the body is not given');
  if (!(Number(length) <= MAX_OBJECT_BYTES)) {
    throw new S3Error(
      'EntityTooLarge',
      `the body has ${String(length)} bytes, at most ${MAX_OBJECT_BYTES} fit`,
    );
  }
}

async function copyObject(call: Call): Promise<Answer> {
  const source = copySource(call.headers);
  const isReplacing = call.headers['x-amz-metadata-directive'] === 'REPLACE';
  const isOntoItself = source.bucket === call.bucketName && source.key === call.key;
  // Copying an older version onto its key makes it current.
  if (isOntoItself && source.versionId === undefined && !isReplacing) {
    throw new S3Error(
      'InvalidRequest',
      'a copy onto itself changes nothing, send x-amz-metadata-directive: REPLACE',
    );
  }
  const bucket = bucketOf(call);
  const check = writeCheck(call.headers);
  return withCopySource(call, source, async ({ from, object, handle }) => {
    const blob = await bucket.writeBlob(handle.createReadStream({ autoClose: false }));
    const { versionId: _, sequence: __, ...content } = object;
    const fresh: NewObject = {
      ...content,
      ...blob,
      key: call.key,
      modifiedAt: wholeSeconds(call.now),
      headers: isReplacing ? headersToKeep(call.headers) : object.headers,
    };
    const copy = bucket.putObject(fresh, check);
    const body = xmlDocument(
      'CopyObjectResult',
      leaf('LastModified', new Date(copy.modifiedAt).toISOString()),
      leaf('ETag', `"${copy.etag}"`),
    );
    const headers = {
      ...versionHeader(bucket, copy),
      ...versionHeader(from, object, 'x-amz-copy-source-version-id'),
    };
    return { status: 200, headers, body };
  });
}

interface OpenSource {
  readonly from: BucketFolder;
  readonly object: StoredObject;
  readonly handle: FileHandle;
}

/** Open and under the conditions of the request while something is done with it. */
export async function withCopySource<Result>(
  call: Call,
  source: ReturnType<typeof copySource>,
  act: (source: OpenSource) => Promise<Result>,
): Promise<Result> {
  const from = call.store.bucket(source.bucket);
  const { object, handle } = await from.openObject(source.key, source.versionId);
  try {
    if (checkRead(call.headers, object, 'x-amz-copy-source-') === 'not-modified') {
      throw new S3Error('PreconditionFailed', `a condition of the copy does not hold for "${source.key}"`);
    }
    return await act({ from, object, handle });
  } finally {
    await handle.close();
  }
}

export function copySource(headers: IncomingHttpHeaders) {
  const header = String(headers['x-amz-copy-source']);
  const { bucket, key, query } = parseTarget(header.startsWith('/') ? header : `/${header}`);
  if (key === '') {
    throw new S3Error('InvalidArgument', `x-amz-copy-source is "${header}", expected bucket/key`);
  }
  const [first, ...more] = query;
  if (more.length > 0 || (first !== undefined && first[0] !== 'versionId')) {
    throw new S3Error('InvalidArgument', `x-amz-copy-source is "${header}", expected no query but versionId`);
  }
  return { bucket, key, versionId: readVersionId(first?.[1]) };
}

/** Without a range if there is no body. */
function describeObject(call: Call, object: StoredObject): Answer & { readonly range: ByteRange | null } {
  const { headers } = call;
  const common = {
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.modifiedAt).toUTCString(),
    ...versionHeader(bucketOf(call), object),
  };
  if (checkRead(headers, object) === 'not-modified') return { status: 304, headers: common, range: null };
  const range = parseRange(headers.range, object.size);
  const isWhole = range.length === object.size;
  return {
    status: range.isPartial ? 206 : 200,
    range,
    headers: {
      'content-type': 'binary/octet-stream',
      ...Object.fromEntries(object.headers),
      ...common,
      'accept-ranges': 'bytes',
      'content-length': range.length,
      ...(range.isPartial
        ? { 'content-range': `bytes ${range.start}-${range.start + range.length - 1}/${object.size}` }
        : {}),
      // The checksum covers the whole object, so clients would reject a part.
      ...(headers['x-amz-checksum-mode'] === 'ENABLED' && isWhole ? checksumHeader(object.checksum) : {}),
    },
  };
}

interface ByteRange {
  readonly start: number;
  readonly length: number;
  /** False if the whole object is sent, without a range or with an invalid one. */
  readonly isPartial: boolean;
}

/** Accepts `bytes=0-99`, `bytes=100-` or `bytes=-100`; several ranges return the whole object, as in S3. */
export function parseRange(header: string | undefined, size: number): ByteRange {
  const whole: ByteRange = { start: 0, length: size, isPartial: false };
  const [, first, last] = /^bytes=([0-9]*)-([0-9]*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return whole;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(first) > Number(last)) return whole;
  if (start > end) {
    throw new S3Error('InvalidRange', `the range "${header}" is outside of ${size} bytes`, {
      'content-range': `bytes */${size}`,
    });
  }
  return { start, length: end - start + 1, isPartial: true };
}

export function checksumHeader(checksum: Checksum | undefined): Record<string, string> {
  return checksum === undefined ? {} : { [`x-amz-checksum-${checksum.algorithm}`]: checksum.value };
}

/** Empty if versioning was never enabled, as in S3. */
export function versionHeader(
  bucket: BucketFolder,
  object: StoredObject,
  name = 'x-amz-version-id',
): Record<string, string> {
  return bucket.versioning === null ? {} : { [name]: versionIdOf(object) };
}

function versionNamed(call: Call): string | undefined {
  return readVersionId(call.query.get('versionId'));
}

function withoutChunked(encoding: string): string {
  return encoding
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== 'aws-chunked')
    .join(', ');
}
