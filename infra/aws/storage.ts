import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { TABLE } from '../../functions/store/table.ts';

export interface Storage {
  readonly table: TableReference;
  readonly bucket: Bucket;
  readonly bus: EventBus;
}

export type TableReference = Pick<Table, 'tableName' | 'tableArn'>;

const text = (name: string) => ({ name, type: AttributeType.STRING });

const PRIVATE = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  removalPolicy: RemovalPolicy.RETAIN,
} as const satisfies BucketProps;

/** `archive/` has every accepted graph; `uploads/` has client files for one request. */
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

/** Retained when the stack is deleted: upstream cannot restore all of its data. */
class StateTable extends Table {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      partitionKey: text(TABLE.partitionKey),
      sortKey: text(TABLE.sortKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: 35,
      },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.addGlobalSecondaryIndex({
      indexName: TABLE.index.name,
      partitionKey: text(TABLE.index.partitionKey),
      sortKey: text(TABLE.index.sortKey),
      projectionType: ProjectionType.ALL,
    });
  }
}

export function stateTable(scope: Construct, restoredTable: string | null): TableReference {
  return restoredTable === null
    ? new StateTable(scope, 'Table')
    : Table.fromTableName(scope, 'RestoredTable', restoredTable);
}
