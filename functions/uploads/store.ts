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

/** What clients hand over for one request, in the bucket for a day. */
export interface Uploads {
  /** A new one, and the address that takes it by PUT for so many seconds from now. */
  create(now: number, seconds: number): Promise<{ readonly id: string; readonly url: string }>;
  /** The bytes as they were sent; null when there are none. */
  open(id: string): Promise<Readable | null>;
}

/** Loads what talks to the bucket with the first request that needs it. */
export type OpenUploads = () => Promise<Uploads>;

export function bucketUploads(bucket: string, overrides: S3ClientConfig = {}): Uploads {
  const client = new S3Client({
    ...clientSettings(4),
    // Otherwise an address that is given out would be good for the checksum of nothing only.
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

/** Who may not list a bucket is told 403 of an object that is not there. */
function isAbsence(error: unknown): boolean {
  return error instanceof S3ServiceException && ['NoSuchKey', 'AccessDenied'].includes(error.name);
}
