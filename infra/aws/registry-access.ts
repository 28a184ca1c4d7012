import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { storageRoot } from '@cairn/shared/prune/images/registry/storage-layout';
import type { NodeFunction } from './node-function.ts';

/** Lets a function take on the role of a registry's bucket, which then says what it may do there. */
export function grantRegistryRole(holder: NodeFunction, roleArn: string): void {
  holder.addToRolePolicy(new PolicyStatement({ actions: ['sts:AssumeRole'], resources: [roleArn] }));
}

/** Lets a function see whether a registry has put anything into its folder. */
export function grantRegistryListing(holder: NodeFunction, target: RegistryTarget): void {
  holder.addToRolePolicy(
    new PolicyStatement({
      actions: ['s3:ListBucket'],
      resources: [bucketArn(holder, target)],
      conditions: { StringLike: { 's3:prefix': `${storageRoot(target.prefix)}*` } },
    }),
  );
}

/** Lets a function prune what a registry keeps in its folder, and nothing beside it. */
export function grantRegistryPruning(holder: NodeFunction, target: RegistryTarget): void {
  const root = storageRoot(target.prefix);
  const arn = bucketArn(holder, target);
  const grant = (operations: readonly string[], resource: string, conditions?: Record<string, object>) =>
    holder.addToRolePolicy(
      new PolicyStatement({
        actions: operations.map((operation) => `s3:${operation}`),
        resources: [resource],
        ...(conditions && { conditions }),
      }),
    );
  const below = { 's3:prefix': `${root}*` };
  // Asked for an object that is not there, S3 looks whether the bucket may be listed, without a prefix: if not, it answers
  // that the object may not be read.
  grant(['ListBucket'], arn, { StringLikeIfExists: below });
  grant(['ListBucketVersions'], arn, { StringLike: below });
  // S3 knows no prefix for these.
  grant(['GetBucketVersioning', 'ListBucketMultipartUploads'], arn);
  grant(
    ['GetObject', 'PutObject', 'DeleteObject', 'DeleteObjectVersion', 'AbortMultipartUpload'],
    `${arn}/${root}*`,
  );
  holder.acknowledgeWildcard(
    `arn:<AWS::Partition>:s3:::${target.bucket}/${root}*`,
    'a registry names its objects by their content, and only its own folder is open',
  );
}

function bucketArn(holder: NodeFunction, { bucket }: RegistryTarget): string {
  return Stack.of(holder).formatArn({ service: 's3', region: '', account: '', resource: bucket });
}
