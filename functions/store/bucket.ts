import { PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { clientSettings } from './client.ts';

export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
}

/** Stores a gzip JSON body under `archive/`; idempotent. */
export async function archiveJson(bucket: Bucket, key: string, body: Uint8Array): Promise<void> {
  await bucket.client.send(
    new PutObjectCommand({
      Bucket: bucket.name,
      Key: `archive/${key}`,
      Body: body,
      ContentType: 'application/json',
      ContentEncoding: 'gzip',
    }),
  );
}

/** S3 can need long to delete a thousand keys or to return a file of many megabytes. */
const ANSWER_MS = 30_000;

/** Client for jobs, which have minutes. */
export function createBucketClient(maxAttempts: number, overrides: S3ClientConfig = {}): S3Client {
  return new S3Client({ ...clientSettings(maxAttempts, ANSWER_MS), ...overrides });
}
