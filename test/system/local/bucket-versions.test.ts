import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BucketVersioningStatus,
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { refused, useBucketServer } from '../../helpers/s3/bucket-fixture.ts';
import { presign } from '../../helpers/s3/presign.ts';
import { createVersionCalls, refusalOf } from '../../helpers/s3/s3-version-calls.ts';

const { session: s3, dir } = useBucketServer();

async function newBucket(status?: BucketVersioningStatus) {
  const Bucket = `versions-${randomUUID()}`;
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const calls = createVersionCalls(() => ({ client: s3.client, bucket: Bucket }));
  if (status !== undefined) await calls.setVersioning(status);
  const files = (folder = ''): string[] => readdirSync(join(dir, Bucket, folder)).toSorted();
  return { Bucket, files, ...calls };
}

describe('on disk', () => {
  it('a bucket without versioning has no trace of it', async () => {
    const { Bucket, files, put, remove } = await newBucket();
    for (const body of ['one', 'two']) await put('key', body);
    await put('other', 'x');
    await remove('other');
    await remove('missing');
    expect(files()).toEqual(['blobs', 'objects', 'uploads']);
    const [name, ...more] = files('objects');
    expect(more).toEqual([]);
    const record = JSON.parse(readFileSync(join(dir, Bucket, 'objects', name!), 'utf8')) as object;
    expect(Object.keys(record)).toEqual(['key', 'blob', 'size', 'etag', 'modifiedAt', 'headers', 'checksum']);
    await expect.poll(() => files('blobs').length).toBe(1);
  });

  it('a version is one file, and takes its bytes with it', async () => {
    const { files, put, remove } = await newBucket('Enabled');
    const { VersionId } = await put('key', 'one');
    await put('key', 'two');
    const deletion = await remove('key');
    expect(files()).toEqual(['blobs', 'objects', 'uploads', 'versioning.json', 'versions']);
    expect([files('objects').length, files('versions').length, files('blobs').length]).toEqual([0, 3, 2]);
    await remove('key', deletion.VersionId);
    await remove('key', VersionId);
    expect(files('versions')).toHaveLength(1);
    await expect.poll(() => files('blobs').length).toBe(1);
  });

  it('a null version is written over while versioning is suspended', async () => {
    const { files, put, text, remove, setVersioning, versions } = await newBucket();
    await put('key', 'before');
    await setVersioning('Enabled');
    const { VersionId } = await put('key', 'with');
    await setVersioning('Suspended');
    expect((await put('key', 'suspended')).VersionId).toBe('null');
    expect((await versions('key')).objects.map(({ id }) => id)).toEqual(['null', VersionId]);
    expect(await text('key', 'null')).toBe('suspended');
    await expect.poll(() => files('blobs').length).toBe(2);
    expect(await remove('key')).toMatchObject({ DeleteMarker: true, VersionId: 'null' });
    expect(await versions('key')).toEqual({
      objects: [{ key: 'key', id: VersionId, isLatest: false, size: 4 }],
      markers: [{ key: 'key', id: 'null', isLatest: true }],
    });
    await expect.poll(() => files('blobs').length).toBe(1);
    await remove('key', 'null');
    expect(await text('key')).toBe('with');
  });
});

describe('a delete marker', () => {
  it('is reported by GET as by HEAD, with the Allow header', async () => {
    const { Bucket, put, text, remove } = await newBucket('Enabled');
    await put('key', 'x');
    const { VersionId } = await remove('key');
    expect(await refusalOf(text('key'))).toEqual({ status: 404, isMarker: true });
    expect(await refusalOf(text('key', VersionId))).toEqual({ status: 405, isMarker: true });
    const link = await presign(s3.client, {
      method: 'GET',
      bucket: Bucket,
      key: 'key',
      query: { versionId: VersionId! },
    });
    const { status, headers } = await fetch(link);
    expect([status, headers.get('x-amz-version-id'), headers.get('allow')]).toEqual([
      405,
      VersionId,
      'DELETE',
    ]);
    expect(Date.parse(headers.get('last-modified')!)).not.toBeNaN();
  });

  it('is reported when it is made and when it is removed', async () => {
    const { put, remove, removeAll } = await newBucket('Enabled');
    await put('key', 'x');
    // S3 makes one for a key that was never there, too.
    const deletion = await removeAll([{ Key: 'key' }, { Key: 'never' }]);
    const markers = deletion.Deleted!.map(({ Key, DeleteMarkerVersionId }) => ({
      Key: Key!,
      VersionId: DeleteMarkerVersionId!,
    }));
    expect((await removeAll([markers[0]!])).Deleted).toEqual([
      { ...markers[0], DeleteMarker: true, DeleteMarkerVersionId: markers[0]!.VersionId },
    ]);
    expect(await remove('never', markers[1]!.VersionId)).toMatchObject({
      DeleteMarker: true,
      VersionId: markers[1]!.VersionId,
    });
    const again = await remove('never', markers[1]!.VersionId);
    expect([again.DeleteMarker, again.VersionId]).toEqual([undefined, markers[1]!.VersionId]);
  });

  it('is made only for the object named by If-Match', async () => {
    const { Bucket, put, text, versions } = await newBucket('Enabled');
    const { ETag } = await put('key', 'x');
    const remove = (IfMatch: string) =>
      s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'key', IfMatch }));
    await expect(remove('"other"')).rejects.toMatchObject(refused('PreconditionFailed', 412));
    expect(await text('key')).toBe('x');
    expect((await remove(ETag!)).DeleteMarker).toBe(true);
    await expect(remove(ETag!)).rejects.toMatchObject(refused('NoSuchKey', 404));
    expect((await versions('key')).markers).toHaveLength(1);
  });
});

describe('a listing of versions', () => {
  it('has objects and delete markers in one order', async () => {
    const { Bucket, put, remove } = await newBucket('Enabled');
    await put('a', '1');
    await remove('a');
    await put('a', '2');
    await put('b', '1');
    await remove('b');
    const link = await presign(s3.client, {
      method: 'GET',
      bucket: Bucket,
      key: '',
      query: { versions: '' },
    });
    const document = await (await fetch(link)).text();
    const entries = document.matchAll(/<(Version|DeleteMarker)><Key>(.*?)<\/Key>.*?<IsLatest>(.*?)</g);
    expect([...entries].map(([, ...fields]) => fields.join(' '))).toEqual([
      'Version a true',
      'DeleteMarker a false',
      'Version a false',
      'DeleteMarker b true',
      'Version b false',
    ]);
  });

  it('begins behind the key marker', async () => {
    const { put, list } = await newBucket('Enabled');
    for (const key of ['a', 'a', 'a b', 'b', 'b']) await put(key, 'x');
    const keysBehind = async (KeyMarker: string) =>
      (await list({ KeyMarker })).Versions?.map(({ Key }) => Key);
    expect(await keysBehind('a')).toEqual(['a b', 'b', 'b']);
    expect(await keysBehind('a ')).toEqual(['a b', 'b', 'b']);
    expect(await keysBehind('b')).toBeUndefined();
    expect((await list({ KeyMarker: 'a', Prefix: 'b', MaxKeys: 1 })).NextKeyMarker).toBe('b');
    expect((await list({ MaxKeys: 0 })).IsTruncated).toBe(false);
  });

  it('misses nothing while an undo removes what it has listed', async () => {
    const { put, remove, removeAll, list, keys } = await newBucket('Enabled');
    const all = Array.from({ length: 7 }, (_, index) => `key ${index}`);
    for (const key of all) {
      await put(key, 'x');
      for (const _ of ['twice', 'deleted']) await remove(key);
    }
    expect(await keys('')).toEqual([]);
    let markers = {};
    for (;;) {
      const page = await list({ MaxKeys: 2, ...markers });
      const found = (page.DeleteMarkers ?? []).map(({ Key, VersionId }) => ({
        Key: Key!,
        VersionId: VersionId!,
      }));
      if (found.length > 0) await removeAll(found);
      if (page.IsTruncated !== true) break;
      markers = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
    }
    expect(await keys('')).toEqual(all);
  });

  it('encodes names when asked', async () => {
    const { put, list } = await newBucket('Enabled');
    for (const body of ['1', '2']) await put('a b/é\u0001', body);
    const page = await list({ EncodingType: 'url', MaxKeys: 1 });
    expect([page.EncodingType, page.Versions?.[0]?.Key, page.NextKeyMarker]).toEqual([
      'url',
      'a%20b/%C3%A9%01',
      'a%20b/%C3%A9%01',
    ]);
  });
});

describe('what is refused', () => {
  const noVersion = 'f'.repeat(32);

  it.each([
    ['GET', (Bucket: string) => new GetObjectCommand({ Bucket, Key: 'key', VersionId: 'made up' })],
    ['DELETE', (Bucket: string) => new DeleteObjectCommand({ Bucket, Key: 'key', VersionId: '../key' })],
    [
      'a copy',
      (Bucket: string) =>
        new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/key?versionId=1` }),
    ],
    [
      'a copy with another query',
      (Bucket: string) => new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/key?acl` }),
    ],
    [
      'a listing',
      (Bucket: string) =>
        new ListObjectVersionsCommand({ Bucket, KeyMarker: 'key', VersionIdMarker: 'made up' }),
    ],
    [
      'a listing without its key',
      (Bucket: string) => new ListObjectVersionsCommand({ Bucket, VersionIdMarker: noVersion }),
    ],
  ])('%s with an invalid id', async (_, command) => {
    const { Bucket, put, text, versions } = await newBucket('Enabled');
    await put('key', 'x');
    const attempt = s3.client.send(command(Bucket) as GetObjectCommand);
    await expect(attempt).rejects.toMatchObject(refused('InvalidArgument', 400));
    expect(await text('key')).toBe('x');
    expect((await versions('')).objects).toHaveLength(1);
  });

  it('a version that is not there, also one of another key', async () => {
    const { put, text, removeAll } = await newBucket('Enabled');
    const { VersionId } = await put('key', 'x');
    await put('other', 'x');
    await expect(text('key', noVersion)).rejects.toMatchObject(refused('NoSuchVersion', 404));
    await expect(text('other', VersionId)).rejects.toMatchObject(refused('NoSuchVersion', 404));
    await expect(text('key', 'null')).rejects.toMatchObject(refused('NoSuchVersion', 404));
    const deletion = await removeAll([
      { Key: 'other', VersionId: VersionId! },
      { Key: 'key', VersionId: 'made up' },
    ]);
    expect(deletion.Deleted).toEqual([{ Key: 'other', VersionId }]);
    expect(deletion.Errors).toMatchObject([{ Key: 'key', VersionId: 'made up', Code: 'InvalidArgument' }]);
    expect(await text('key')).toBe('x');
  });

  it.each([
    ['no status', {}, refused('IllegalVersioningConfigurationException', 400)],
    [
      'a made-up status',
      { Status: 'enabled' as BucketVersioningStatus },
      refused('IllegalVersioningConfigurationException', 400),
    ],
    [
      'deletion by device',
      { Status: 'Enabled', MFADelete: 'Enabled' } as const,
      refused('NotImplemented', 501),
    ],
  ])('versioning with %s', async (_, VersioningConfiguration, refusal) => {
    const { Bucket, files } = await newBucket();
    const attempt = s3.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    await expect(attempt).rejects.toMatchObject(refusal);
    expect(files()).toEqual(['blobs', 'objects', 'uploads']);
  });

  it('versions by folder', async () => {
    const { list } = await newBucket('Enabled');
    await expect(list({ Delimiter: '/' })).rejects.toMatchObject(refused('NotImplemented', 501));
  });
});
