import { randomUUID } from 'node:crypto';
import {
  GetObjectCommand,
  type GetObjectCommandInput,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  paginateListObjectsV2,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { expect } from 'vitest';

export interface S3Connection {
  readonly client: S3Client;
  /** Can contain other objects: each test uses its own prefix. */
  readonly bucket: string;
}

type ListOptions = Omit<ListObjectsV2CommandInput, 'Bucket' | 'ContinuationToken'>;

/** A connection that opens with the tests, and common calls. */
export type S3Session = ReturnType<typeof createSession>;

export function newPrefix(): string {
  return `${randomUUID()}/`;
}

export function createSession(connect: () => Promise<S3Connection>) {
  let opened: S3Connection | undefined;
  const connection = (): S3Connection => {
    if (opened === undefined) throw new Error('the session is used before it is open');
    return opened;
  };
  const put = (
    Key: string,
    Body: NonNullable<PutObjectCommandInput['Body']>,
    more: Partial<PutObjectCommandInput> = {},
  ) => {
    const { client, bucket } = connection();
    return client.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ...more }));
  };
  const get = (Key: string, more: Partial<GetObjectCommandInput> = {}) => {
    const { client, bucket } = connection();
    return client.send(new GetObjectCommand({ Bucket: bucket, Key, ...more }));
  };
  const pages = async (options: ListOptions) => {
    const { client, bucket } = connection();
    const found: ListObjectsV2CommandOutput[] = [];
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, ...options })) {
      found.push(page);
      expect(page.IsTruncated).toBe(page.NextContinuationToken !== undefined);
    }
    return found;
  };
  return {
    open: async () => {
      opened = await connect();
    },
    get client() {
      return connection().client;
    },
    get bucket() {
      return connection().bucket;
    },
    put,
    get,
    text: async (key: string, more?: Partial<GetObjectCommandInput>) =>
      (await get(key, more)).Body!.transformToString(),
    pages,
    keys: async (options: ListOptions) =>
      (await pages(options)).flatMap((page) => page.Contents ?? []).map((object) => object.Key!),
  };
}
