import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { CredentialError, credentialSource } from '../../../functions/outbound/credentials.ts';

const VARIABLES = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret' };
const exported = (more: object = {}): string =>
  JSON.stringify({
    Version: 1,
    AccessKeyId: 'ASIA',
    SecretAccessKey: 'other',
    SessionToken: 'session',
    ...more,
  });
const never = () => Promise.reject(new Error('not to be asked'));

describe('credentials', () => {
  it('are those of the variables first', async () => {
    const keys = { accessKeyId: 'AKIA', secretAccessKey: 'secret' };
    expect(await credentialSource(VARIABLES, never)()).toEqual(keys);
    const withSession = { ...VARIABLES, AWS_SESSION_TOKEN: 'session' };
    expect(await credentialSource(withSession, never)()).toEqual({ ...keys, sessionToken: 'session' });
  });

  it('are those of the aws command else, and are asked for again before they end', async () => {
    let now = Date.parse('2026-01-01T12:00:00Z');
    let asked = 0;
    const ends = ['2026-01-01T13:00:00Z', '2026-01-01T14:00:00Z'];
    const source = credentialSource(
      { AWS_ACCESS_KEY_ID: 'alone' },
      () => Promise.resolve(exported({ Expiration: ends[asked++] })),
      () => now,
    );
    expect(await source()).toEqual({
      accessKeyId: 'ASIA',
      secretAccessKey: 'other',
      sessionToken: 'session',
      expiration: new Date(ends[0]!),
    });
    now = Date.parse('2026-01-01T12:58:59Z');
    await source();
    expect(asked).toBe(1);
    now = Date.parse('2026-01-01T12:59:30Z');
    expect((await source()).expiration).toEqual(new Date(ends[1]!));
    expect(asked).toBe(2);
  });

  it.each(['', 'no JSON', 'null', '[]', exported({ SecretAccessKey: '' })])('are not %j', async (text) => {
    await expect(credentialSource({}, () => Promise.resolve(text))()).rejects.toThrow(CredentialError);
  });
});

describe('npm run console', () => {
  const entry = fileURLToPath(new URL('../../../functions/cli/commands/console.ts', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'cairn-aws-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = (environment: Readonly<Record<string, string>>, ...flags: string[]) =>
    new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [entry, ...flags], { env: environment }, (error, _stdout, stderr) =>
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

  it('tells mistakes of its flags', async () => {
    const { code, stderr } = await run({}, '--port=x');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^cairn: --url is needed.*\ncairn: --port "x" is not a port.*\nsee npm run console/,
    );
  });
});
