import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
} from '@aws-sdk/client-s3';
import type { CopyObjectCommandInput } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { newPrefix } from './s3-session.ts';
import type { S3Session } from './s3-session.ts';

/** Contract: reads, writes, conditions and checksums of single objects. */
export function describeObjects(s3: S3Session): void {
  const { put, get, text, keys } = s3;

  describe('objects', () => {
    it.each([
      ['a slash at the end', 'folder/'],
      ['dot segments', 'a/../../b/./c'],
      ['empty segments', 'a//b'],
      ['reserved characters', `a+b c&d=e?f#g%h%2Fi:;,@$!*'()"<>[]{}|\\^`],
      ['letters beyond ASCII', 'dépôt/\u{1f600}/～'],
      ['1,024 bytes', 'k'.repeat(1024 - 37)],
    ])('keeps a key with %s', async (_, name) => {
      const prefix = newPrefix();
      const key = `${prefix}${name}`;
      await put(key, key);
      expect(await text(key)).toBe(key);
      expect(await keys({ Prefix: prefix })).toEqual([key]);
    });

    it('answers NoSuchKey, NoSuchBucket, and 404 to HEAD', async () => {
      const Key = `${newPrefix()}missing`;
      await expect(get(Key)).rejects.toMatchObject({ name: 'NoSuchKey' });
      const Bucket = `missing-${randomUUID()}`;
      await expect(s3.client.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({
        name: 'NoSuchBucket',
      });
      const notFound = { $metadata: { httpStatusCode: 404 } };
      await expect(s3.client.send(new HeadObjectCommand({ Bucket: s3.bucket, Key }))).rejects.toMatchObject(
        notFound,
      );
      await expect(s3.client.send(new HeadBucketCommand({ Bucket }))).rejects.toMatchObject(notFound);
    });

    it('deletes, also what is not there', async () => {
      const Key = `${newPrefix()}gone`;
      await put(Key, 'here');
      for (const _ of ['there', 'not there']) {
        const answer = await s3.client.send(new DeleteObjectCommand({ Bucket: s3.bucket, Key }));
        expect(answer.$metadata.httpStatusCode).toBe(204);
      }
      await expect(get(Key)).rejects.toMatchObject({ name: 'NoSuchKey' });
    });

    it('keeps an empty object', async () => {
      const Key = `${newPrefix()}empty`;
      const { ETag } = await put(Key, '', { ContentLength: 0 });
      expect(ETag).toBe(`"${createHash('md5').digest('hex')}"`);
      expect(await text(Key)).toBe('');
      const head = await s3.client.send(new HeadObjectCommand({ Bucket: s3.bucket, Key }));
      expect(head.ContentLength).toBe(0);
    });

    it('gives headers and metadata back', async () => {
      const Key = `${newPrefix()}described`;
      const described = {
        ContentType: 'application/json',
        ContentEncoding: 'gzip',
        CacheControl: 'max-age=60',
        ContentDisposition: 'attachment; filename="plan.json"',
        Metadata: { run: '2024-05-01T00:00:00Z', fence: '17' },
      };
      await put(Key, '{}', described);
      expect(await get(Key)).toMatchObject({ ...described, ContentLength: 2 });
      expect(await s3.client.send(new HeadObjectCommand({ Bucket: s3.bucket, Key }))).toMatchObject(
        described,
      );
    });

    it('replaces an object whole', async () => {
      const Key = `${newPrefix()}replaced`;
      await put(Key, 'a long first body', { Metadata: { round: '1' } });
      await put(Key, 'short');
      expect(await text(Key)).toBe('short');
      expect((await get(Key)).Metadata).toEqual({});
    });

    it.each([
      ['bytes=0-0', '0', 'bytes 0-0/10'],
      ['bytes=2-5', '2345', 'bytes 2-5/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=-3', '789', 'bytes 7-9/10'],
      ['bytes=5-100', '56789', 'bytes 5-9/10'],
    ])('sends the range %s', async (Range, expected, contentRange) => {
      const Key = `${newPrefix()}range`;
      await put(Key, '0123456789');
      const answer = await get(Key, { Range });
      expect(answer.$metadata.httpStatusCode).toBe(206);
      expect(answer.ContentRange).toBe(contentRange);
      expect(await answer.Body!.transformToString()).toBe(expected);
    });

    it('refuses a range outside of the object', async () => {
      const Key = `${newPrefix()}range`;
      await put(Key, '0123456789');
      await expect(get(Key, { Range: 'bytes=10-20' })).rejects.toMatchObject({
        name: 'InvalidRange',
        $metadata: { httpStatusCode: 416 },
      });
    });

    it('streams 20 MB up and down', async () => {
      const Key = `${newPrefix()}big`;
      const chunks = Array.from({ length: 320 }, (_, index) => Buffer.alloc(65_536, index));
      const expected = createHash('sha256');
      for (const chunk of chunks) expected.update(chunk);
      await put(Key, Readable.from(chunks), { ContentLength: 320 * 65_536 });
      const received = createHash('sha256');
      for await (const chunk of (await get(Key)).Body as Readable) received.update(chunk as Buffer);
      expect(received.digest('hex')).toBe(expected.digest('hex'));
    });

    it('copies, with the metadata or with new metadata', async () => {
      const prefix = newPrefix();
      const source = `${prefix}from é+.txt`;
      await put(source, 'content', { Metadata: { kept: 'yes' }, ContentType: 'text/plain' });
      const CopySource = `${s3.bucket}/${source.split('/').map(encodeURIComponent).join('/')}`;
      const copy = (Key: string, more: Partial<CopyObjectCommandInput> = {}) =>
        s3.client.send(new CopyObjectCommand({ Bucket: s3.bucket, Key, CopySource, ...more }));
      await copy(`${prefix}same`);
      expect(await get(`${prefix}same`)).toMatchObject({
        ContentType: 'text/plain',
        Metadata: { kept: 'yes' },
      });
      await copy(`${prefix}other`, { MetadataDirective: 'REPLACE', Metadata: { fresh: 'yes' } });
      expect((await get(`${prefix}other`)).Metadata).toEqual({ fresh: 'yes' });
      expect(await text(`${prefix}other`)).toBe('content');
    });
  });

  describe('conditions', () => {
    const lost = { $metadata: { httpStatusCode: 412 } };

    it('creates only once with If-None-Match', async () => {
      const Key = `${newPrefix()}once`;
      await put(Key, 'first', { IfNoneMatch: '*' });
      await expect(put(Key, 'second', { IfNoneMatch: '*' })).rejects.toMatchObject(lost);
      expect(await text(Key)).toBe('first');
    });

    it('lets one of many creators win', async () => {
      const Key = `${newPrefix()}race`;
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, (_, writer) => put(Key, `writer ${writer}`, { IfNoneMatch: '*' })),
      );
      const winners = results.flatMap(({ status }, writer) => (status === 'fulfilled' ? [writer] : []));
      expect(winners).toHaveLength(1);
      expect(await text(Key)).toBe(`writer ${winners[0]}`);
    });

    it('replaces only the version named by If-Match', async () => {
      const Key = `${newPrefix()}match`;
      const { ETag: first } = await put(Key, 'first');
      const { ETag: second } = await put(Key, 'second', { IfMatch: first });
      expect(second).not.toBe(first);
      await expect(put(Key, 'third', { IfMatch: first })).rejects.toMatchObject(lost);
      expect(await text(Key)).toBe('second');
    });

    it('answers 304 to the ETag it has sent', async () => {
      const Key = `${newPrefix()}known`;
      const { ETag } = await put(Key, 'content');
      await expect(get(Key, { IfNoneMatch: ETag })).rejects.toMatchObject({
        $metadata: { httpStatusCode: 304 },
      });
      expect(await text(Key, { IfNoneMatch: '"other"' })).toBe('content');
      await expect(get(Key, { IfMatch: '"other"' })).rejects.toMatchObject(lost);
    });
  });

  describe('checksums', () => {
    it.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)('accepts %s', async (algorithm) => {
      const Key = `${newPrefix()}sum`;
      await put(Key, 'content', { ChecksumAlgorithm: algorithm });
      expect(await text(Key, { ChecksumMode: 'ENABLED' })).toBe('content');
    });
  });
}
