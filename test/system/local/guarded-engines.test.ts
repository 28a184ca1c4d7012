import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GetItemCommand, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engines, startEngines } from '../../../infra/local/engines.ts';
import { authorizationOf, type SigningScope } from '../../helpers/table/signature.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-guarded-'));
const ends: string[] = [];
let engines: Engines;
beforeAll(async () => {
  chmodSync(folder, 0o755);
  engines = await startEngines(folder, (reason) => ends.push(reason));
});
afterAll(async () => {
  await engines.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Call {
  readonly service: 'dynamodb' | 's3';
  readonly method: string;
  readonly body: string;
  /** All but Host, which is the address of the engine if not given. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const toTable = (operation: string, input: object): Call => ({
  service: 'dynamodb',
  method: 'POST',
  body: JSON.stringify(input),
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  },
});
const EMPTY_HASH = createHash('sha256').digest('hex');
const LIST = {
  dynamodb: toTable('ListTables', {}),
  s3: { service: 's3', method: 'GET', body: '', headers: { 'x-amz-content-sha256': EMPTY_HASH } },
} as const satisfies Record<string, Call>;

const addressOf = ({ service }: Call): URL => new URL(engines.endpoints[service]);

const signingDate = (time: number): string => new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** The call with the signature of a client; by the keys of this start if no others are given. */
function signed(call: Call, scope: Partial<SigningScope> = {}): Call {
  const { region, accessKeyId, secretAccessKey } = engines.endpoints;
  const date = signingDate(Date.now());
  const headers = { host: addressOf(call).host, 'x-amz-date': date, ...call.headers };
  const keys = { accessKeyId, secretAccessKey, region, service: call.service, date };
  const authorization = authorizationOf({ ...call, path: '/', headers }, { ...keys, ...scope });
  return { ...call, headers: { ...headers, authorization } };
}

/** As written: neither `fetch` nor an SDK sends such requests. */
async function send(call: Call): Promise<Answer> {
  const { hostname, port } = addressOf(call);
  const { method, body } = call;
  const headers = { ...call.headers, 'content-length': Buffer.byteLength(body) };
  const outgoing = request({ host: hostname, port, method, headers });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, headers: response.headers, text: await text(response) };
}

const withHeaders = (call: Call, headers: Readonly<Record<string, string>>): Call => ({
  ...call,
  headers: { ...call.headers, ...headers },
});

function codeIn({ text: body }: Answer): string | undefined {
  return (
    /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? /"__type":"com\.amazon\.coral\.service#(\w+)"/.exec(body)?.[1]
  );
}

it('the folder of the engines is closed to other users', () => {
  expect(statSync(folder).mode & 0o077).toBe(0);
});

describe.each(['dynamodb', 's3'] as const)('the engine of %s', (service) => {
  const list = LIST[service];

  it.each(['127.0.0.1', '127.8.8.8:80', 'localhost:8000', 'LOCALHOST', '[::1]:8000', '[::1]'])(
    'answers a signed request to host %s',
    async (host) => {
      const answer = await send(signed(withHeaders(list, { host })));
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('cairn');
    },
  );

  it.each<[string, () => Call, string]>([
    ['a page', () => signed(withHeaders(list, { origin: 'http://evil.example' })), 'http://evil.example'],
    ['a page without a name', () => signed(withHeaders(list, { origin: 'null' })), 'null'],
    ['an empty origin', () => signed(withHeaders(list, { origin: '' })), 'pages of'],
    [
      'a page of the engine itself',
      () => signed(withHeaders(list, { origin: addressOf(list).origin })),
      '127',
    ],
    ['OPTIONS', () => signed({ ...list, method: 'OPTIONS' }), 'OPTIONS'],
    [
      'a preflight',
      () =>
        withHeaders(
          { ...list, method: 'OPTIONS', headers: {} },
          { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
        ),
      'http://evil.example',
    ],
    ...['evil.example', '127.0.0.1.evil.example', 'evil.localhost:80', '0.0.0.0', '[::2]:80'].map(
      (host): [string, () => Call, string] => [
        `host ${JSON.stringify(host)}`,
        () => signed(withHeaders(list, { host })),
        'is not served, localhost and 127.0.0.1 are',
      ],
    ),
  ])('refuses %s and says why', async (_name, call, reason) => {
    const answer = await send(call());
    expect([answer.status, codeIn(answer)]).toEqual([403, 'AccessDenied']);
    expect(answer.text).toContain(reason);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it.each<[string, () => Call, string]>([
    ['no signature', () => list, 'AccessDenied'],
    ['another key', () => signed(list, { accessKeyId: 'local' }), 'InvalidAccessKeyId'],
    ['another secret', () => signed(list, { secretAccessKey: 'local' }), 'SignatureDoesNotMatch'],
    [
      'another signature',
      () => {
        const call = signed(list);
        const authorization = call.headers['authorization']!.replace(/[0-9a-f]{64}$/, '0'.repeat(64));
        return withHeaders(call, { authorization });
      },
      'SignatureDoesNotMatch',
    ],
    ['a header that is not signed', () => withHeaders(signed(list), { 'x-amz-acl': 'a' }), 'AccessDenied'],
    [
      'an old signature',
      () => {
        const date = signingDate(Date.now() - 16 * 60_000);
        return signed(withHeaders(list, { 'x-amz-date': date }), { date });
      },
      'RequestTimeTooSkewed',
    ],
  ])('refuses %s', async (_name, call, code) => {
    const answer = await send(call());
    expect([answer.status, codeIn(answer)]).toEqual([403, code]);
  });

  it.each([
    [
      'a signature of two digits',
      () => ({ authorization: signed(list).headers['authorization']!.replace(/[0-9a-f]{62}$/, '') }),
    ],
    ['a signature for another region', () => signed(list, { region: 'eu-west-1' }).headers],
    ['a signature for another service', () => signed(list, { service: 'execute-api' }).headers],
  ])('refuses %s', async (_name, headers) => {
    const answer = await send(withHeaders(signed(list), headers()));
    expect([answer.status, codeIn(answer)]).toEqual([400, 'AuthorizationHeaderMalformed']);
  });
});

describe('the table engine', () => {
  const key = { pk: { S: 'GUARDED' }, sk: { S: 'GUARDED' } };
  const put = (word: string): Call =>
    toTable('PutItem', { TableName: 'cairn', Item: { ...key, word: { S: word } } });
  const stored = async (): Promise<string | undefined> => {
    const { client, name } = engines.table;
    const { Item } = await client.send(
      new GetItemCommand({ TableName: name, Key: key, ConsistentRead: true }),
    );
    return Item?.['word']?.S;
  };
  const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex');

  beforeAll(async () => {
    const { client, name } = engines.table;
    await client.send(new PutItemCommand({ TableName: name, Item: { ...key, word: { S: 'ours' } } }));
  });

  it('serves the client of this start', async () => {
    expect((await engines.table.client.send(new ListTablesCommand())).TableNames).toEqual(['cairn']);
    expect(await stored()).toBe('ours');
  });

  it('takes a write of another client with the keys, with and without the hash of its body', async () => {
    for (const word of ['plain', 'ours']) {
      const call = put(word);
      const hash = word === 'ours' ? { 'x-amz-content-sha256': hashOf(call.body) } : undefined;
      const answer = await send(signed(hash ? withHeaders(call, hash) : call));
      expect([answer.status, await stored()]).toEqual([200, word]);
    }
  });

  it.each<[string, () => Call]>([
    ['a body other than the signed one', () => ({ ...signed(put('ours')), body: put('evil').body })],
    [
      'a body other than the one with the signed hash',
      () => {
        const ours = put('ours');
        return {
          ...signed(withHeaders(ours, { 'x-amz-content-sha256': hashOf(ours.body) })),
          body: put('evil').body,
        };
      },
    ],
    [
      'another operation than the signed one',
      () =>
        withHeaders(signed(toTable('GetItem', JSON.parse(put('evil').body) as object)), put('evil').headers),
    ],
  ])('refuses %s', async (_name, call) => {
    const answer = await send(call());
    expect([answer.status, codeIn(answer)]).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await stored()).toBe('ours');
  });

  it('refuses what dynalite takes: any key and the signature 00', async () => {
    const authorization = 'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host, Signature=00';
    const answer = await send(
      withHeaders(toTable('Scan', { TableName: 'cairn' }), { authorization, 'x-amz-date': 'today' }),
    );
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({
      __type: 'com.amazon.coral.service#AuthorizationHeaderMalformed',
      message: expect.stringContaining('AWS4-HMAC-SHA256'),
    });
  });

  it('refuses an invalid signature in the query, and keeps serving', async () => {
    const { host } = addressOf(LIST.dynamodb);
    const date = signingDate(Date.now());
    const { region, accessKeyId } = engines.endpoints;
    const query = new URLSearchParams({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': `${accessKeyId}/${date.slice(0, 8)}/${region}/dynamodb/aws4_request`,
      'X-Amz-Date': date,
      'X-Amz-Expires': '60',
      'X-Amz-SignedHeaders': 'host',
      // As many characters as a signature has, in more bytes.
      'X-Amz-Signature': 'é'.repeat(64),
    });
    const response = await fetch(`http://${host}/?${query.toString()}`);
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('SignatureDoesNotMatch'),
    ]);
  });

  it('refuses a body over 16 MiB', async () => {
    const answer = await send({ ...LIST.dynamodb, body: ' '.repeat(16 * 1024 * 1024 + 1) });
    expect([answer.status, codeIn(answer)]).toEqual([400, 'EntityTooLarge']);
  });

  it('goes on when a caller ends in the middle of a body', async () => {
    const { hostname, port, host } = addressOf(LIST.dynamodb);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 100\r\n\r\n{`);
    // Its body is being waited for once a later request was answered.
    await send(LIST.dynamodb);
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect(await stored()).toBe('ours');
    expect(ends).toEqual([]);
  });
});
