import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { BUCKET, startBucketProcess } from '../../helpers/s3/bucket-process.ts';
import type { BucketProcess } from '../../helpers/s3/bucket-process.ts';
import { describeS3Contract } from '../../helpers/s3/s3-contract.ts';

const dir = mkdtempSync(join(tmpdir(), 'cairn-bucket-'));
let server: BucketProcess | undefined;
afterAll(async () => {
  await server?.stop();
  rmSync(dir, { recursive: true, force: true });
});

describeS3Contract('our local server', async () => {
  server = await startBucketProcess(dir);
  return { client: server.client, bucket: BUCKET };
});
