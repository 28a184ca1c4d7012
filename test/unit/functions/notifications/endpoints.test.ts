import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedCairn, serveCairn } from '../../../helpers/lambda/served-cairn.ts';

let cairn: ServedCairn;
beforeAll(async () => {
  cairn = await serveCairn({ releases: { release_sources: [] }, source: () => null });
});
afterAll(() => cairn.close());

async function ask(method: string, path: string, body?: unknown) {
  const response = await fetch(new URL(path, cairn.url), {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}

describe.each(['/v1/notifications', '/v1/news'])('%s', (base) => {
  const path = `${base}/webhook`;
  const url = 'https://hooks.example.com/services/secret';

  it('keeps the address of a webhook to itself', async () => {
    const put = await ask('PUT', path, { url, format: 'teams' });
    expect([put.status, put.body]).toMatchObject([200, { host: 'hooks.example.com', format: 'teams' }]);
    const { text: whole, body } = await ask('GET', base);
    expect(whole).not.toContain('secret');
    expect(body).toMatchObject({ webhook: { host: 'hooks.example.com' }, undelivered: [] });
    expect((await ask('DELETE', path)).status).toBe(204);
    const again = await ask('DELETE', path);
    expect([again.status, again.body['detail']]).toEqual([404, `no webhook is set; PUT ${path} sets one`]);
    expect((await ask('GET', base)).body).toMatchObject({ webhook: null });
  });

  it.each([
    [{ url: 'http://hooks.example.com/x', format: 'slack' }, '/url'],
    [{ url: 'https://127.0.0.1/x', format: 'slack' }, '/url'],
    [{ url: 'https://user:pw@hooks.example.com/x', format: 'slack' }, '/url'],
    [{ url: 'https://hooks.example.com:8443/x', format: 'slack' }, '/url'],
    [{ url: 'no url', format: 'slack' }, '/url'],
    [{ url, format: 'irc' }, '/format'],
    [{ url }, '/format'],
  ])('refuses %j', async (body, pointer) => {
    const answer = await ask('PUT', path, body);
    expect([answer.status, answer.body['errors']]).toMatchObject([400, [{ pointer }]]);
  });
});
