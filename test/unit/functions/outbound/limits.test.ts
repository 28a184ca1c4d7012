import { expect, test } from 'vitest';
import { createBreaker } from '../../../../functions/outbound/cincinnati.ts';
import type { FetchFailure } from '../../../../functions/outbound/failures.ts';
import { backoffMs, retryAfterMs } from '../../../../functions/outbound/limits.ts';

const NOW = Date.parse('2026-11-16T00:00:00Z');

test.each<[string | string[] | undefined, number]>([
  ['0', 0],
  ['7', 7_000],
  ['999999999', 999_999_999_000],
  ['Mon, 16 Nov 2026 00:00:09 GMT', 9_000],
  ['Mon, 16 Nov 2026 00:00:00 GMT', 0],
  ['Sun, 15 Nov 2026 00:00:00 GMT', 0],
  [undefined, 0],
  ['', 0],
  ['-7', 0],
  ['7.5', 0],
  ['1e3', 0],
  ['soon', 0],
  ['9999999999', 0],
  ['Mon, 99 Foo 2026 00:00:09 GMT', 0],
  ['2026-11-16T00:00:09Z', 0],
  [['7', '8'], 0],
])('Retry-After %j asks for %i ms', (header, expected) => {
  expect(retryAfterMs(header, NOW)).toBe(expected);
});

test.each([
  [1, 0, 0],
  [1, 0.5, 250],
  [2, 0.5, 500],
  [3, 1, 2_000],
  [5, 1, 5_000],
  [40, 1, 5_000],
])('attempt %i with luck %d waits %d ms', (attempt, luck, expected) => {
  const limits = { backoffBaseMs: 500, backoffCapMs: 5_000 };
  expect(backoffMs(attempt, limits, () => luck)).toBe(expected);
});

test.each<[string, (FetchFailure | null)[], boolean]>([
  ['three that did not get through', ['ConnectFailed', 'TimedOut', 'TlsRefused'], true],
  ['two only', ['ConnectFailed', 'ConnectFailed'], false],
  ['a success between', ['ConnectFailed', 'ConnectFailed', null, 'ConnectFailed'], false],
  ['an answer between, though a bad one', ['TimedOut', 'TimedOut', 'BadStatus', 'TimedOut'], false],
  ['bad answers only', ['BadStatus', 'NotJson', 'Truncated', 'TooLarge'], false],
  ['calls that never left between', ['TimedOut', 'Aborted', 'TimedOut', 'EgressDenied', 'TimedOut'], true],
  ['a late success', ['TimedOut', 'TimedOut', 'TimedOut', null], true],
])('the breaker after %s', (_name, outcomes, isOpen) => {
  const breaker = createBreaker(3);
  for (const outcome of outcomes) breaker.record(outcome);
  expect(breaker.isOpen()).toBe(isOpen);
});
