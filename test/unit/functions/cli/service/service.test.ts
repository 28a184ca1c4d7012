import { expect, it } from 'vitest';
import { accepted, requestEach } from '../../../../../functions/cli/service/service.ts';

it('sends no further request after one has failed, and waits for those under way', async () => {
  const ends = Array.from({ length: 9 }, () => Promise.withResolvers<string>());
  const sent: number[] = [];
  let isOver = false;
  const answers = requestEach([...ends.keys()], (index) => {
    sent.push(index);
    return ends[index]!.promise;
  });
  const outcome = answers.catch((error: unknown) => error).finally(() => (isOver = true));
  const settled = () => new Promise(setImmediate);
  ends[0]!.resolve('answer');
  await settled();
  ends[2]!.reject(new Error('refused'));
  await settled();
  expect([sent, isOver]).toEqual([[0, 1, 2, 3, 4], false]);
  for (const index of [1, 3, 4]) ends[index]!.resolve('answer');
  await expect(outcome).resolves.toEqual(new Error('refused'));
  expect(sent).toHaveLength(5);
});

it.each([
  ['excluded', 422, 2],
  ['no-path', 422, 2],
  ['too-complex', 422, 64],
  ['unknown-version', 404, 64],
  ['not-synced-yet', 503, 3],
])('the problem %s with status %i ends a command with %i', (code, status, exitCode) => {
  const detail = '4.15.51 is excluded by ignored_openshift_versions';
  const errors = [{ parameter: 'to', value: '4.15.51', detail }];
  const body = Buffer.from(JSON.stringify({ type: `urn:cairn:problem:${code}`, detail, errors }));
  expect(() => accepted({ status, headers: {}, body })).toThrow(
    expect.objectContaining({ exitCode, lines: [`TO "4.15.51": ${detail}`] }),
  );
});
