import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { runPruner } from '../../../../functions/prune-runs/job.ts';

/** One invocation, told by its first argument, in a process that may be killed at any moment. */
export interface Invocation {
  readonly s3Url: string;
  readonly tableUrl: string;
  readonly table: string;
  readonly bucket: string;
  readonly pruner: string;
  readonly slot: string;
  /** Later than the lease of the one before. */
  readonly aheadMs: number;
}

const { s3Url, tableUrl, table, bucket, pruner, slot, aheadMs } = JSON.parse(process.argv[2]!) as Invocation;
const shared = { region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
const s3 = new S3Client({ ...shared, endpoint: s3Url, forcePathStyle: true });
const silent = { info: () => {}, warn: () => {}, error: () => {} };
process.stdout.write('begun\n');
const result = await runPruner(
  {
    table: { client: new DynamoDBClient({ ...shared, endpoint: tableUrl }), name: table },
    bucket: { client: s3, name: bucket },
    registry: s3,
    log: silent,
    count: () => {},
    clock: () => Date.now() + aheadMs,
    remainingMs: () => 900_000,
  },
  // An event that is delivered again, as it is when its function dies.
  { pruner, scheduledTime: slot, trigger: 'schedule' },
);
process.stdout.write(`${result.status}\n`);
process.exit();
