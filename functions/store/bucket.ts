import { PutObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { clientSettings } from './client.ts';

/** The bucket, as jobs see it. */
export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
}

/** Keeps a gzip JSON body under `archive/`; writing the same one again changes nothing. */
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

/** S3 may take its time over a deletion of a thousand keys, or over a file of many megabytes. */
const ANSWER_MS = 30_000;

/** For jobs, which have minutes. */
export function createBucketClient(maxAttempts: number, overrides: S3ClientConfig = {}): S3Client {
  return new S3Client({ ...clientSettings(maxAttempts, ANSWER_MS), ...overrides });
}
