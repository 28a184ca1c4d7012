import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { expireUploads } from '../../../../infra/local/pruning.ts';
import { useBucketServer } from '../../../helpers/s3/bucket-fixture.ts';

const HOUR_MS = 3600_000;

const { session } = useBucketServer();

it('takes away uploads after a day, and nothing else', async () => {
  const { client, bucket: name } = session;
  for (const Key of ['archive/a', 'uploads/b', 'uploads/c', 'uploadsd']) {
    await client.send(new PutObjectCommand({ Bucket: name, Key, Body: '{}' }));
  }
  const keys = async () => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }));
    return Contents.map(({ Key }) => Key);
  };
  await expireUploads({ client, name }, Date.now() + 23 * HOUR_MS);
  expect(await keys()).toEqual(['archive/a', 'uploads/b', 'uploads/c', 'uploadsd']);
  await expireUploads({ client, name }, Date.now() + 25 * HOUR_MS);
  expect(await keys()).toEqual(['archive/a', 'uploadsd']);
});
