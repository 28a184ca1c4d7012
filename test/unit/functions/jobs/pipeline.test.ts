import { beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { type Job, jobHandler } from '../../../../functions/jobs/pipeline.ts';
import { aContext } from '../../../helpers/lambda/context.ts';

interface Input {
  readonly slot: string;
}
interface Result {
  readonly status: string;
  readonly pairs: readonly string[];
}

const order: string[] = [];
const write = (line: string) => void order.push(line);
const log = { info: write, warn: write, error: write };
const run = vi.fn<Job<Input, Result>['run']>();
beforeEach(() => {
  order.length = 0;
  run.mockReset().mockResolvedValue({ status: 'Done', pairs: ['a'] });
});

const handler = jobHandler<Input, Result>({
  name: 'sync',
  input: z.object({ slot: z.string() }),
  run,
  answerOf: ({ status }) => ({ status }),
  finishedFields: ({ pairs }) => ({ pairs: pairs.length }),
  metricsOf: ({ pairs }) => [[{ pairsFollowed: pairs.length }]],
  failedMetric: 'syncFailed',
  log,
  count: (counts) => write(JSON.stringify(counts)),
});

it('runs the job with its input, counts and logs the whole result, and answers with a part of it', async () => {
  expect(await handler({ slot: 'a' }, aContext())).toEqual({ status: 'Done' });
  const [[input, context] = []] = run.mock.calls;
  expect([input, context?.getRemainingTimeInMillis()]).toEqual([{ slot: 'a' }, 1000]);
  expect(order).toEqual(['{"pairsFollowed":1}', 'sync finished']);
});

it('counts and logs a failure once, and throws it on for the retry of Lambda', async () => {
  run.mockRejectedValue(new Error('broken'));
  await expect(handler({ slot: 'a' }, aContext())).rejects.toThrow('broken');
  expect(order).toEqual(['{"syncFailed":1}', 'job failed']);
});

it('does not run on input that cannot be read', async () => {
  await expect(handler({}, aContext())).rejects.toThrow('slot');
  expect(run).not.toHaveBeenCalled();
  expect(order).toEqual(['job failed']);
});
