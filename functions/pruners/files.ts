import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { Bucket } from '../store/bucket.ts';
import { clientSettings } from '../store/client.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** What a pruner and its runs keep in the bucket of the product, below `runs/`. */
export class RunFiles {
  readonly #bucket: Bucket;
  readonly #folder: string;

  constructor(bucket: Bucket, pruner: string) {
    this.#bucket = bucket;
    this.#folder = `runs/${pruner}/`;
  }

  async write(
    name: string,
    body: Uint8Array | string,
    options: { readonly json?: boolean } = {},
  ): Promise<void> {
    await this.#bucket.client.send(
      new PutObjectCommand({
        Bucket: this.#bucket.name,
        Key: this.#folder + name,
        Body: await pack(body),
        ContentType: options.json ? 'application/json' : 'application/octet-stream',
        ContentEncoding: 'gzip',
      }),
    );
  }

  /** Null when there is none. */
  async read(name: string): Promise<Uint8Array | null> {
    try {
      const { Body } = await this.#bucket.client.send(
        new GetObjectCommand({ Bucket: this.#bucket.name, Key: this.#folder + name }),
      );
      return await unpack(await Body!.transformToByteArray());
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await this.#bucket.client.send(
      new DeleteObjectCommand({ Bucket: this.#bucket.name, Key: this.#folder + name }),
    );
  }

  /** Removes what begins with this, such as all files of a run. */
  removeAll(prefix: string): Promise<void> {
    return this.removeOthers(prefix, null);
  }

  /** The same but for one file. */
  async removeOthers(prefix: string, kept: string | null): Promise<void> {
    const pages = paginateListObjectsV2(
      { client: this.#bucket.client },
      { Bucket: this.#bucket.name, Prefix: this.#folder + prefix },
    );
    for await (const { Contents = [] } of pages) {
      const Objects = Contents.filter(({ Key }) => kept === null || Key !== this.#folder + kept).map(
        ({ Key }) => ({ Key }),
      );
      if (Objects.length === 0) continue;
      const { Errors = [] } = await this.#bucket.client.send(
        new DeleteObjectsCommand({ Bucket: this.#bucket.name, Delete: { Objects, Quiet: true } }),
      );
      const [first] = Errors;
      if (first) throw new Error(`${first.Key} could not be removed: ${first.Code}`);
    }
  }
}

/** Of pruners, for who only has the name of the bucket. */
export function bucketRunFiles(name: string): (pruner: string) => RunFiles {
  const client = new S3Client(clientSettings(4));
  return (pruner) => new RunFiles({ client, name }, pruner);
}

/** By whom it was written, so that one that lost its lease without noticing cannot replace what is read by then. */
const written = (name: string, by: number | undefined) => (by === undefined ? name : `${name}-${by}`);

/** Names of the files; `by` is the token of the lease of who wrote it. */
export const RUN_FILE = {
  inventory: (slot: string, by?: number) => written(`${slot}/inventory`, by),
  plan: (slot: string, by?: number) => written(`${slot}/plan`, by),
  outcome: (slot: string, by?: number) => written(`${slot}/outcome`, by),
  report: (slot: string) => `${slot}/report.json`,
  ofRun: (slot: string) => `${slot}/`,
  /** What is condemned as of the run that wrote it. */
  condemned: (slot: string) => `condemned/${slot}`,
  manifests: 'manifests',
  /** What clusters use, as of one report of it. */
  inUse: (revision: string) => `in-use/${revision}`,
  /** The Images of the cluster, as of the same report, and who uses what. */
  clusterImages: (revision: string) => `in-use/${revision}.images`,
} as const;
