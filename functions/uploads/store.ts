import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { clientSettings } from '../store/client.ts';

/** Client input for one request, kept in the bucket for a day. */
export interface Uploads {
  /** Creates an upload with a URL that accepts PUT for `seconds`. */
  create(now: number, seconds: number): Promise<{ readonly id: string; readonly url: string }>;
  /** Returns the bytes as sent; null if nothing was uploaded. */
  open(id: string): Promise<Readable | null>;
}

/** Loads the S3 client with the first request that needs it. */
export type OpenUploads = () => Promise<Uploads>;

export function bucketUploads(bucket: string, overrides: S3ClientConfig = {}): Uploads {
  const client = new S3Client({
    ...clientSettings(4),
    // Otherwise a presigned URL would accept only the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...overrides,
  });
  const locate = (id: string) => ({ Bucket: bucket, Key: `uploads/${id}` });
  return {
    async create(now, seconds) {
      const id = randomBytes(16).toString('base64url');
      const url = await getSignedUrl(client, new PutObjectCommand(locate(id)), {
        expiresIn: seconds,
        signingDate: new Date(now),
      });
      return { id, url };
    },
    async open(id) {
      try {
        const { Body } = await client.send(new GetObjectCommand(locate(id)));
        return Body as Readable;
      } catch (error) {
        if (isAbsence(error)) return null;
        throw error;
      }
    },
  };
}

/** S3 returns 403 for a missing object if the caller cannot list the bucket. */
function isAbsence(error: unknown): boolean {
  return error instanceof S3ServiceException && ['NoSuchKey', 'AccessDenied'].includes(error.name);
}
