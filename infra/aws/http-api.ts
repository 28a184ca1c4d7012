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
const SCOPES: Readonly<Record<Access, readonly string[]>> = {
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

    const integrations = {
      query: new HttpLambdaIntegration('Query', props.lambdas.query),
      manage: new HttpLambdaIntegration('Manage', props.lambdas.manage),
    };
    const authorizer = closedBy(props.access);
    const addRoute = (key: HttpRouteKey, lambda: Route['lambda'], access: Access) => {
      const isOpen = access === 'public' && props.access.publicReleaseData;
      const route = new HttpRoute(this, key.key, {
        httpApi: api,
        routeKey: key,
        integration: integrations[lambda],
        ...(!isOpen && { authorizer }),
        ...(!isOpen && props.access.jwt && { authorizationScopes: [...SCOPES[access]] }),
      });
      if (isOpen) {
        Validations.of(route).acknowledge({
          id: 'AwsSolutions-APIG4',
          reason: 'the settings of this deployment open release data to everyone (access.publicReleaseData)',
        });
      }
    };
    for (const route of routes) {
      addRoute(HttpRouteKey.with(route.path, HttpMethod[route.method]), route.lambda, route.access);
    }
    // Whatever is not a route is answered by us too, so that the gateway never answers in a shape of its own.
    addRoute(HttpRouteKey.DEFAULT, 'query', 'public');
    this.url = api.apiEndpoint;
  }
}

function closedBy({ jwt }: AccessSettings): IHttpRouteAuthorizer {
  return jwt
    ? new HttpJwtAuthorizer('Jwt', jwt.issuer, { jwtAudience: [...jwt.audience] })
    : new HttpIamAuthorizer();
}
