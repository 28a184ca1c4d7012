import type { MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';

/** `input` is optional, so that the Lambda context is assignable to it. */
export interface JobContext<Input> extends Context {
  readonly input?: Input;
}

export type JobMiddleware<Input, Result> = MiddlewareObj<unknown, Result, Error, JobContext<Input>>;

/** Invalid input fails the invocation before the job runs. */
export function parseInput<Input, Result>(schema: {
  readonly parse: (event: unknown) => Input;
}): JobMiddleware<Input, Result> {
  return {
    before: function parseEvent(request) {
      request.context = { ...request.context, input: schema.parse(request.event) };
    },
  };
}
