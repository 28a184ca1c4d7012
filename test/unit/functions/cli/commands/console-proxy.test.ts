import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedFront, startSignedFront } from '../../../../../functions/cli/commands/console-proxy.ts';
import { type AwsCredentials, CredentialError } from '../../../../../functions/outbound/signing.ts';
import {
  KEY,
  REGION,
  startVerifyingService,
  type VerifyingService,
} from '../../../../helpers/local/verifying-service.ts';

let service: VerifyingService;
let front: SignedFront;
let credentials: () => Promise<AwsCredentials>;
beforeAll(async () => {
  service = await startVerifyingService();
  front = await startSignedFront({
    url: service.url,
    region: REGION,
    port: 0,
    credentials: () => credentials(),
  });
});
afterAll(() => Promise.all([front.close(), service.close()]));
beforeEach(() => {
  credentials = () => Promise.resolve(KEY);
  service.seen.length = 0;
});

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As it is written, unlike what `fetch` would make of it. */
function ask(target: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const { hostname, port } = new URL(front.url);
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const sent = httpRequest({ hostname, port, path: target, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    },
  );
}

describe('the console of a deployment that takes only signed requests', () => {
  it.each<[string, string, Asked, string]>([
    ['a page', '/', {}, 'GET /'],
    ['a question', '/v1/upgrade-paths?from=4.14.1&to=4.16', {}, 'GET /v1/upgrade-paths?from=4.14.1&to=4.16'],
    [
      'a question as browsers write it',
      "/v1/clusters?find=a+b&find=%C3%A4*'&empty",
      {},
      'GET /v1/clusters?find=a%20b&find=%C3%A4%2A%27&empty=',
    ],
    ['a path with encoded letters', '/v1/clusters/a%2Fb%20c', {}, 'GET /v1/clusters/a%2Fb%20c'],
    [
      'a change',
      '/v1/clusters/prod',
      { method: 'PUT', body: '{"kind": "Lïst"}', headers: { 'content-type': 'application/json' } },
      'PUT /v1/clusters/prod',
    ],
    ['a deletion', '/v1/clusters/prod', { method: 'DELETE' }, 'DELETE /v1/clusters/prod'],
  ])('%s is signed', async (_what, target, asked, line) => {
    expect(await ask(target, asked)).toMatchObject({ status: 200, body: '{"signed":true}' });
    expect(service.seen.map((each) => [each.line, each.body])).toEqual([[line, asked.body ?? '']]);
  });

  it('passes on what is about the content, and nothing about who asks', async () => {
    const about = {
      accept: 'text/html',
      'accept-encoding': 'gzip, br',
      'content-type': 'application/json',
      'if-match': '"b"',
    };
    const secret = {
      cookie: 'session=1',
      authorization: 'Bearer token',
      'user-agent': 'browser',
      referer: 'x',
    };
    const answer = await ask('/v1/x', { method: 'PUT', headers: { ...about, ...secret }, body: '{}' });
    const [{ headers } = { headers: {} }] = service.seen;
    expect(headers).toMatchObject({ ...about, host: new URL(service.url).host });
    expect(JSON.stringify(headers)).not.toMatch(/session=1|Bearer|browser|referer/);
    expect(answer.headers).toMatchObject({ etag: '"a"', 'content-type': 'application/json' });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('answers without a body as the service does', async () => {
    expect(await ask('/', { headers: { 'if-none-match': '"a"' } })).toMatchObject({ status: 304, body: '' });
    expect(await ask('/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  });

  it('signals the page that its requests are signed', async () => {
    expect((await ask('/sign-in.json')).body).toBe('{"kind":"signed"}');
    expect(service.seen).toEqual([]);
  });

  it.each<[string, string, Asked]>([
    ['a name that is pointed here', '/', { headers: { host: 'evil.example:8081' } }],
    ['a page of another host', '/', { headers: { origin: 'https://evil.example' } }],
    ['a page without an origin', '/v1/x', { method: 'POST', headers: { origin: 'null' } }],
    ['a picture in another page', '/v1/sync', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['another port of this machine', '/v1/sync', { headers: { 'sec-fetch-site': 'same-site' } }],
    [
      'a form of another page',
      '/v1/x',
      { method: 'POST', headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } },
    ],
  ])('refuses %s', async (_what, target, asked) => {
    expect((await ask(target, asked)).status).toBe(403);
    expect(service.seen).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['the page itself', { 'sec-fetch-site': 'same-origin', origin: 'own' }],
    ['an address that somebody types', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['a link of another page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['localhost', { host: 'localhost:8081' }],
  ])('takes %s', async (_what, headers) => {
    const own = headers['origin'] === 'own' ? { ...headers, origin: front.url } : headers;
    expect((await ask('/', { headers: own })).status).toBe(200);
  });

  it.each(['//evil.example/x', 'http://evil.example/', 'nothing'])(
    'asks no other host: %s',
    async (target) => {
      expect((await ask(target)).status).toBe(400);
      expect(service.seen).toEqual([]);
    },
  );

  it('refuses what the service would refuse for its size', async () => {
    const { status } = await ask('/v1/x', { method: 'PUT', body: 'x'.repeat(4 * 1024 * 1024 + 1) });
    expect([status, service.seen]).toEqual([413, []]);
  });

  it('passes on the message of AWS when a key has no permission', async () => {
    credentials = () => Promise.resolve({ ...KEY, secretAccessKey: 'another' });
    expect(await ask('/v1/sync')).toMatchObject({ status: 403, body: '{"message":"Forbidden"}' });
  });

  it('says when there are no credentials any more', async () => {
    credentials = () => Promise.reject(new CredentialError('the session is over', true));
    expect(JSON.parse((await ask('/v1/sync')).body)).toEqual({
      title: 'The request could not be signed',
      status: 502,
      detail: 'the session is over',
    });
  });

  it('says when the service cannot be reached, and goes on', async () => {
    const gone = await startVerifyingService();
    await gone.close();
    const other = await startSignedFront({ url: gone.url, region: REGION, port: 0, credentials });
    for (let round = 0; round < 2; round++) {
      const response = await fetch(`${other.url}/v1/sync`);
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject({ title: 'The service cannot be reached' });
    }
    await other.close();
  });
});
