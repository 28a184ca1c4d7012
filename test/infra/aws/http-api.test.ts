import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../functions/api/routes.ts';
import { routeKey } from '../../../functions/runtime/route.ts';
import { createStackWithoutBundles, readTemplate } from './synthesize.ts';

const jwt = { issuer: 'https://login.example.com/realm', audience: ['cairn'] };
const stacks = {
  closed: createStackWithoutBundles(),
  opened: createStackWithoutBundles({ access: { publicReleaseData: true } }),
  withTokens: createStackWithoutBundles({ access: { publicReleaseData: false, jwt } }),
  openedWithTokens: createStackWithoutBundles({ access: { publicReleaseData: true, jwt } }),
};
const templates = {
  closed: readTemplate(stacks.closed),
  opened: readTemplate(stacks.opened),
  withTokens: readTemplate(stacks.withTokens),
  openedWithTokens: readTemplate(stacks.openedWithTokens),
};

const expectedRoutes = [
  ...routes.map((route) => ({ key: routeKey(route), access: route.access, lambda: route.lambda })),
  { key: '$default', access: 'public', lambda: 'query' },
] as const;

function routesOf(name: keyof typeof templates) {
  const found = templates[name].ofType('AWS::ApiGatewayV2::Route').map(({ properties }) => properties);
  return new Map(found.map((properties) => [properties.RouteKey as string, properties]));
}

function authorizationOf(name: keyof typeof templates) {
  return Object.fromEntries(
    [...routesOf(name)].map(([key, { AuthorizationType }]) => [key, AuthorizationType]),
  );
}

describe('routes', () => {
  const { ofType, idOf } = templates.closed;

  it('are those of the list, each served by the Lambda the list names, and one for the rest', () => {
    const functionOf = new Map(
      ofType('AWS::ApiGatewayV2::Integration').map(({ id, properties }) => [
        id,
        properties.IntegrationUri['Fn::GetAtt'][0],
      ]),
    );
    const found = [...routesOf('closed')].map(([key, { Target }]) => [
      key,
      functionOf.get(Target['Fn::Join'][1][1].Ref),
    ]);
    const lambdas = { query: idOf('Query'), manage: idOf('Manage') };
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(expectedRoutes.map(({ key, lambda }) => [key, lambdas[lambda]])),
    );
  });

  it('are a permission for each Lambda and one for the rest: its policy has no place for one per route', () => {
    const permissions = ofType('AWS::Lambda::Permission').map(({ properties }) => {
      const [gateway, routesOfIt] = properties.SourceArn['Fn::Join'][1].slice(-2);
      expect([properties.Principal, gateway]).toEqual([
        'apigateway.amazonaws.com',
        { Ref: idOf('Http/Api') },
      ]);
      return [properties.FunctionName['Fn::GetAtt'][0], routesOfIt];
    });
    // Stage, method and path; the last one is called for by stage and `$default`.
    expect(permissions).toEqual([
      [idOf('Query'), '/*/*/*'],
      [idOf('Manage'), '/*/*/*'],
      [idOf('Query'), '/*/*'],
    ]);
  });

  it('get requests in the second payload format', () => {
    const integrations = ofType('AWS::ApiGatewayV2::Integration').map(({ properties }) => properties);
    expect(integrations.map(({ PayloadFormatVersion }) => PayloadFormatVersion)).toEqual([
      '2.0',
      '2.0',
      '2.0',
    ]);
  });

  it('all ask for signed requests, but those of the console', () => {
    expect(authorizationOf('closed')).toEqual(
      Object.fromEntries(
        expectedRoutes.map(({ key, access }) => [key, access === 'open' ? 'NONE' : 'AWS_IAM']),
      ),
    );
    const open = expectedRoutes.filter(({ access }) => access === 'open').map(({ key }) => key);
    expect(open.filter((key) => !/^(GET|HEAD) \/(\w*|assets\/\{file\})$/.test(key))).toEqual([]);
    expect(open).toHaveLength(14);
  });

  it('open release data, and nothing else, when the settings say so', () => {
    expect(authorizationOf('opened')).toEqual(
      Object.fromEntries(
        expectedRoutes.map(({ key, access }) => [
          key,
          access === 'public' || access === 'open' ? 'NONE' : 'AWS_IAM',
        ]),
      ),
    );
  });

  it('take tokens instead of signatures when the settings name an issuer', () => {
    expect(authorizationOf('withTokens')).toEqual(
      Object.fromEntries(expectedRoutes.map(({ key, access }) => [key, access === 'open' ? 'NONE' : 'JWT'])),
    );
    const authorizers = templates.withTokens.ofType('AWS::ApiGatewayV2::Authorizer');
    expect(authorizers.map(({ properties }) => properties.JwtConfiguration)).toEqual([
      { Issuer: jwt.issuer, Audience: jwt.audience },
    ]);
  });

  it('want a token with their scope or a higher one', () => {
    const found = routesOf('withTokens');
    expect(found.get('POST /v1/sync/runs').AuthorizationScopes).toEqual(['fleet:admin']);
    for (const key of ['GET /v1/sync', 'GET /v2/openshift-versions', '$default']) {
      expect(found.get(key).AuthorizationScopes).toEqual(['fleet:read', 'fleet:write', 'fleet:admin']);
    }
  });

  it('ask for no scope where they are open', () => {
    expect(routesOf('withTokens').get('GET /versions').AuthorizationScopes).toBeUndefined();
    const found = routesOf('openedWithTokens');
    expect(found.get('GET /v2/openshift-versions').AuthorizationType).toBe('NONE');
    expect(found.get('GET /v2/openshift-versions').AuthorizationScopes).toBeUndefined();
    expect(found.get('GET /v1/sync').AuthorizationType).toBe('JWT');
  });
});

it('is throttled and logged', () => {
  const { ofType, arnOf } = templates.closed;
  expect(ofType('AWS::ApiGatewayV2::Stage').map(({ properties }) => properties)).toMatchObject([
    {
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 },
      AccessLogSettings: { DestinationArn: arnOf('Http/AccessLog') },
    },
  ]);
});

it.each([
  ['closed', 'curl --aws-sigv4 aws:amz:'],
  ['opened', 'curl '],
  ['withTokens', 'curl -H "Authorization: Bearer $TOKEN" '],
] as const)('says how to make a first request: %s', (name, start) => {
  const parts = templates[name].output('TryIt')['Fn::Join'][1];
  expect(parts[0]).toBe(start);
  expect(parts.at(-1)).toBe('/v2/openshift-versions');
});

it.each(Object.entries(stacks))('leaves cdk-nag nothing to say: %s', (_name, stack) => {
  const { violations } = new AwsSolutionsChecks().validateScope(stack);
  const findings = violations.map(({ ruleName, violatingResources }) => [
    ruleName,
    violatingResources.map(({ constructPath }) => constructPath),
  ]);
  expect(findings).toEqual([]);
});
