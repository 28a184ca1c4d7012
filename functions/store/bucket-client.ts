import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { clientSettings } from './client-settings.ts';

/** S3 may take its time over a deletion of a thousand keys, or over a file of many megabytes. */
const ANSWER_MS = 30_000;

/** For jobs, which have minutes. */
export function createBucketClient(maxAttempts: number, overrides: S3ClientConfig = {}): S3Client {
  return new S3Client({ ...clientSettings(maxAttempts, ANSWER_MS), ...overrides });
}
