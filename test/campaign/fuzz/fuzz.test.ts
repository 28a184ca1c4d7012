import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { givenOf, mistakesOf } from '../../helpers/cli/scripts.ts';
import { runCampaign } from './campaign.ts';
import { OPERATIONS } from './grammar/interface.ts';
import { seedOf, shot, shotOf } from './grammar/shots.ts';
import { objectionsTo } from './report.ts';
import { curlOf, type FuzzRequest, openedShot, savedShot } from './request.ts';
import { FUZZ } from './run.ts';
import { verify } from './verify.ts';
import type { WireAnswer } from './wire.ts';

const REQUESTS = 2000;
const SEED = Number(process.env['CAIRN_FUZZ_SEED'] ?? 20_261_116);

describe('the local run under fuzz', () => {
  it(`answers ${REQUESTS} made-up requests as documented (npm run fuzz -- --seed ${SEED} --requests ${REQUESTS})`, async () => {
    const result = await runCampaign({ seed: SEED, requests: REQUESTS, isWarmedUp: false });
    // How much memory a short run takes says nothing.
    expect(objectionsTo({ ...result, memory: { ...result.memory, growth: 0 } })).toEqual([]);
    expect(result.requests).toBe(REQUESTS);
    const asked = new Set(result.routes.keys());
    const missed = OPERATIONS.map(({ method, path }) => `${method} ${path}`).filter(
      (route) => !asked.has(route),
    );
    expect(missed).toEqual([]);
  });
});

describe('a request of a seed', () => {
  it('is the same whenever it is asked for, also to what makes it smaller', async () => {
    for (const number of [0, 1, 2, 500]) {
      const [first, again] = [shotOf(3, number), shotOf(3, number)];
      expect(again).toEqual(first);
      const property = fc.asyncProperty(shot, async () => false);
      const { counterexample } = await fc.check(property, {
        seed: seedOf(3, number),
        numRuns: 1,
        endOnFailure: true,
      });
      expect(counterexample).toEqual([first]);
      expect(
        openedShot(JSON.parse(JSON.stringify(savedShot(first))) as ReturnType<typeof savedShot>),
      ).toEqual(openedShot(savedShot(first)));
    }
  });

  it('can be sent as a curl command', () => {
    const request: FuzzRequest = {
      method: 'PUT',
      target: '/x',
      headers: [['a', "it's"]],
      body: Buffer.from('{}'),
    };
    expect(curlOf({ kind: 'request', request }, 'http://127.0.0.1:1')).toBe(
      `curl -sS -i --path-as-is -X PUT -H 'a: it'\\''s' --data-binary '{}' http://127.0.0.1:1/x`,
    );
  });
});

describe('verify', () => {
  const request: FuzzRequest = { method: 'GET', target: '/v1/clusters', headers: [], body: null };
  const answer = (status: number, type: string, body: unknown, more: readonly string[] = []): WireAnswer => {
    const headerLines = [`content-type: ${type}`, ...more];
    return {
      status,
      headerLines,
      headers: new Map(headerLines.map((line) => line.split(': ') as [string, string])),
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      milliseconds: 1,
    };
  };
  const problem = { type: 'urn:cairn:problem:invalid-parameter', title: 't', status: 400, detail: 'd' };
  const unavailable = (name: string) => ({ ...problem, type: `urn:cairn:problem:${name}`, status: 503 });
  const PROBLEM = 'application/problem+json';
  const page = { clusters: [], nextCursor: null };

  it.each<[string, WireAnswer]>([
    ['data as documented', answer(200, 'application/json', page)],
    ['a documented problem', answer(400, PROBLEM, problem)],
    ['what was stopped by a switch', answer(503, PROBLEM, unavailable('stopped'))],
  ])('is content with %s', (_what, given) => {
    expect(verify({ kind: 'request', request }, { kind: 'answer', answer: given }).faults).toEqual([]);
  });

  it.each<[string, WireAnswer, string]>([
    ['a server error', answer(500, PROBLEM, { ...problem, status: 500 }), 'answered 500'],
    ['storage out of reach', answer(503, PROBLEM, unavailable('unavailable')), 'answered 503'],
    ['an undocumented status', answer(206, 'application/json', page), '206 is not documented'],
    ['an undocumented type', answer(200, 'text/html', page), 'text/html is not documented'],
    ['data of another shape', answer(200, 'application/json', { clusters: 1 }), 'not as documented'],
    [
      'an undocumented field',
      answer(200, 'application/json', { ...page, x: 1 }),
      'fields that are not documented',
    ],
    ['no JSON', answer(200, 'application/json', '{'), 'no JSON'],
    [
      'an unknown problem',
      answer(400, PROBLEM, { ...problem, type: 'urn:cairn:problem:x' }),
      'is not documented',
    ],
    [
      'a problem with another status',
      answer(400, PROBLEM, { ...problem, status: 404 }),
      'the problem says 404',
    ],
    ['an error page', answer(400, 'text/html', '<h1>'), 'no JSON'],
    ['an injected header', answer(200, 'application/json', page, ['x-fuzz-injected: 1']), 'injected'],
    ['a header twice', answer(200, 'application/json', page, ['etag: 1', 'etag: 2']), 'twice'],
    ['304 out of the blue', answer(304, 'application/json', ''), '304'],
  ])('sees %s', (_what, given, fault) => {
    const { faults } = verify({ kind: 'request', request }, { kind: 'answer', answer: given });
    expect(faults.join('; ')).toContain(fault);
  });

  it('sees that no answer came', () => {
    const { faults } = verify({ kind: 'request', request }, { kind: 'no answer', detail: 'nothing' });
    expect(faults).toEqual(['no answer: nothing']);
  });
});

describe('the flags', () => {
  it('are read, with every mistake', () => {
    const given = givenOf(FUZZ, ['--requests', '10', '--only', '3']);
    expect([given.number('requests'), given.number('only'), given.text('replay')]).toEqual([
      10,
      3,
      undefined,
    ]);
    expect(givenOf(FUZZ, []).number('requests')).toBe(50_000);
    expect(mistakesOf(FUZZ, ['--sed', '1', 'x', '--requests', 'many'])).toEqual([
      'unknown flag --sed, did you mean --seed?',
      'unexpected argument "1"; flags begin with --',
      'unexpected argument "x"; flags begin with --',
      '--requests "many" is not accepted, a whole number up to 2147483647 is',
    ]);
  });
});
