import { createServer as createTlsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CincinnatiOptions } from '../../../../functions/outbound/cincinnati.ts';
import { createAuthority } from '../../../helpers/upstream/certificates.ts';
import { good, listen, open, type Options, serve } from './own-upstream.ts';

describe('addresses', () => {
  test('a name that turns inward is caught at the next connection', async () => {
    const { url, requests } = await serve((request, response) => {
      response.shouldKeepAlive = false;
      good(request, response);
    });
    const { port } = new URL(url);
    let lookups = 0;
    const client = open({
      url: `http://graph.localhost:${port}/graph`,
      resolve: () =>
        Promise.resolve([{ address: ++lookups === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]),
    });
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ ok: true });
    expect(lookups).toBe(1);
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({
      ok: false,
      code: 'EgressDenied',
      detail: 'graph.localhost resolves to 169.254.169.254, which is not this machine',
      attempts: 1,
    });
    expect([lookups, requests()]).toEqual([2, 1]);
  });

  test('a public name that points here gets no connection', async () => {
    const { server, url } = await serve(good);
    let connections = 0;
    server.on('connection', () => connections++);
    const client = open({
      url: `https://graph.example.com:${new URL(url).port}/graph`,
      policy: { privateAccess: [{ host: 'graph.example.com', cidr: '10.0.0.0/8' }], allowLoopbackHttp: true },
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ code: 'EgressDenied' });
    expect(connections).toBe(0);
  });
});

describe('TLS', () => {
  const authority = createAuthority('cairn test authority');
  const stranger = createAuthority('somebody else');

  async function serveTls(): Promise<{ options: Options; serverNames: unknown[] }> {
    const { certificate, key } = authority.issue({ host: 'graph.localhost' });
    const serverNames: unknown[] = [];
    const server = createTlsServer({ cert: certificate, key }, (request, response) => {
      serverNames.push((request.socket as TLSSocket & { servername?: unknown }).servername);
      good(request, response);
    });
    const port = await listen(server);
    return {
      options: {
        url: `https://graph.localhost:${port}/graph`,
        resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      },
      serverNames,
    };
  }

  test('an own authority is trusted, and the host is named in the handshake', async () => {
    const { options, serverNames } = await serveTls();
    const client = open({ ...options, ca: authority.certificate });
    expect(await client.fetchGraph('stable-4.12', 'amd64')).toMatchObject({ ok: true });
    expect(serverNames).toEqual(['graph.localhost']);
  });

  test.each<[string, Pick<CincinnatiOptions, 'ca'>]>([
    ['the authorities of Node', {}],
    ['another authority', { ca: stranger.certificate }],
  ])('a certificate unknown to %s is refused once', async (_name, ca) => {
    const { options, serverNames } = await serveTls();
    expect(await open({ ...options, ...ca }).fetchGraph('stable-4.12', 'amd64')).toMatchObject({
      code: 'TlsRefused',
      attempts: 1,
    });
    expect(serverNames).toEqual([]);
  });

  test('the environment cannot switch the check off', async () => {
    const { options } = await serveTls();
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await open(options).fetchGraph('stable-4.12', 'amd64')).toMatchObject({ code: 'TlsRefused' });
  });
});
