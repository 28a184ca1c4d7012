import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketLocationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { checkBucket } from '../../../infra/local/s3/self-check.ts';
import { startBucketServer } from '../../../infra/local/s3/server.ts';
import { bucketOptions, refused, useBucketServer } from '../../helpers/s3/bucket-fixture.ts';
import { BUCKET, REGION, clientOf } from '../../helpers/s3/bucket-process.ts';
import { presign } from '../../helpers/s3/presign.ts';

const { session: s3, dir, url } = useBucketServer();
const { put, text } = s3;

const signedPath = async (method: 'GET' | 'PUT', key: string): Promise<string> =>
  (await presign(s3.client, { method, bucket: BUCKET, key })).slice(url().length);

describe('who may call', () => {
  it.each([
    [
      'a wrong secret',
      { accessKeyId: 'local', secretAccessKey: 'wrong' },
      refused('SignatureDoesNotMatch', 403),
    ],
    ['an unknown key', { accessKeyId: 'other', secretAccessKey: 'x' }, refused('InvalidAccessKeyId', 403)],
  ])('not one with %s', async (_, credentials, refusal) => {
    const stranger = clientOf(url(), credentials);
    await expect(stranger.send(new ListBucketsCommand({}))).rejects.toMatchObject(refusal);
    // Neither with a large body that it sends without waiting, nor with one it holds back for a 100 Continue.
    for (const Body of [Buffer.alloc(1_500_000), Buffer.alloc(20_000_000)]) {
      const attempt = stranger.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'x', Body }));
      await expect(attempt).rejects.toMatchObject(refusal);
    }
    stranger.destroy();
  });

  it('not an expired or altered presigned URL', async () => {
    const signedAt = new Date(Date.now() - 61_000);
    const expired = await presign(s3.client, { method: 'PUT', bucket: BUCKET, key: 'late', signedAt });
    expect((await fetch(expired, { method: 'PUT', body: 'x' })).status).toBe(403);
    const link = await presign(s3.client, { method: 'PUT', bucket: BUCKET, key: 'mine' });
    expect((await fetch(link.replace('mine', 'yours'), { method: 'PUT', body: 'x' })).status).toBe(403);
    expect((await fetch(link, { method: 'DELETE' })).status).toBe(403);
  });

  it('reads headers that presigning moved into the query', async () => {
    const digest = createHash('sha256').update('x').digest('base64');
    const send = async (body: string) => {
      const query = { 'x-amz-checksum-sha256': digest, 'x-amz-meta-from': 'query' };
      const link = await presign(s3.client, { method: 'PUT', bucket: BUCKET, key: 'hoisted', query });
      return fetch(link, { method: 'PUT', body });
    };
    expect((await send('y')).status).toBe(400);
    expect((await send('x')).status).toBe(200);
    const head = await s3.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'hoisted' }));
    expect(head.Metadata).toEqual({ from: 'query' });
  });
});

describe('what is received', () => {
  const body = 'a body that must arrive as it was sent';
  const wrongSum = (algorithm: string): string => createHash(algorithm).update('other').digest('base64');

  it.each([
    ['ChecksumCRC32', { ChecksumCRC32: 'AAAAAA==' }, 'BadDigest'],
    ['ChecksumCRC32C', { ChecksumCRC32C: 'AAAAAA==' }, 'BadDigest'],
    ['ChecksumCRC64NVME', { ChecksumCRC64NVME: 'AAAAAAAAAAA=' }, 'BadDigest'],
    ['ChecksumSHA256', { ChecksumSHA256: wrongSum('sha256') }, 'BadDigest'],
    ['ContentMD5', { ContentMD5: wrongSum('md5') }, 'BadDigest'],
    ['ContentMD5 of no digest', { ContentMD5: 'abc' }, 'InvalidDigest'],
  ])('must have its %s', async (_, digest, code) => {
    await put('digest', 'old');
    await expect(put('digest', body, digest)).rejects.toMatchObject(refused(code, 400));
    expect(await text('digest')).toBe('old');
  });

  it.each(['signed whole', 'with a checksum behind it'])(
    'is refused when altered on the way, %s',
    async (form) => {
      await put('altered', 'old');
      const attacked = clientOf(url());
      attacked.middlewareStack.add(
        (next) => (args) => {
          const { request: sent } = args as { request: { body: unknown } };
          if (typeof sent.body === 'string') sent.body = sent.body.toUpperCase();
          else sent.body = Readable.from(upperCased(sent.body as Readable));
          return next(args);
        },
        { step: 'deserialize', priority: 'low' },
      );
      const isWhole = form === 'signed whole';
      const input = isWhole ? { Body: body } : { Body: Readable.from([body]), ContentLength: body.length };
      await expect(
        attacked.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'altered', ...input })),
      ).rejects.toMatchObject(refused(isWhole ? 'XAmzContentSHA256Mismatch' : 'BadDigest', 400));
      expect(await text('altered')).toBe('old');
      attacked.destroy();
    },
  );

  it('is kept without the framing it travelled in', async () => {
    const input = { ContentLength: body.length, ContentEncoding: 'gzip' };
    await put('framed', Readable.from([body]), input);
    const head = await s3.client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: 'framed' }));
    expect(head).toMatchObject(input);
  });

  it('gives the checksum back with the whole object only', async () => {
    const ChecksumSHA256 = createHash('sha256').update(body).digest('base64');
    expect((await put('sum', body, { ChecksumSHA256 })).ChecksumSHA256).toBe(ChecksumSHA256);
    const input = { Bucket: BUCKET, Key: 'sum', ChecksumMode: 'ENABLED' } as const;
    expect((await s3.client.send(new HeadObjectCommand(input))).ChecksumSHA256).toBe(ChecksumSHA256);
    expect((await s3.client.send(new GetObjectCommand(input))).ChecksumSHA256).toBe(ChecksumSHA256);
    const part = await s3.client.send(new GetObjectCommand({ ...input, Range: 'bytes=0-3' }));
    expect([part.ChecksumSHA256, await part.Body!.transformToString()]).toEqual([undefined, 'a bo']);
  });

  it.each([
    ['refused unread', {}, 403],
    ['refused in its middle', { 'X-Amz-Content-Sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' }, 400],
  ])('is read to its end when %s, so that the connection can go on', async (_, query, status) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const link = await presign(s3.client, { method: 'PUT', bucket: BUCKET, key: 'refused', query });
    const send = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const outgoing = request(status === 403 ? link.replace('refused', 'other') : link, {
          method: 'PUT',
          agent,
        });
        outgoing.once('error', reject).once('response', (response) => {
          response.resume().once('end', () => resolve(response.statusCode!));
        });
        outgoing.end(Buffer.alloc(20_000_000, 'no frame\r\n'));
      });
    expect(await send()).toBe(status);
    expect(await send()).toBe(status);
    agent.destroy();
  });

  it('leaves no blob behind when it is refused or broken off', async () => {
    const blobs = join(dir, BUCKET, 'blobs');
    const before = readdirSync(blobs).length;
    await expect(put('leftover', body, { ContentMD5: wrongSum('md5') })).rejects.toThrow('Content-MD5');
    await expect(put('sum', body, { IfNoneMatch: '*' })).rejects.toThrow('a condition of the request');
    const headers = { 'content-length': 100_000 };
    const path = await signedPath('PUT', 'leftover');
    await new Promise<void>((resolve) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: new URL(url()).port,
        method: 'PUT',
        path,
        headers,
      });
      outgoing.on('error', () => resolve());
      outgoing.write('x'.repeat(50_000), () => outgoing.destroy(new Error('gone')));
    });
    await expect.poll(() => readdirSync(blobs).length).toBe(before);
    await expect(text('leftover')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});

describe('the bucket itself', () => {
  it('is created again without harm, listed, located, and has no versions', async () => {
    await put('there', 'still');
    await s3.client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    expect(await text('there')).toBe('still');
    const { Buckets } = await s3.client.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual([BUCKET]);
    const location = await s3.client.send(new GetBucketLocationCommand({ Bucket: BUCKET }));
    expect(location.LocationConstraint).toBe(REGION);
    const versioning = await s3.client.send(new GetBucketVersioningCommand({ Bucket: BUCKET }));
    expect(versioning.Status).toBeUndefined();
  });

  it('is refused to a second server', async () => {
    await expect(startBucketServer(bucketOptions(dir))).rejects.toThrow(`the folder ${dir} is in use`);
  });

  it('lets a reader finish while its object is replaced and deleted', async () => {
    const old = Buffer.alloc(8_000_000, 'o');
    await put('replaced', old);
    const { Body } = await s3.client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'replaced' }));
    await put('replaced', 'new');
    await s3.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'replaced' }));
    expect(Buffer.compare(await Body!.transformToByteArray(), old)).toBe(0);
  });
});

describe('a listing by version 1', () => {
  const list = async (options: object) => {
    const page = await s3.client.send(new ListObjectsCommand({ Bucket: BUCKET, Prefix: 'v1/', ...options }));
    const { Contents = [], CommonPrefixes = [], IsTruncated, NextMarker } = page;
    const names = [...Contents.map(({ Key }) => Key), ...CommonPrefixes.map(({ Prefix }) => Prefix)];
    return [names, IsTruncated, NextMarker];
  };

  it('counts a common prefix as one name, and has a next marker only with a delimiter', async () => {
    for (const name of ['é/1', 'é/2', 'f', 'g/1', 'h']) await put(`v1/${name}`, 'x');
    expect(await list({ MaxKeys: 2 })).toEqual([['v1/f', 'v1/g/1'], true, undefined]);
    const page = { Delimiter: '/', MaxKeys: 2 };
    expect(await list(page)).toEqual([['v1/f', 'v1/g/'], true, 'v1/g/']);
    expect(await list({ ...page, Marker: 'v1/f', MaxKeys: 1 })).toEqual([['v1/g/'], true, 'v1/g/']);
    // A marker within a common prefix skips all of it.
    for (const Marker of ['v1/g/', 'v1/g/0', 'v1/g/1']) {
      expect(await list({ ...page, Marker })).toEqual([['v1/h', 'v1/é/'], false, undefined]);
      expect(await list({ ...page, Marker, MaxKeys: 1 })).toEqual([['v1/h'], true, 'v1/h']);
    }
    expect(await list({ ...page, Marker: 'v1/é/1' })).toEqual([[], false, undefined]);
    expect(await list({ ...page, Marker: 'w' })).toEqual([[], false, undefined]);
    const echo = await s3.client.send(new ListObjectsCommand({ Bucket: BUCKET, Marker: 'v1/é', MaxKeys: 1 }));
    expect([echo.Name, echo.Marker, echo.Prefix, echo.MaxKeys]).toEqual([BUCKET, 'v1/é', '', 1]);
    expect(await list({ Delimiter: '/2', MaxKeys: 5, EncodingType: 'url' })).toEqual([
      ['v1/f', 'v1/g/1', 'v1/h', 'v1/%C3%A9/1', 'v1/%C3%A9/2'],
      false,
      undefined,
    ]);
    const folder = await list({ Delimiter: '/', Marker: 'v1/h', EncodingType: 'url' });
    expect(folder).toEqual([['v1/%C3%A9/'], false, undefined]);
    const encoded = await list({ Delimiter: '/2', Marker: 'v1/h', MaxKeys: 1, EncodingType: 'url' });
    expect(encoded).toEqual([['v1/%C3%A9/1'], true, 'v1/%C3%A9/1']);
  });
});

describe('a listing of uploads', () => {
  const begin = (Key: string) => s3.client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key }));

  it.each([
    ['keeps its place', false],
    ['misses nothing while what it has listed is aborted', true],
  ])('%s', async (_, isAborting) => {
    const prefix = `uploads ${String(isAborting)}/`;
    const begun = await Promise.all(['a', 'b', 'b', 'b', 'c'].map((name) => begin(`${prefix}${name}`)));
    const seen: string[] = [];
    let markers = {};
    for (;;) {
      const page = await s3.client.send(
        new ListMultipartUploadsCommand({ Bucket: BUCKET, Prefix: prefix, MaxUploads: 2, ...markers }),
      );
      for (const { Key, UploadId } of page.Uploads ?? []) {
        seen.push(UploadId!);
        if (!isAborting) continue;
        await s3.client.send(new AbortMultipartUploadCommand({ Bucket: BUCKET, Key, UploadId }));
      }
      if (page.IsTruncated !== true) break;
      markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
    expect(seen.toSorted()).toEqual(begun.map(({ UploadId }) => UploadId!).toSorted());
  });
});

describe('self-check', () => {
  it('names what a bad bucket gets wrong', async () => {
    const forgetful = clientOf(url());
    forgetful.middlewareStack.add(
      (next) => async (args) => {
        const { request: sent } = args as { request: { headers: Record<string, string>; query: object } };
        delete sent.headers['if-none-match'];
        const result = await next(args);
        const output = result.output as { Contents?: unknown[] };
        output.Contents?.reverse();
        return result;
      },
      { step: 'build' },
    );
    expect(await checkBucket(forgetful, BUCKET)).toEqual([
      expect.stringContaining('a listing in pages of 3 gave'),
      'a PUT with If-None-Match: * replaced an object, expected 412',
    ]);
    forgetful.destroy();
  });

  it('reports a bucket that is not there', async () => {
    expect(await checkBucket(s3.client, 'not-there')).toEqual([
      'the check could not be finished: there is no bucket "not-there"',
    ]);
  });
});

async function* upperCased(source: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    const plain = (chunk as Buffer).toString('latin1');
    yield Buffer.from(plain.replace('a body', 'A BODY'), 'latin1');
  }
}
