import middy from '@middy/core';
import { type CountedJob, countOutcome } from './middleware/count-outcome.ts';
import { type LoggedJob, logOutcome } from './middleware/log-outcome.ts';
import { type JobContext, parseInput } from './middleware/parse-input.ts';

export interface Job<Input, Result> extends LoggedJob<Input, Result>, CountedJob<Input, Result> {
  readonly input: { readonly parse: (event: unknown) => Input };
  readonly run: (input: Input, context: JobContext<Input>) => Promise<Result>;
  /** Reduces the result to what the invocation returns. */
  readonly answerOf?: (result: Result) => object;
}

/** Runs a scheduled job with its middleware. Errors are rethrown, and Lambda retries. */
export function jobHandler<Input, Result extends object>(
  job: Job<Input, Result>,
): (event: unknown, context: JobContext<Input>) => Promise<object> {
  const { input, run, answerOf } = job;
  return middy<unknown, object, Error, JobContext<Input>>()
    .after((request) => {
      if (answerOf) request.response = answerOf(request.response as Result);
    })
    .use([logOutcome(job), countOutcome(job), parseInput<Input, Result>(input)])
    .handler((_event: unknown, context: JobContext<Input>) => run(context.input!, context));
}
