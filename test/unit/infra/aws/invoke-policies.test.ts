import { describe, expect, it } from 'vitest';
import { type Route, routeKey } from '../../../../functions/http/route.ts';
import { routes } from '../../../../functions/routes.ts';
import { type Level, LEVELS } from '../../../../infra/aws/http-api.ts';
import { invokePatterns } from '../../../../infra/aws/invoke-policies.ts';
import { ACCOUNT, API_ID, readDeployedApi, REGION } from '../../../helpers/gateway/deployed-api.ts';
import { isAllowed, matchesWildcard, type PolicyDocument } from '../../../helpers/gateway/iam-policy.ts';
import { templateOf } from '../../../helpers/template/template.ts';

const list: readonly Route[] = routes;
const { policies } = readDeployedApi(await templateOf());
const policyOf = (level: Level) => policies.get(`Cairn-${level}`)!;

/** Texts that a parameter of a path may hold, some of which look like more than one segment. */
const VALUES = ['a', 'runs', 'in-use', 'a%2Fruns', 'history', '*'];

function resourcesOf({ method, path }: Pick<Route, 'method' | 'path'>): string[] {
  return VALUES.map((value) => {
    const called = `${method}${path.replaceAll(/\{\w+\}/g, value)}`;
    return `arn:aws:execute-api:${REGION}:${ACCOUNT}:${API_ID}/$default/${called}`;
  });
}

const MAY_CALL: Readonly<Record<Level, readonly Route['access'][]>> = {
  read: ['graph', 'public', 'read'],
  write: ['graph', 'public', 'read', 'write'],
  admin: ['graph', 'public', 'read', 'write', 'admin'],
};

describe.each(LEVELS)('the policy %s', (level) => {
  const policy = policyOf(level);
  const may = (resource: string) => isAllowed([policy], 'execute-api:Invoke', resource);

  it('opens the routes of its level and lower ones, whatever their parameters, and no other', () => {
    const closed = list.filter(({ access }) => access !== 'open');
    const opened = closed.filter((route) => resourcesOf(route).some(may)).map(routeKey);
    const certain = closed.filter((route) => resourcesOf(route).every(may)).map(routeKey);
    const expected = closed.filter(({ access }) => MAY_CALL[level].includes(access)).map(routeKey);
    expect(opened).toEqual(expected);
    expect(certain).toEqual(expected);
  });

  it('opens nothing of other APIs and stages, and nothing but calls', () => {
    const [resource = ''] = resourcesOf({ method: 'GET', path: '/v1/clusters' });
    expect(may(resource)).toBe(true);
    expect(may(resource.replace(API_ID, 'other12345'))).toBe(false);
    expect(may(resource.replace('$default', 'test'))).toBe(false);
    expect(may(resource.replace(ACCOUNT, '999999999999'))).toBe(false);
    expect(isAllowed([policy], 'execute-api:ManageConnections', resource)).toBe(false);
  });

  it('fits into a policy, in the region and partition with the longest names', () => {
    const text = JSON.stringify(policy)
      .replaceAll('arn:aws:', 'arn:aws-us-gov:')
      .replaceAll(`:${REGION}:`, ':ap-southeast-1:');
    expect(text.length).toBeLessThan(6144);
  });
});

it('are not there where tokens open the routes', async () => {
  const jwt = { issuer: 'https://login.example.com/realm', audience: ['cairn'] };
  const withTokens = await templateOf({ access: { publicReleaseData: 'none', jwt } });
  expect(readDeployedApi(withTokens).policies.size).toBe(0);
});

describe('patterns', () => {
  const route = (method: Route['method'], path: string, access: Route['access']) =>
    ({ method, path, access }) as Route;

  it('have a star for each parameter, and leave out what is open', () => {
    const some = [
      route('GET', '/', 'open'),
      route('GET', '/v1/a/{id}/b/{name}', 'public'),
      route('PUT', '/v1/a/{id}', 'write'),
    ];
    expect(invokePatterns('read', some)).toEqual(['GET/v1/a/*/b/*']);
    expect(invokePatterns('write', some)).toEqual(['GET/v1/a/*/b/*', 'PUT/v1/a/*']);
  });

  it.each([
    ['a deeper path', '/v1/a/{id}', '/v1/a/{id}/secrets'],
    ['a fixed path', '/v1/a/{id}', '/v1/a/secrets'],
    ['a path with another parameter', '/v1/{kind}/x', '/v1/a/{id}/x'],
  ])('are refused when their star reaches %s of a higher level', (_name, lower, higher) => {
    const both = [route('GET', lower, 'read'), route('GET', higher, 'admin')];
    expect(() => invokePatterns('read', both)).toThrow(
      `a policy for GET ${lower} would also open GET ${higher}: choose other paths`,
    );
    // One pattern opens both.
    expect(invokePatterns('admin', both)).toHaveLength(1);
    expect(invokePatterns('admin', both.toReversed())).toHaveLength(1);
    expect(invokePatterns('read', [both[0]!, route('PUT', higher, 'admin')])).toHaveLength(1);
  });
});

describe('the evaluator of these tests', () => {
  const allow = (Resource: string | string[], Action = 'execute-api:Invoke'): PolicyDocument => ({
    Statement: [{ Effect: 'Allow', Action, Resource }],
  });
  const deny = (Resource: string): PolicyDocument => ({
    Statement: [{ Effect: 'Deny', Action: 'execute-api:*', Resource }],
  });

  it.each([
    ['nothing', [], false],
    ['an exact match', [allow('a/b/c')], true],
    ['one of several', [allow(['x', 'a/*'])], true],
    ['another action', [allow('*', 'execute-api:ManageConnections')], false],
    ['an action in other case', [allow('*', 'Execute-API:invoke')], true],
    ['a resource in other case', [allow('A/B/C')], false],
    ['a denial of it', [allow('*'), deny('a/b/*')], false],
    ['a denial of something else', [allow('*'), deny('a/x/*')], true],
  ] as const)('with %s', (_name, documents, expected) => {
    expect(isAllowed(documents, 'execute-api:Invoke', 'a/b/c')).toBe(expected);
  });

  it('says when it meets a condition, which it does not know', () => {
    const document = { Statement: [{ ...allow('*').Statement[0]!, Condition: {} }] };
    expect(() => isAllowed([document], 'execute-api:Invoke', 'a')).toThrow('conditions');
  });

  it.each([
    ['a*c', 'a/b/c', true],
    ['a*c', 'a/b/cd', false],
    ['*b*', 'abc', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a*b*c', 'a-b-b-c-c', true],
    ['a', 'ab', false],
    ['', '', true],
    ['*', '', true],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matchesWildcard(pattern, text)).toBe(expected);
  });
});
