import { randomUUID } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { newPrefix } from './s3-session.ts';
import type { S3Session } from './s3-session.ts';
import { createVersionCalls, refusalOf } from './s3-version-calls.ts';

/** Contract: versions, which the restore of deletions requires. */
export function describeVersions(s3: S3Session): void {
  let bucket: string;
  const newBucket = async (): Promise<string> => {
    const Bucket = `cairn-${randomUUID()}`;
    await s3.client.send(new CreateBucketCommand({ Bucket }));
    return Bucket;
  };
  const callsTo = (name: () => string) => createVersionCalls(() => ({ client: s3.client, bucket: name() }));
  const versioned = callsTo(() => bucket);
  const { put, text, remove, removeAll, keys, versions, versionPages } = versioned;

  describe('versions', () => {
    beforeAll(async () => {
      bucket = await newBucket();
      await versioned.setVersioning('Enabled');
    });

    it('are off until switched on, and can be suspended', async () => {
      const name = await newBucket();
      const { setVersioning, versioning } = callsTo(() => name);
      expect(await versioning()).toBeUndefined();
      for (const status of ['Enabled', 'Suspended', 'Enabled'] as const) {
        await setVersioning(status);
        expect(await versioning()).toBe(status);
      }
    });

    it('are not spoken of in a bucket without them', async () => {
      const prefix = newPrefix();
      const plain = createVersionCalls(() => s3);
      expect((await plain.put(`${prefix}a`, 'one')).VersionId).toBeUndefined();
      await plain.put(`${prefix}a`, 'two');
      await plain.put(`${prefix}b`, 'two');
      expect((await plain.head(`${prefix}a`)).VersionId).toBeUndefined();
      const deletion = await plain.remove(`${prefix}b`);
      expect([deletion.DeleteMarker, deletion.VersionId]).toEqual([undefined, undefined]);
      expect(await plain.versions(prefix)).toEqual({
        objects: [{ key: `${prefix}a`, id: 'null', isLatest: true, size: 3 }],
        markers: [],
      });
    });

    it('of an object are each kept and read by id', async () => {
      const key = `${newPrefix()}kept`;
      const [one, two] = [await put(key, 'one'), await put(key, 'second')];
      expect(one.VersionId).not.toBe(two.VersionId);
      expect(await text(key)).toBe('second');
      expect(await text(key, one.VersionId)).toBe('one');
      expect(await text(key, two.VersionId)).toBe('second');
      expect(await versioned.head(key)).toMatchObject({ VersionId: two.VersionId, ContentLength: 6 });
      const older = await versioned.head(key, one.VersionId);
      expect(older).toMatchObject({ VersionId: one.VersionId, ContentLength: 3, ETag: one.ETag });
      expect((await versions(key)).objects).toEqual([
        { key, id: two.VersionId, isLatest: true, size: 6 },
        { key, id: one.VersionId, isLatest: false, size: 3 },
      ]);
    });

    it('are made by copies and joined uploads too', async () => {
      const key = `${newPrefix()}made`;
      const first = await put(key, 'first');
      const target = { Bucket: bucket, Key: key };
      const { UploadId } = await s3.client.send(new CreateMultipartUploadCommand(target));
      const upload = { ...target, UploadId: UploadId! };
      const { ETag } = await s3.client.send(
        new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'joined' }),
      );
      const joined = await s3.client.send(
        new CompleteMultipartUploadCommand({
          ...upload,
          MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
        }),
      );
      expect(await text(key)).toBe('joined');
      const copy = await s3.client.send(
        new CopyObjectCommand({ ...target, CopySource: `${bucket}/${key}?versionId=${first.VersionId}` }),
      );
      expect(copy.CopySourceVersionId).toBe(first.VersionId);
      expect(await text(key)).toBe('first');
      expect((await versions(key)).objects.map(({ id }) => id)).toEqual([
        copy.VersionId,
        joined.VersionId,
        first.VersionId,
      ]);
    });

    it('below a delete marker come back when it is removed', async () => {
      const key = `${newPrefix()}undo`;
      const { VersionId } = await put(key, 'content');
      const deletion = await remove(key);
      expect(deletion.DeleteMarker).toBe(true);
      const marker = deletion.VersionId!;
      expect(marker).not.toBe(VersionId);
      expect(await keys(key)).toEqual([]);
      expect(await text(key, VersionId)).toBe('content');
      expect(await versions(key)).toEqual({
        objects: [{ key, id: VersionId, isLatest: false, size: 7 }],
        markers: [{ key, id: marker, isLatest: true }],
      });
      expect((await remove(key, marker)).VersionId).toBe(marker);
      expect(await text(key)).toBe('content');
      expect(await keys(key)).toEqual([key]);
      expect(await versions(key)).toEqual({
        objects: [{ key, id: VersionId, isLatest: true, size: 7 }],
        markers: [],
      });
    });

    it('tell a delete marker from a key that never was', async () => {
      const prefix = newPrefix();
      await put(`${prefix}gone`, 'x');
      const { VersionId } = await remove(`${prefix}gone`);
      await expect(text(`${prefix}gone`)).rejects.toMatchObject({ name: 'NoSuchKey' });
      const look = (name: string, id?: string) => refusalOf(versioned.head(`${prefix}${name}`, id));
      expect(await look('gone')).toEqual({ status: 404, isMarker: true });
      expect(await look('gone', VersionId)).toEqual({ status: 405, isMarker: true });
      expect(await look('never')).toEqual({ status: 404, isMarker: false });
    });

    it('go one by one, for good', async () => {
      const key = `${newPrefix()}one by one`;
      const [one, two, three] = [await put(key, 'one'), await put(key, 'two'), await put(key, 'three')];
      expect((await remove(key, three.VersionId)).DeleteMarker ?? false).toBe(false);
      expect(await text(key)).toBe('two');
      await remove(key, one.VersionId);
      expect(await text(key)).toBe('two');
      await remove(key, one.VersionId);
      await expect(text(key, one.VersionId)).rejects.toThrow(/version/i);
      await remove(key, two.VersionId);
      expect(await versions(key)).toEqual(NONE);
      expect(await refusalOf(versioned.head(key))).toEqual({ status: 404, isMarker: false });
    });

    it('of many keys are deleted and brought back by what DeleteObjects answers', async () => {
      const prefix = newPrefix();
      const all = ['a', 'b <&>', 'c'].map((name) => `${prefix}${name}`);
      const written = await Promise.all(all.map((key) => put(key, key)));
      const deletion = await removeAll(all.map((Key) => ({ Key })));
      expect(deletion.Deleted?.map(({ Key, DeleteMarker }) => ({ Key, DeleteMarker }))).toEqual(
        all.map((Key) => ({ Key, DeleteMarker: true })),
      );
      expect(await keys(prefix)).toEqual([]);
      const markers = deletion.Deleted!.map(({ Key, DeleteMarkerVersionId }) => ({
        Key: Key!,
        VersionId: DeleteMarkerVersionId!,
      }));
      expect((await versions(prefix)).markers).toEqual(
        markers.map(({ Key, VersionId }) => ({ key: Key, id: VersionId, isLatest: true })),
      );
      const undo = await removeAll(markers);
      expect(undo.Errors ?? []).toEqual([]);
      expect(undo.Deleted).toMatchObject(markers);
      expect(await Promise.all(all.map((key) => text(key)))).toEqual(all);
      await removeAll(all.map((Key, index) => ({ Key, VersionId: written[index]!.VersionId! })));
      expect(await versions(prefix)).toEqual(NONE);
    });

    it('let a key be created again below no object, with If-None-Match', async () => {
      const key = `${newPrefix()}again`;
      await put(key, 'one');
      await remove(key);
      await put(key, 'two', { IfNoneMatch: '*' });
      await expect(put(key, 'three', { IfNoneMatch: '*' })).rejects.toMatchObject({
        $metadata: { httpStatusCode: 412 },
      });
      expect(await text(key)).toBe('two');
      const { objects, markers } = await versions(key);
      expect(objects.map(({ isLatest }) => isLatest)).toEqual([true, false]);
      expect(markers.map(({ isLatest }) => isLatest)).toEqual([false]);
    });

    it.each([1, 2, 3, 4, 1000])('are listed by key, newest first, in pages of %i', async (size) => {
      const prefix = newPrefix();
      const objects: (string | undefined)[] = [];
      const markers: (string | undefined)[] = [];
      for (const name of ['a', 'a-b', 'a/b', 'b']) {
        const [first, second] = [await put(`${prefix}${name}`, 'one'), await put(`${prefix}${name}`, 'two')];
        objects.push(second.VersionId, first.VersionId);
        if (name.length > 1) markers.push((await remove(`${prefix}${name}`)).VersionId);
      }
      await put(`${prefix.slice(0, -1)}0`, 'outside');
      const pages = await versionPages({ Prefix: prefix, MaxKeys: size });
      expect(pages.flatMap((page) => page.objects.map(({ id }) => id))).toEqual(objects);
      expect(pages.flatMap((page) => page.markers.map(({ id }) => id))).toEqual(markers);
      expect(pages.map((page) => page.objects.length + page.markers.length)).toEqual(
        Array.from({ length: Math.ceil(10 / size) }, (_, page) => Math.min(size, 10 - page * size)),
      );
    });

    it('written before and without versioning have the id null', async () => {
      const name = await newBucket();
      const own = callsTo(() => name);
      await own.put('key', 'before');
      await own.setVersioning('Enabled');
      const { VersionId } = await own.put('key', 'with versioning');
      expect(await own.text('key', 'null')).toBe('before');
      expect((await own.versions('key')).objects.map(({ id }) => id)).toEqual([VersionId, 'null']);
      await own.remove('key', VersionId);
      expect(await own.text('key')).toBe('before');
      await own.remove('key', 'null');
      expect(await own.versions('key')).toEqual(NONE);
    });

    it('have the time they were written', async () => {
      const key = `${newPrefix()}times`;
      const { VersionId } = await put(key, 'x');
      await remove(key);
      const head = await s3.client.send(new HeadObjectCommand({ Bucket: bucket, Key: key, VersionId }));
      const listed = await versioned.list({ Prefix: key });
      expect(listed.Versions?.map(({ LastModified }) => LastModified)).toEqual([head.LastModified]);
      const [marker] = listed.DeleteMarkers!;
      expect(+marker!.LastModified!).toBeGreaterThanOrEqual(+head.LastModified!);
    });
  });
}

const NONE = { objects: [], markers: [] };
