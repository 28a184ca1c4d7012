import { describe, expect, it } from 'vitest';
import { problemResponse } from '../../../../../functions/http/middleware/problem-response.ts';
import { Problem } from '../../../../../functions/http/problem.ts';
import type { Route } from '../../../../../functions/http/route.ts';
import { ExpectedError, TransientError } from '../../../../../functions/runtime/errors.ts';
import { keptLog, requestOf, resultOf } from '../../../../helpers/lambda/http-request.ts';

function respondTo(error: unknown, errors?: Route['errors']) {
  const log = keptLog();
  const request = requestOf({ error, context: errors ? { errors } : {} });
  expect(problemResponse(log).onError!(request)).toBeUndefined();
  const { statusCode, headers, body } = resultOf(request);
  return { lines: log.lines, status: statusCode, headers, body: JSON.parse(body!) as unknown };
}

describe('problemResponse', () => {
  it('sends an expected error with its code and faults, without logging it', () => {
    const errors = [{ parameter: 'to', value: 'x', detail: 'a version is accepted' }];
    const { lines, status, headers, body } = respondTo(
      new ExpectedError('not-synced-yet', 'try again', { retryAfterSeconds: 60, errors }),
    );
    expect(lines).toEqual([]);
    expect(status).toBe(503);
    expect(headers).toEqual({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'retry-after': '60',
    });
    expect(body).toEqual({
      type: 'urn:cairn:problem:not-synced-yet',
      title: 'The first sync has not finished yet',
      status: 503,
      detail: 'try again',
      instance: 'urn:cairn:request:r1',
      errors,
    });
  });

  it.each<[Route['errors'], unknown]>([
    ['assisted', { kind: 'Error', id: 405, href: '', code: '405', reason: 'GET is' }],
    ['cincinnati', { kind: 'method_not_allowed', value: 'GET is' }],
  ])('has the shape %s, with the headers of a problem', (shape, expected) => {
    const problem = new Problem('method-not-allowed', 'GET is', { headers: { allow: 'GET' } });
    const { status, headers, body } = respondTo(problem, shape);
    expect([status, headers?.['allow'], headers?.['content-type']]).toEqual([405, 'GET', 'application/json']);
    expect(body).toEqual(expected);
  });

  it.each([
    ['a transient fault', new TransientError('unprocessed'), 503, 'unavailable', '2'],
    ['a cut connection', Object.assign(new Error('cut'), { code: 'ECONNRESET' }), 503, 'unavailable', '2'],
    ['a bug', new Error('secret'), 500, 'internal', undefined],
    ['text', 'secret', 500, 'internal', undefined],
  ])('logs %s once and sends no text of it', (_what, error, status, code, retryAfter) => {
    const sent = respondTo(error);
    expect(sent.lines).toEqual([
      ['error', 'request failed', { requestId: 'r1', route: 'GET /thing', error }],
    ]);
    expect([sent.status, sent.headers?.['retry-after']]).toEqual([status, retryAfter]);
    expect(sent.body).toMatchObject({
      type: `urn:cairn:problem:${code}`,
      detail: expect.stringContaining('r1') as string,
    });
    expect(JSON.stringify(sent.body)).not.toMatch(/secret|unprocessed|cut/);
  });
});
