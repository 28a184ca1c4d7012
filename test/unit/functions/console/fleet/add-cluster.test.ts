import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  clusterIdIn,
  nameFault,
  sendDocuments,
} from '../../../../../functions/console/fleet/add-cluster.tsx';

describe('documents that are sent', () => {
  const fetch = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
  beforeEach(() => {
    fetch.mockReset().mockImplementation(async () => new Response('{}'));
    vi.stubGlobal('fetch', fetch);
    vi.stubGlobal('sessionStorage', { getItem: () => null });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const sent = async () => {
    const [path, { method, body, headers }] = fetch.mock.calls[0]!;
    const bytes = Buffer.from(await new Response(body).arrayBuffer());
    return { path, method, bytes, type: (headers as Record<string, string>)['content-type'] };
  };

  it('go in a row, as they are', async () => {
    await sendDocuments('PUT', '/v1/clusters/a', ['{"a":1}', '{"ü":2}']);
    const { bytes, ...rest } = await sent();
    expect(rest).toEqual({ path: '/v1/clusters/a', method: 'PUT', type: 'application/json' });
    expect(bytes.toString()).toBe('{"a":1}\n{"ü":2}\n');
  });

  it('go compressed when they are large', async () => {
    const text = JSON.stringify({ items: 'x'.repeat(1024 * 1024) });
    await sendDocuments('POST', '/v1/upgrade-plans', [text]);
    const { bytes, type } = await sent();
    expect(type).toBe('application/gzip');
    expect(gunzipSync(bytes).toString()).toBe(`${text}\n`);
  });

  it('are refused here when they are too large for a request', async () => {
    const noise = randomBytes(5 * 1024 * 1024).toString('base64');
    await expect(sendDocuments('POST', '/v1/upgrade-plans', [noise])).rejects.toMatchObject({
      name: 'ApiError',
      code: 'body-too-large',
      message: expect.stringContaining('POST /v1/uploads') as string,
    });
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('the name that documents propose', () => {
  it.each([
    [['{"spec":{"clusterID":"6b7d5a3e-2f41"}}'], '6b7d5a3e-2f41'],
    [['{"spec": {"clusterID" :\n "a-1"}}'], 'a-1'],
    [['{"kind":"List"}', '{"clusterID":"second"}', '{"clusterID":"third"}'], 'second'],
    [[], null],
    [['not JSON "clusterID"'], null],
    // A document within a text, as annotations hold them.
    [[String.raw`{"a":"{\"clusterID\":\"inner\"}"}`], null],
    [['{"clusterID":"../../v1/sync"}'], null],
    [['{"clusterID":"<b>"}'], null],
    [[`{"clusterID":"${'x'.repeat(101)}"}`], null],
    [['{"clusterID":7}'], null],
  ])('%j', (texts, id) => {
    expect(clusterIdIn(texts)).toBe(id);
  });
});

describe('names of clusters', () => {
  it.each(['prod-1', 'a', '6b7d5a3e-2f41-4c0a', 'eu.west_2', '...', 'x'.repeat(100)])('%s', (name) => {
    expect(nameFault(name)).toBeNull();
  });

  it.each(['', '.', '..', 'a b', 'a/b', 'ä', '%2e', 'x'.repeat(101)])('refuses %j', (name) => {
    expect(nameFault(name)).toMatch(/\.$/);
  });
});
