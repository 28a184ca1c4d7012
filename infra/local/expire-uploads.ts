import { DeleteObjectsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { Bucket } from '../../functions/store/bucket.ts';

const DAY_MS = 24 * 3600_000;

/** Takes away uploads that are older than a day, as the bucket on AWS does by itself. */
export async function expireUploads({ client, name }: Bucket, now: number): Promise<void> {
  const pages = paginateListObjectsV2({ client }, { Bucket: name, Prefix: 'uploads/' });
  for await (const { Contents = [] } of pages) {
    const old = Contents.filter(
      ({ LastModified }) => LastModified !== undefined && now - +LastModified > DAY_MS,
    );
    if (old.length === 0) continue;
    const Objects = old.map(({ Key }) => ({ Key }));
    await client.send(new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } }));
  }
}
