import middy from '@middy/core';
import type { Log } from '../runtime/log.ts';

/** What Lambda tells of an invocation. */
interface JobContext {
  getRemainingTimeInMillis(): number;
}

/** The stack of a scheduled job: input is checked, a failure is logged once and left to Lambda's retry. */
export function jobHandler<Input, Result>(
  parse: (event: unknown) => Input,
  work: (input: Input, context: JobContext) => Promise<Result>,
  log: Log,
): (event: unknown, context: object) => Promise<Result> {
  const handler = middy<unknown, Result>()
    .onError((request) => {
      log.error('job failed', { event: request.event, error: request.error });
    })
    .handler(async (event: unknown, context: JobContext) => work(parse(event), context));
  return handler as unknown as (event: unknown, context: object) => Promise<Result>;
}
