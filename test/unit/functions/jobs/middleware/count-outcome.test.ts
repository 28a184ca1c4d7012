import middy from '@middy/core';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  type CountedJob,
  type CountedMetrics,
  countOutcome,
} from '../../../../../functions/jobs/middleware/count-outcome.ts';
import type { JobContext } from '../../../../../functions/jobs/middleware/parse-input.ts';
import { aContext } from '../../../../helpers/lambda/context.ts';

interface Result {
  readonly added: number;
}
type Job = CountedJob<string, Result>;

const count = vi.fn<(...metrics: CountedMetrics) => void>();
beforeEach(() => count.mockReset());

const invoke = (job: Partial<Job>, context: Partial<JobContext<string>>, run: () => Promise<Result>) =>
  middy<unknown, Result, Error, JobContext<string>>()
    .use(countOutcome<string, Result>({ metricsOf: () => [], count, ...job }))
    .handler(run)({}, { ...aContext(), ...context });

it('counts each metric of the result, with its dimensions', async () => {
  const metricsOf: Job['metricsOf'] = ({ added }, input) => [
    [{ versionsAdded: added }],
    [{ pruneRunSkipped: 1 }, { Pruner: input }],
  ];
  expect(
    await invoke({ metricsOf, failedMetric: 'syncFailed' }, { input: 'a' }, async () => ({ added: 3 })),
  ).toEqual({ added: 3 });
  expect(count.mock.calls).toEqual([[{ versionsAdded: 3 }], [{ pruneRunSkipped: 1 }, { Pruner: 'a' }]]);
});

const broken = () => Promise.reject(new Error('broken'));

it('counts a failure, and leaves it a failure', async () => {
  await expect(invoke({ failedMetric: 'syncFailed' }, { input: 'a' }, broken)).rejects.toThrow('broken');
  expect(count.mock.calls).toEqual([[{ syncFailed: 1 }]]);
});

it.each([
  ['of a job that has no metric for it', {}, { input: 'a' }],
  ['of an event that could not be read', { failedMetric: 'syncFailed' }, {}],
] as const)('does not count a failure %s', async (_, job, context) => {
  await expect(invoke(job, context, broken)).rejects.toThrow('broken');
  expect(count).not.toHaveBeenCalled();
});
