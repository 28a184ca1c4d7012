import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

describe('npm run console', () => {
  const entry = fileURLToPath(new URL('../../../functions/cli/commands/console.ts', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'cairn-aws-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = (environment: Readonly<Record<string, string>>, ...flags: string[]) =>
    new Promise<{ code: unknown; stderr: string }>((resolve) => {
      // Neither the files of this user nor the metadata service of this machine count.
      const env = { HOME: folder, AWS_EC2_METADATA_DISABLED: 'true', ...environment };
      execFile(process.execPath, [entry, ...flags], { env }, (error, _stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stderr }),
      );
    });
  const url = '--url=https://abc123.execute-api.eu-west-1.amazonaws.com';

  it('does not start without credentials', async () => {
    const { code, stderr } = await run({ PATH: folder }, url);
    expect([code, stderr]).toEqual([
      1,
      'cairn: there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or install the aws command\n',
    ]);
  });

  it('says what the aws command says when its session is over', async () => {
    const command = join(folder, 'aws');
    writeFileSync(command, '#!/bin/sh\necho "first line" >&2\necho "Token has expired" >&2\nexit 255\n');
    chmodSync(command, 0o755);
    const { code, stderr } = await run({ PATH: folder }, url);
    expect([code, stderr]).toEqual([
      1,
      'cairn: the aws command gives no credentials: Token has expired; "aws sso login" or "aws configure" may help\n',
    ]);
  });

  it('takes the credentials of a profile, without the aws command', async () => {
    const file = join(folder, 'credentials');
    writeFileSync(file, '[other]\naws_access_key_id = AKIA\naws_secret_access_key = secret\n');
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port } = busy.address() as AddressInfo;
    const profile = { AWS_PROFILE: 'other', AWS_SHARED_CREDENTIALS_FILE: file };
    const { stderr } = await run({ PATH: '/nonexistent', ...profile }, url, `--port=${port}`);
    busy.close();
    // It has its credentials by then.
    expect(stderr).toBe(`cairn: port ${port} is in use, choose another with --port\n`);
  });

  it('prints mistakes of its flags', async () => {
    const { code, stderr } = await run({}, '--port=x');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^cairn: --url is needed.*\ncairn: --port "x" is not a port.*\nsee npm run console/,
    );
  });
});
