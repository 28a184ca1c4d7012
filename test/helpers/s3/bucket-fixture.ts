import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll } from 'vitest';
import { startBucketServer, type BucketServer } from '../../../infra/local/s3/server.ts';
import { BUCKET, CREDENTIALS, REGION, clientOf } from './bucket-process.ts';
import { createSession, type S3Session } from './s3-session.ts';

export interface RawAnswer {
  readonly status: number;
  readonly code: string | undefined;
}

export interface BucketFixture {
  /** Contains only the folder of the server, two levels down. */
  readonly root: string;
  readonly dir: string;
  readonly url: () => string;
  readonly session: S3Session;
  /** Sends the path unchanged, which `fetch` would normalize. */
  readonly raw: (
    method: string,
    path: string,
    headers?: OutgoingHttpHeaders,
    body?: string,
  ) => Promise<RawAnswer>;
}

export function bucketOptions(dir: string) {
  return { dir, host: '127.0.0.1', port: 0, region: REGION, ...CREDENTIALS };
}

/** A bucket server in the test process, for the tests of one file. */
export function useBucketServer(): BucketFixture {
  const root = mkdtempSync(join(tmpdir(), 'cairn-bucket-'));
  const dir = join(root, 'a', 'buckets');
  let server: BucketServer;
  const session = createSession(async () => {
    const client = clientOf(server.url);
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    return { client, bucket: BUCKET };
  });
  beforeAll(async () => {
    mkdirSync(join(root, 'a'));
    server = await startBucketServer(bucketOptions(dir));
    await session.open();
  });
  afterAll(async () => {
    session.client.destroy();
    await server.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    root,
    dir,
    session,
    url: () => server.url,
    raw(method, path, headers = {}, body = '') {
      const outgoing = request(server.url, { method, path, headers });
      const answer = new Promise<RawAnswer>((resolve, reject) => {
        outgoing.once('error', reject).once('response', (response) => {
          text(response).then(
            (document) =>
              resolve({ status: response.statusCode!, code: /<Code>(\w+)<\/Code>/.exec(document)?.[1] }),
            reject,
          );
        });
      });
      outgoing.end(body);
      return answer;
    },
  };
}

export function refused(name: string, httpStatusCode: number) {
  return { name, $metadata: { httpStatusCode } };
}
