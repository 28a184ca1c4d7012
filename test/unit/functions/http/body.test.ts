import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES, MAX_INFLATED_BYTES, refuseExcess } from '../../../../functions/http/body.ts';
import { type Route, routeKey } from '../../../../functions/http/route.ts';
import { routes } from '../../../../functions/routes.ts';
import { type Deployment, startDeployment } from '../../../helpers/lambda/deployment.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment({ releases: { release_sources: [] }, source: () => ({ status: 404 }) });
  const pruner = { suspend: true, target: { bucket: 'registry', prefix: 'prod' } };
  const { status } = await deployment.request('PUT', '/v1/image-pruners/one', {
    body: JSON.stringify(pruner),
    headers: { 'content-type': 'application/json' },
  });
  if (status !== 201) throw new Error(`the pruner was answered ${status}`);
});
afterAll(() => deployment.close());

const GZIP = { 'content-encoding': 'gzip', 'content-type': 'application/gzip' };

interface Refusal {
  readonly type: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** Every route with a body, by what is wrong with `{"x": 1}` for it: to say so it must have been read. */
const ROUTES = [
  ['of manage', '/v1/sync/runs'],
  ['of query', '/v1/upgrade-paths'],
] as const;

async function send(path: string, body: Buffer, headers: Record<string, string>, method = 'POST') {
  const {
    status,
    headers: answered,
    body: answer,
  } = await deployment.request(method, path, { body, headers });
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

  it('that the gateway took for text is refused with how to send it', async () => {
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

/** The evaluation of resources needs a policy before it reads documents. */
const DOCUMENT_ROUTES = (routes as readonly Route[])
  .filter(({ documents }) => documents !== undefined)
  .map((route) => {
    const query = route.id === 'evaluateResourcePruning' ? '?older_than=1d' : '';
    return [routeKey(route), route.method, `${route.path.replace(/\{\w+\}/, 'one')}${query}`] as const;
  });

const inPod = (text: string) => `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a",${text}}}`;
const VALUES = 'an object has more than 200000 values';
const OBJECTS = 'there are more than 160000 objects and lists';
const DEEP = 'lists are nested deeper than 16 levels';

/** Compressed once, with the column of the text at which reading stops. */
const DENSE = (
  [
    ['lists', `[${'[],'.repeat(20_000_000)}[]]`, 479_999, OBJECTS],
    ['items that are no objects', `[${'0,'.repeat(2_000_000)}0]`, 320_000, OBJECTS],
    ['lists in a row', '[]'.repeat(2_000_000), 320_001, OBJECTS],
    ['documents in a row', '{"kind":"A"}'.repeat(500_000), 1_920_012, OBJECTS],
    ['items of a List', `{"kind":"List","items":[${'{},'.repeat(500_000)}{}]}`, 480_023, OBJECTS],
    ['items of which the kind comes last', `{"items":[${'{},'.repeat(500_000)}{}]}`, 480_009, OBJECTS],
    ['lists in a List', `{"kind":"List","items":[${'{"items":[]},'.repeat(500_000)}{}]}`, 2_080_021, OBJECTS],
    ['annotations', inPod(`"annotations":{${'"":"",'.repeat(500_000)}"":""}`), 1_200_041, VALUES],
    ['managed fields', inPod(`"managedFields":[${'{},'.repeat(500_000)}{}]`), 300_065, VALUES],
    ['members', `{"kind":"Pod",${'"a":{},'.repeat(500_000)}"a":{}}`, 700_013, VALUES],
    ['space in it', inPod(`"a":[${`[],${' '.repeat(50)}`.repeat(500_000)}0]`), 5_299_903, VALUES],
    ['lists of lists', `${'['.repeat(900)}${'[],'.repeat(500_000)}[]${']'.repeat(900)}`, 17, DEEP],
  ] as const
).map(([name, text, column, detail]) => [name, gzipSync(text, { level: 1 }), column, detail] as const);

describe.each(DOCUMENT_ROUTES)('documents on %s', (_key, method, path) => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const BYTES = { 'content-type': 'application/octet-stream' };

  it.each(DENSE)('are read up to their limit: %s', async (_name, body, column, detail) => {
    const { status, type, errors } = await send(path, body, GZIP, method);
    expect([status, type]).toEqual(
      detail === DEEP
        ? [400, 'urn:cairn:problem:invalid-documents']
        : [413, 'urn:cairn:problem:body-too-large'],
    );
    expect(errors?.map((error) => error.detail)).toEqual([`line 1, column ${column}: ${detail}`]);
  });

  it.each<[string, Record<string, string>, (text: string) => Promise<Buffer> | Buffer, string]>([
    ['as text', JSON_TYPE, (text) => Buffer.from(text), OBJECTS],
    ['as bytes', BYTES, (text) => Buffer.from(text), OBJECTS],
    ['in a request', JSON_TYPE, (text) => Buffer.from(`{"documents":${text}}`), OBJECTS],
    ['in a compressed request', GZIP, (text) => gzipSync(`{"documents":${text}}`), OBJECTS],
    ['in an upload', JSON_TYPE, uploaded, 'there are more than 1000000 objects and lists'],
    ['in a compressed upload', JSON_TYPE, (text) => uploaded(gzipSync(text)), '1000000 objects and lists'],
  ])('are refused %s', async (_way, headers, bodyOf, detail) => {
    const body = await bodyOf(`[${'[],'.repeat(1_000_000)}[]]`);
    const answer = await send(path, body, headers, method);
    expect([answer.status, answer.type]).toEqual([413, 'urn:cairn:problem:body-too-large']);
    expect(answer.detail).toContain(detail);
    expect(answer.detail).toContain('send what `oc get … -o json` prints, with fewer kinds in one request');
  });

  it.each([
    ['members', `{${'"":0,'.repeat(2_000_000)}"documents":[]}`],
    ['documents', `{${'"documents":[],'.repeat(1_000_000)}"documents":[]}`],
  ])('are refused beside too many %s', async (_name, text) => {
    const { status, type, detail } = await send(path, gzipSync(text, { level: 1 }), GZIP, method);
    expect([status, type]).toEqual([413, 'urn:cairn:problem:body-too-large']);
    expect(detail).toContain('the body has more than 1000 members');
  });
});

/** The request that names them. */
async function uploaded(documents: string | Buffer): Promise<Buffer> {
  const { body } = await deployment.request('POST', '/v1/uploads');
  const { upload, url } = body as { upload: string; url: string };
  const { status } = await fetch(url, { method: 'PUT', body: new Uint8Array(Buffer.from(documents)) });
  expect(status).toBe(200);
  return Buffer.from(JSON.stringify({ upload }));
}

it('refuses more values or levels with a problem that says which', () => {
  expect(() => refuseExcess(Buffer.from('[1,2]'), 1)).toThrow('more than 1 values');
  expect(() => refuseExcess(Buffer.from('['.repeat(1001)), 5000)).toThrow('deeper than 1000 levels');
});
