import { ExpectedError, isTransient, StoredByNewerRelease } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { HttpMiddleware } from '../endpoint.ts';
import { assistedBody, cincinnatiBody, problemBody, problemHeaders, problemStatus } from '../problem.ts';
import { type HttpResult, json } from '../reply.ts';
import type { Route } from '../route.ts';

/** Converts errors to responses; logs unexpected errors and hides their text. */
export function problemResponse(log: Log): HttpMiddleware {
  return {
    onError: function problemResponseOnError(request) {
      const { event, error, context } = request;
      const { requestId } = event.requestContext;
      const isExpected = error instanceof ExpectedError;
      if (!isExpected) log.error('request failed', { requestId, route: event.routeKey, error });
      const problem = isExpected ? error : unexpected(error, requestId);
      request.response = resultOf(problem, context.errors, requestId);
    },
  };
}

function unexpected(error: unknown, requestId: string): ExpectedError {
  const where = `the logs have it under ${requestId}`;
  if (error instanceof StoredByNewerRelease) {
    return new ExpectedError('internal', `${error.message}; ${where}`);
  }
  if (!isTransient(error)) {
    return new ExpectedError('internal', `the request could not be answered; ${where}`);
  }
  return new ExpectedError(
    'unavailable',
    `the storage is busy or out of reach, a change may have been made or not; send it again; ${where}`,
    { retryAfterSeconds: 2 },
  );
}

function resultOf(problem: ExpectedError, shape: Route['errors'] = 'problem', requestId: string): HttpResult {
  const status = problemStatus(problem);
  const headers = problemHeaders(problem);
  if (shape === 'assisted') return json(status, assistedBody(problem), headers);
  if (shape === 'cincinnati') return json(status, cincinnatiBody(problem), headers);
  return json(status, problemBody(problem, requestId), {
    ...headers,
    'content-type': 'application/problem+json',
  });
}
