import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';

/** Keys that look like those of the registry and are none. */
function keysOutside(root: string): readonly string[] {
  const hex = 'ab'.repeat(32);
  return [
    `elsewhere/${root}blobs/sha256/ab/${hex}/data`,
    `${root.slice(0, -1)}x/blobs/sha256/ab/${hex}/data`,
    `${root}blobs/sha256/ab/${hex}/data.copy`,
    `${root}repositories/app/_layers/sha256/${hex}/link/`,
  ];
}

/** Puts objects beside a registry that no pruner may touch. */
export async function putBystanders(direct: S3Client, bucket: string, root: string): Promise<void> {
  for (const Key of keysOutside(root)) {
    await direct.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'not of the registry' }));
  }
}

/** Which of them are not there any more. */
export function bystandersGone(keys: ReadonlySet<string>, root: string): readonly string[] {
  return keysOutside(root).filter((key) => !keys.has(key));
}
