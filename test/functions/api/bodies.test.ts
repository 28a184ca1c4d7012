import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES, MAX_INFLATED_BYTES } from '../../../functions/runtime/body.ts';
import { type Deployment, startDeployment } from '../../helpers/deployment.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: { release_sources: [] }, source: () => ({ status: 404 }) });
}, 120_000);
afterAll(() => deployment.close());

const GZIP = { 'content-encoding': 'gzip', 'content-type': 'application/gzip' };

interface Refusal {
  readonly type: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string }[];
}

/** Every route with a body, by what is wrong with `{"x": 1}` for it: to say so it must have been read. */
const ROUTES = [
  ['of manage', '/v1/sync/runs'],
  ['of query', '/v1/upgrade-paths'],
] as const;

async function send(path: string, body: Buffer, headers: Record<string, string>) {
  const {
    status,
    headers: answered,
    body: answer,
  } = await deployment.request('POST', path, { body, headers });
  return { status, headers: answered, ...(answer as Refusal) };
}

describe.each(ROUTES)('a compressed body on a route %s', (_name, path) => {
  const json = Buffer.from('{"x":1}');
  it.each<[string, Buffer, Record<string, string>]>([
    ['with the header that says so', gzipSync(json), GZIP],
    ['by its other name', gzipSync(json), { ...GZIP, 'content-encoding': ' X-GZIP' }],
    ['without the header', gzipSync(json), { 'content-type': 'application/octet-stream' }],
    ['in two members', Buffer.concat([gzipSync(json.subarray(0, 3)), gzipSync(json.subarray(3))]), GZIP],
    [
      'that is not compressed and says so',
      json,
      { 'content-encoding': 'identity', 'content-type': 'application/json' },
    ],
    [
      'of the largest size',
      gzipSync(Buffer.concat([json, Buffer.alloc(MAX_INFLATED_BYTES - json.length, ' ')])),
      GZIP,
    ],
  ])('%s', async (_form, body, headers) => {
    const answer = await send(path, body, headers);
    expect([answer.status, answer.type]).toEqual([400, 'urn:cairn:problem:invalid-body']);
    expect(answer.errors?.map(({ pointer }) => pointer)).toContain('/x');
  });

  it('that inflates to more than is accepted is not inflated to its end', async () => {
    const bomb = gzipSync(Buffer.alloc(MAX_INFLATED_BYTES + 1, ' '), { level: 9 });
    const members = Buffer.concat(Array.from({ length: 50 }, () => bomb));
    expect(members.length).toBeLessThan(MAX_BODY_BYTES);
    const { status, type, detail } = await send(path, members, GZIP);
    expect([status, type]).toEqual([413, 'urn:cairn:problem:body-too-large']);
    expect(detail).toContain(
      `at most ${MAX_BODY_BYTES} are accepted as sent and ${MAX_INFLATED_BYTES} inflated`,
    );
  });

  it.each<[string, Buffer]>([
    ['cut off', gzipSync(json).subarray(0, -1)],
    [
      'with a wrong checksum',
      Buffer.from(gzipSync(json).map((byte, at, all) => (at === all.length - 8 ? byte ^ 1 : byte))),
    ],
    ['that is none', json],
  ])('%s is refused', async (_fault, body) => {
    const { status, type, detail } = await send(path, body, GZIP);
    expect([status, type]).toEqual([400, 'urn:cairn:problem:invalid-body']);
    expect(detail).toMatch(/^the body is not whole gzip: \w/);
  });

  it('that the gateway took for text is told how to be sent', async () => {
    const { status, type, detail } = await send(path, gzipSync(json), {
      ...GZIP,
      'content-type': 'application/json',
    });
    expect([status, type]).toEqual([400, 'urn:cairn:problem:invalid-body']);
    expect(detail).toContain('content type application/gzip');
  });

  it.each(['br', 'deflate', 'gzip, gzip'])('in %s is refused', async (encoding) => {
    const answer = await send(path, json, { ...GZIP, 'content-encoding': encoding });
    expect([answer.status, answer.type]).toEqual([415, 'urn:cairn:problem:unsupported-media-type']);
    expect(answer.detail).toContain(
      `content encoding "${encoding}" was sent, gzip and identity are accepted`,
    );
    expect(answer.headers['accept-encoding']).toBe('gzip, identity');
  });

  it.each([
    ['as they are', (size: number) => Buffer.alloc(size, ' ')],
    [
      'said to be gzip',
      (size: number) => Buffer.concat([gzipSync(json), Buffer.alloc(size)]).subarray(0, size),
    ],
  ])('and the limit of bytes %s', async (_form, make) => {
    const headers = { 'content-type': 'application/octet-stream' };
    const { status, type, detail } = await send(path, make(MAX_BODY_BYTES + 1), headers);
    expect([status, type]).toEqual([413, 'urn:cairn:problem:body-too-large']);
    expect(detail).toContain(`${MAX_BODY_BYTES + 1} bytes were sent`);
    expect((await send(path, make(MAX_BODY_BYTES), headers)).status).toBe(400);
  });
});

it('a page cannot post a form', async () => {
  const body = Buffer.from('{}');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, type } = await send('/v1/sync/runs', body, headers);
  expect([status, type]).toEqual([415, 'urn:cairn:problem:unsupported-media-type']);
});
