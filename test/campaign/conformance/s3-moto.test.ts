import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { describe } from 'vitest';
import { describeS3Contract } from '../../helpers/s3/s3-contract.ts';

const url = process.env['CAIRN_MOTO_URL'];
if (url === undefined)
  console.log('skipped: CAIRN_MOTO_URL is not set, run test/campaign/conformance/run-moto.sh');

const client = new S3Client({
  endpoint: url ?? 'http://127.0.0.1:9',
  region: 'us-east-1',
  credentials: { accessKeyId: 'moto', secretAccessKey: 'moto-secret' },
  forcePathStyle: true,
});

async function newBucket(): Promise<string> {
  const bucket = `cairn-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return bucket;
}

describe.skipIf(url === undefined)('moto', () => {
  describeS3Contract('moto', async () => ({ client, bucket: await newBucket() }));
});
