import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { postMessages } from '../../../../functions/notifications/post-webhook.ts';

const message = { id: 'm', at: '2026-01-01T00:00:00.000Z', title: 'prod is blocked', lines: [], count: 1 };
const post = postMessages({ allowLoopbackHttp: true });

let close: () => void = () => {};
afterEach(() => close());

/** A webhook on this machine. */
async function webhook(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

describe('a message', () => {
  it('is posted as JSON in the form of the webhook', async () => {
    const seen: unknown[] = [];
    const url = await webhook((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, headers } = request;
        seen.push([method, headers['content-type'], JSON.parse(Buffer.concat(chunks).toString())]);
        response.end('ok');
      });
    });
    expect(await post({ url, format: 'slack' }, message, 5000)).toEqual({ ok: true });
    expect(seen).toEqual([
      ['POST', 'application/json', { text: 'prod is blocked', mrkdwn: false, unfurl_links: false }],
    ]);
  });

  it.each<[string, RequestListener, string]>([
    ['answers with an error', (_, response) => response.writeHead(500).end(), 'it answered 500'],
    [
      'leads elsewhere',
      (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'it answered 302',
    ],
    ['hangs up', (request) => request.socket.destroy(), 'other side closed'],
    ['never answers', () => {}, 'The operation was aborted due to timeout'],
  ])('that a webhook refuses, which %s, comes back as such', async (_what, answer, detail) => {
    const url = await webhook(answer);
    expect(await post({ url, format: 'json' }, message, 300)).toEqual({ ok: false, detail });
  });

  it('is taken when the answer is without end', async () => {
    const url = await webhook((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(timer));
    });
    expect(await post({ url, format: 'teams' }, message, 5000)).toEqual({ ok: true });
  });

  it.each([
    ['http://127.0.0.1:9/x', 'scheme http: is not allowed, use https:'],
    ['https://127.0.0.1/x', '127.0.0.1 is an address, use a host name'],
    ['https://localhost/x', /^localhost resolves to .+ \(loopback\), only public addresses are allowed$/],
    [
      'https://user:secret@chat.example.com/x',
      'the URL holds credentials, use one without a user and password',
    ],
    ['nonsense', '"nonsense" is not a URL'],
  ])('never goes from a deployment to %s', async (url, detail) => {
    const result = await postMessages({ allowLoopbackHttp: false })({ url, format: 'json' }, message, 1000);
    expect(result).toEqual({ ok: false, detail: expect.stringMatching(detail) as unknown });
  });
});
