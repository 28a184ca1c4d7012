import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** Milliseconds. */
  readonly modified: number;
}

export interface ListedPage {
  readonly objects: readonly ListedObject[];
  readonly isWhole: boolean;
}

export interface RefusedDeletion {
  readonly key: string;
  readonly code: string;
}

/** The bucket in which a registry keeps its storage. Deletes exact keys only, never what begins with them. */
export class RegistryStorage {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  /** Pages of what begins with the prefix and comes after a key, in byte order; the next page is asked for when it is needed. */
  async *list(prefix: string, after: string | null): AsyncGenerator<readonly ListedObject[]> {
    let from = after;
    for (;;) {
      const { objects, isWhole } = await this.#page(prefix, from);
      if (objects.length > 0) yield objects;
      if (isWhole) return;
      const last = objects.at(-1)?.key;
      // A page that says there is more and has nothing would be asked for again and again.
      if (last === undefined) {
        throw new Error(`the list of ${prefix} breaks off after ${from ?? 'its beginning'}`);
      }
      from = last;
    }
  }

  /** `isWhole` tells that there are no others. */
  firstPage(prefix: string): Promise<ListedPage> {
    return this.#page(prefix, null);
  }

  async #page(prefix: string, after: string | null): Promise<ListedPage> {
    const { Contents = [], IsTruncated } = await this.#client.send(
      new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        ...(after !== null && { StartAfter: after }),
      }),
    );
    const objects = Contents.map(({ Key, Size, LastModified }) => {
      if (Key === undefined || LastModified === undefined) {
        throw new Error(`the list of ${prefix} has an object without a key or a time`);
      }
      return { key: Key, size: Size ?? 0, modified: LastModified.getTime() };
    });
    return { objects, isWhole: IsTruncated !== true };
  }

  /** The whole body; null when there is none. */
  async read(key: string): Promise<Uint8Array | null> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return await Body!.transformToByteArray();
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
  }

  async has(key: string): Promise<boolean> {
    try {
      await this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key }));
      return true;
    } catch (error) {
      if (isAbsence(error)) return false;
      throw error;
    }
  }

  /** At most 1,000. Gives back those that are not certainly gone. */
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
      // A key that the answer does not name was not deleted, as far as anybody knows.
      return gone.has(key) ? [] : [{ key, code: 'NotAnswered' }];
    });
  }

  async isVersioned(): Promise<boolean> {
    const { Status } = await this.#client.send(new GetBucketVersioningCommand({ Bucket: this.#bucket }));
    return Status === 'Enabled';
  }

  /** Takes away the delete marker that hides an object, when it was set at this time or later. */
  async restore(key: string, since: number): Promise<boolean> {
    const { DeleteMarkers = [] } = await this.#client.send(
      new ListObjectVersionsCommand({ Bucket: this.#bucket, Prefix: key, MaxKeys: 100 }),
    );
    const marker = DeleteMarkers.find(
      ({ Key, IsLatest, LastModified }) => Key === key && IsLatest && (LastModified?.getTime() ?? 0) >= since,
    );
    if (marker?.VersionId === undefined) return false;
    await this.#client.send(
      new DeleteObjectCommand({ Bucket: this.#bucket, Key: key, VersionId: marker.VersionId }),
    );
    return true;
  }

  async write(key: string, body: string): Promise<void> {
    await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: body }));
  }

  /** Ends uploads in parts that were begun before a time and never completed; gives back how many. */
  async abortUploads(prefix: string, before: number): Promise<number> {
    let count = 0;
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (;;) {
      const page = await this.#client.send(
        new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: prefix, ...from }),
      );
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated === undefined || Initiated.getTime() >= before) continue;
        await this.#client.send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }));
        count++;
      }
      if (!page.IsTruncated) break;
      from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
    return count;
  }
}

/** Who may not list a bucket is told 403 of an object that is not there; a pruner may. */
function isAbsence(error: unknown): boolean {
  return error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name);
}
