import { createHash, randomUUID } from 'node:crypto';
import type { BucketFolder } from './bucket-folder.ts';
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
import { byteName } from './listing.ts';
import {
  checkBodyLength,
  checksumHeader,
  copySource,
  headersToKeep,
  versionHeader,
  withCopySource,
} from './object-operations.ts';
import { readText } from './payload.ts';
import type { StoredPart, StoredUpload } from './records.ts';
import { branch, childText, leaf, parseXml, xmlDocument } from './xml.ts';

const MAX_PART_NUMBER = 10_000;
const MIN_PART_BYTES = 5 * 1024 ** 2;
const MAX_LISTED = 1000;
const MAX_COMPLETE_BYTES = 4 * 1024 ** 2;

export function createMultipartUpload(call: Call): Answer {
  const uploadId = randomUUID();
  bucketOf(call).saveUpload({
    uploadId,
    key: call.key,
    initiatedAt: call.now,
    headers: headersToKeep(call.headers),
    parts: [],
  });
  const body = xmlDocument(
    'InitiateMultipartUploadResult',
    leaf('Bucket', call.bucketName),
    leaf('Key', call.key),
    leaf('UploadId', uploadId),
  );
  return { status: 200, body };
}

export async function uploadPart(call: Call): Promise<Answer> {
  const bucket = bucketOf(call);
  const uploadId = uploadIdOf(call);
  const number = countParameter(call, 'partNumber', MAX_PART_NUMBER + 1);
  if (number < 1 || number > MAX_PART_NUMBER) {
    throw new S3Error('InvalidArgument', `partNumber is ${number}, expected 1 to ${MAX_PART_NUMBER}`);
  }
  bucket.findUpload(uploadId, call.key);
  if (call.headers['x-amz-copy-source'] !== undefined) return copyPart(call, number);
  checkBodyLength(call.headers);
  const payload = call.payload();
  const part = await writePart(call, number, payload);
  return { status: 200, headers: { etag: `"${part.etag}"`, ...checksumHeader(payload.checksum) } };
}

/** How registries move layers that are too large for one copy. */
function copyPart(call: Call, number: number): Promise<Answer> {
  return withCopySource(call, copySource(call.headers), async ({ from, object, handle }) => {
    const range = copiedRange(call.headers['x-amz-copy-source-range'], object.size);
    const part = await writePart(call, number, handle.createReadStream({ autoClose: false, ...range }));
    const body = xmlDocument(
      'CopyPartResult',
      leaf('LastModified', new Date(part.modifiedAt).toISOString()),
      leaf('ETag', `"${part.etag}"`),
    );
    return { status: 200, headers: versionHeader(from, object, 'x-amz-copy-source-version-id'), body };
  });
}

/** Unlike the range of a GET, it must be within the object. */
function copiedRange(
  header: string | string[] | undefined,
  size: number,
): { readonly start?: number; readonly end?: number } {
  if (header === undefined) return {};
  const text = [header].flat().join();
  const [, first, last] = /^bytes=([0-9]{1,15})-([0-9]{1,15})$/.exec(text) ?? [];
  const [start, end] = [Number(first), Number(last)];
  if (start <= end && end < size) return { start, end };
  throw new S3Error(
    'InvalidArgument',
    `x-amz-copy-source-range is "${text}", expected bytes=first-last within the ${size} bytes of the source`,
  );
}

async function writePart(call: Call, number: number, source: AsyncIterable<Uint8Array>): Promise<StoredPart> {
  const bucket = bucketOf(call);
  const part = { number, ...(await bucket.writeBlob(source)), modifiedAt: wholeSeconds(call.now) };
  try {
    addPart(bucket, bucket.findUpload(uploadIdOf(call), call.key), part);
  } catch (error) {
    // The upload was completed or aborted during the transfer of the part.
    await bucket.discardBlob(part.blob);
    throw error;
  }
  return part;
}

export async function completeMultipartUpload(call: Call): Promise<Answer> {
  const bucket = bucketOf(call);
  const uploadId = uploadIdOf(call);
  const check = writeCheck(call.headers);
  const document = await readText(call.payload(), MAX_COMPLETE_BYTES);
  const upload = bucket.findUpload(uploadId, call.key);
  const parts = chosenParts(upload, document);
  const { blob, size } = await bucket.writeBlob(joined(bucket, parts));
  const digests = parts.map((part) => Buffer.from(part.etag, 'hex'));
  const etag = `${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${parts.length}`;
  const modifiedAt = wholeSeconds(call.now);
  const fresh = { key: call.key, blob, size, etag, modifiedAt, headers: upload.headers };
  const object = bucket.putObject(fresh, (current) => {
    bucket.findUpload(uploadId, call.key);
    check(current);
  });
  bucket.removeUpload(bucket.findUpload(uploadId, call.key));
  const body = xmlDocument(
    'CompleteMultipartUploadResult',
    leaf('Location', `/${call.bucketName}/${call.key}`),
    leaf('Bucket', call.bucketName),
    leaf('Key', call.key),
    leaf('ETag', `"${etag}"`),
  );
  return { status: 200, headers: versionHeader(bucket, object), body };
}

export function abortMultipartUpload(call: Call): Answer {
  const bucket = bucketOf(call);
  bucket.removeUpload(bucket.findUpload(uploadIdOf(call), call.key));
  return { status: 204 };
}

export function listParts(call: Call): Answer {
  const upload = bucketOf(call).findUpload(uploadIdOf(call), call.key);
  const limit = countParameter(call, 'max-parts', MAX_LISTED);
  const marker = call.query.has('part-number-marker')
    ? countParameter(call, 'part-number-marker', MAX_PART_NUMBER)
    : 0;
  const rest = upload.parts.filter((part) => part.number > marker);
  const page = rest.slice(0, limit);
  const body = xmlDocument(
    'ListPartsResult',
    leaf('Bucket', call.bucketName),
    leaf('Key', nameEncoder(call)(call.key)),
    leaf('UploadId', upload.uploadId),
    leaf('PartNumberMarker', marker),
    leaf('NextPartNumberMarker', page.at(-1)?.number ?? marker),
    leaf('MaxParts', limit),
    leaf('IsTruncated', page.length < rest.length),
    ...page.map((part) =>
      branch(
        'Part',
        leaf('PartNumber', part.number),
        leaf('LastModified', new Date(part.modifiedAt).toISOString()),
        leaf('ETag', `"${part.etag}"`),
        leaf('Size', part.size),
      ),
    ),
  );
  return { status: 200, body };
}

/** Unfinished uploads by key, then by age. */
export function listMultipartUploads(call: Call): Answer {
  if ((call.query.get('delimiter') ?? '') !== '') {
    throw new S3Error('NotImplemented', 'uploads are listed without a delimiter here');
  }
  const encode = nameEncoder(call);
  const prefix = call.query.get('prefix') ?? '';
  const keyMarker = call.query.get('key-marker') ?? '';
  const idMarker = call.query.get('upload-id-marker') ?? '';
  const limit = countParameter(call, 'max-uploads', MAX_LISTED);
  const sorted = [...bucketOf(call).uploads.values()]
    .filter((upload) => upload.key.startsWith(prefix))
    .toSorted(compareUploads);
  const markerAt = sorted.findIndex((upload) => upload.key === keyMarker && upload.uploadId === idMarker);
  // A client that aborts what it lists returns with a deleted marker: its key is listed once more.
  const isPast = ({ key }: StoredUpload): boolean =>
    byteName(key) > byteName(keyMarker) || (idMarker !== '' && key === keyMarker);
  const rest = markerAt === -1 ? sorted.filter(isPast) : sorted.slice(markerAt + 1);
  const page = rest.slice(0, limit);
  const isTruncated = page.length > 0 && page.length < rest.length;
  const body = xmlDocument(
    'ListMultipartUploadsResult',
    leaf('Bucket', call.bucketName),
    leaf('KeyMarker', encode(keyMarker)),
    leaf('UploadIdMarker', idMarker),
    isTruncated ? leaf('NextKeyMarker', encode(page.at(-1)!.key)) : '',
    isTruncated ? leaf('NextUploadIdMarker', page.at(-1)!.uploadId) : '',
    leaf('Prefix', encode(prefix)),
    leaf('MaxUploads', limit),
    leaf('IsTruncated', isTruncated),
    ...page.map((upload) =>
      branch(
        'Upload',
        leaf('Key', encode(upload.key)),
        leaf('UploadId', upload.uploadId),
        leaf('StorageClass', 'STANDARD'),
        leaf('Initiated', new Date(upload.initiatedAt).toISOString()),
      ),
    ),
  );
  return { status: 200, body };
}

function uploadIdOf(call: Call): string {
  return call.query.get('uploadId') ?? '';
}

function addPart(bucket: BucketFolder, upload: StoredUpload, part: StoredPart): void {
  const replaced = upload.parts.find(({ number }) => number === part.number);
  const parts = [...upload.parts.filter((other) => other !== replaced), part];
  bucket.saveUpload({ ...upload, parts: parts.toSorted((a, b) => a.number - b.number) });
  if (replaced !== undefined) void bucket.discardBlob(replaced.blob);
}

function chosenParts(upload: StoredUpload, document: string): StoredPart[] {
  const request = parseXml(document);
  const chosen = request.children.filter((child) => child.name === 'Part');
  if (request.name !== 'CompleteMultipartUpload' || chosen.length === 0) {
    throw new S3Error('MalformedXML', 'the document names no parts, expected at least one');
  }
  const uploaded = new Map(upload.parts.map((part) => [String(part.number), part]));
  const parts = chosen.map((element) => {
    const number = childText(element, 'PartNumber')?.trim() ?? '';
    const part = uploaded.get(number);
    const etag = childText(element, 'ETag')?.trim().replaceAll('"', '');
    if (part === undefined || part.etag !== etag) {
      throw new S3Error('InvalidPart', `part "${number}" with the ETag "${etag}" was not uploaded`);
    }
    return part;
  });
  for (const [position, part] of parts.entries()) {
    const next = parts[position + 1];
    if (next === undefined) break;
    if (next.number <= part.number)
      throw new S3Error('InvalidPartOrder', 'the parts are not in ascending order');
    if (part.size < MIN_PART_BYTES) {
      throw new S3Error(
        'EntityTooSmall',
        `part ${part.number} has ${part.size} bytes, only the last may be under 5 MiB`,
      );
    }
  }
  return parts;
}

async function* joined(bucket: BucketFolder, parts: readonly StoredPart[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const handle = await bucket.openBlob(part.blob);
    yield* handle.createReadStream();
  }
}

function compareUploads(a: StoredUpload, b: StoredUpload): number {
  const [nameA, nameB] = [byteName(a.key), byteName(b.key)];
  if (nameA !== nameB) return nameA < nameB ? -1 : 1;
  return a.initiatedAt - b.initiatedAt || (a.uploadId < b.uploadId ? -1 : 1);
}
