import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer, HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { routes } from '../../functions/api/routes.ts';
import type { Route } from '../../functions/runtime/route.ts';
import type { NodeFunction } from './node-function.ts';
import type { AccessSettings } from './settings.ts';

type Access = Route['access'];

export interface CairnApiProps {
  readonly access: AccessSettings;
  readonly lambdas: Readonly<Record<Route['lambda'], NodeFunction>>;
  readonly logRetention: RetentionDays;
}

/** Scopes of a token of which one opens the route; the higher include the lower. */
const SCOPES: Readonly<Record<Exclude<Access, 'open'>, readonly string[]>> = {
  public: ['fleet:read', 'fleet:write', 'fleet:admin'],
  read: ['fleet:read', 'fleet:write', 'fleet:admin'],
  write: ['fleet:write', 'fleet:admin'],
  admin: ['fleet:admin'],
};

const ACCESS_LOG = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  userArn: '$context.identity.userArn',
  subject: '$context.authorizer.claims.sub',
  method: '$context.httpMethod',
  path: '$context.path',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLength: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationError: '$context.integrationErrorMessage',
  authorizerError: '$context.authorizer.error',
};

/** The HTTP API, made from the route list: which Lambda serves a route and who may call it stand there. */
export class CairnApi extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, props: CairnApiProps) {
    super(scope, id);
    const api = new HttpApi(this, 'Api', { apiName: 'Cairn', createDefaultStage: false });
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    api.addStage('Stage', {
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: 200, burstLimit: 400 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });

    // One permission for every path and method: one for each would not fit into the policy of a Lambda, which is 20 kB.
    const ofAllRoutes = { scopePermissionToRoute: false };
    const integrations = {
      query: new HttpLambdaIntegration('Query', props.lambdas.query, ofAllRoutes),
      manage: new HttpLambdaIntegration('Manage', props.lambdas.manage, ofAllRoutes),
      // The route for the rest has neither path nor method in its name, which that permission asks for.
      rest: new HttpLambdaIntegration('Rest', props.lambdas.query),
    };
    const authorizer = closedBy(props.access);
    const addRoute = (key: HttpRouteKey, integration: keyof typeof integrations, access: Access) => {
      const reason = whyOpen(access, props.access);
      const route = new HttpRoute(this, key.key, {
        httpApi: api,
        routeKey: key,
        integration: integrations[integration],
        ...(reason === null && { authorizer }),
        ...(reason === null &&
          access !== 'open' &&
          props.access.jwt && { authorizationScopes: [...SCOPES[access]] }),
      });
      if (reason !== null) Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
    };
    for (const route of routes) {
      addRoute(HttpRouteKey.with(route.path, HttpMethod[route.method]), route.lambda, route.access);
    }
    // Whatever is not a route is answered by us too, so that the gateway never answers in a shape of its own.
    addRoute(HttpRouteKey.DEFAULT, 'rest', 'public');
    this.url = api.apiEndpoint;
  }
}

/** Null when it is not. */
function whyOpen(access: Access, { publicReleaseData }: AccessSettings): string | null {
  if (access === 'open') {
    return 'the files of the console, the same in every deployment; its data comes from routes that are not open';
  }
  return access === 'public' && publicReleaseData
    ? 'the settings of this deployment open release data to everyone (access.publicReleaseData)'
    : null;
}

function closedBy({ jwt }: AccessSettings): IHttpRouteAuthorizer {
  return jwt
    ? new HttpJwtAuthorizer('Jwt', jwt.issuer, { jwtAudience: [...jwt.audience] })
    : new HttpIamAuthorizer();
}
