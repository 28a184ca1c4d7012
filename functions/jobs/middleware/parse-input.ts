import type { MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';

/** `input` is optional, so that the runtime's context is one of these. */
export interface JobContext<Input> extends Context {
  readonly input?: Input;
}

export type JobMiddleware<Input, Result> = MiddlewareObj<unknown, Result, Error, JobContext<Input>>;

/** Bad input fails the invocation before anything runs. */
export function parseInput<Input, Result>(schema: {
  readonly parse: (event: unknown) => Input;
}): JobMiddleware<Input, Result> {
  return {
    before: function parseEvent(request) {
      request.context = { ...request.context, input: schema.parse(request.event) };
    },
  };
}
