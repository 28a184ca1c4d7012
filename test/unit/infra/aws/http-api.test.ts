import { describe, expect, it } from 'vitest';
import { type Route, routeKey } from '../../../../functions/http/route.ts';
import { servedRoutes } from '../../../../functions/routes.ts';
import { type ReadTemplate, templateOf } from '../../../helpers/template/template.ts';

const jwt = { issuer: 'https://login.example.com/realm', audience: ['cairn'] };
const templates = {
  closed: await templateOf(),
  graphOpen: await templateOf({ access: { publicReleaseData: 'graph' } }),
  opened: await templateOf({ access: { publicReleaseData: 'all' } }),
  withTokens: await templateOf({ access: { publicReleaseData: 'none', jwt } }),
  openedWithTokens: await templateOf({ access: { publicReleaseData: 'all', jwt } }),
};

const expectedRoutes = [
  ...servedRoutes.map((route) => ({ key: routeKey(route), access: route.access, lambda: route.lambda })),
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

function expectedAuthorization(open: readonly Route['access'][], closed: string) {
  return Object.fromEntries(
    expectedRoutes.map(({ key, access }) => [key, open.includes(access) ? 'NONE' : closed]),
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

  it('all ask for signed requests, but those of the console and the one for its health', () => {
    expect(authorizationOf('closed')).toEqual(expectedAuthorization(['open'], 'AWS_IAM'));
    const open = expectedRoutes.filter(({ access }) => access === 'open').map(({ key }) => key);
    expect(open.filter((key) => !/^(GET|HEAD) \/([\w-]*|sign-in\.json|assets\/\{file\})$/.test(key))).toEqual(
      [],
    );
    expect(open).toContain('GET /healthz');
    expect(open).toHaveLength(22);
  });

  it('open what clusters poll, and nothing else, when the settings say so', () => {
    expect(authorizationOf('graphOpen')).toEqual(expectedAuthorization(['open', 'graph'], 'AWS_IAM'));
    const polled = expectedRoutes.filter(({ access }) => access === 'graph').map(({ key }) => key);
    expect(polled.filter((key) => !/^(GET|HEAD|OPTIONS) \S*\/graph$/.test(key))).toEqual([]);
    expect(polled).toHaveLength(12);
  });

  it('open all release data, and nothing else, when the settings say so', () => {
    expect(authorizationOf('opened')).toEqual(expectedAuthorization(['open', 'graph', 'public'], 'AWS_IAM'));
  });

  it('take tokens instead of signatures when the settings name an issuer', () => {
    expect(authorizationOf('withTokens')).toEqual(expectedAuthorization(['open'], 'JWT'));
    const authorizers = templates.withTokens.ofType('AWS::ApiGatewayV2::Authorizer');
    expect(authorizers.map(({ properties }) => properties.JwtConfiguration)).toEqual([
      { Issuer: jwt.issuer, Audience: jwt.audience },
    ]);
  });

  it('want a token with their scope or a higher one', () => {
    const found = routesOf('withTokens');
    expect(found.get('POST /v1/sync/runs').AuthorizationScopes).toEqual(['fleet:admin']);
    expect(found.get('PUT /v1/clusters/{id}').AuthorizationScopes).toEqual(['fleet:write', 'fleet:admin']);
    for (const key of ['GET /v1/sync', 'GET /v2/openshift-versions', 'GET /graph', '$default']) {
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

describe('routes that take less than the others', () => {
  const limit = (rate: number, burst: number) => ({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst });
  const settingsOf = (template: ReadTemplate) => template.resource('Http/Api/Stage').Properties.RouteSettings;
  const limited = (access: Route['access'], rate: number, burst: number) =>
    Object.fromEntries(
      servedRoutes
        .filter((route) => route.access === access)
        .map((route) => [routeKey(route), limit(rate, burst)]),
    );
  const ofDocuments = Object.fromEntries(
    [
      'POST /v1/update-status',
      'POST /v1/risk-evaluations',
      'POST /v1/upgrade-plans',
      'PUT /v1/clusters/{id}',
      'PUT /v1/image-pruners/{name}/in-use',
      'POST /v1/prune-evaluations/history',
      'POST /v1/prune-evaluations/resources',
      'POST /v1/prune-evaluations/images',
      'POST /v1/uploads',
    ].map((key) => [key, limit(10, 20)]),
  );
  const changes = { ...limited('write', 20, 40), ...limited('admin', 2, 10), ...ofDocuments };

  it('are those that change something, and those that take documents', () => {
    expect(settingsOf(templates.closed)).toEqual(changes);
    expect(settingsOf(templates.withTokens)).toEqual(changes);
  });

  it('are also those that everyone polls, while CloudFront is not before them', async () => {
    expect(settingsOf(templates.graphOpen)).toEqual({ ...changes, ...limited('graph', 50, 100) });
    const behindCloudFront = await templateOf({ access: { publicReleaseData: 'graph' }, cloudFront: true });
    expect(settingsOf(behindCloudFront)).toEqual(changes);
  });

  it('are made before the stage, which refuses settings of routes that are not there', () => {
    const { resource, ofType } = templates.graphOpen;
    const ids = ofType('AWS::ApiGatewayV2::Route')
      .filter(({ properties }) => properties.RouteKey in settingsOf(templates.graphOpen))
      .map(({ id }) => id);
    expect(resource('Http/Api/Stage').DependsOn.toSorted()).toEqual(ids.toSorted());
  });
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

it.each(Object.entries(templates))('leaves cdk-nag nothing to say: %s', (_name, { violations }) => {
  expect(violations).toEqual([]);
});
