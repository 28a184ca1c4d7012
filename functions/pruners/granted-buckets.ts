import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { storageRoot } from '@cairn/shared/prune/images/registry/storage-layout';
import { createBucketClient } from '../store/bucket.ts';

/** Checks that a registry has stored something in its folder. */
export function registryPresence(
  // The registry can be in another region.
  client = createBucketClient(4, { followRegionRedirects: true }),
): (target: RegistryTarget) => Promise<boolean> {
  return async ({ bucket, prefix }) => {
    const { Contents = [] } = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: storageRoot(prefix), MaxKeys: 1 }),
    );
    return Contents.length > 0;
  };
}
