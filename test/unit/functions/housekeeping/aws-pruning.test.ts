import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { awsPruning } from '../../../../functions/housekeeping/aws-pruning.ts';

const far = { bucket: 'far-away', prefix: 'prod' };
const roleArn = 'arn:aws:iam::210987654321:role/registry-pruning';

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  for (const name of ['PRUNER_FUNCTION_ARN', 'PRUNER_ROLE_ARN', 'SCHEDULE_GROUP', 'DELIVERY_QUEUE_ARN']) {
    vi.stubEnv(name, 'a');
  }
});
afterEach(() => vi.unstubAllEnvs());

it('takes a bucket with a role for one in use, without a look into it', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_S3', 'http://127.0.0.1:9');
  const { holdsRegistry } = awsPruning(JSON.stringify([{ ...far, roleArn }]));
  expect(await holdsRegistry(far)).toBe(true);
});

it('grants its pruners the folder, without mention of the role', () => {
  expect(awsPruning(JSON.stringify([{ ...far, roleArn }])).grantedBuckets).toEqual([far]);
});
