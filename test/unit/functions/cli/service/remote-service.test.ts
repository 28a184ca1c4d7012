import { expect, it } from 'vitest';
import { askRepeatedly } from '../../../../../functions/cli/service/remote-service.ts';

const REPETITION = {
  attempts: 3,
  backoffBaseMs: 1,
  backoffCapMs: 1,
  longestWaitMs: 30_000,
  isTransient: (status: number) => status === 503,
};

it.each([
  ['a transient status', 503, '0', 3],
  ['one that asks for a wait that is too long', 503, '31', 1],
  ['any other status', 404, '0', 1],
])('%s (%i), with Retry-After %s, makes %i requests', async (_what, status, retryAfter, expected) => {
  let calls = 0;
  const ask = async () => ({ status, headers: { 'retry-after': retryAfter }, calls: ++calls });
  const answer = await askRepeatedly(ask, { clock: () => 0 }, 'it', REPETITION);
  expect([answer.calls, calls]).toEqual([expected, expected]);
});

it('an error is that of the last attempt', async () => {
  let calls = 0;
  const ask = () => Promise.reject(new Error(`no ${++calls}`));
  await expect(askRepeatedly(ask, { clock: () => 0 }, 'it', REPETITION)).rejects.toThrow(
    'it does not answer: no 3',
  );
});
