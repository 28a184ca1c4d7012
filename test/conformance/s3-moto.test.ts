import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeS3Contract } from './s3-contract.ts';

const url = process.env['CAIRN_MOTO_URL'];
if (url === undefined) console.log('skipped: CAIRN_MOTO_URL is not set, run test/conformance/run-moto.sh');

const client = new S3Client({
  endpoint: url ?? 'http://127.0.0.1:9',
  region: 'us-east-1',
  credentials: { accessKeyId: 'moto', secretAccessKey: 'moto-secret' },
  forcePathStyle: true,
});

async function newBucket(): Promise<string> {
  const bucket = `cairn-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return bucket;
}

describe.skipIf(url === undefined)('moto', () => {
  describeS3Contract('moto', async () => ({ client, bucket: await newBucket() }));

  // The local server keeps no versions; this is what an undo on AWS rests on.
  describe('versioning', () => {
    let Bucket: string;
    beforeAll(async () => {
      Bucket = await newBucket();
      const VersioningConfiguration = { Status: 'Enabled' } as const;
      await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    });
    const read = async (Key: string): Promise<string> => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return Body!.transformToString();
    };

    it('is reported', async () => {
      expect((await client.send(new GetBucketVersioningCommand({ Bucket }))).Status).toBe('Enabled');
      const unversioned = await newBucket();
      const answer = await client.send(new GetBucketVersioningCommand({ Bucket: unversioned }));
      expect(answer.Status).toBeUndefined();
    });

    it('brings a deleted object back when its delete marker is removed', async () => {
      const Key = 'undo';
      await client.send(new PutObjectCommand({ Bucket, Key, Body: 'content' }));
      const deletion = await client.send(new DeleteObjectCommand({ Bucket, Key }));
      expect(deletion.DeleteMarker).toBe(true);
      await expect(read(Key)).rejects.toMatchObject({ name: 'NoSuchKey' });
      await client.send(new DeleteObjectCommand({ Bucket, Key, VersionId: deletion.VersionId }));
      expect(await read(Key)).toBe('content');
    });

    it('undoes a bulk delete by the delete markers it lists', async () => {
      const keys = ['bulk/a', 'bulk/b', 'bulk/c'];
      for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
      const remove = (Objects: { Key: string; VersionId?: string }[]) =>
        client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
      await remove(keys.map((Key) => ({ Key })));
      const listed = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'bulk/' }));
      const markers = listed.DeleteMarkers!.map(({ Key, VersionId }) => ({
        Key: Key!,
        VersionId: VersionId!,
      }));
      expect(markers.map(({ Key }) => Key)).toEqual(keys);
      await remove(markers);
      expect(await Promise.all(keys.map(read))).toEqual(keys);
    });
  });
});
