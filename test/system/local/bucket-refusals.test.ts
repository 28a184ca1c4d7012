import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutObjectAclCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { refused, useBucketServer } from '../../helpers/s3/bucket-fixture.ts';
import { BUCKET } from '../../helpers/s3/bucket-process.ts';
import { presign } from '../../helpers/s3/presign.ts';

const { session: s3, root, dir, url, raw } = useBucketServer();
const { put, text } = s3;

const signedPath = async (method: 'GET' | 'PUT', key: string): Promise<string> =>
  (await presign(s3.client, { method, bucket: BUCKET, key })).slice(url().length);

describe('what is not understood', () => {
  it.each([
    [
      'a body without a length',
      'PUT',
      'x',
      { 'transfer-encoding': 'chunked' },
      { status: 411, code: 'MissingContentLength' },
    ],
    [
      'more than 5 GiB',
      'PUT',
      'x',
      { 'content-length': 5 * 1024 ** 3 + 1, expect: '100-continue' },
      { status: 400, code: 'EntityTooLarge' },
    ],
  ] as const)('%s', async (_, method, key, headers, expected) => {
    const path = await signedPath(method, key);
    expect(await raw(method, path, { ...headers }, '')).toEqual(expected);
  });

  it.each([
    ['a key of 1,025 bytes', () => put('é'.repeat(512) + 'x', 'x'), refused('KeyTooLongError', 400)],
    [
      'metadata over 2 KB',
      () => put('x', 'x', { Metadata: { a: 'b'.repeat(2048) } }),
      refused('MetadataTooLarge', 400),
    ],
    [
      'If-None-Match with an ETag',
      () => put('x', 'x', { IfNoneMatch: '"a"' }),
      refused('NotImplemented', 501),
    ],
    ['If-Match without an object', () => put('none', 'x', { IfMatch: '"a"' }), refused('NoSuchKey', 404)],
    [
      'an access control list',
      () => s3.client.send(new PutObjectAclCommand({ Bucket: BUCKET, Key: 'x', ACL: 'private' })),
      refused('NotImplemented', 501),
    ],
    [
      'tags',
      () => s3.client.send(new GetObjectTaggingCommand({ Bucket: BUCKET, Key: 'x' })),
      refused('NotImplemented', 501),
    ],
    [
      'a made-up version',
      () => s3.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'x', VersionId: '1' })),
      refused('InvalidArgument', 400),
    ],
    [
      'a negative page of version 1',
      () => s3.client.send(new ListObjectsCommand({ Bucket: BUCKET, MaxKeys: -1 })),
      refused('InvalidArgument', 400),
    ],
    [
      'names encoded in another way',
      () => s3.client.send(new ListObjectsCommand({ Bucket: BUCKET, EncodingType: 'xml' as 'url' })),
      refused('InvalidArgument', 400),
    ],
    [
      'a negative page',
      () => s3.client.send(new ListObjectsV2Command({ Bucket: BUCKET, MaxKeys: -1 })),
      refused('InvalidArgument', 400),
    ],
    [
      'a made-up token',
      () => s3.client.send(new ListObjectsV2Command({ Bucket: BUCKET, ContinuationToken: 'made up' })),
      refused('InvalidArgument', 400),
    ],
    [
      '1,001 keys to delete',
      () =>
        s3.client.send(
          new DeleteObjectsCommand({
            Bucket: BUCKET,
            Delete: { Objects: Array.from({ length: 1001 }, (_, index) => ({ Key: String(index) })) },
          }),
        ),
      refused('MalformedXML', 400),
    ],
    [
      'a copy onto itself',
      () => s3.client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: 'x', CopySource: `${BUCKET}/x` })),
      refused('InvalidRequest', 400),
    ],
    [
      'a bucket name in capitals',
      () => s3.client.send(new CreateBucketCommand({ Bucket: 'Capitals' })),
      refused('InvalidBucketName', 400),
    ],
  ])('%s is refused', async (_, attempt, refusal) => {
    await put('x', 'untouched');
    await expect(attempt()).rejects.toMatchObject(refusal);
    expect(await text('x')).toBe('untouched');
  });

  it.each(['bytes=0-9', 'bytes=3-2', 'bytes=-2', '0-1'])(
    'a copy of %s of 9 bytes as a part',
    async (CopySourceRange) => {
      await put('x', 'untouched');
      const target = { Bucket: BUCKET, Key: 'parts' };
      const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(target));
      const part = { ...target, UploadId, PartNumber: 1, CopySource: `${BUCKET}/x`, CopySourceRange };
      const attempt = s3.client.send(new UploadPartCopyCommand(part));
      await expect(attempt).rejects.toMatchObject(refused('InvalidArgument', 400));
    },
  );

  it.each(['list-type=1', 'max-keys=many', 'list-type=2&max-keys=1.5'])('?%s', async (search) => {
    const query = Object.fromEntries(new URLSearchParams(search));
    const link = await presign(s3.client, { method: 'GET', bucket: BUCKET, key: '', query });
    expect(await raw('GET', link.slice(url().length))).toEqual({ status: 400, code: 'InvalidArgument' });
  });

  it('deletes only the version named by If-Match', async () => {
    const { ETag } = await put('x', 'content');
    const remove = (IfMatch: string) =>
      s3.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'x', IfMatch }));
    await expect(remove('"other"')).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } });
    expect(await text('x')).toBe('content');
    await remove(ETag!);
    await expect(text('x')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('says nothing of deleted keys when quiet, and names the ones it kept', async () => {
    await put('quiet', 'x');
    await put('kept', 'x');
    const Objects = [{ Key: 'quiet' }, { Key: 'missing' }, { Key: 'kept', ETag: '"other"' }];
    const answer = await s3.client.send(
      new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Quiet: true, Objects } }),
    );
    expect(answer.Deleted ?? []).toEqual([]);
    expect(answer.Errors).toMatchObject([{ Key: 'kept', Code: 'PreconditionFailed' }]);
  });
});

describe('paths', () => {
  it.each(['..', '.', '__proto__', 'a%5C..%5Cb', 'a%2F..%2F..', '%00', '-a-'])(
    'take %s for no bucket',
    async (bucket) => {
      const put = async (key: string) => {
        const link = await presign(s3.client, { method: 'PUT', bucket, key });
        return raw('PUT', link.slice(url().length), { 'content-length': 0 });
      };
      expect(await put('x')).toEqual({ status: 404, code: 'NoSuchBucket' });
      expect(await put('')).toEqual({ status: 400, code: 'InvalidBucketName' });
    },
  );

  it('writes nowhere but into its folder, whatever the key', async () => {
    const keys = [
      '../../../escaped',
      '/etc/escaped',
      '..',
      '.',
      'C:\\escaped',
      'a\0b',
      'nul',
      'a'.repeat(1000),
    ];
    for (const key of keys) await put(key, key);
    for (const key of keys) expect(await text(key)).toBe(key);
    expect([readdirSync(root), readdirSync(join(root, 'a')), readdirSync(dir)]).toEqual([
      ['a'],
      ['buckets'],
      [BUCKET],
    ]);
    const names = ['objects', 'blobs'].flatMap((folder) => readdirSync(join(dir, BUCKET, folder)));
    expect(names.filter((name) => !/^[0-9a-f-]{36,64}(\.json)?$/.test(name))).toEqual([]);
  });

  it('refuses a path that is not UTF-8', async () => {
    for (const path of ['/%ff', '/%c3%28/x', `/${BUCKET}/%`, `/${BUCKET}/x?prefix=%zz`]) {
      expect(await raw('GET', path)).toEqual({ status: 400, code: 'InvalidURI' });
    }
  });
});
