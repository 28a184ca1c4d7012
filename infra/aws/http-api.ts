import { Aws, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnRoute,
  type CfnStage,
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
import { routes } from '../../functions/routes.ts';
import type { Route } from '../../functions/http/route.ts';
import type { NodeFunction } from './node-function.ts';
import { scopesOf, type Throttle, throttleOf, THROTTLES, whyOpen } from './route-access.ts';
import type { AccessSettings } from './settings/settings.ts';

export interface CairnApiProps {
  readonly access: AccessSettings;
  /** Whether CloudFront answers most of what everyone may ask. */
  readonly cloudFront: boolean;
  readonly lambdas: Readonly<Record<Route['lambda'], NodeFunction>>;
  readonly logRetention: RetentionDays;
}

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
  readonly api: HttpApi;
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, props: CairnApiProps) {
    super(scope, id);
    const api = new HttpApi(this, 'Api', { apiName: Aws.STACK_NAME, createDefaultStage: false });
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { rate, burst } = THROTTLES.stage;
    const stage = api.addStage('Stage', {
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: rate, burstLimit: burst },
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
    const addRoute = (
      key: HttpRouteKey,
      integration: keyof typeof integrations,
      access: Route['access'],
    ): HttpRoute => {
      const reason = whyOpen(access, props.access);
      const route = new HttpRoute(this, key.key, {
        httpApi: api,
        routeKey: key,
        integration: integrations[integration],
        ...(reason === null && { authorizer }),
        ...(reason === null &&
          access !== 'open' &&
          props.access.jwt && { authorizationScopes: scopesOf(access) }),
      });
      if (reason !== null) Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
      return route;
    };
    const throttled = new Map<HttpRoute, Throttle>();
    for (const listed of routes as readonly Route[]) {
      const { method, path, lambda, access } = listed;
      const route = addRoute(HttpRouteKey.with(path, HttpMethod[method]), lambda, access);
      const throttle = throttleOf(listed, props);
      if (throttle) throttled.set(route, throttle);
    }
    // Whatever is not a route is answered by us too, so that the gateway never answers in a shape of its own.
    addRoute(HttpRouteKey.DEFAULT, 'rest', 'public');
    throttleRoutes(stage.node.defaultChild as CfnStage, throttled);

    this.url = api.apiEndpoint;
    this.api = api;
    this.accessLog = accessLog;
  }
}

/** The stage refuses settings of routes that are not there yet, and CloudFormation can't see that they belong together. */
function throttleRoutes(stage: CfnStage, throttled: ReadonlyMap<HttpRoute, Throttle>): void {
  // CDK takes it for free JSON and passes it on as it is spelled.
  const settings: Record<string, { ThrottlingRateLimit: number; ThrottlingBurstLimit: number }> = {};
  for (const [{ node }, { rate, burst }] of throttled) {
    const route = node.defaultChild as CfnRoute;
    settings[route.routeKey] = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
    stage.addResourceDependency(route);
  }
  stage.routeSettings = settings;
}

function closedBy({ jwt }: AccessSettings): IHttpRouteAuthorizer {
  return jwt
    ? new HttpJwtAuthorizer('Jwt', jwt.issuer, { jwtAudience: [...jwt.audience] })
    : new HttpIamAuthorizer();
}
