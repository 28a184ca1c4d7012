import middy from '@middy/core';
import type { Log } from './telemetry.ts';

/** The stack of a scheduled job: input is checked, a failure is logged once and left to Lambda's retry. */
export function jobHandler<Input, Result>(
  parse: (event: unknown) => Input,
  work: (input: Input) => Promise<Result>,
  log: Log,
): (event: unknown, context: object) => Promise<Result> {
  const handler = middy<unknown, Result>()
    .onError((request) => {
      log.error('job failed', { event: request.event, error: request.error });
    })
    .handler(async (event: unknown) => work(parse(event)));
  return handler as unknown as (event: unknown, context: object) => Promise<Result>;
}
