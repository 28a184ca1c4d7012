import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { isTransient, TransientError } from '../../../../functions/runtime/errors.ts';

const ofTable = (name: string, fault: 'client' | 'server', status: number) =>
  new DynamoDBServiceException({ name, $fault: fault, $metadata: { httpStatusCode: status } });
const cutOff = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
const unreadable = Object.assign(new SyntaxError('Unterminated string'), {
  $metadata: { httpStatusCode: 200 },
});

describe('isTransient', () => {
  it.each<[string, unknown, boolean]>([
    ['the table throttles', ofTable('ThrottlingException', 'client', 400), true],
    ['a hot key', ofTable('ProvisionedThroughputExceededException', 'client', 400), true],
    ['the table fails', ofTable('InternalServerError', 'server', 500), true],
    ['a connection is cut', cutOff, true],
    ['a response is cut', unreadable, true],
    ['a batch stays unprocessed', new TransientError('unprocessed'), true],
    ['a wrong call', ofTable('ValidationException', 'client', 400), false],
    ['a forbidden call', ofTable('AccessDeniedException', 'client', 400), false],
    ['a bug', new TypeError('x is not a function'), false],
    ['text', 'text', false],
  ])('%s', (_what, error, expected) => {
    expect(isTransient(error)).toBe(expected);
  });
});
