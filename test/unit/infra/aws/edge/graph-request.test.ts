import { parseChannel } from '@cairn/shared/releases/channel';
import { CHANNEL_ORDER } from '@cairn/shared/releases/values';
import { ARCHES } from '@cairn/shared/version/arch';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphMediaType, graphQuestion } from '../../../../../functions/graph/request.ts';
import { emptyGraph, graphAnswer } from '../../../../../functions/graph/response.ts';
import { graphRoutes } from '../../../../../functions/graph/routes.ts';
import { cincinnatiBody, Problem, problemStatus } from '../../../../../functions/http/problem.ts';
import { parseQuery } from '../../../../../functions/http/request.ts';
import { edgeRequest, loadEdgeFunction } from '../../../../helpers/gateway/edge.ts';
import { sized } from '../../../../helpers/size.ts';

const PATH = '/api/upgrades_info/v1/graph';
const run = loadEdgeFunction();

/** What the API makes of a request: what it asks for, the empty graph where nothing can be followed, or a refusal. */
function atOrigin(query: string, accept: string | undefined) {
  try {
    const type = graphMediaType(accept);
    const question = graphQuestion(parseQuery(graphRoutes[0], query));
    const { channel, arch } = question;
    if (parseChannel(channel) && (ARCHES as readonly string[]).includes(arch)) return { type, ...question };
    const { statusCode, headers, body } = graphAnswer({ headers: {} }, type, emptyGraph(), null);
    return { status: statusCode, headers, body: JSON.parse(body!) as unknown };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: problemStatus(error), body: cincinnatiBody(error) };
  }
}

/** The same after the function has had it. */
function throughEdge(query: string, accept: string | undefined) {
  const headers = accept === undefined ? {} : { accept };
  const result = run(edgeRequest(`${PATH}?${query}`, { headers }));
  if (!('statusCode' in result)) return atOrigin(result.querystring, result.headers['accept']?.value);
  const answer = { status: result.statusCode, body: JSON.parse(result.body) as unknown };
  if (result.statusCode !== 200) return answer;
  const { 'access-control-allow-origin': _any, ...answered } = result.headers;
  const entries = Object.entries(answered).map(([name, { value }]) => [name, value]);
  return { ...answer, headers: Object.fromEntries(entries) as Record<string, string> };
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
    ['channel=a&channel=fast-4.9&x=y&X=1', 'arch=amd64&channel=fast-4.9'],
    ['channel=stable%2D4.14&arch=am%6464', 'arch=amd64&channel=stable-4.14'],
    [
      'channel=eus-4.14&trim=reachable&version=4.14.1%2Bx&id=1',
      'arch=amd64&channel=eus-4.14&trim=reachable&version=4.14.1%2Bx',
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
    expect(rewritten('channel=fast-4.9', accept)).toEqual(['arch=amd64&channel=fast-4.9', expected]);
  });

  it('has no query where a browser asks whether it may ask', () => {
    const result = run(edgeRequest(`${PATH}?channel=a&id=1`, { method: 'OPTIONS' }));
    expect(result).toMatchObject({ method: 'OPTIONS', querystring: '' });
  });
});

describe('what no configuration can follow', () => {
  const edgeAnswer = (query: string) => run(edgeRequest(`${PATH}?${query}`));

  it.each([
    ['channel=a1', undefined],
    ['channel=none', 'application/json'],
    ['channel=stable', undefined],
    ['channel=stable-4', undefined],
    ['channel=stable-4.', undefined],
    ['channel=stable-4.14.1', undefined],
    ['channel=stable-4.014', undefined],
    ['channel=stable-04.14', undefined],
    ['channel=stable-4.1000', undefined],
    ['channel=stable-100.1', undefined],
    ['channel=stable-scos-4.14', undefined],
    ['channel=unstable-4.14', undefined],
    ['channel=x-4.14', 'application/json'],
    ['channel=stable-4.14&arch=riscv64', undefined],
    ['channel=stable-4.14&arch=aarch64', 'application/json'],
    ['channel=stable-4.14&arch=a1', undefined],
    ['channel=a1&trim=reachable&version=4.14.1', undefined],
  ])('is the empty graph of the API, and does not reach it: %s, Accept: %s', (query, accept) => {
    const headers = accept === undefined ? {} : { accept };
    expect(run(edgeRequest(`${PATH}?${query}`, { headers }))).toMatchObject({ statusCode: 200 });
    expect(throughEdge(query, accept)).toEqual(atOrigin(query, accept));
  });

  it.each([
    ['"empty-json"', 304],
    ['"x", W/"empty-json-gzip"', 304],
    ['*', 304],
    ['"empty-cincinnati"', 200],
    ['empty-json', 200],
    ['"empty"', 200],
  ])('with If-None-Match %s is %i, as at the API', (ifNoneMatch, status) => {
    const headers = { accept: 'application/json', 'if-none-match': ifNoneMatch };
    const sent = run(edgeRequest(`${PATH}?channel=a1`, { headers }));
    const atApi = graphAnswer({ headers }, 'application/json', emptyGraph(), null);
    expect([sent, atApi]).toMatchObject([{ statusCode: status }, { statusCode: status }]);
    expect('body' in sent && sent.body !== undefined).toBe(status === 200);
  });

  it('has no body for HEAD', () => {
    const sent = run(edgeRequest(`${PATH}?channel=a1`, { method: 'HEAD' }));
    expect(sent).toMatchObject({ statusCode: 200, headers: { etag: { value: '"empty-cincinnati"' } } });
    expect(sent).not.toHaveProperty('body');
  });

  it('can be read by pages of any origin', () => {
    expect(edgeAnswer('channel=a1')).toMatchObject({
      headers: { 'access-control-allow-origin': { value: '*' } },
    });
  });

  it('is everything but the channels and architectures there are', () => {
    const names = fc.oneof(
      fc
        .tuple(
          fc.constantFrom(...CHANNEL_ORDER, 'nightly', ''),
          fc.constantFrom('-', '', '.'),
          fc.oneof(fc.nat(120).map(String), fc.constantFrom('00', '04', '')),
          fc.constantFrom('.', '-', ''),
          fc.oneof(fc.nat(1200).map(String), fc.constantFrom('00', '014', '')),
        )
        .map((parts) => parts.join('')),
      fc.stringMatching(/^[0-9a-z.-]{1,20}$/),
    );
    const arches = fc.oneof(fc.constantFrom<string>(...ARCHES), fc.stringMatching(/^[0-9a-z]{1,8}$/));
    fc.assert(
      fc.property(names.filter(Boolean), arches, (channel, arch) => {
        const isFollowable = parseChannel(channel) !== null && (ARCHES as readonly string[]).includes(arch);
        expect('statusCode' in edgeAnswer(`channel=${channel}&arch=${arch}`)).toBe(!isFollowable);
      }),
      { numRuns: sized(400, 2000), seed: 8 },
    );
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

  it('is not cached', () => {
    expect(run(edgeRequest(PATH))).toMatchObject({
      statusCode: 400,
      headers: { 'cache-control': { value: 'no-store' }, 'content-type': { value: 'application/json' } },
    });
  });
});

it('asks the API for the same, or answers in its words', () => {
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
    { numRuns: sized(600, 3000), seed: 8 },
  );
});
