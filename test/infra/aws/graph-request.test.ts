import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphMediaType, graphQuestion } from '../../../functions/api/graph-request.ts';
import { graphRoutes } from '../../../functions/api/graph-routes.ts';
import { cincinnatiBody, Problem } from '../../../functions/runtime/problem.ts';
import { parseQuery } from '../../../functions/runtime/request.ts';
import { edgeRequest, loadEdgeFunction } from '../../helpers/gateway/edge.ts';

const PATH = '/api/upgrades_info/v1/graph';
const run = loadEdgeFunction();

/** What the API makes of a request: what it asks for, or how it is refused. */
function atOrigin(query: string, accept: string | undefined) {
  try {
    const type = graphMediaType(accept);
    return { type, ...graphQuestion(parseQuery(graphRoutes[0], query)) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, body: cincinnatiBody(error) };
  }
}

/** The same after the function has had it. */
function throughEdge(query: string, accept: string | undefined) {
  const headers = accept === undefined ? {} : { accept };
  const result = run(edgeRequest(`${PATH}?${query}`, { headers }));
  return 'statusCode' in result
    ? { status: result.statusCode, body: JSON.parse(result.body) as unknown }
    : atOrigin(result.querystring, result.headers['accept']?.value);
}

describe('what goes on', () => {
  const rewritten = (query: string, accept?: string) => {
    const result = run(edgeRequest(`${PATH}?${query}`, { headers: accept === undefined ? {} : { accept } }));
    return 'statusCode' in result
      ? result.statusCode
      : [result.querystring, result.headers['accept']?.value ?? null];
  };
  const JSON_TYPE = 'application/json';
  const CINCINNATI_TYPE = 'application/vnd.redhat.cincinnati.v1+json';

  it.each([
    ['channel=stable-4.14&id=a&version=4.14.1&arch=amd64', 'arch=amd64&channel=stable-4.14'],
    ['arch=s390x&channel=eus-4.14', 'arch=s390x&channel=eus-4.14'],
    ['channel=stable-4.14', 'arch=amd64&channel=stable-4.14'],
    ['channel=a&channel=b&x=y&X=1', 'arch=amd64&channel=b'],
    ['channel=stable%2D4.14&arch=am%644', 'arch=amd4&channel=stable-4.14'],
    [
      'channel=a&trim=reachable&version=4.14.1%2Bx&id=1',
      'arch=amd64&channel=a&trim=reachable&version=4.14.1%2Bx',
    ],
  ])('%s asks for %s', (query, expected) => {
    expect(rewritten(query, JSON_TYPE)).toEqual([expected, JSON_TYPE]);
  });

  it.each([
    [undefined, CINCINNATI_TYPE],
    [' ', CINCINNATI_TYPE],
    [JSON_TYPE, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['text/html, application/*;q=0.5', JSON_TYPE],
    [`${CINCINNATI_TYPE}, application/json;q=0.9`, CINCINNATI_TYPE],
    ['application/JSON; charset=utf-8', JSON_TYPE],
  ])('Accept: %s asks for %s', (accept, expected) => {
    expect(rewritten('channel=a', accept)).toEqual(['arch=amd64&channel=a', expected]);
  });

  it('has no query where a browser asks whether it may ask', () => {
    const result = run(edgeRequest(`${PATH}?channel=a&id=1`, { method: 'OPTIONS' }));
    expect(result).toMatchObject({ method: 'OPTIONS', querystring: '' });
  });
});

describe('what is refused', () => {
  it.each([
    ['', undefined],
    ['id=1&version=2', undefined],
    ['trim=reachable', undefined],
    ['channel=', undefined],
    ['channel=Stable-4.14', undefined],
    ['channel=stable_4.14', undefined],
    [`channel=${'A'.repeat(500)}`, undefined],
    ['channel=a%20b', undefined],
    ['channel=a+b', undefined],
    ['channel=a&arch=x86_64', undefined],
    ['channel=a&arch=AMD64', undefined],
    ['channel=a&arch=__proto__', undefined],
    ['channel=a&arch=', undefined],
    ['channel=a&trim=all&version=1', undefined],
    ['channel=a', 'text/html'],
    ['channel=a', 'application/json;q=0'],
  ])('%s, Accept: %s', (query, accept) => {
    const refused = throughEdge(query, accept);
    expect(refused).toHaveProperty('status');
    expect(refused).toEqual(atOrigin(query, accept));
  });

  it('may be no text at all', () => {
    expect(throughEdge('channel=%E2%82', undefined)).toMatchObject({ status: 400 });
  });

  it('is not kept by anybody', () => {
    expect(run(edgeRequest(PATH))).toMatchObject({
      statusCode: 400,
      headers: { 'cache-control': { value: 'no-store' }, 'content-type': { value: 'application/json' } },
    });
  });
});

it('asks the API for the same, or refuses in its words', () => {
  const value = fc.oneof(
    fc.constantFrom(
      'stable-4.14',
      'amd64',
      'x86_64',
      'reachable',
      '4.14.1',
      '',
      'A',
      'a%2Bb',
      'a+b',
      'a%26b=c',
    ),
    fc.string({ maxLength: 8 }).map(encodeURIComponent),
  );
  const name = fc.constantFrom('channel', 'channel', 'arch', 'trim', 'version', 'id', 'x', 'toString');
  const query = fc
    .array(fc.tuple(name, value), { maxLength: 6 })
    .map((pairs) => pairs.map(([key, text]) => `${key}=${text}`).join('&'));
  const range = fc.tuple(
    fc.constantFrom(
      ...['application/json', 'application/vnd.redhat.cincinnati.v1+json', 'application/*', '*/*'],
      ...['text/html', '*', '', 'APPLICATION/JSON'],
    ),
    fc.constantFrom(
      '',
      ';q=0',
      ';q=0.5',
      ';q=1',
      ' ; q=0.25',
      ';q=2',
      ';charset=utf-8',
      ';charset=utf-8;q=0.1',
    ),
  );
  const accept = fc.option(
    fc
      .array(
        range.map((parts) => parts.join('')),
        { maxLength: 4 },
      )
      .map((ranges) => ranges.join(', ')),
    { nil: undefined },
  );
  fc.assert(
    fc.property(query, accept, (asked, accepted) => {
      expect(throughEdge(asked, accepted)).toEqual(atOrigin(asked, accepted));
    }),
    { numRuns: 3000, seed: 8 },
  );
});
