import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { TableReference } from './table.ts';

/** What functions read and write; each binds the parts that it needs. */
export interface Storage {
  readonly table: TableReference;
  readonly bucket: Bucket;
  readonly bus: EventBus;
}
