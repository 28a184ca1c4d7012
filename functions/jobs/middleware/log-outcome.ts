import type { Log } from '../../runtime/log.ts';
import type { JobMiddleware } from './parse-input.ts';

export interface LoggedJob<Input, Result> {
  readonly name: string;
  /** Fields of the line for a finished invocation; null logs none. */
  readonly finishedFields?: (result: Result, input: Input) => Readonly<Record<string, unknown>> | null;
  readonly log: Log;
}

/** Logs the end of an invocation once; Lambda retries a failure. */
export function logOutcome<Input, Result>({
  name,
  finishedFields,
  log,
}: LoggedJob<Input, Result>): JobMiddleware<Input, Result> {
  return {
    after: function logResult({ response, context }) {
      const fields = finishedFields?.(response!, context.input!) ?? null;
      if (fields !== null) log.info(`${name} finished`, fields);
    },
    onError: function logFailure({ event, error }) {
      log.error('job failed', { event, error });
    },
  };
}
