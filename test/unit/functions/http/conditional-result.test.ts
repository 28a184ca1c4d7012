import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { conditionalResult } from '../../../../functions/http/conditional-result.ts';
import { json } from '../../../../functions/http/reply.ts';

const LARGE = { text: 'a release '.repeat(200) };
const GZIP = { 'accept-encoding': 'gzip' };

const tagOf = (data: unknown, sent = {}) => conditionalResult(json(200, data), sent).headers!['etag'];

describe('conditionalResult', () => {
  it('tags a small response by its content and never compresses it', () => {
    const { etag, ...headers } = conditionalResult(json(200, { a: 1 }), GZIP).headers!;
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'private, no-cache',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    expect(tagOf({ a: 1 })).toBe(etag);
    expect(tagOf({ a: 2 })).not.toBe(etag);
  });

  it('compresses a large response for clients that accept it, under its own tag', () => {
    const plain = conditionalResult(json(200, LARGE), {});
    const small = conditionalResult(json(200, LARGE), GZIP);
    expect(plain).toMatchObject({ body: JSON.stringify(LARGE) });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(small).toMatchObject({ isBase64Encoded: true, headers: { 'content-encoding': 'gzip' } });
    expect(gunzipSync(Buffer.from(small.body!, 'base64')).toString()).toBe(plain.body);
    expect(small.headers!['etag']).toBe(String(plain.headers!['etag']).replace(/"$/, '-gzip"'));
  });

  it.each(['*', 'TAG', 'W/TAG', '"x", TAG', 'GZIPPED', '"x",W/GZIPPED , "y"'])(
    'answers 304 to If-None-Match: %s',
    (template) => {
      const tag = String(tagOf(LARGE));
      const ifNoneMatch = template.replace('TAG', tag).replace('GZIPPED', `${tag.slice(0, -1)}-gzip"`);
      const result = conditionalResult(json(200, LARGE), { ...GZIP, 'if-none-match': ifNoneMatch });
      expect(result).toEqual({
        statusCode: 304,
        headers: {
          etag: tagOf(LARGE, GZIP),
          'cache-control': 'private, no-cache',
          vary: 'Accept-Encoding',
        },
        body: '',
      });
    },
  );

  it.each(['W/"7"', '"7"', 'W/"7-gzip"'])('answers 304 for the weak tag of an endpoint to %s', (sent) => {
    const result = conditionalResult(json(200, LARGE, { etag: 'W/"7"' }), { 'if-none-match': sent });
    expect(result).toMatchObject({ statusCode: 304, headers: { etag: 'W/"7"' } });
  });

  it('keeps the entity tag, caching and other headers of the endpoint', () => {
    const own = { etag: '"7"', 'cache-control': 'public, max-age=300', vary: 'Accept', link: '<a>' };
    const { headers } = conditionalResult(json(200, LARGE, own), GZIP);
    expect(headers).toMatchObject({ ...own, etag: '"7-gzip"', vary: 'Accept, Accept-Encoding' });
    expect(conditionalResult(json(200, LARGE, own), { 'if-none-match': '"7"' }).statusCode).toBe(304);
  });
});
