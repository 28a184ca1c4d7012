import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

const PRIVATE = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  removalPolicy: RemovalPolicy.RETAIN,
} as const satisfies BucketProps;

/** `archive/` holds every accepted graph; `uploads/` what clients hand over for one request. */
export class ArchiveBucket extends Bucket {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      ...PRIVATE,
      versioned: true,
      serverAccessLogsBucket: new Bucket(scope, `${id}AccessLogs`, {
        ...PRIVATE,
        lifecycleRules: [{ id: 'access-logs', expiration: Duration.days(90) }],
      }) as IBucket,
      lifecycleRules: [
        {
          id: 'old-versions',
          noncurrentVersionExpiration: Duration.days(30),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
        {
          id: 'uploads',
          prefix: 'uploads/',
          expiration: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
    });
  }
}
