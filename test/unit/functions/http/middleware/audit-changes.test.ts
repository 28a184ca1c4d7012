import { describe, expect, it } from 'vitest';
import { auditChanges } from '../../../../../functions/http/middleware/audit-changes.ts';
import type { Route } from '../../../../../functions/http/route.ts';
import { keptLog, requestOf, routeOf } from '../../../../helpers/lambda/http-request.ts';

const putThing = (access: Route['access']) => routeOf({ method: 'PUT', path: '/things/{name}', access });

describe('auditChanges', () => {
  it.each(['after', 'onError'] as const)('%s logs one line with the status that is sent', (hook) => {
    const log = keptLog();
    const request = requestOf({
      event: {
        rawPath: `/things/${'a'.repeat(300)}`,
        rawQueryString: 'token=secret',
        requestContext: {
          requestId: 'r1',
          http: { method: 'PUT', sourceIp: '192.0.2.1' },
          authorizer: { iam: { userArn: 'arn:aws:iam::1:user/a' } },
        },
      },
      context: { route: putThing('write') },
      response: { statusCode: 409 },
    });
    expect(auditChanges(log)[hook]!(request)).toBeUndefined();
    expect(log.lines).toEqual([
      [
        'info',
        'changed',
        {
          requestId: 'r1',
          route: 'PUT /things/{name}',
          path: `/things/${'a'.repeat(300)}`.slice(0, 256),
          principal: 'arn:aws:iam::1:user/a',
          sourceIp: '192.0.2.1',
          status: 409,
        },
      ],
    ]);
  });

  it('logs changes only', () => {
    const logged = (['open', 'graph', 'public', 'read', 'write', 'admin'] as const).filter((access) => {
      const log = keptLog();
      auditChanges(log).after!(requestOf({ context: { route: putThing(access) }, response: {} }));
      return log.lines.length > 0;
    });
    expect(logged).toEqual(['write', 'admin']);
  });

  it('logs nothing for a request without a route', () => {
    const log = keptLog();
    auditChanges(log).onError!(requestOf({ response: { statusCode: 404 } }));
    expect(log.lines).toEqual([]);
  });
});
