import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { bucketUploads } from '../../../../functions/uploads/store.ts';

let close: (() => void) | undefined;
afterEach(() => close?.());

/** A bucket that answers everything with one error. */
async function failingBucket(status: number, code: string) {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>said so</Message></Error>`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return bucketUploads('archive', {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    forcePathStyle: true,
    maxAttempts: 1,
  });
}

describe('an upload that is not there', () => {
  it.each([
    ['as who may list the bucket is told', 404, 'NoSuchKey'],
    ['as who may not is told', 403, 'AccessDenied'],
  ])('is null, %s', async (_name, status, code) => {
    expect(await (await failingBucket(status, code)).open('a')).toBeNull();
  });

  it.each([
    [404, 'NoSuchBucket'],
    [403, 'SignatureDoesNotMatch'],
    [503, 'SlowDown'],
  ])('is another thing than %i %s', async (status, code) => {
    await expect((await failingBucket(status, code)).open('a')).rejects.toThrow('said so');
  });
});
