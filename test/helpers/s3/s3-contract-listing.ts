import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  type ListObjectsCommandInput,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { SIBLING_KEYS } from '../../../infra/local/s3/self-check.ts';
import { presign } from './presign.ts';
import { newPrefix, type S3Session } from './s3-session.ts';

/** Contract: listings and bulk deletes. */
export function describeListing(s3: S3Session): void {
  const { put, pages, keys } = s3;
  /** Without the SDK, which takes longer per request than the server. */
  const putQuickly = async (key: string, agent: Agent): Promise<void> => {
    const url = await presign(s3.client, { method: 'PUT', bucket: s3.bucket, key });
    const outgoing = request(url, { method: 'PUT', agent, headers: { 'content-length': 1 } }).end('x');
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const body = await text(response);
    if (response.statusCode !== 200) throw new Error(`${key}: ${response.statusCode} ${body}`);
  };

  describe('listing', () => {
    it('returns twelve siblings once each, in byte order, at page size 3', async () => {
      const prefix = newPrefix();
      const expected = SIBLING_KEYS.map((sibling) => `${prefix}${sibling}`);
      for (const key of expected.toReversed()) await put(key, 'x');
      const found = await pages({ Prefix: prefix, MaxKeys: 3 });
      expect(found.map((page) => page.KeyCount)).toEqual([3, 3, 3, 3]);
      expect(found.flatMap((page) => page.Contents!.map((object) => object.Key))).toEqual(expected);
      for (const [position, key] of expected.entries()) {
        expect(await keys({ Prefix: prefix, StartAfter: key, MaxKeys: 3 })).toEqual(
          expected.slice(position + 1),
        );
      }
    });

    it('describes each object', async () => {
      const prefix = newPrefix();
      const { ETag } = await put(`${prefix}one`, 'content');
      const [page] = await pages({ Prefix: prefix });
      const head = await s3.client.send(new HeadObjectCommand({ Bucket: s3.bucket, Key: `${prefix}one` }));
      expect(page!.Contents).toMatchObject([
        { Key: `${prefix}one`, ETag, Size: 7, LastModified: head.LastModified },
      ]);
    });

    it('rolls folders up with a delimiter', async () => {
      const prefix = newPrefix();
      const names = ['a', 'b/1', 'b/2', 'b/c/1', 'b-', 'c/d/1', 'd'];
      for (const name of names) await put(`${prefix}${name}`, 'x');
      const found = await pages({ Prefix: prefix, Delimiter: '/', MaxKeys: 2 });
      const strip = (name: string | undefined): string => name!.slice(prefix.length);
      expect(found.flatMap((page) => page.Contents ?? []).map(({ Key }) => strip(Key))).toEqual([
        'a',
        'b-',
        'd',
      ]);
      const folders = found.flatMap((page) => page.CommonPrefixes ?? []).map(({ Prefix }) => strip(Prefix));
      expect(folders).toEqual(['b/', 'c/']);
    });

    it('encodes names when asked', async () => {
      const prefix = newPrefix();
      const key = `${prefix}a b+é\u0001`;
      await put(key, 'x');
      const [page] = await pages({ Prefix: prefix, EncodingType: 'url' });
      expect(page!.EncodingType).toBe('url');
      expect(page!.Contents!.map(({ Key }) => decodeURIComponent(Key!))).toEqual([key]);
    });

    it('shows every object that stays, once, while others come and go', async () => {
      const prefix = newPrefix();
      const staying = Array.from({ length: 60 }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);
      await inParallel(staying, (key) => put(key, 'x'));
      const listing = new AbortController();
      const writer = async (): Promise<void> => {
        for (let round = 0; !listing.signal.aborted; round++) {
          const key = `${staying[(round * 7) % staying.length]}-passing`;
          await put(key, 'x');
          await s3.client.send(new DeleteObjectCommand({ Bucket: s3.bucket, Key: key }));
        }
      };
      const writers = [writer(), writer()];
      try {
        for (const size of [1, 7, 20]) {
          const seen = await keys({ Prefix: prefix, MaxKeys: size });
          expect(seen.filter((key) => !key.endsWith('-passing'))).toEqual(staying);
          expect(seen).toEqual([...new Set(seen)].toSorted());
        }
      } finally {
        listing.abort();
        await Promise.all(writers);
      }
    });

    it('lists 5,000 keys from anywhere, and deletes them by 1,000', async () => {
      const prefix = newPrefix();
      const all = Array.from({ length: 5000 }, (_, index) => {
        const digest = createHash('sha256').update(String(index)).digest('hex');
        return `${prefix}blobs/${digest.slice(0, 2)}/${digest}`;
      }).toSorted();
      const agent = new Agent({ keepAlive: true });
      await inParallel(all, (key) => putQuickly(key, agent));
      agent.destroy();
      expect(await keys({ Prefix: prefix })).toEqual(all);
      expect(await keys({ Prefix: prefix, StartAfter: all[2499]! })).toEqual(all.slice(2500));
      expect(await keys({ Prefix: prefix, StartAfter: `${all[10]}!`, MaxKeys: 999 })).toEqual(all.slice(11));
      const folder = `${prefix}blobs/7f/`;
      const inFolder = all.filter((key) => key.startsWith(folder));
      expect(await keys({ Prefix: folder, MaxKeys: 5 })).toEqual(inFolder);
      expect(await keys({ Prefix: folder, StartAfter: `${prefix}blobs/7f` })).toEqual(inFolder);
      expect(await keys({ Prefix: folder, StartAfter: `${prefix}blobs/80` })).toEqual([]);

      for (let start = 0; start < all.length; start += 1000) {
        const Objects = all.slice(start, start + 1000).map((Key) => ({ Key }));
        const answer = await s3.client.send(
          new DeleteObjectsCommand({ Bucket: s3.bucket, Delete: { Objects } }),
        );
        expect(new Set(answer.Deleted?.map(({ Key }) => Key))).toEqual(
          new Set(Objects.map(({ Key }) => Key)),
        );
        expect(answer.Errors ?? []).toEqual([]);
      }
      expect(await keys({ Prefix: prefix })).toEqual([]);
    });
  });

  describe('listing by version 1', () => {
    const list = (options: Omit<ListObjectsCommandInput, 'Bucket'>) =>
      s3.client.send(new ListObjectsCommand({ Bucket: s3.bucket, ...options }));

    it('returns siblings once each, in byte order, with the last key as the next marker', async () => {
      const prefix = newPrefix();
      const expected = SIBLING_KEYS.map((sibling) => `${prefix}${sibling}`);
      for (const key of expected.toReversed()) await put(key, 'x');
      const found: string[] = [];
      for (let isMore = true; isMore;) {
        const page = await list({ Prefix: prefix, Marker: found.at(-1) ?? '', MaxKeys: 5 });
        expect(page).toMatchObject({ Prefix: prefix, MaxKeys: 5 });
        found.push(...page.Contents!.map(({ Key }) => Key!));
        isMore = page.IsTruncated!;
      }
      expect(found).toEqual(expected);
      expect((await list({ Prefix: prefix, Marker: `${prefix}~` })).Contents).toBeUndefined();
    });

    it('describes each object, with its owner', async () => {
      const prefix = newPrefix();
      const { ETag } = await put(`${prefix}one`, 'content');
      const { LastModified, Owner } = (await list({ Prefix: prefix })).Contents![0]!;
      expect([LastModified, Owner?.ID]).toEqual([expect.any(Date), expect.any(String)]);
      const [{ Contents = [] } = {}] = await pages({ Prefix: prefix, FetchOwner: true });
      expect(Contents).toMatchObject([{ Key: `${prefix}one`, ETag, Size: 7, LastModified, Owner }]);
      const [plain] = await pages({ Prefix: prefix });
      expect(plain!.Contents![0]!.Owner).toBeUndefined();
    });

    it.each([
      ['/', ['a', 'b--c', 'd'], ['a b&é/', 'b--/', 'd/']],
      ['--', ['a', 'a b&é/1', 'd', 'd/1'], ['b--']],
      ['none', ['a', 'a b&é/1', 'b--/1', 'b--/2', 'b--c', 'd', 'd/1'], []],
    ])('rolls names up at %s', async (Delimiter, keys, folders) => {
      const prefix = `${newPrefix()}<"+% é>`;
      for (const name of ['a', 'a b&é/1', 'b--/1', 'b--/2', 'b--c', 'd', 'd/1'])
        await put(`${prefix}${name}`, 'x');
      const page = await list({ Prefix: prefix, Delimiter });
      const plain = (name: string | undefined) => name!.slice(prefix.length);
      expect((page.Contents ?? []).map(({ Key }) => plain(Key))).toEqual(keys);
      expect((page.CommonPrefixes ?? []).map(({ Prefix }) => plain(Prefix))).toEqual(folders);
      expect([page.IsTruncated, page.NextMarker]).toEqual([false, undefined]);
    });

    it('returns an empty last page of size 0', async () => {
      const prefix = newPrefix();
      await put(`${prefix}one`, 'x');
      const page = await list({ Prefix: prefix, MaxKeys: 0 });
      expect(page).toMatchObject({ MaxKeys: 0, IsTruncated: false });
      expect(page.Contents ?? []).toEqual([]);
    });
  });

  describe('DeleteObjects', () => {
    it('reports a missing key as deleted, and reads every character of a key', async () => {
      const prefix = newPrefix();
      const Objects = [`${prefix}missing`, `${prefix}<a>&"b"' c`, `${prefix}é\u{1f600}`].map((Key) => ({
        Key,
      }));
      for (const { Key } of Objects.slice(1)) await put(Key, 'x');
      await put(`${prefix}other`, 'x');
      const answer = await s3.client.send(
        new DeleteObjectsCommand({ Bucket: s3.bucket, Delete: { Objects } }),
      );
      expect(answer.Deleted?.map(({ Key }) => Key)).toEqual(Objects.map(({ Key }) => Key));
      expect(await keys({ Prefix: prefix })).toEqual([`${prefix}other`]);
    });

    it('deletes when quiet', async () => {
      const prefix = newPrefix();
      await put(`${prefix}one`, 'x');
      const answer = await s3.client.send(
        new DeleteObjectsCommand({
          Bucket: s3.bucket,
          Delete: { Quiet: true, Objects: [{ Key: `${prefix}one` }, { Key: `${prefix}missing` }] },
        }),
      );
      expect(answer.Errors ?? []).toEqual([]);
      expect(await keys({ Prefix: prefix })).toEqual([]);
    });
  });
}

/** Sixteen at a time: keeps the server busy within the socket limit of a laptop. */
async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
