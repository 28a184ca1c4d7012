import { type AskedRequest, type GuardedService } from './asked-request.ts';
import type { Demand } from './role-policy.ts';

/** Path-style S3. */
export const bucketService: GuardedService = {
  demandsOf(request) {
    const { bucket, key } = placeOf(request);
    if (bucket === '') return null;
    return key === '' ? ofBucket(request, bucket) : ofObject(request, bucket, key);
  },
  /** S3 reveals a missing object only to callers that can list the bucket. */
  demandOfAbsence(request) {
    const { bucket, key } = placeOf(request);
    return key === '' ? null : onBucket('ListBucket', bucket);
  },
  refuse: (message) => ({
    status: 403,
    type: 'application/xml',
    body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`,
  }),
};

function placeOf({ url }: AskedRequest): { readonly bucket: string; readonly key: string } {
  const [, bucket = '', ...key] = url.pathname.split('/').map(decodeURIComponent);
  return { bucket, key: key.join('/') };
}

function onBucket(operation: string, bucket: string, prefix: string | null = null): Demand {
  const context = prefix === null ? {} : { 's3:prefix': [prefix] };
  return { action: `s3:${operation}`, resource: `arn:aws:s3:::${bucket}`, context };
}

function onObject(operation: string, bucket: string, key: string): Demand {
  return { action: `s3:${operation}`, resource: `arn:aws:s3:::${bucket}/${key}`, context: {} };
}

function ofBucket(
  { method, url: { searchParams }, body }: AskedRequest,
  bucket: string,
): readonly Demand[] | null {
  const prefix = searchParams.get('prefix');
  if (method === 'POST' && searchParams.has('delete')) return ofDeletions(body.toString('utf8'), bucket);
  if (method !== 'GET') return null;
  if (searchParams.has('versioning')) return [onBucket('GetBucketVersioning', bucket)];
  if (searchParams.has('versions')) return [onBucket('ListBucketVersions', bucket, prefix)];
  if (searchParams.has('uploads')) return [onBucket('ListBucketMultipartUploads', bucket, prefix)];
  return searchParams.has('list-type') ? [onBucket('ListBucket', bucket, prefix)] : null;
}

/** S3 decides per key. Here one forbidden key rejects the request. */
function ofDeletions(xml: string, bucket: string): readonly Demand[] {
  return [...xml.matchAll(/<Object>(.*?)<\/Object>/gs)].map(([, object = '']) => {
    const key = /<Key>(.*?)<\/Key>/s.exec(object)?.[1] ?? '';
    const operation = object.includes('<VersionId>') ? 'DeleteObjectVersion' : 'DeleteObject';
    return onObject(operation, bucket, unescaped(key));
  });
}

const ENTITIES = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&amp;', '&'],
]);

function unescaped(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES.get(entity)!);
}

function ofObject(
  { method, url: { searchParams }, headers }: AskedRequest,
  bucket: string,
  key: string,
): readonly Demand[] | null {
  const hasUpload = searchParams.has('uploadId');
  const ofVersion = searchParams.has('versionId') ? 'Version' : '';
  switch (method) {
    case 'GET':
    case 'HEAD':
      return [onObject(hasUpload ? 'ListMultipartUploadParts' : `GetObject${ofVersion}`, bucket, key)];
    case 'DELETE':
      return [onObject(hasUpload ? 'AbortMultipartUpload' : `DeleteObject${ofVersion}`, bucket, key)];
    case 'PUT':
    case 'POST': {
      if (method === 'POST' && !hasUpload && !searchParams.has('uploads')) return null;
      const source = headers['x-amz-copy-source'];
      if (source === undefined) return [onObject('PutObject', bucket, key)];
      const [from = '', ...path] = decodeURIComponent(String(source)).replace(/^\//, '').split('/');
      return [onObject('PutObject', bucket, key), onObject('GetObject', from, path.join('/'))];
    }
    default:
      return null;
  }
}
