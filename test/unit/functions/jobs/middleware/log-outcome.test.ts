import middy from '@middy/core';
import { beforeEach, expect, it, vi } from 'vitest';
import { type LoggedJob, logOutcome } from '../../../../../functions/jobs/middleware/log-outcome.ts';
import type { JobContext } from '../../../../../functions/jobs/middleware/parse-input.ts';
import { aContext } from '../../../../helpers/lambda/context.ts';

interface Result {
  readonly status: string;
}
type Job = LoggedJob<string, Result>;

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
beforeEach(() => vi.resetAllMocks());

const invoke = (finishedFields: Job['finishedFields'] | null, run: () => Promise<Result>) =>
  middy<unknown, Result, Error, JobContext<string>>()
    .use(logOutcome<string, Result>({ name: 'watch', log, ...(finishedFields && { finishedFields }) }))
    .handler(run)({ trigger: 'schedule' }, { ...aContext(), input: 'a' });
const done = async () => ({ status: 'Done' });

it('logs a finished invocation once, with the fields of its result and input', async () => {
  await invoke(({ status }, input) => ({ status, input }), done);
  expect(log.info.mock.calls).toEqual([['watch finished', { status: 'Done', input: 'a' }]]);
});

it.each([
  ['of a result without fields', () => null],
  ['of a job that logs its own', null],
])('logs nothing %s', async (_, finishedFields) => {
  await invoke(finishedFields, done);
  expect(log.info).not.toHaveBeenCalled();
});

it('logs a failure with its event and its error, and leaves it a failure', async () => {
  const error = new Error('broken');
  await expect(invoke(null, () => Promise.reject(error))).rejects.toBe(error);
  expect(log.error.mock.calls).toEqual([['job failed', { event: { trigger: 'schedule' }, error }]]);
});
