import { gzipSync, crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FETCH_LIMITS } from '../../../../functions/outbound/limits.ts';
import { encodingOf, isJsonType, readBody } from '../../../../functions/outbound/response-body.ts';
import { sized } from '../../../helpers/size.ts';

const KIB = 1024;
const TEXT = Buffer.from('{"nodes":[],"edges":[]}'.repeat(500));

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function gunzip(bytes: Buffer, size = 7): Promise<string> {
  return readBody(inPieces(bytes, size), 'gzip', FETCH_LIMITS).then((body) => body.bytes.toString());
}

/** A member whose header carries every optional field. */
function withFields(flags: number, fields: Buffer): Buffer {
  const plain = gzipSync(TEXT);
  const start = Buffer.from(plain.subarray(0, 10));
  start[3] = flags;
  return Buffer.concat([start, fields, plain.subarray(10)]);
}

describe('one gzip member', () => {
  const name = Buffer.from('graph.json\0');
  const comment = Buffer.from('made by hand\0');
  const extra = Buffer.concat([Buffer.of(4, 0), Buffer.from('abcd')]);
  const crc = Buffer.alloc(2);
  crc.writeUInt16LE(crc32(Buffer.concat([withFields(2, Buffer.alloc(0)).subarray(0, 10)])) & 0xffff);

  test.each([
    ['no field', gzipSync(TEXT)],
    ['a file name', withFields(8, name)],
    ['a comment', withFields(16, comment)],
    ['extra bytes', withFields(4, extra)],
    ['a header checksum', withFields(2, crc)],
    ['all fields', withFields(2 | 4 | 8 | 16, Buffer.concat([extra, name, comment, crc]))],
  ])('with %s, in pieces of any size', async (_name, bytes) => {
    for (const size of [1, 2, 9, 10, 11, 64, bytes.length]) {
      expect(await gunzip(bytes, size)).toBe(TEXT.toString());
    }
  });

  test('of nothing is nothing', async () => {
    expect(await gunzip(gzipSync(''))).toBe('');
  });

  test.each([
    ['nothing at all', Buffer.alloc(0)],
    ['a header only', gzipSync(TEXT).subarray(0, 10)],
    ['no header', gzipSync(TEXT).subarray(10)],
    ['another method', Buffer.concat([Buffer.of(0x1f, 0x8b, 7), gzipSync(TEXT).subarray(3)])],
    ['reserved flags', withFields(0x20, Buffer.alloc(0))],
    ['a file name of 1 MB', withFields(8, Buffer.alloc(KIB * KIB, 'a'))],
    [
      'a file name without an end',
      Buffer.concat([withFields(8, Buffer.alloc(0)).subarray(0, 10), Buffer.from('a')]),
    ],
    ['two members', Buffer.concat([gzipSync(TEXT), gzipSync(TEXT)])],
    ['two members, the second empty', Buffer.concat([gzipSync(TEXT), gzipSync('')])],
  ])('is not %s', async (_name, bytes) => {
    await expect(gunzip(bytes, 1_000)).rejects.toMatchObject({ code: 'BadEncoding' });
  });

  test('cut anywhere or with anything behind is refused', async () => {
    const whole = gzipSync(TEXT);
    const cuts = fc.integer({ min: 0, max: whole.length - 1 }).map((cut) => whole.subarray(0, cut));
    const tails = fc.uint8Array({ minLength: 1, maxLength: 30 }).map((tail) => Buffer.concat([whole, tail]));
    await fc.assert(
      fc.asyncProperty(fc.oneof(cuts, tails), fc.integer({ min: 1, max: 200 }), async (bytes, size) => {
        const failure: unknown = await gunzip(bytes, size).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(Error);
      }),
      { numRuns: sized(100, 300) },
    );
  });

  test('damaged anywhere behind the header never gives another text', async () => {
    const whole = gzipSync(TEXT);
    // The last deflated byte ends in bits that mean nothing; only there may damage go unseen.
    const padding = whole.length - 9;
    for (let at = 10; at < whole.length; at++) {
      for (const bits of [0x01, 0x10, 0x80, 0xf0, 0xff]) {
        const bytes = Buffer.from(whole);
        bytes[at] = bytes[at]! ^ bits;
        const outcome: unknown = await gunzip(bytes, 50).catch((error: unknown) => error);
        const isHarmless = at === padding && outcome === TEXT.toString();
        expect(isHarmless || outcome instanceof Error, `bits ${bits} of byte ${at}`).toBe(true);
      }
    }
  });
});

describe('caps', () => {
  const limits = { wireBytes: 1_000, inflatedBytes: 20_000, ratio: 10, ratioFreeBytes: 5_000 };
  const noise = Buffer.from(
    fc.sample(fc.uint8Array({ minLength: 900, maxLength: 900 }), { seed: 1, numRuns: 1 })[0]!,
  );

  test.each<[string, 'identity' | 'gzip', Buffer, boolean]>([
    ['as many bytes as allowed', 'identity', Buffer.alloc(1_000), true],
    ['one byte more', 'identity', Buffer.alloc(1_001), false],
    ['a high ratio within the free bytes', 'gzip', gzipSync(Buffer.alloc(5_000)), true],
    ['a high ratio beyond the free bytes', 'gzip', gzipSync(Buffer.alloc(5_001)), false],
    ['a fair ratio', 'gzip', gzipSync(Buffer.concat([noise, Buffer.alloc(5_000)])), true],
    ['more than may come out', 'gzip', gzipSync(Buffer.concat([noise, Buffer.alloc(20_000)])), false],
  ])('%s', async (_name, encoding, bytes, isAllowed) => {
    const outcome: unknown = await readBody(inPieces(bytes, 100_000), encoding, limits).catch(
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject(isAllowed ? { wireBytes: bytes.length } : { code: 'TooLarge' });
  });
});

test.each<[string | string[] | undefined, 'identity' | 'gzip' | null]>([
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['gzip', 'gzip'],
  [' GZIP ', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, ', 'gzip'],
  ['br', null],
  ['deflate', null],
  ['gzip, gzip', null],
  ['identity, gzip', null],
  [['gzip', 'gzip'], null],
  [['gzip'], 'gzip'],
])('Content-Encoding %j means %j', (header, expected) => {
  expect(encodingOf(header)).toBe(expected);
});

test.each<[string | string[] | undefined, boolean]>([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['Application/JSON ;charset=latin1', true],
  ['application/vnd.redhat.cincinnati.v1+json', true],
  ['application/vnd.redhat.cincinnati.v2+json', false],
  ['application/problem+json', false],
  ['text/html', false],
  ['text/json', false],
  ['', false],
  [undefined, false],
  [['application/json', 'application/json'], false],
])('Content-Type %j is JSON: %j', (header, expected) => {
  expect(isJsonType(header)).toBe(expected);
});
