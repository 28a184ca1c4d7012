import { describe, expect, it } from 'vitest';
import {
  checkPreconditions,
  chooseMediaType,
  isNotModified,
  matchesEntityTag,
  prefersGzip,
} from '../../../../functions/http/negotiation.ts';

describe('media types', () => {
  it.each<[string | undefined, string | null]>([
    [undefined, 'a/one'],
    ['', 'a/one'],
    ['a/one', 'a/one'],
    ['a/two', 'a/two'],
    ['A/Two', 'a/two'],
    ['*', 'a/one'],
    ['*/*', 'a/one'],
    ['a/*', 'a/one'],
    ['b/*', null],
    ['b/one', null],
    ['a/two, a/one', 'a/one'],
    ['a/one;q=0.5, a/two', 'a/two'],
    ['a/one;q=0.5, a/two;q=0.4', 'a/one'],
    ['b/three, a/two;q=0.001', 'a/two'],
    ['a/one;q=0', null],
    ['a/one;q=0, */*', 'a/two'],
    ['a/*;q=0, */*', null],
    ['*/*;q=0', null],
    // The more specific range decides, whatever the order.
    ['*/*, a/one;q=0.1', 'a/two'],
    ['a/one;charset=utf-8', 'a/one'],
    ['a/two ; v=1 ; Q=0.3 , a/one ; q=0.2', 'a/two'],
    ['b/x;p="a/one,a/two;q=1"', null],
    ['b/x;p="\\",a/one"', null],
    ['a/two;q=nonsense, a/one;q=0.9', 'a/two'],
    [',,a/two,', 'a/two'],
    ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'a/one'],
  ])('of Accept %j is %j', (accept, expected) => {
    expect(chooseMediaType(accept, ['a/one', 'a/two'])).toBe(expected);
  });
});

describe('gzip', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['gzip, deflate, br, zstd', true],
    ['br', false],
    ['identity', false],
    ['*', true],
    ['*;q=0', false],
    ['gzip;q=0', false],
    ['gzip;q=0.0, *', false],
    ['gzip;q=0.5, identity', false],
    ['gzip;q=0.5, identity;q=0.4', true],
    ['br;q=1, gzip;q=0.1', true],
  ])('for Accept-Encoding %j: %j', (acceptEncoding, expected) => {
    expect(prefersGzip(acceptEncoding)).toBe(expected);
  });
});

describe('entity tags', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    ['*', true],
    [' * ', true],
    ['"a"', true],
    ['"a-gzip"', true],
    ['W/"a"', true],
    ['"x", W/"y","a"', true],
    ['"b"', false],
    ['a', false],
    ['"*"', false],
    ['"x,"a"', false],
    ['"', false],
  ])('of If-None-Match %j: %j', (ifNoneMatch, expected) => {
    expect(matchesEntityTag(ifNoneMatch, ['"a"', '"a-gzip"'])).toBe(expected);
  });
});

describe('If-Modified-Since', () => {
  const CHANGED = 'Sun, 06 Nov 1994 08:49:37 GMT';
  const isCurrent = (headers: Record<string, string>) => isNotModified(headers, ['"a"'], CHANGED);

  it.each<[string, boolean]>([
    [CHANGED, true],
    ['Sun, 06 Nov 1994 08:49:38 GMT', true],
    ['Sun, 06 Nov 1994 08:49:36 GMT', false],
    // The former formats of HTTP, in UTC wherever this runs.
    ['Sunday, 06-Nov-94 08:49:37 GMT', true],
    ['Sunday, 06-Nov-94 08:49:36 GMT', false],
    ['Sun Nov  6 08:49:37 1994', true],
    ['Sun Nov  6 08:49:36 1994', false],
    // Not dates of HTTP.
    ['', false],
    ['tomorrow', false],
    ['2030-01-01T00:00:00Z', false],
    ['2030', false],
    ['Sun, 06 Nov 2030 08:49:37', false],
    ['Sun, 06 Nov 2030 08:49:37 +0000', false],
    ['Sun, 06 Xyz 2030 08:49:37 GMT', false],
    ['Sun, 40 Nov 2030 08:49:37 GMT', false],
    [`${CHANGED}, ${CHANGED}`, false],
  ])('%j: %j', (date, expected) => {
    expect(isCurrent({ 'if-modified-since': date })).toBe(expected);
  });

  it('is ignored beside If-None-Match, which decides', () => {
    const later = { 'if-modified-since': 'Sun, 06 Nov 2044 08:49:37 GMT' };
    expect(isCurrent({ ...later, 'if-none-match': '"b"' })).toBe(false);
    expect(isCurrent({ ...later, 'if-none-match': '' })).toBe(false);
    const earlier = { 'if-modified-since': 'Sun, 06 Nov 1984 08:49:37 GMT' };
    expect(isCurrent({ ...earlier, 'if-none-match': 'W/"a"' })).toBe(true);
  });

  it('is ignored where no time of the last change is known', () => {
    expect(isNotModified({ 'if-modified-since': CHANGED }, ['"a"'])).toBe(false);
  });
});

describe('a change', () => {
  it.each<[Record<string, string>, string | null, boolean]>([
    [{ 'if-match': '"a"' }, '"a"', true],
    [{ 'if-match': '"x", "a-gzip"' }, '"a"', true],
    [{ 'if-match': 'W/"a"' }, '"a"', false],
    [{ 'if-match': '"b-gzip"' }, '"a"', false],
    [{ 'if-match': '*' }, null, false],
    [{ 'if-none-match': '*' }, null, true],
    [{ 'if-none-match': '"a-gzip"' }, '"a"', false],
    [{ 'if-none-match': '"b-gzip"' }, '"a"', true],
    [{ 'if-match': '"none-gzip"' }, null, true],
    [{ 'if-match': '"a"' }, null, false],
    [{ 'if-match': '"none"' }, '"a"', false],
  ])('with %j of %j is allowed: %j', (headers, etag, isAllowed) => {
    let refusal: unknown;
    try {
      checkPreconditions(headers, etag, '"none"');
    } catch (error) {
      refusal = error;
    }
    expect(refusal === undefined).toBe(isAllowed);
  });
});
