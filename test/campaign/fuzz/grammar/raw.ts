import fc from 'fast-check';
import type { RawExchange } from '../request.ts';
import { INJECTED } from './values.ts';

const HOST = 'host: 127.0.0.1:@port@\r\n';
const GET = `GET /healthz HTTP/1.1\r\n${HOST}`;

const exchange = (name: string, ...pieces: string[]): RawExchange => ({ name, pieces, isCut: false });
const cut = (name: string, ...pieces: string[]): RawExchange => ({ name, pieces, isCut: true });

/** What no client sends by accident: the server may refuse it or hang up, but has to go on. */
const EXCHANGES: readonly RawExchange[] = [
  exchange('no request', '\r\n\r\n'),
  exchange('garbage', '\x00\x01\x02\x03\xff\xfe\r\n\r\n'),
  exchange('TLS greeting', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03'),
  exchange('HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  exchange('HTTP/0.9', 'GET /\r\n'),
  exchange('HTTP/1.0', 'GET /healthz HTTP/1.0\r\n\r\n'),
  exchange('HTTP/9.9', `GET /healthz HTTP/9.9\r\n${HOST}\r\n`),
  exchange('no version', `GET /healthz\r\n${HOST}\r\n`),
  exchange('spaces in the target', `GET /v1/versions/a b c HTTP/1.1\r\n${HOST}\r\n`),
  exchange('bytes in the target', `GET /v1/versions/\xc3\xa9\xff HTTP/1.1\r\n${HOST}\r\n`),
  exchange('empty target', `GET  HTTP/1.1\r\n${HOST}\r\n`),
  exchange('absolute target', `GET http://example.com/healthz HTTP/1.1\r\n${HOST}\r\n`),
  exchange('target with a fragment', `GET /healthz#x HTTP/1.1\r\n${HOST}\r\n`),
  exchange('OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`),
  exchange('CONNECT', `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HOST}\r\n`),
  exchange('unknown method', `FROB /healthz HTTP/1.1\r\n${HOST}\r\n`),
  exchange('lower-case method', `get /healthz HTTP/1.1\r\n${HOST}\r\n`),
  exchange('long method', `${'A'.repeat(10_000)} / HTTP/1.1\r\n${HOST}\r\n`),
  exchange('no host', 'GET /healthz HTTP/1.1\r\n\r\n'),
  exchange('two hosts', `${GET}host: example.com\r\n\r\n`),
  exchange('foreign host', 'GET /healthz HTTP/1.1\r\nhost: example.com\r\n\r\n'),
  exchange('bare line feeds', 'GET /healthz HTTP/1.1\nhost: 127.0.0.1\n\n'),
  exchange('header without a colon', `${GET}nonsense\r\n\r\n`),
  exchange('header with a space', `${GET}a b: c\r\n\r\n`),
  exchange('folded header', `${GET}x-a: 1\r\n 2\r\n\r\n`),
  exchange('NUL in a header', `${GET}x-a: \x00\r\n\r\n`),
  exchange('carriage return in a header', `${GET}origin: http://a\r${INJECTED}: 1\r\n\r\n`),
  exchange(
    'header flood',
    `${GET}${Array.from({ length: 3000 }, (_, place) => `x-${place}: 1\r\n`).join('')}\r\n`,
  ),
  exchange('long header', `${GET}x-a: ${'a'.repeat(100_000)}\r\n\r\n`),
  exchange('long target', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${HOST}\r\n`),
  exchange(
    'length and chunks',
    `POST /v1/upgrade-paths HTTP/1.1\r\n${HOST}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  ),
  exchange(
    'two lengths',
    `POST /v1/upgrade-paths HTTP/1.1\r\n${HOST}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
  ),
  exchange('negative length', `POST /v1/upgrade-paths HTTP/1.1\r\n${HOST}content-length: -1\r\n\r\n{}`),
  exchange(
    'huge length',
    `POST /v1/upgrade-paths HTTP/1.1\r\n${HOST}content-length: 99999999999999999999\r\n\r\n{}`,
  ),
  exchange(
    'bad chunks',
    `POST /v1/upgrade-paths HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  ),
  exchange(
    'chunks',
    `POST /v1/upgrade-paths HTTP/1.1\r\n${HOST}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ),
  exchange(
    'trailers',
    `POST /v1/upgrade-paths HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\n0\r\n${INJECTED}: 1\r\n\r\n`,
  ),
  exchange(
    'unknown transfer encoding',
    `POST /v1/upgrade-paths HTTP/1.1\r\n${HOST}transfer-encoding: gzip\r\n\r\n`,
  ),
  exchange(
    'expectation',
    `PUT /v1/clusters/one HTTP/1.1\r\n${HOST}expect: 100-continue\r\ncontent-length: 2\r\n\r\n`,
    '{}',
  ),
  exchange(
    'odd expectation',
    `PUT /v1/clusters/one HTTP/1.1\r\n${HOST}expect: miracles\r\ncontent-length: 2\r\n\r\n{}`,
  ),
  exchange('upgrade', `${GET}connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n`),
  exchange('pipelined', `${GET}\r\n`.repeat(20)),
  exchange('byte by byte', ...`${GET}\r\n`.split('')),
  cut('half a request line', 'GET /heal'),
  cut('half a head', `${GET}accept: a`),
  cut(
    'half a body',
    `PUT /v1/clusters/one HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: 100000\r\n\r\n{"docu`,
  ),
  cut('gone before the answer', `GET /v1/clusters HTTP/1.1\r\n${HOST}\r\n`),
  cut('gone before many answers', `GET /v1/channels HTTP/1.1\r\n${HOST}\r\n`.repeat(30)),
];

export const rawExchange: fc.Arbitrary<RawExchange> = fc.constantFrom(...EXCHANGES);
