import { createHash } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import {
  blobKey,
  layerLinkKey,
  revisionLinkKey,
  storageRoot,
  tagCurrentKey,
  tagIndexKey,
} from '@cairn/shared/prune/images/registry/storage-layout';

const IMAGE = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';

/** Writes and reads a bucket in the same order as the distribution registry. */
export class TestRegistry {
  readonly root: string;
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string, prefix = '') {
    this.#client = client;
    this.#bucket = bucket;
    this.root = storageRoot(prefix);
  }

  /** Uploads missing blobs, links them, then writes manifest and tag. Returns the digest. */
  async push(
    repository: string,
    tag: string | null,
    layers: readonly string[],
    more: { readonly subject?: string } = {},
  ): Promise<string> {
    const config = await this.blob(repository, `config of ${layers.join()} ${more.subject ?? ''}`);
    const descriptors = [];
    for (const layer of layers) descriptors.push(await this.blob(repository, layer));
    return this.manifest(repository, tag, {
      schemaVersion: 2,
      mediaType: IMAGE,
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
      layers: descriptors.map((descriptor) => ({ mediaType: 'application/octet-stream', ...descriptor })),
      ...(more.subject !== undefined && { subject: { mediaType: IMAGE, digest: more.subject, size: 1 } }),
    });
  }

  async pushIndex(repository: string, tag: string | null, manifests: readonly string[]): Promise<string> {
    return this.manifest(repository, tag, {
      schemaVersion: 2,
      mediaType: INDEX,
      manifests: manifests.map((digest) => ({ mediaType: IMAGE, digest, size: 1 })),
    });
  }

  /** Pushes a layer like a client: an existing blob is only linked. */
  async blob(repository: string, content: string): Promise<{ digest: string; size: number }> {
    const digest = digestOf(content);
    if ((await this.#read(blobKey(this.root, digest))) === null)
      await this.write(blobKey(this.root, digest), content);
    const link = layerLinkKey(this.root, repository, digest);
    if ((await this.#read(link)) === null) await this.write(link, digest);
    return { digest, size: content.length };
  }

  async manifest(repository: string, tag: string | null, document: object): Promise<string> {
    const content = JSON.stringify(document);
    const digest = digestOf(content);
    await this.write(blobKey(this.root, digest), content);
    await this.write(revisionLinkKey(this.root, repository, digest), digest);
    if (tag !== null) await this.tag(repository, tag, digest);
    return digest;
  }

  async tag(repository: string, tag: string, digest: string): Promise<void> {
    await this.write(tagIndexKey(this.root, repository, tag, digest), digest);
    await this.write(tagCurrentKey(this.root, repository, tag), digest);
  }

  async untag(repository: string, tag: string): Promise<void> {
    const prefix = tagCurrentKey(this.root, repository, tag).replace(/current\/link$/, '');
    for (const key of await this.keys()) if (key.startsWith(prefix)) await this.remove(key);
  }

  /** Reason for an incomplete pull by tag; null if it is complete. */
  async faultOfPull(repository: string, tag: string): Promise<string | null> {
    const digest = await this.#read(tagCurrentKey(this.root, repository, tag));
    return digest === null ? `${repository}:${tag} is not there` : this.faultOfManifest(repository, digest);
  }

  async faultOfManifest(repository: string, digest: string): Promise<string | null> {
    if ((await this.#read(revisionLinkKey(this.root, repository, digest))) === null) {
      return `${repository} does not link the manifest ${digest}`;
    }
    const content = await this.#read(blobKey(this.root, digest));
    if (content === null) return `the manifest ${digest} is gone`;
    const {
      config,
      layers = [],
      manifests = [],
    } = JSON.parse(content) as {
      config?: { digest: string };
      layers?: { digest: string }[];
      manifests?: { digest: string }[];
    };
    for (const child of manifests) {
      const fault = await this.faultOfManifest(repository, child.digest);
      if (fault !== null) return fault;
    }
    for (const part of [...(config ? [config] : []), ...layers]) {
      if ((await this.#read(layerLinkKey(this.root, repository, part.digest))) === null) {
        return `${repository} does not link ${part.digest} of ${digest}`;
      }
      if ((await this.#read(blobKey(this.root, part.digest))) === null) {
        return `${part.digest} of ${digest} is gone`;
      }
    }
    return null;
  }

  async hasBlob(digest: string): Promise<boolean> {
    return (await this.#read(blobKey(this.root, digest))) !== null;
  }

  /** Sorted keys below the root. */
  async keys(): Promise<readonly string[]> {
    const keys: string[] = [];
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket, Prefix: this.root },
    );
    for await (const { Contents = [] } of pages) keys.push(...Contents.map(({ Key }) => Key!));
    return keys;
  }

  async write(key: string, content: string | Uint8Array): Promise<void> {
    await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: content }));
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  async #read(key: string): Promise<string | null> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return await Body!.transformToString();
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }
}

export function digestOf(content: string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
