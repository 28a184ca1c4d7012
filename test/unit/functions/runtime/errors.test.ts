import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { type HttpEvent } from '../../../../functions/http/endpoint.ts';
import { httpHandler } from '../../../../functions/http/pipeline.ts';
import type { Route } from '../../../../functions/http/route.ts';
import { isPassing, PassingFault } from '../../../../functions/runtime/errors.ts';

const ofTable = (name: string, fault: 'client' | 'server', status: number) =>
  new DynamoDBServiceException({ name, $fault: fault, $metadata: { httpStatusCode: status } });
const cutOff = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
const unreadable = Object.assign(new SyntaxError('Unterminated string'), {
  $metadata: { httpStatusCode: 200 },
});
const silent = { info: () => {}, warn: () => {}, error: () => {} };

const PASSING: readonly (readonly [string, unknown, boolean])[] = [
  ['too much is asked of the table', ofTable('ThrottlingException', 'client', 400), true],
  ['a hot key', ofTable('ProvisionedThroughputExceededException', 'client', 400), true],
  ['the table fails', ofTable('InternalServerError', 'server', 500), true],
  ['a connection is cut', cutOff, true],
  ['an answer is cut', unreadable, true],
  ['a batch stays unprocessed', new PassingFault('unprocessed'), true],
  ['a call that is wrong', ofTable('ValidationException', 'client', 400), false],
  ['a call that is not allowed', ofTable('AccessDeniedException', 'client', 400), false],
  ['a bug', new TypeError('x is not a function'), false],
  ['no error at all', 'text', false],
];

describe('a fault that passes', () => {
  it.each(PASSING)('%s', (_what, error, expected) => {
    expect(isPassing(error)).toBe(expected);
  });

  it.each([
    ['is told with the time to try again', cutOff, 503, 'unavailable', '2'],
    ['is told apart from what is wrong here', new Error('bug'), 500, 'internal', undefined],
  ])('%s', async (_what, error, status, code, retryAfter) => {
    const route: Route = {
      id: 'thing',
      method: 'GET',
      path: '/thing',
      lambda: 'query',
      access: 'read',
      errors: 'problem',
      summary: 'A thing',
      success: { status: 200, description: 'It' },
      failures: [],
    };
    const app = httpHandler(
      { own: [route], all: async () => [route] },
      { thing: () => Promise.reject(error) },
      silent,
    );
    const event: HttpEvent = {
      routeKey: 'GET /thing',
      rawPath: '/thing',
      rawQueryString: '',
      headers: {},
      isBase64Encoded: false,
      requestContext: { requestId: 'r1', http: { method: 'GET' } },
    };
    const { statusCode, headers, body } = await app(event, {});
    expect(statusCode).toBe(status);
    expect(headers?.['retry-after']).toBe(retryAfter);
    expect(JSON.parse(body!)).toMatchObject({ type: `urn:cairn:problem:${code}` });
  });
});
