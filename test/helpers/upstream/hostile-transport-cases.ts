import type { ServerResponse } from 'node:http';
import { brotliCompressSync, crc32, deflateRawSync, deflateSync, constants, gzipSync } from 'node:zlib';
import { answer, answerLazily, baselineGraph, type HostileCase, type Respond } from './hostile-case.ts';

const GOOD = Buffer.from(JSON.stringify(baselineGraph()));
const GOOD_GZIP = gzipSync(GOOD);
const SIXTEENTHS = Array.from({ length: 15 }, (_, index) => index + 1);
const BOMB_BYTES = 100 * 1024 * 1024;

type Row = readonly [name: string, code: NonNullable<HostileCase['code']>, respond: Respond];

/** Bodies that the fetch must reject, and odd but harmless ones that it must accept. */
export const hostileTransportCases: readonly HostileCase[] = [
  ...refused(1, [
    ['empty-body', 'NotJson', answer('')],
    ['empty-chunked-body', 'NotJson', withHead({}, (response) => response.end())],
  ]),
  ...refused(4, [
    ['html', 'BadContentType', answer('<html>Log in</html>', { 'content-type': 'text/html' })],
    ['html-called-json', 'NotJson', answer('<html>Log in</html>')],
    ['no-content-type', 'BadContentType', raw(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`)],
  ]),
  ...refused(5, [['error-as-500', 'BadStatus', status(500, '{"kind":"failed_upstream_fetch","value":""}')]]),
  ...refused(
    6,
    SIXTEENTHS.flatMap((part): Row[] => {
      const cut = Math.floor((GOOD.length * part) / 16);
      const cutGzip = Math.floor((GOOD_GZIP.length * part) / 16);
      return [
        [`cut-at-${part}-of-16`, 'NotJson', answer(GOOD.subarray(0, cut))],
        [`cut-connection-at-${part}-of-16`, 'Truncated', cutConnection(GOOD, cut)],
        [`cut-gzip-at-${part}-of-16`, 'BadEncoding', gzipped(GOOD_GZIP.subarray(0, cutGzip))],
      ];
    }),
  ),
  ...refused(6, [['cut-chunked', 'Truncated', cutChunked]]),
  ...refused(7, [
    ['content-length-too-long', 'Truncated', cutConnection(GOOD, GOOD.length, GOOD.length + 100)],
    ['content-length-too-long-and-waiting', 'TimedOut', stall(GOOD, GOOD.length + 100)],
    ['content-length-too-short', 'NotJson', raw(head(GOOD.length - 100), GOOD)],
    ['content-length-twice', 'BadHttp', raw(head(GOOD.length, 'Content-Length: 7'), GOOD)],
    ['content-length-negative', 'BadHttp', raw(head(-1), GOOD)],
  ]),
  ...refused(8, [['one-byte-per-100-ms', 'TimedOut', drip]]),
  ...refused(9, [
    ['never-ending-spaces', 'TooLarge', neverEnding(Buffer.alloc(64 * 1024, ' '))],
    ['never-ending-edges', 'TooLarge', neverEnding(Buffer.from('[0,1],'.repeat(10_000)))],
    ['content-length-of-1-tb', 'TooLarge', neverEnding(Buffer.alloc(64 * 1024, ' '), 2 ** 40)],
  ]),
  ...refused(10, [
    ['gzip-bomb', 'TooLarge', answerLazily(gzipBomb, { 'content-encoding': 'gzip' })],
    [
      'gzip-bomb-under-the-size-cap',
      'TooLarge',
      answerLazily(() => gzipSync(Buffer.alloc(8 * 1024 * 1024, ' ')), { 'content-encoding': 'gzip' }),
    ],
  ]),
  ...refused(11, [
    ['brotli', 'BadEncoding', encoded('br', brotliCompressSync(GOOD))],
    ['deflate', 'BadEncoding', encoded('deflate', deflateSync(GOOD))],
    ['brotli-called-gzip', 'BadEncoding', encoded('gzip', brotliCompressSync(GOOD))],
    ['unknown-encoding', 'BadEncoding', encoded('rot13', GOOD)],
  ]),
  ...refused(12, [
    ['gzip-three-times', 'BadEncoding', encoded('gzip, gzip, gzip', gzipSync(gzipSync(GOOD_GZIP)))],
    [
      'gzip-in-three-headers',
      'BadEncoding',
      encoded(['gzip', 'gzip', 'gzip'], gzipSync(gzipSync(GOOD_GZIP))),
    ],
    ['gzip-twice-told-once', 'NotUtf8', encoded('gzip', gzipSync(GOOD_GZIP))],
  ]),
  ...refused(13, [
    ['gzip-bad-checksum', 'BadEncoding', gzipped(flipped(GOOD_GZIP, GOOD_GZIP.length - 6))],
    ['gzip-bad-length', 'BadEncoding', gzipped(flipped(GOOD_GZIP, GOOD_GZIP.length - 2))],
    ['gzip-bad-data', 'BadEncoding', gzipped(flipped(GOOD_GZIP, 40))],
    ['gzip-trailing-data', 'BadEncoding', gzipped(Buffer.concat([GOOD_GZIP, Buffer.from('more')]))],
    ['gzip-trailing-zeros', 'BadEncoding', gzipped(Buffer.concat([GOOD_GZIP, Buffer.alloc(16)]))],
    ['gzip-two-members', 'BadEncoding', gzipped(Buffer.concat([gzipSync(''), GOOD_GZIP]))],
    ['not-gzip-at-all', 'BadEncoding', gzipped(GOOD)],
  ]),
  ...refused(14, [
    ['redirect-to-metadata-service', 'BadStatus', redirect('http://169.254.169.254/latest/meta-data/')],
    ['redirect-to-file', 'BadStatus', redirect('file:///etc/passwd')],
    ['redirect-to-loopback', 'BadStatus', redirectToTrap],
    ['redirect-to-other-host', 'BadStatus', redirect('https://graph.example.com/')],
    ['redirect-loop', 'BadStatus', redirectToItself],
  ]),
  ...refused(15, [
    ['byte-order-mark', 'NotUtf8', answer(Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), GOOD]))],
    ['utf-16', 'NotUtf8', answer(Buffer.from(`\ufeff${GOOD.toString()}`, 'utf16le'))],
    ['utf-16-without-mark', 'NotUtf8', answer(Buffer.from(GOOD.toString(), 'utf16le'))],
    ['invalid-utf-8', 'NotUtf8', answer(inString(Buffer.of(0xc3, 0x28)))],
    ['lone-surrogate-as-utf-8', 'NotUtf8', answer(inString(Buffer.of(0xed, 0xa0, 0x80)))],
    ['nul-byte', 'NotJson', answer(inString(Buffer.of(0)))],
  ]),
  ...refused(16, [
    ['arrays-1e6-deep', 'TooDeep', answerLazily(() => '['.repeat(1e6) + ']'.repeat(1e6))],
    ['objects-1e6-deep', 'TooDeep', answerLazily(() => '{"a":'.repeat(1e6) + '1' + '}'.repeat(1e6))],
    ['depth-33-in-metadata', 'TooDeep', answer(`{"nodes":${'['.repeat(32)}${']'.repeat(32)},"edges":[]}`)],
  ]),
  ...refused(17, [
    ['nodes-twice', 'DuplicateKey', answer(GOOD.toString().replace('{', '{"nodes":[],'))],
    ['nodes-twice-escaped', 'DuplicateKey', answer(GOOD.toString().replace('{', '{"n\\u006fdes":[],'))],
    ['edges-twice', 'DuplicateKey', answer(GOOD.toString().replace('{', '{"edges":[],'))],
    ['too-many-keys', 'TooManyKeys', answer(JSON.stringify(manyKeys(1_001)))],
  ]),
  ...refused(30, [
    ['not-modified-unasked', 'BadStatus', (_request, response) => response.writeHead(304).end()],
  ]),
  { id: 30, name: '30-same-etag-other-body', expect: 'accepted', respond: sameEtagOtherBody },
  {
    id: 30,
    name: '30-etag-of-10-kb',
    expect: 'accepted',
    respond: answer(GOOD, { etag: `"${'e'.repeat(10_000)}"` }),
  },
  ...refused(31, [
    ['header-flood', 'BadHttp', answer(GOOD, Object.fromEntries(manyHeaders(64)))],
    ['header-of-64-kb', 'BadHttp', answer(GOOD, { 'x-note': 'n'.repeat(64 * 1024) })],
    ['header-with-bare-cr', 'BadHttp', raw(head(GOOD.length, 'X-Note: a\rb'), GOOD)],
    ['header-with-nul', 'BadHttp', raw(head(GOOD.length, 'X-Note: a\0b'), GOOD)],
    [
      'header-brings-encoding',
      'BadEncoding',
      raw(head(GOOD.length, 'X-Note: a\r\nContent-Encoding: br'), GOOD),
    ],
    ['header-brings-body', 'NotJson', raw(head(GOOD.length, 'X-Note: a\r\n\r\n<html>'), GOOD)],
    ['not-http', 'BadHttp', raw('SSH-2.0-OpenSSH_9.2\r\n')],
  ]),
  ...(['expired', 'wrong-host', 'self-signed', 'unknown-authority', 'tls-1.0', 'tls-1.1'] as const).map(
    (tls): HostileCase => ({
      id: 32,
      name: `32-certificate-${tls}`.replace('certificate-tls', 'protocol-tls'),
      expect: 'refused',
      code: 'TlsRefused',
      respond: answer(GOOD),
      tls,
    }),
  ),
  ...dns('private-address', ['10.0.0.8']),
  ...dns('metadata-service', ['169.254.169.254']),
  ...dns('loopback', ['127.0.0.1']),
  ...dns('loopback-v6', ['::1']),
  ...dns('mapped-address', ['::ffff:127.0.0.1']),
  ...dns('one-public-one-private', ['8.8.8.8', '192.168.1.1']),
  {
    id: 33,
    name: '33-rebinding-after-the-check',
    expect: 'accepted',
    respond: answer(GOOD),
    addresses: (lookup) => [lookup === 1 ? '127.0.0.1' : '169.254.169.254'],
  },
];

function refused(id: number, table: readonly Row[]): HostileCase[] {
  return table.map(([name, code, respond]) => ({
    id,
    name: `${String(id).padStart(2, '0')}-${name}`,
    expect: 'refused',
    code,
    respond,
  }));
}

function dns(name: string, addresses: readonly string[]): HostileCase[] {
  const respond = answer(GOOD);
  return [
    {
      id: 33,
      name: `33-dns-${name}`,
      expect: 'refused',
      code: 'EgressDenied',
      respond,
      addresses: () => addresses,
    },
  ];
}

function encoded(encoding: string | string[], body: Buffer): Respond {
  return answer(body, { 'content-encoding': encoding });
}

function gzipped(body: Buffer): Respond {
  return encoded('gzip', body);
}

function status(code: number, body: string): Respond {
  return (_request, response) => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(body);
  };
}

function redirect(location: string): Respond {
  return (_request, response) => {
    response.writeHead(302, { location }).end();
  };
}

function redirectToTrap(...[request, response]: Parameters<Respond>): void {
  response.writeHead(302, { location: `http://${request.headers.host ?? ''}/trap` }).end();
}

function redirectToItself(...[request, response]: Parameters<Respond>): void {
  response.writeHead(302, { location: request.url ?? '' }).end();
}

/** Writes to the socket directly: Node's server would not send such headers. */
function raw(...parts: readonly (string | Buffer)[]): Respond {
  return (request) => void request.socket.end(Buffer.concat(parts.map((part) => Buffer.from(part))));
}

function head(length: number, more = 'X-Note: none'): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${more}\r\nContent-Length: ${length}\r\n\r\n`;
}

function withHead(
  headers: Record<string, string | number>,
  then: (response: ServerResponse) => void,
): Respond {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    then(response);
  };
}

function cutConnection(body: Buffer, cut: number, told = body.length): Respond {
  return raw(head(told), body.subarray(0, cut));
}

function cutChunked(...[, response]: Parameters<Respond>): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(GOOD.subarray(0, 1_000), () => response.socket?.end());
}

function stall(body: Buffer, told: number): Respond {
  return withHead({ 'content-length': told }, (response) => void response.write(body));
}

function drip(...[, response]: Parameters<Respond>): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
}

function neverEnding(chunk: Buffer, told?: number): Respond {
  return withHead(told === undefined ? {} : { 'content-length': told }, (response) => {
    const pump = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pump);
    pump();
  });
}

function sameEtagOtherBody(...[request, response, visit]: Parameters<Respond>): void {
  const body = JSON.stringify(baselineGraph(40 + (visit % 2)));
  answer(body, { etag: '"always"' })(request, response, visit);
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = copy[at]! ^ 0xff;
  return copy;
}

/** A graph with these bytes inside its first version string. */
function inString(bytes: Buffer): Buffer {
  const at = GOOD.indexOf('4.12.0') + 6;
  return Buffer.concat([GOOD.subarray(0, at), bytes, GOOD.subarray(at)]);
}

function manyKeys(count: number): object {
  return {
    nodes: [],
    edges: [],
    extra: Object.fromEntries(Array.from({ length: count }, (_, index) => [index, 0])),
  };
}

function manyHeaders(count: number): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`x-flood-${index}`, 'f'.repeat(1_024)]);
}

/** 100 MiB of spaces in 100 KB, joined from pieces to save memory. */
function gzipBomb(): Buffer {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  const deflated = deflateRawSync(piece, { finishFlush: constants.Z_FULL_FLUSH });
  const count = BOMB_BYTES / piece.length;
  let checksum = 0;
  for (let index = 0; index < count; index++) checksum = crc32(piece, checksum);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(BOMB_BYTES, 4);
  const header = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
  const lastBlock = Buffer.of(3, 0);
  return Buffer.concat([header, ...Array.from({ length: count }, () => deflated), lastBlock, trailer]);
}
