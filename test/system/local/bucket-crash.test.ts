import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import {
  BUCKET,
  CREDENTIALS,
  REGION,
  type BucketProcess,
  useBucketProcesses,
} from '../../helpers/s3/bucket-process.ts';
import { presign } from '../../helpers/s3/presign.ts';

const fixture = useBucketProcesses();
const { start } = fixture;

const put = (
  { client }: BucketProcess,
  Key: string,
  Body: string | Buffer,
  Metadata: Record<string, string> = {},
) => client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, Metadata }));
const get = async ({ client }: BucketProcess, Key: string) => {
  const { Body, ...object } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
  return { ...object, bytes: Buffer.from(await Body!.transformToByteArray()) };
};
const blobs = (): string[] => fixture.files('blobs');

describe('restart', () => {
  it('keeps objects, their metadata and unfinished uploads', async () => {
    const first = await start();
    await put(first, 'folder/é', 'content', { fence: '7' });
    await put(first, 'folder/a', 'a');
    const target = { Bucket: BUCKET, Key: 'joined' };
    const { UploadId } = await first.client.send(new CreateMultipartUploadCommand(target));
    const upload = { ...target, UploadId: UploadId! };
    const { ETag } = await first.client.send(
      new UploadPartCommand({ ...upload, PartNumber: 1, Body: 'part' }),
    );
    await first.stop();
    expect(first.child.exitCode).toBe(0);

    const second = await start();
    expect(await get(second, 'folder/é')).toMatchObject({
      Metadata: { fence: '7' },
      bytes: Buffer.from('content'),
    });
    const { Contents } = await second.client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(['folder/a', 'folder/é']);
    const Parts = [{ PartNumber: 1, ETag: ETag! }];
    await second.client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    expect((await get(second, 'joined')).bytes.toString()).toBe('part');
  });

  it('starts on what a power cut left, without the objects it hit', async () => {
    const first = await start();
    await put(first, 'good', 'good');
    await first.stop();
    const objects = join(fixture.dir, BUCKET, 'objects');
    writeFileSync(join(objects, `${'0'.repeat(64)}.json`), '');
    writeFileSync(join(objects, `${'1'.repeat(64)}.json`), '{"key":"lost","blob":"gone"}');
    writeFileSync(join(objects, `${'2'.repeat(64)}.json.new`), '{"key":"ha');
    const second = await start();
    const { Contents } = await second.client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(['good']);
  });
});

describe('SIGKILL', () => {
  it('in a large PUT leaves the old object and nothing else', async () => {
    const server = await start();
    await put(server, 'large', 'the old one');
    const size = 64 * 1024 ** 2;
    const url = await presign(server.client, { method: 'PUT', bucket: BUCKET, key: 'large' });
    const outgoing = request(url, { method: 'PUT', headers: { 'content-length': size } });
    outgoing.on('error', () => undefined);
    outgoing.write(Buffer.alloc(size / 2));
    const written = (): number =>
      Math.max(0, ...blobs().map((blob) => statSync(join(fixture.dir, BUCKET, 'blobs', blob)).size));
    await expect.poll(written).toBeGreaterThan(size / 4);
    await server.stop('SIGKILL');
    outgoing.destroy();
    expect(blobs()).toHaveLength(2);

    const next = await start();
    expect((await get(next, 'large')).bytes.toString()).toBe('the old one');
    expect(blobs()).toHaveLength(1);
  });

  it('among overwrites leaves the last answered one, or the one under way, whole', async () => {
    let round = 0;
    for (let kill = 0; kill < 6; kill++) {
      const server = await start();
      let answered = round;
      const writer = (async () => {
        for (;;) {
          round++;
          // The size changes with the content, so that a mixture of two rounds cannot look right.
          await put(server, 'key', Buffer.alloc(100_000 + round, round % 251), { round: String(round) });
          answered = round;
        }
      })();
      const goal = answered + 5 + 3 * kill;
      const stopped = writer.catch(() => undefined);
      await expect.poll(() => answered, { interval: 1 }).toBeGreaterThanOrEqual(goal);
      await server.stop('SIGKILL');
      await stopped;

      const next = await start();
      const object = await get(next, 'key');
      const survivor = Number(object.Metadata!['round']);
      expect([answered, round]).toContain(survivor);
      expect(object.bytes.equals(Buffer.alloc(100_000 + survivor, survivor % 251))).toBe(true);
      expect(object.ETag).toBe(`"${createHash('md5').update(object.bytes).digest('hex')}"`);
      expect(blobs()).toHaveLength(1);
      await next.stop();
    }
  });

  it('of the parent ends the server too', async () => {
    const main = fileURLToPath(new URL('../../../infra/local/s3/main.ts', import.meta.url));
    const options = { dir: fixture.dir, host: '127.0.0.1', port: 0, region: REGION, ...CREDENTIALS };
    const script = `
      const stdio = ['pipe', 'inherit', 'inherit', 'ipc'];
      const child = require('node:child_process').fork(${JSON.stringify(main)}, { stdio });
      child.stdin.end(${JSON.stringify(JSON.stringify(options))});
      child.on('message', (message) => console.log(JSON.stringify({ ...message, pid: child.pid })));
    `;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const { url, pid } = JSON.parse(line) as { url: string; pid: number };
    expect((await fetch(url)).status).toBe(403);
    parent.kill('SIGKILL');
    const isAlive = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive).toBe(false);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});

describe('Ctrl-C', () => {
  it('is left to the parent', async () => {
    const server = await start();
    server.child.kill('SIGINT');
    await put(server, 'after', 'x');
    expect((await get(server, 'after')).bytes.toString()).toBe('x');
    const exit = once(server.child, 'exit');
    server.child.disconnect();
    expect(await exit).toEqual([0, null]);
  });
});

describe('a bad start', () => {
  it('is reported to the parent', async () => {
    await start();
    await expect(start()).rejects.toThrow(`the folder ${fixture.dir} is in use by another bucket server`);
  });
});
