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
import { type Route, takesDocuments } from '../../functions/http/route.ts';
import { servedRoutes } from '../../functions/routes.ts';
import type { NodeFunction } from './node-function.ts';
import type { AccessSettings } from './settings/settings.ts';

interface CairnApiProps {
  readonly access: AccessSettings;
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

/** Built from the route list, which names the Lambda function and access of each route. */
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

    // One permission for all routes: one per route would exceed the 20 kB limit of a Lambda policy.
    const ofAllRoutes = { scopePermissionToRoute: false };
    const integrations = {
      query: new HttpLambdaIntegration('Query', props.lambdas.query, ofAllRoutes),
      manage: new HttpLambdaIntegration('Manage', props.lambdas.manage, ofAllRoutes),
      // The default route has no path and method in its ARN, which that permission requires.
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
    for (const listed of servedRoutes) {
      const { method, path, lambda, access } = listed;
      const route = addRoute(HttpRouteKey.with(path, HttpMethod[method]), lambda, access);
      const throttle = throttleOf(listed, props);
      if (throttle) throttled.set(route, throttle);
    }
    // Handles unknown routes too, so that the gateway never sends its own error format.
    addRoute(HttpRouteKey.DEFAULT, 'rest', 'public');
    throttleRoutes(stage.node.defaultChild as CfnStage, throttled);

    this.url = api.apiEndpoint;
    this.api = api;
    this.accessLog = accessLog;
  }
}

/** The stage rejects settings of routes that do not exist yet, and CloudFormation does not see the dependency. */
function throttleRoutes(stage: CfnStage, throttled: ReadonlyMap<HttpRoute, Throttle>): void {
  // CDK passes it through as free-form JSON.
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

type Access = Route['access'];

/** Access levels; higher ones include lower ones. */
export const LEVELS = ['read', 'write', 'admin'] as const;

export type Level = (typeof LEVELS)[number];

/** Lowest level for a closed route. */
const LEVEL_OF: Readonly<Record<Exclude<Access, 'open'>, Level>> = {
  graph: 'read',
  public: 'read',
  read: 'read',
  write: 'write',
  admin: 'admin',
};

export function reaches(level: Level, access: Access): boolean {
  return access === 'open' || LEVELS.indexOf(level) >= LEVELS.indexOf(LEVEL_OF[access]);
}

/** Token scopes; one of them is enough for the route. */
export function scopesOf(access: Exclude<Access, 'open'>): string[] {
  return LEVELS.filter((level) => reaches(level, access)).map((level) => `fleet:${level}`);
}

/** Reason why a route is public; null if it is not. */
export function whyOpen(access: Access, { publicReleaseData }: AccessSettings): string | null {
  if (access === 'open') {
    return 'files of the console and a constant, the same in every deployment; data comes from routes that are not open';
  }
  if (access === 'graph' && publicReleaseData !== 'none') {
    return 'the settings of this deployment let clusters poll it, which cannot sign a request (access.publicReleaseData)';
  }
  return access === 'public' && publicReleaseData === 'all'
    ? 'the settings of this deployment open release data to everyone (access.publicReleaseData)'
    : null;
}

interface Throttle {
  /** Requests per second. */
  readonly rate: number;
  /** Burst size in requests. */
  readonly burst: number;
}

/** Per route; the stage limit is the default. */
export const THROTTLES = {
  stage: { rate: 200, burst: 400 },
  write: { rate: 20, burst: 40 },
  admin: { rate: 2, burst: 10 },
  /** Reading megabytes takes up to a second of CPU. 10,000 clusters that report hourly need 3 requests per second. */
  documents: { rate: 10, burst: 20 },
  /** Polled by all clusters without CloudFront. */
  openGraph: { rate: 50, burst: 100 },
} as const satisfies Readonly<Record<string, Throttle>>;

/** Null for the stage limit. */
function throttleOf(
  route: Pick<Route, 'access' | 'documents' | 'bodyValues' | 'isForUploads'>,
  settings: { readonly access: AccessSettings; readonly cloudFront: boolean },
): Throttle | null {
  const { access } = route;
  if (access === 'admin') return THROTTLES.admin;
  if (takesDocuments(route)) return THROTTLES.documents;
  if (access === 'write') return THROTTLES.write;
  const isPolledDirectly = access === 'graph' && whyOpen(access, settings.access) !== null;
  return isPolledDirectly && !settings.cloudFront ? THROTTLES.openGraph : null;
}
