import {
  isProtectedRepository,
  isProtectedTag,
  matchesGlob,
} from '@cairn/shared/prune/images/plan/retention';
import { describe, expect, it } from 'vitest';

describe('patterns', () => {
  it.each([
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['a', 'a', true],
    ['a', 'A', false],
    ['a*', 'abc', true],
    ['*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*c', 'abcbc', true],
    ['a*c', 'abcb', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['?', '', false],
    ['**', 'abc', true],
    ['*b*', 'abc', true],
    ['*/prod', 'a/b/prod', true],
    ['v4.*', 'v4.18.3', true],
    ['v4.*', 'v40', false],
    ['[ab]', 'a', false],
    ['[ab]', '[ab]', true],
    ['.*', 'abc', false],
    ['a|b', 'a', false],
    ['__proto__', '__proto__', true],
  ])('%j matches %j: %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it('take no more than both lengths together make up', () => {
    expect(matchesGlob(`${'*a'.repeat(1000)}b`, 'a'.repeat(20_000))).toBe(false);
  });

  it.each([
    ['prod-*', true],
    ['prod-1', true],
    ['team/app:prod-*', true],
    ['*:prod-*', true],
    ['team/*:*', true],
    ['team/app', false],
    ['other/*:*', false],
    ['app:prod-1', false],
  ])('%j protects the tag team/app:prod-1: %s', (pattern, expected) => {
    expect(isProtectedTag(['none', pattern], 'team/app', 'prod-1')).toBe(expected);
  });

  it.each([
    ['team/*', true],
    ['*', true],
    ['team', false],
  ])('%j protects the repository team/app: %s', (pattern, expected) => {
    expect(isProtectedRepository([pattern], 'team/app')).toBe(expected);
  });
});
