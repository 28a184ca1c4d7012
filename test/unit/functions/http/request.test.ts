import { describe, expect, it } from 'vitest';
import { principalOf } from '../../../../functions/http/request.ts';

describe('principalOf', () => {
  it.each([
    [undefined, 'local'],
    [{}, 'local'],
    [{ iam: { userArn: 'arn:aws:sts::1:assumed-role/ops/ada' } }, 'arn:aws:sts::1:assumed-role/ops/ada'],
    [{ iam: { userArn: null } }, 'local'],
    [{ jwt: { claims: { sub: 'ada' } } }, 'ada'],
    [{ jwt: { claims: { sub: 'ada', client_id: 'console' } } }, 'ada by console'],
    [{ jwt: { claims: { client_id: 'robot' } } }, 'robot'],
    [{ jwt: { claims: { sub: 7 } } }, 'unknown'],
    [{ jwt: { claims: { sub: 'a'.repeat(300) } } }, 'a'.repeat(256)],
  ])('%o is %s', (authorizer, principal) => {
    expect(principalOf(authorizer)).toBe(principal);
  });
});
