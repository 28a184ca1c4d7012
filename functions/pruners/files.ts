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

/** Files of a pruner and its runs in Cairn's bucket, below `runs/`. */
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

  /** Returns null if the file is missing. */
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

  async removeAll(prefix: string, kept?: string): Promise<void> {
    const pages = paginateListObjectsV2(
      { client: this.#bucket.client },
      { Bucket: this.#bucket.name, Prefix: this.#folder + prefix },
    );
    const keptKey = kept === undefined ? null : this.#folder + kept;
    for await (const { Contents = [] } of pages) {
      const keys = Contents.map(({ Key }) => Key).filter((key) => key !== keptKey);
      const Objects = keys.map((Key) => ({ Key }));
      if (Objects.length === 0) continue;
      const { Errors = [] } = await this.#bucket.client.send(
        new DeleteObjectsCommand({ Bucket: this.#bucket.name, Delete: { Objects, Quiet: true } }),
      );
      const [first] = Errors;
      if (first) throw new Error(`${first.Key} could not be removed: ${first.Code}`);
    }
  }
}

/** Opens the bucket by its name only. */
export function bucketRunFiles(name: string): (pruner: string) => RunFiles {
  const client = new S3Client(clientSettings(4));
  return (pruner) => new RunFiles({ client, name }, pruner);
}

/** The token in the name prevents a run that lost its lease from replacing files of the next run. */
const written = (name: string, by: number | undefined) => (by === undefined ? name : `${name}-${by}`);

/** File names; `by` is the lease token of the writer. */
export const RUN_FILE = {
  inventory: (slot: string, by?: number) => written(`${slot}/inventory`, by),
  plan: (slot: string, by?: number) => written(`${slot}/plan`, by),
  outcome: (slot: string, by?: number) => written(`${slot}/outcome`, by),
  report: (slot: string) => `${slot}/report.json`,
  ofRun: (slot: string) => `${slot}/`,
  condemned: (slot: string, by?: number) => written(`condemned/${slot}`, by),
  manifests: 'manifests',
  /** One file per in-use report. */
  inUse: (revision: string) => `in-use/${revision}`,
  /** Images of the same report, and the workloads that use them. */
  clusterImages: (revision: string) => `in-use/${revision}.images`,
} as const;
