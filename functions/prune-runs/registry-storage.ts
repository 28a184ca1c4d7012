import {
  AbortMultipartUploadCommand,
  type DeleteMarkerEntry,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { storageRoot } from '@cairn/shared/prune/images/registry/storage-layout';
import { createBucketClient } from '../store/bucket.ts';

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  readonly modified: number;
}

export interface RefusedDeletion {
  readonly key: string;
  readonly code: string;
}

/** Checks that a registry has stored something in its folder. */
export function registryPresence(
  // The registry can be in another region.
  client = createBucketClient(4, { followRegionRedirects: true }),
): (target: RegistryTarget) => Promise<boolean> {
  return async ({ bucket, prefix }) => {
    const { Contents = [] } = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: storageRoot(prefix), MaxKeys: 1 }),
    );
    return Contents.length > 0;
  };
}

/** Deletes exact keys only, never prefixes. */
export class RegistryStorage {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  /** Pages in byte order, fetched on demand. */
  async *list(prefix: string, after: string | null): AsyncGenerator<readonly ListedObject[]> {
    let from: ObjectMarker | null = after === null ? {} : { StartAfter: after };
    while (from !== null) {
      const { objects, next } = await this.#page(prefix, from);
      if (objects.length > 0) yield objects;
      from = next;
    }
  }

  /** `isWhole` means that there is no second page. */
  async firstPage(prefix: string) {
    const { objects, next } = await this.#page(prefix, {});
    return { objects, isWhole: next === null };
  }

  async #page(prefix: string, from: ObjectMarker) {
    const { Contents = [], ...page } = await this.#client.send(
      new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ...from }),
    );
    const objects = Contents.map(({ Key, Size, LastModified }) => {
      if (Key === undefined || LastModified === undefined) {
        throw new Error(`the list of ${prefix} has an object without a key or a time`);
      }
      return { key: Key, size: Size ?? 0, modified: LastModified.getTime() };
    });
    const { NextContinuationToken: ContinuationToken } = page;
    return { objects, next: nextPage<ObjectMarker>(prefix, page, from, { ContinuationToken }) };
  }

  /** Returns null if the object is missing. */
  async read(key: string): Promise<Uint8Array | null> {
    const get = new GetObjectCommand({ Bucket: this.#bucket, Key: key });
    const object = await orNull(this.#client.send(get));
    return object && object.Body!.transformToByteArray();
  }

  async has(key: string): Promise<boolean> {
    const head = new HeadObjectCommand({ Bucket: this.#bucket, Key: key });
    return (await orNull(this.#client.send(head))) !== null;
  }

  /** Accepts at most 1,000 keys. Returns the keys without a confirmed deletion. */
  async remove(keys: readonly string[]): Promise<readonly RefusedDeletion[]> {
    const { Deleted = [], Errors = [] } = await this.#client.send(
      new DeleteObjectsCommand({
        Bucket: this.#bucket,
        Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: false },
      }),
    );
    const gone = new Set(Deleted.map(({ Key }) => Key));
    const refused = new Map(Errors.map(({ Key, Code }) => [Key!, Code ?? 'Unknown']));
    return keys.flatMap((key) => {
      const code = refused.get(key);
      if (code === 'NoSuchKey') return [];
      if (code !== undefined) return [{ key, code }];
      // A key that the response does not name counts as not deleted.
      return gone.has(key) ? [] : [{ key, code: 'NotAnswered' }];
    });
  }

  async isVersioned(): Promise<boolean> {
    const { Status } = await this.#client.send(new GetBucketVersioningCommand({ Bucket: this.#bucket }));
    return Status === 'Enabled';
  }

  /** Removes the delete marker that hides an object, if it was set at this time or later. */
  async restore(key: string, since: number): Promise<boolean> {
    for (let from: VersionMarker | null = {}; from !== null;) {
      const page: ListObjectVersionsCommandOutput = await this.#client.send(
        new ListObjectVersionsCommand({ Bucket: this.#bucket, Prefix: key, MaxKeys: 100, ...from }),
      );
      const { Versions = [], DeleteMarkers = [], NextKeyMarker, NextVersionIdMarker } = page;
      const isLatest = (version: ObjectVersion | DeleteMarkerEntry) =>
        version.Key === key && version.IsLatest === true;
      const marker = DeleteMarkers.find(isLatest);
      if (marker?.VersionId !== undefined && (marker.LastModified?.getTime() ?? 0) >= since) {
        await this.#client.send(
          new DeleteObjectCommand({ Bucket: this.#bucket, Key: key, VersionId: marker.VersionId }),
        );
        return true;
      }
      if (marker !== undefined || Versions.some(isLatest)) return false;
      const next = { KeyMarker: NextKeyMarker, VersionIdMarker: NextVersionIdMarker };
      from = nextPage<VersionMarker>(key, page, from, next);
    }
    return false;
  }

  async write(key: string, body: string): Promise<void> {
    await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: body }));
  }

  /** Aborts multipart uploads that began before this time. Returns their number. */
  async abortUploads(prefix: string, before: number): Promise<number> {
    let count = 0;
    for (let from: UploadMarker | null = {}; from !== null;) {
      const page: ListMultipartUploadsCommandOutput = await this.#client.send(
        new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: prefix, ...from }),
      );
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated === undefined || Initiated.getTime() >= before) continue;
        await this.#client.send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }));
        count++;
      }
      const next = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
      from = nextPage<UploadMarker>(prefix, page, from, next);
    }
    return count;
  }
}

type ObjectMarker = Pick<ListObjectsV2CommandInput, 'StartAfter' | 'ContinuationToken'>;
type VersionMarker = Pick<ListObjectVersionsCommandInput, 'KeyMarker' | 'VersionIdMarker'>;
type UploadMarker = Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'>;

/** Returns null for the last page. A short or empty page is not always the last one. */
function nextPage<Marker extends object>(
  prefix: string,
  { IsTruncated }: { readonly IsTruncated?: boolean | undefined },
  from: Marker,
  next: Marker,
): Marker | null {
  if (IsTruncated !== true) return null;
  const text = JSON.stringify(next);
  // Prevents an endless loop over the same page.
  if (text === '{}' || text === JSON.stringify(from)) throw new Error(`the list of ${prefix} breaks off`);
  return next;
}

/**
 * Returns null if the object is missing. S3 returns 403 for a missing object if the caller cannot list the bucket; a
 * pruner can.
 */
async function orNull<Output>(call: Promise<Output>): Promise<Output | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name)) return null;
    throw error;
  }
}
