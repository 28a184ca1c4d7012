import { randomUUID } from 'node:crypto';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { messageOf } from '@cairn/shared/text/quote';

/** Keys in UTF-8 byte order that listings by folder, locale or UTF-16 unit order wrongly. */
export const SIBLING_KEYS: readonly string[] = [
  'a',
  'a b',
  'a-b',
  'a.b',
  'a/',
  'a/b',
  'a/b/c',
  'a0',
  'a~',
  'a\u00e9',
  'a\uff5e',
  'a\u{1f600}',
];

/**
 * Checks features that Cairn needs and emulators get wrong: paging, byte order, conditional writes, bulk deletes.
 * Returns the problems and leaves no object behind.
 */
export async function checkBucket(client: S3Client, bucket: string): Promise<string[]> {
  const prefix = `.self-check/${randomUUID()}/`;
  const keys = SIBLING_KEYS.map((name) => `${prefix}${name}`);
  const problems: string[] = [];
  try {
    await Promise.all(
      keys.map((Key) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }))),
    );
    const wrongBodies = await Promise.all(
      keys.map(async (key) => (await bodyOf(client, bucket, key)) !== key),
    );
    if (wrongBodies.includes(true)) problems.push('an object does not hold what was put there');
    const listed = await listInPages(client, bucket, prefix, 3);
    if (listed.join('\n') !== keys.join('\n')) {
      problems.push(
        `a listing in pages of 3 gave ${JSON.stringify(listed)}, expected ${JSON.stringify(keys)}`,
      );
    }
    if (!(await refusesSecondCreate(client, bucket, keys[0]!))) {
      problems.push('a PUT with If-None-Match: * replaced an object, expected 412');
    }
    const deletion = await client.send(
      new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: [...keys, `${prefix}missing`].map((Key) => ({ Key })) },
      }),
    );
    if (deletion.Deleted?.length !== keys.length + 1) {
      problems.push(
        `DeleteObjects of ${keys.length + 1} keys reported ${deletion.Deleted?.length ?? 0} deleted`,
      );
    }
    const left = await listInPages(client, bucket, prefix, 1000);
    if (left.length > 0) problems.push(`${left.length} objects are still listed after they were deleted`);
  } catch (error) {
    problems.push(`the check could not be finished: ${messageOf(error)}`);
  }
  return problems;
}

async function bodyOf(client: S3Client, bucket: string, key: string): Promise<string | undefined> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return Body?.transformToString();
}

async function listInPages(
  client: S3Client,
  Bucket: string,
  Prefix: string,
  pageSize: number,
): Promise<string[]> {
  const listed: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client, pageSize }, { Bucket, Prefix })) {
    listed.push(...Contents.map(({ Key = '' }) => Key));
    // A faulty server can repeat its pages endlessly.
    if (Contents.length === 0 || listed.length >= 10_000) break;
  }
  return listed;
}

async function refusesSecondCreate(client: S3Client, bucket: string, key: string): Promise<boolean> {
  try {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'other', IfNoneMatch: '*' }));
    return false;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412) return true;
    throw error;
  }
}
