import middy from '@middy/core';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type JobContext, parseInput } from '../../../../../functions/jobs/middleware/parse-input.ts';
import { aContext } from '../../../../helpers/lambda/context.ts';

interface Input {
  readonly slot: string;
}
const handler = middy<unknown, object, Error, JobContext<Input>>()
  .use(parseInput(z.object({ slot: z.string() })))
  .handler(async (_event: unknown, context: JobContext<Input>) => ({
    input: context.input,
    remaining: context.getRemainingTimeInMillis(),
  }));

it('hands the parsed input and the context of the runtime to the job', async () => {
  const context = aContext();
  expect(await handler({ slot: 'a', more: 1 }, context)).toEqual({ input: { slot: 'a' }, remaining: 1000 });
  expect(context).not.toHaveProperty('input');
});

it('fails on input that its schema does not take', async () => {
  await expect(handler({ slot: 1 }, aContext())).rejects.toThrow('slot');
});
