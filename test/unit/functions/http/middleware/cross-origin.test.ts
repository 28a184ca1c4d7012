import { describe, expect, it } from 'vitest';
import { crossOrigin } from '../../../../../functions/http/middleware/cross-origin.ts';
import { requestOf, resultOf } from '../../../../helpers/lambda/http-request.ts';

const ORIGIN = 'https://console.example';
const sent = { statusCode: 200, headers: { etag: '"a"' }, body: 'graph' };

describe('crossOrigin', () => {
  it.each(['after', 'onError'] as const)(
    '%s lets the page read a response of the update protocol',
    (hook) => {
      const request = requestOf({
        event: { headers: { origin: ORIGIN } },
        context: { errors: 'cincinnati' },
        response: sent,
      });
      expect(crossOrigin()[hook]!(request)).toBeUndefined();
      expect(resultOf(request)).toEqual({
        ...sent,
        headers: {
          etag: '"a"',
          vary: 'Accept, Accept-Encoding, Origin',
          'access-control-allow-origin': ORIGIN,
          'access-control-expose-headers': 'ETag, X-Graph-Stale, X-Graph-Synced-At',
        },
      });
      expect(sent.headers).toEqual({ etag: '"a"' });
    },
  );

  it('names what the response varies by when there is no origin', () => {
    const request = requestOf({ context: { errors: 'cincinnati' }, response: sent });
    crossOrigin().after!(request);
    expect(resultOf(request).headers).toEqual({ etag: '"a"', vary: 'Accept, Accept-Encoding, Origin' });
  });

  it.each(['problem', 'assisted', undefined] as const)('leaves errors of the shape %s alone', (errors) => {
    const request = requestOf({
      event: { headers: { origin: ORIGIN } },
      context: errors ? { errors } : {},
      response: sent,
    });
    crossOrigin().onError!(request);
    expect(request.response).toBe(sent);
  });
});
