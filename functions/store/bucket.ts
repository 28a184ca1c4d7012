import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

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
