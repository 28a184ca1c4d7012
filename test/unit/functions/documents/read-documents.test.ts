import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { inflatedUpload, readDocumentInput } from '../../../../functions/documents/read-documents.ts';
import { Problem } from '../../../../functions/http/problem.ts';
import type { Uploads } from '../../../../functions/uploads/store.ts';
import { sized } from '../../../helpers/size.ts';

const FIELDS = z.strictObject({
  target: z.optional(z.string().check(z.regex(/^\d+\.\d+$/, { error: 'a minor such as 4.16 is accepted' }))),
  channel: z.optional(z.union([z.string(), z.array(z.string())])),
  accept: z.optional(z.array(z.string())),
  strict: z.optional(z.boolean()),
  pools: z.optional(z.int()),
});
const UPLOAD = 'AAAAAAAAAAAAAAAAAAAA-_';

const node = (name: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
const list = (...items: object[]) => ({ apiVersion: 'v1', items, kind: 'List', metadata: {} });

interface Input {
  readonly body: string | Uint8Array;
  readonly query?: Readonly<Record<string, string>>;
  /** By id, in pieces. */
  readonly uploads?: Readonly<Record<string, readonly Uint8Array[]>>;
}

function read({ body, query = {}, uploads = {} }: Input) {
  const store: Uploads = {
    create: () => Promise.reject(new Error('not asked for')),
    open: async (id) => (uploads[id] ? Readable.from(uploads[id]) : null),
  };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return readDocumentInput({ body: bytes, query }, FIELDS, async () => store);
}

async function refusal(input: Input) {
  const problem: unknown = await read(input).catch((error: unknown) => error);
  if (!(problem instanceof Problem)) throw new Error(`no problem but ${JSON.stringify(problem)}`);
  return { code: problem.code, message: problem.message, errors: problem.errors };
}

const names = (facts: { nodes: readonly { name: string }[] | null }) => facts.nodes?.map(({ name }) => name);

describe('the forms of a body', () => {
  const two = [node('a'), node('b')];
  const fields = { target: '4.16', accept: ['A', 'B'] };
  const query = { target: '4.16', accept: 'A,B' };
  const text = JSON.stringify(list(...two));
  it.each<[string, Input]>([
    ['a list of documents in a request', { body: JSON.stringify({ documents: two, ...fields }) }],
    ['one document in a request', { body: JSON.stringify({ ...fields, documents: list(...two) }, null, 2) }],
    [
      'a request that begins with a mark',
      { body: `\uFEFF ${JSON.stringify({ documents: two, ...fields })}` },
    ],
    [
      'a request whose key is escaped',
      { body: `{"docu\\u006dents":${text},"target":"4.16","accept":["A","B"]}` },
    ],
    [
      'a request with some of its fields in the query',
      { body: JSON.stringify({ documents: two, accept: ['A', 'B'] }), query: { target: '4.16' } },
    ],
    ['a List', { body: text, query }],
    ['an array', { body: JSON.stringify(two), query }],
    ['documents in a row', { body: `${JSON.stringify(two[0])}\n${JSON.stringify(two[1])}`, query }],
    [
      'an object that says its kind last',
      {
        body: '{"items":[{"kind":"Node","metadata":{"name":"a"}},{"kind":"Node","metadata":{"name":"b"}}],"documents":1,"kind":"List"}',
        query,
      },
    ],
    [
      'an upload',
      { body: JSON.stringify({ upload: UPLOAD, ...fields }), uploads: { [UPLOAD]: [Buffer.from(text)] } },
    ],
    [
      'an upload of gzip',
      { body: JSON.stringify({ ...fields, upload: UPLOAD }), uploads: { [UPLOAD]: [gzipSync(text)] } },
    ],
    [
      'an upload that comes byte by byte',
      {
        body: JSON.stringify({ ...fields, upload: UPLOAD }),
        uploads: { [UPLOAD]: Array.from(gzipSync(text), (byte) => Buffer.from([byte])) },
      },
    ],
  ])('%s', async (_name, input) => {
    const { fields: read_, facts, input: summary } = await read(input);
    expect(read_).toEqual(fields);
    expect(names(facts)).toEqual(['a', 'b']);
    expect(summary.objects).toBe(2);
  });
});

it.each([
  [0, []],
  [2, [node('a'), list(node('b'), node('c'))]],
  [1, list(node('a'), node('b'))],
])('counts %i documents of a request', async (count, documents) => {
  for (const indent of [0, 2]) {
    const { input } = await read({ body: JSON.stringify({ documents }, null, indent) });
    expect(input.documents).toBe(count);
  }
});

describe('fields in the query', () => {
  it.each<[string, Record<string, string>, object]>([
    ['a list of one', { accept: 'A' }, { accept: ['A'] }],
    ['a text or a list', { channel: 'stable-4.16' }, { channel: 'stable-4.16' }],
    ['a text or a list of two', { channel: 'a,b' }, { channel: ['a', 'b'] }],
    ['a flag without a value', { strict: '' }, { strict: true }],
    ['a flag that is off', { strict: 'FALSE' }, { strict: false }],
    ['a number', { pools: '3' }, { pools: 3 }],
  ])('%s', async (_name, query, expected) => {
    expect((await read({ body: '[]', query })).fields).toEqual(expected);
  });

  it.each<[string, Input, object]>([
    [
      'not as it should be',
      { body: '[]', query: { target: 'x' } },
      { parameter: 'target', value: 'x', detail: 'a minor such as 4.16 is accepted' },
    ],
    [
      'no flag',
      { body: '[]', query: { strict: 'maybe' } },
      { parameter: 'strict', value: 'maybe', detail: 'true or false is accepted' },
    ],
    [
      'no number',
      { body: '[]', query: { pools: '1e9' } },
      { parameter: 'pools', value: '1e9', detail: 'a number is accepted' },
    ],
  ])('%s', async (_name, input, error) => {
    expect(await refusal(input)).toMatchObject({ code: 'invalid-parameter', errors: [error] });
  });
});

describe('a request that is not right', () => {
  const documents = '"documents":[]';
  it.each<[string, string, object]>([
    [
      'a field that is not right',
      `{${documents},"target":4.16}`,
      { pointer: '/target', detail: 'a text is accepted' },
    ],
    [
      'a field that is not known',
      `{${documents},"tarket":"4.16"}`,
      { pointer: '/tarket', detail: 'is not known, did you mean target?' },
    ],
    [
      'a name that is close to documents',
      '{"document":[]}',
      { pointer: '/document', detail: 'is not known, did you mean documents?' },
    ],
    ['a field with a name that objects inherit', `{${documents},"__proto__":1}`, { pointer: '/__proto__' }],
    [
      'no documents',
      '{"target":"4.16"}',
      { pointer: '/documents', detail: expect.stringContaining('is missing') as string },
    ],
    ['nothing at all', '{}', { pointer: '/documents' }],
    [
      'documents that are a text',
      '{"documents":"x"}',
      { pointer: '/documents', detail: expect.stringContaining('oc get') as string },
    ],
    ['documents and an upload', `{${documents},"upload":"${UPLOAD}"}`, { pointer: '/upload' }],
    [
      'an upload that is none',
      '{"upload":"../archive"}',
      { pointer: '/upload', detail: 'an id that POST /v1/uploads gave is accepted' },
    ],
    ['an upload that is a number', '{"upload":1}', { pointer: '/upload' }],
  ])('%s', async (_name, body, error) => {
    expect(await refusal({ body })).toMatchObject({ code: 'invalid-body', errors: [error] });
  });

  it('a field that is in the query as well', async () => {
    const body = `{${documents},"target":"4.16"}`;
    expect(await refusal({ body, query: { target: '4.16' } })).toMatchObject({
      code: 'invalid-body',
      errors: [{ pointer: '/target', detail: 'is given in the query as well' }],
    });
  });

  it.each([
    ['in its documents', '{"target":"4.16","documents":[{"kind":"Node",}]}', /not JSON: .*position 45/],
    [
      'behind its documents',
      '{"documents":[{"kind":"Node","metadata":{"name":"a"}}],"target"}',
      /not JSON: .*position 63/,
    ],
    ['before its documents', '{"target":4.,"documents":[]}', /not JSON: .*position 12/],
    ['cut off', '{"documents":[{"kind":"No', /not JSON: /],
    ['cut off in a key', '{"doc', /not JSON: /],
    ['with something behind it', `{${documents}} x`, /not JSON: /],
  ])('JSON that is broken %s', async (_name, body, message) => {
    const { code, message: told } = await refusal({ body });
    expect([code, told]).toEqual(['invalid-body', expect.stringMatching(message)]);
  });

  it('a broken text beside documents that is too deep to read as a whole', async () => {
    const body = `{"documents":{"kind":"Node"}\n{"kind":"Pod"},"target":${'['.repeat(20_000)}`;
    expect(await refusal({ body })).toMatchObject({ code: 'invalid-body' });
  });

  it('a text that is not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"documents":[],"target":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    expect(await refusal({ body })).toMatchObject({ code: 'invalid-body', message: 'the body is not UTF-8' });
  });
});

describe('documents that are not right', () => {
  const wrong = { kind: 'Node', metadata: { name: 'b', labels: 1 } };
  it.each<[string, Input, object]>([
    [
      'in a request',
      { body: JSON.stringify({ documents: [node('a'), list(node('a'), wrong)] }) },
      { pointer: '/documents/1/items/1/metadata/labels' },
    ],
    [
      'as the only one of a request',
      { body: JSON.stringify({ documents: list(wrong) }) },
      { pointer: '/documents/items/0/metadata/labels' },
    ],
    [
      'in a row',
      { body: `${JSON.stringify(node('a'))}${JSON.stringify(list(wrong))}` },
      { document: 1, pointer: '/items/0/metadata/labels' },
    ],
    [
      'in an upload',
      { body: `{"upload":"${UPLOAD}"}`, uploads: { [UPLOAD]: [Buffer.from(JSON.stringify(wrong))] } },
      { document: 0, pointer: '/metadata/labels' },
    ],
    [
      'no JSON',
      { body: '{"kind":"Node",\n"metadata":}' },
      {
        document: 0,
        pointer: '/metadata',
        detail: expect.stringMatching(/^line 2, column \d+: expected/) as string,
      },
    ],
    [
      'no JSON in an upload',
      { body: `{"upload":"${UPLOAD}"}`, uploads: { [UPLOAD]: [Buffer.from('nothing')] } },
      { document: 0, detail: expect.stringContaining('byte 0: expected an object') as string },
    ],
    [
      'none',
      { body: '' },
      { document: 0, detail: expect.stringContaining('at least one document') as string },
    ],
  ])('%s', async (_name, input, error) => {
    expect(await refusal(input)).toMatchObject({ code: 'invalid-documents', errors: [error] });
  });

  it('are named in the text', async () => {
    const { message } = await refusal({
      body: `${JSON.stringify(node('a'))}${JSON.stringify(list(wrong, { kind: 'Node' }))}`,
    });
    expect(message).toMatch(
      /^document 1 \/items\/0\/metadata\/labels: expected .+; document 1 \/items\/1\/metadata\/name: expected .+$/,
    );
  });
});

describe('an upload', () => {
  const body = `{"upload":"${UPLOAD}"}`;
  it('that is not there', async () => {
    expect(await refusal({ body })).toMatchObject({
      code: 'unknown-upload',
      errors: [{ pointer: '/upload', value: UPLOAD }],
    });
  });

  it.each([
    ['cut off', gzipSync(JSON.stringify(list(node('a')))).subarray(0, -9)],
    ['broken', Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(100, 7)])],
  ])('whose gzip is %s', async (_name, bytes) => {
    expect(await refusal({ body, uploads: { [UPLOAD]: [bytes] } })).toMatchObject({
      code: 'invalid-documents',
      message: expect.stringContaining('the upload is not whole gzip') as string,
    });
  });

  it.each([
    ['at once', '?'],
    ['later on', '{"kind":"Node","metadata":{"name":"a"}}?'],
  ])('with a fault %s is not read to its end', async (_name, start) => {
    let given = 0;
    async function* endless() {
      yield Buffer.from(start);
      for (; ; given++) yield Buffer.alloc(64 * 1024, ' ');
    }
    const stored = Readable.from(endless(), { highWaterMark: 1 });
    const uploads: Uploads = { create: () => Promise.reject(new Error('no')), open: async () => stored };
    const reading = readDocumentInput({ body: Buffer.from(body), query: {} }, FIELDS, async () => uploads);
    await expect(reading).rejects.toMatchObject({ code: 'invalid-documents' });
    expect(stored.destroyed).toBe(true);
    expect(given).toBeLessThan(100);
  });

  it('that inflates to more than is accepted is not read to its end', async () => {
    const megabyte = gzipSync(Buffer.alloc(1024 * 1024, ' '));
    let given = 0;
    async function* bomb() {
      for (; ; given++) yield megabyte;
    }
    const uploads: Uploads = {
      create: () => Promise.reject(new Error('no')),
      open: async () => Readable.from(bomb()),
    };
    const read = async () => {
      for await (const piece of inflatedUpload(uploads, 'id', 32 * 1024 * 1024)) expect(piece).toBeDefined();
    };
    await expect(read()).rejects.toMatchObject({ code: 'body-too-large' });
    expect(given).toBeLessThan(2 * 32);
  });

  it('that breaks off while it is read is no fault of who sent it', async () => {
    async function* broken() {
      yield Buffer.from('{"kind":"No');
      throw new Error('connection reset');
    }
    const uploads: Uploads = {
      create: () => Promise.reject(new Error('no')),
      open: async () => Readable.from(broken()),
    };
    const reading = readDocumentInput({ body: Buffer.from(body), query: {} }, FIELDS, async () => uploads);
    await expect(reading).rejects.toThrow('connection reset');
  });
});

/** The ways by which the same documents come in. */
const WAYS: readonly [string, (text: string) => Input][] = [
  ['in a body', (text) => ({ body: text })],
  ['in a request', (text) => ({ body: `{"documents":${text},"target":"4.16"}` })],
  [
    'in an upload',
    (text) => ({ body: `{"upload":"${UPLOAD}"}`, uploads: { [UPLOAD]: [gzipSync(text, { level: 1 })] } }),
  ],
];

describe.each(WAYS)('documents %s with more than a cluster has', (_way, inputOf) => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** The longest text that is parsed while something is read, and how many that are long. */
  async function parsedWhile(read_: () => Promise<unknown>) {
    const parse = vi.spyOn(JSON, 'parse');
    await read_();
    const lengths = parse.mock.calls.map(([text]) => text.length);
    return { longest: Math.max(0, ...lengths), long: lengths.filter((length) => length > 1000).length };
  }

  const inNode = (text: string) => `[{"kind":"Node","metadata":{"name":"a",${text}}}]`;
  const repeated = (unit: string, count = 210_000) => `${unit},`.repeat(count).slice(0, -1);
  const VALUES = 'an object has more than 200000 values';
  const OBJECTS = /there are more than (160000|1000000) objects and lists/;

  it.each<[string, string, string | RegExp]>([
    ['empty lists', `[${repeated('[]', 1_000_001)}]`, OBJECTS],
    ['items that are no objects', `[${repeated('0', 1_000_001)}]`, OBJECTS],
    ['lists in a List', `{"kind":"List","items":[${repeated('[]', 1_000_001)}]}`, OBJECTS],
    ['annotations', inNode(`"annotations":{${repeated('"":""')}}`), VALUES],
    ['managed fields', inNode(`"managedFields":[${repeated('{}', 105_000)}]`), VALUES],
    ['labels that are nested', inNode(`"labels":[${'[[[[[[[[[[]]]]]]]]]],'.repeat(21_000)}[]]`), VALUES],
    ['members of one object', `[{"kind":"Node",${repeated('"a":{}')}}]`, VALUES],
    ['values of a kind that is not read', `[{"kind":"A","a":[${repeated('0')}]}]`, VALUES],
    ['values beside the items of a List', `{"kind":"List","a":[${repeated('0')}],"items":[]}`, VALUES],
  ])('are refused before they are parsed: %s', async (_name, text, detail) => {
    const { longest } = await parsedWhile(async () => {
      expect(await refusal(inputOf(text))).toMatchObject({
        code: 'body-too-large',
        message: expect.stringMatching(/; send what `oc get … -o json` prints, with fewer kinds/) as string,
        errors: [{ detail: expect.stringMatching(detail) as string }],
      });
    });
    expect(longest).toBeLessThan(1000);
  });

  it('are refused when many objects have what one may have', async () => {
    const one = `{"kind":"Node","metadata":{"name":"a","annotations":{${repeated('"":""', 150_000)}}}}`;
    const { long } = await parsedWhile(async () => {
      expect(await refusal(inputOf(`[${repeated(one, 20)}]`))).toMatchObject({
        code: 'body-too-large',
        errors: [
          {
            detail: expect.stringMatching(
              /the objects up to this one have more than 1\d{6} values/,
            ) as string,
          },
        ],
      });
    });
    // A million values, and one for every 24 of the 900,000 bytes of each.
    expect(long).toBe(8);
  });

  it('are read no further once there are more mistakes than are reported', async () => {
    const { long } = await parsedWhile(async () => {
      const wrong = `{"kind":"Node","metadata":{"name":1},"a":"${'x'.repeat(1000)}"}`;
      const { code, errors } = await refusal(inputOf(`[${repeated(wrong, 1000)}]`));
      expect([code, errors.length]).toEqual(['invalid-documents', 20]);
    });
    expect(long).toBeLessThan(30);
  });
});

describe('a body that is no request and no object of a cluster', () => {
  it.each([
    ['members', `{${'"":0,'.repeat(2_000_000)}"documents":[]}`],
    ['members with objects', `{${'"":{},'.repeat(2_000_000)}"":{}}`],
    ['documents again and again', `{${'"documents":[],'.repeat(500_000)}"documents":[]}`],
  ])('is refused before it is parsed: %s', async (_name, body) => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(await refusal({ body })).toMatchObject({
      code: 'body-too-large',
      message: expect.stringContaining('more than 1000 members') as string,
    });
    expect(parse.mock.calls.length).toBeLessThan(1100);
    parse.mockRestore();
  });

  it('is refused before its key is decoded', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(await refusal({ body: `{"${'a'.repeat(300_000)}":0}` })).toMatchObject({ code: 'body-too-large' });
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});

describe('documents of the largest clusters', () => {
  const NODES = sized(500, 5000);
  const PODS = sized(15_000, 150_000);
  /** As `oc get nodes -o json` prints one, with the labels, images and conditions that it has. */
  const largeNode = (number: number) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `worker-${number}`,
      labels: Object.fromEntries(
        Array.from({ length: 40 }, (_, label) => [`feature.node.kubernetes.io/cpu-${label}`, 'true']),
      ),
      annotations: Object.fromEntries(
        Array.from({ length: 20 }, (_, key) => [`example.com/annotation-${key}`, `value ${number}`]),
      ),
    },
    status: {
      conditions: Array.from({ length: 4 }, (_, condition) => ({
        lastHeartbeatTime: '2026-06-01T12:00:00Z',
        lastTransitionTime: '2026-06-01T12:00:00Z',
        message: 'kubelet is posting ready status',
        reason: 'KubeletReady',
        status: 'True',
        type: condition === 0 ? 'Ready' : `Condition${condition}`,
      })),
      images: Array.from({ length: 50 }, (_, image) => ({
        names: [`quay.io/example/image-${image}@sha256:${'0'.repeat(64)}`],
        sizeBytes: 123_456_789,
      })),
    },
  });

  it.each([
    ['as `oc get` prints them', 4],
    ['without indentation', 0],
  ])('are accepted in an upload: %s', async (_form, indent) => {
    const printed = JSON.stringify(largeNode(0), null, indent);
    async function* pieces() {
      yield Buffer.from('{"apiVersion":"v1","kind":"List","items":[');
      for (let number = 0; number < NODES; number++) {
        yield Buffer.from(`${number === 0 ? '' : ','}${printed.replace('worker-0', `worker-${number}`)}`);
      }
      yield Buffer.from(']}');
    }
    const uploads: Uploads = {
      create: () => Promise.reject(new Error('not asked for')),
      open: async () => Readable.from(pieces()),
    };
    const body = Buffer.from(`{"upload":"${UPLOAD}"}`);
    const { facts } = await readDocumentInput({ body, query: {} }, FIELDS, async () => uploads);
    expect(facts.nodes).toHaveLength(NODES);
  });

  it(`are accepted in a body, as the command makes them of ${PODS} pods`, async () => {
    const pods = Array.from({ length: PODS }, (_, number) => {
      const name = `n${number % NODES}`;
      return { metadata: { namespace: name, name: String(number) }, spec: { nodeName: name } };
    });
    const { facts } = await read({
      body: JSON.stringify({ kind: 'PodList', apiVersion: 'v1', items: pods }),
    });
    expect(facts.podsPerNode).toHaveLength(NODES);
  });
});
