import { randomUUID } from 'node:crypto';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import type {
  GetObjectCommandInput,
  GetObjectCommandOutput,
  ListObjectsV2CommandInput,
  ListObjectsV2CommandOutput,
  PutObjectCommandInput,
  PutObjectCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import { expect } from 'vitest';

export interface S3Connection {
  readonly client: S3Client;
  /** Can contain other objects: each test uses its own prefix. */
  readonly bucket: string;
}

type ListOptions = Omit<ListObjectsV2CommandInput, 'Bucket' | 'ContinuationToken'>;

/** A connection that opens with the tests, and common calls. */
export interface S3Session extends S3Connection {
  open(): Promise<void>;
  readonly put: (
    key: string,
    body: NonNullable<PutObjectCommandInput['Body']>,
    more?: Partial<PutObjectCommandInput>,
  ) => Promise<PutObjectCommandOutput>;
  readonly get: (key: string, more?: Partial<GetObjectCommandInput>) => Promise<GetObjectCommandOutput>;
  readonly text: (key: string, more?: Partial<GetObjectCommandInput>) => Promise<string>;
  readonly pages: (options: ListOptions) => Promise<ListObjectsV2CommandOutput[]>;
  readonly keys: (options: ListOptions) => Promise<string[]>;
}

export function newPrefix(): string {
  return `${randomUUID()}/`;
}

export function createSession(connect: () => Promise<S3Connection>): S3Session {
  let opened: S3Connection | undefined;
  const connection = (): S3Connection => {
    if (opened === undefined) throw new Error('the session is used before it is open');
    return opened;
  };
  const session: S3Session = {
    async open() {
      opened = await connect();
    },
    get client() {
      return connection().client;
    },
    get bucket() {
      return connection().bucket;
    },
    put: (key, body, more = {}) =>
      session.client.send(new PutObjectCommand({ Bucket: session.bucket, Key: key, Body: body, ...more })),
    get: (key, more = {}) =>
      session.client.send(new GetObjectCommand({ Bucket: session.bucket, Key: key, ...more })),
    text: async (key, more) => (await session.get(key, more)).Body!.transformToString(),
    async pages(options) {
      const found: ListObjectsV2CommandOutput[] = [];
      let token: string | undefined;
      do {
        const page: ListObjectsV2CommandOutput = await session.client.send(
          new ListObjectsV2Command({
            Bucket: session.bucket,
            ...options,
            ...(token === undefined ? {} : { ContinuationToken: token }),
          }),
        );
        found.push(page);
        token = page.NextContinuationToken;
        expect(page.IsTruncated).toBe(token !== undefined);
      } while (token !== undefined);
      return found;
    },
    keys: async (options) =>
      (await session.pages(options)).flatMap((page) => page.Contents ?? []).map((object) => object.Key!),
  };
  return session;
}
