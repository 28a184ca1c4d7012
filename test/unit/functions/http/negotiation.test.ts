import { describe, expect, it } from 'vitest';
import { chooseMediaType, matchesEntityTag, prefersGzip } from '../../../../functions/http/negotiation.ts';

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
