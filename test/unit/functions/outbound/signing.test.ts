import { describe, expect, it } from 'vitest';
import { awsCredentials, CredentialError, signRequests } from '../../../../functions/outbound/signing.ts';

const KEYS = { accessKeyId: 'AKIA', secretAccessKey: 'secret' };
const exported = (more: object = {}): string =>
  JSON.stringify({
    Version: 1,
    AccessKeyId: 'ASIA',
    SecretAccessKey: 'other',
    SessionToken: 'session',
    ...more,
  });
const none = async () => null;
const never = () => Promise.reject(new Error('not to be asked'));

describe('credentials', () => {
  it('are those of the AWS SDK first', async () => {
    expect(await awsCredentials({ fromSdk: async () => KEYS, exportCredentials: never })()).toEqual(KEYS);
  });

  it('are those of the aws command else, and are asked for again before they end', async () => {
    let now = Date.parse('2026-01-01T12:00:00Z');
    let asked = 0;
    const ends = ['2026-01-01T13:00:00Z', '2026-01-01T14:00:00Z'];
    const source = awsCredentials({
      fromSdk: none,
      exportCredentials: () => Promise.resolve(exported({ Expiration: ends[asked++] })),
      clock: () => now,
    });
    // Requests at the same time search once.
    const [first, second] = await Promise.all([source(), source()]);
    expect(first).toEqual({
      accessKeyId: 'ASIA',
      secretAccessKey: 'other',
      sessionToken: 'session',
      expiration: new Date(ends[0]!),
    });
    expect(second).toBe(first);
    now = Date.parse('2026-01-01T12:58:59Z');
    await source();
    expect(asked).toBe(1);
    now = Date.parse('2026-01-01T12:59:30Z');
    expect((await source()).expiration).toEqual(new Date(ends[1]!));
    expect(asked).toBe(2);
  });

  it('are searched for again after a failure', async () => {
    const answers = ['no JSON', exported()];
    const source = awsCredentials({ fromSdk: none, exportCredentials: async () => answers.shift()! });
    await expect(source()).rejects.toThrow('what the aws command printed is no credentials');
    await expect(source()).resolves.toMatchObject({ accessKeyId: 'ASIA' });
  });

  it.each(['', 'no JSON', 'null', '[]', exported({ SecretAccessKey: '' })])('are not %j', async (text) => {
    const source = awsCredentials({ fromSdk: none, exportCredentials: async () => text });
    await expect(source()).rejects.toThrow(CredentialError);
  });
});

describe('requests', () => {
  const request = {
    method: 'GET',
    url: new URL('https://cairn.example.com/v1/sync'),
    headers: {},
    body: Buffer.alloc(0),
  };
  const signer = (credentials: () => Promise<typeof KEYS>, region: string | null = 'eu-west-1') =>
    signRequests(region, 'cairn.example.com', credentials);

  it('are signed with the credentials of the user, for a region', async () => {
    expect(await signer(async () => KEYS)(request)).toMatchObject({
      authorization: expect.stringContaining('AKIA') as string,
    });
    await expect(signer(async () => KEYS, null)(request)).rejects.toThrow(
      'the region of cairn.example.com is not known',
    );
  });

  it('stay unsigned when there are no credentials, which is found out once', async () => {
    let asked = 0;
    const authorize = signer(async () => {
      asked++;
      throw new CredentialError('there are none', true);
    }, null);
    expect([await authorize(request), await authorize(request), asked]).toEqual([{}, {}, 1]);
  });

  it('fail with credentials that cannot be used', async () => {
    const broken = signer(() => Promise.reject(new CredentialError('the profile is broken', false)));
    await expect(broken(request)).rejects.toMatchObject({
      name: 'Failure',
      lines: ['the profile is broken'],
    });
  });
});
