import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import type { CreateMultipartUploadCommandInput } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { presign } from './presign.ts';
import { newPrefix } from './s3-session.ts';
import type { S3Session } from './s3-session.ts';

/** Contract: presigned URLs and multipart uploads. */
export function describeUploads(s3: S3Session): void {
  const { get, keys } = s3;

  describe('presigned', () => {
    it('takes a PUT and a GET without an SDK', async () => {
      const key = `${newPrefix()}up load/é+.json`;
      const headers = { 'content-type': 'application/json', 'x-amz-meta-from': 'curl' };
      const target = { bucket: s3.bucket, key };
      const upload = await fetch(await presign(s3.client, { method: 'PUT', ...target, headers }), {
        method: 'PUT',
        headers,
        body: '{"a":1}',
      });
      expect(upload.status).toBe(200);
      expect((await get(key)).Metadata).toEqual({ from: 'curl' });
      const download = await fetch(await presign(s3.client, { method: 'GET', ...target }));
      expect(download.headers.get('content-type')).toBe('application/json');
      expect(await download.text()).toBe('{"a":1}');
    });
  });

  describe('multipart', () => {
    const PART_BYTES = 5 * 1024 ** 2;
    const begin = async (Key: string, more: Partial<CreateMultipartUploadCommandInput> = {}) => {
      const input = { Bucket: s3.bucket, Key, ...more };
      const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(input));
      return { Bucket: s3.bucket, Key, UploadId: UploadId! };
    };
    type Upload = Awaited<ReturnType<typeof begin>>;
    const sendPart = async (upload: Upload, PartNumber: number, Body: Buffer) => {
      const { ETag } = await s3.client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
      return { PartNumber, ETag: ETag! };
    };
    const uploadsUnder = async (Prefix: string) => {
      const answer = await s3.client.send(new ListMultipartUploadsCommand({ Bucket: s3.bucket, Prefix }));
      return (answer.Uploads ?? []).map(({ Key, UploadId }) => ({ Key, UploadId }));
    };

    it('joins the chosen parts', async () => {
      const prefix = newPrefix();
      const upload = await begin(`${prefix}joined`, {
        ContentType: 'text/plain',
        Metadata: { parts: '2' },
      });
      await sendPart(upload, 1, Buffer.alloc(PART_BYTES, 'x'));
      const bodies = [Buffer.alloc(PART_BYTES, 'a'), Buffer.from('the end')];
      const second = await sendPart(upload, 2, bodies[1]!);
      const Parts = [await sendPart(upload, 1, bodies[0]!), second];
      const listed = await s3.client.send(new ListPartsCommand(upload));
      expect(listed.Parts).toMatchObject([
        { ...Parts[0], Size: PART_BYTES },
        { ...Parts[1], Size: 7 },
      ]);
      expect(await keys({ Prefix: prefix })).toEqual([]);
      const done = await s3.client.send(
        new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }),
      );
      const digests = bodies.map((body) => createHash('md5').update(body).digest());
      const etag = `"${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-2"`;
      expect(done.ETag).toBe(etag);
      const object = await get(upload.Key);
      expect(object).toMatchObject({ ETag: etag, ContentType: 'text/plain', Metadata: { parts: '2' } });
      expect(Buffer.compare(await object.Body!.transformToByteArray(), Buffer.concat(bodies))).toBe(0);
      expect(await uploadsUnder(prefix)).toEqual([]);
    });

    it('copies parts from an object', async () => {
      const prefix = newPrefix();
      const source = Buffer.concat([Buffer.alloc(PART_BYTES, 'a'), Buffer.from('b'.repeat(9))]);
      await s3.put(`${prefix}so urce`, source);
      const upload = await begin(`${prefix}copy`);
      const CopySource = `${s3.bucket}/${encodeURIComponent(`${prefix}so urce`)}`;
      const copyPart = async (PartNumber: number, range: { readonly CopySourceRange?: string }) => {
        const input = { ...upload, PartNumber, CopySource, ...range };
        const { CopyPartResult } = await s3.client.send(new UploadPartCopyCommand(input));
        return { PartNumber, ETag: CopyPartResult!.ETag! };
      };
      const Parts = [
        await copyPart(1, { CopySourceRange: `bytes=0-${PART_BYTES - 1}` }),
        await copyPart(2, {}),
        await copyPart(3, { CopySourceRange: `bytes=${PART_BYTES - 2}-${PART_BYTES + 1}` }),
      ];
      expect(Parts[1]!.ETag).toBe(`"${createHash('md5').update(source).digest('hex')}"`);
      await s3.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
      const joined = Buffer.concat([source.subarray(0, PART_BYTES), source, Buffer.from('aabb')]);
      expect(Buffer.compare(await (await get(upload.Key)).Body!.transformToByteArray(), joined)).toBe(0);
    });

    it('lists what was left and aborts it', async () => {
      const prefix = newPrefix();
      const upload = await begin(`${prefix}left`);
      await sendPart(upload, 1, Buffer.from('part'));
      expect(await uploadsUnder(prefix)).toEqual([{ Key: upload.Key, UploadId: upload.UploadId }]);
      await s3.client.send(new AbortMultipartUploadCommand(upload));
      expect(await uploadsUnder(prefix)).toEqual([]);
      await expect(s3.client.send(new ListPartsCommand(upload))).rejects.toMatchObject({
        name: 'NoSuchUpload',
      });
      await expect(get(upload.Key)).rejects.toMatchObject({ name: 'NoSuchKey' });
    });

    it('refuses parts that are not there or too small', async () => {
      const upload = await begin(`${newPrefix()}bad`);
      const complete = (Parts: { PartNumber: number; ETag: string }[]) =>
        s3.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
      const one = await sendPart(upload, 1, Buffer.from('one'));
      const two = await sendPart(upload, 2, Buffer.from('two'));
      await expect(complete([one, two])).rejects.toMatchObject({ name: 'EntityTooSmall' });
      await expect(complete([{ ...one, ETag: two.ETag }])).rejects.toMatchObject({ name: 'InvalidPart' });
      await expect(get(upload.Key)).rejects.toMatchObject({ name: 'NoSuchKey' });
    });
  });
}
