import { type ReadTemplate } from '../template/template.ts';
import type { PolicyDocument } from './iam-policy.ts';

export const REGION = 'us-east-1';
export const ACCOUNT = '111122223333';
export const API_ID = 'abcde12345';

export type LambdaName = 'query' | 'manage';

export interface RouteThrottle {
  readonly rate: number;
  readonly burst: number;
}

export interface DeployedRoute {
  /** Format: `GET /v1/channels/{channel}` or `$default`. */
  readonly key: string;
  readonly authorization: 'NONE' | 'AWS_IAM' | 'JWT';
  readonly scopes: readonly string[];
  readonly lambda: LambdaName;
  readonly throttle: RouteThrottle;
}

/** API Gateway and IAM as the template defines them, with names as in a deployment. */
export interface DeployedApi {
  readonly routes: readonly DeployedRoute[];
  readonly jwt: { readonly issuer: string; readonly audience: readonly string[] } | null;
  /** Allowed sources of invocations, per Lambda. */
  readonly permissions: Readonly<Record<LambdaName, readonly string[]>>;
  /** Managed policies for a team's roles, by name. */
  readonly policies: ReadonlyMap<string, PolicyDocument>;
}

/** Reads the template only, not the CDK objects. */
export function readDeployedApi(template: ReadTemplate): DeployedApi {
  const functions = new Map<string, LambdaName>([
    [template.idOf('Query'), 'query'],
    [template.idOf('Manage'), 'manage'],
  ]);
  const { resolve } = new Names(template.idOf('Http/Api'));
  const integrations = new Map(
    template
      .ofType('AWS::ApiGatewayV2::Integration')
      .map(({ id, properties }) => [id, functions.get(properties.IntegrationUri['Fn::GetAtt'][0])!]),
  );
  const [stage] = template.ofType('AWS::ApiGatewayV2::Stage');
  const { DefaultRouteSettings, RouteSettings = {} } = stage!.properties;
  const [authorizer] = template.ofType('AWS::ApiGatewayV2::Authorizer');
  const configuration = authorizer?.properties.JwtConfiguration;

  const routes = template.ofType('AWS::ApiGatewayV2::Route').map(({ properties }): DeployedRoute => {
    const key = properties.RouteKey as string;
    const limits = RouteSettings[key] ?? DefaultRouteSettings;
    const integrationId = resolve(properties.Target).replace(/^integrations\//, '');
    return {
      key,
      authorization: properties.AuthorizationType,
      scopes: properties.AuthorizationScopes ?? [],
      lambda: integrations.get(integrationId)!,
      throttle: { rate: limits.ThrottlingRateLimit, burst: limits.ThrottlingBurstLimit },
    };
  });
  const sourcesOf = (lambda: LambdaName): string[] =>
    template
      .ofType('AWS::Lambda::Permission')
      .map(({ properties }) => properties)
      .filter(({ Principal }) => Principal === 'apigateway.amazonaws.com')
      .filter(({ FunctionName }) => functions.get(FunctionName['Fn::GetAtt']?.[0]) === lambda)
      .map(({ SourceArn }) => resolve(SourceArn));
  return {
    routes,
    jwt: configuration ? { issuer: configuration.Issuer, audience: configuration.Audience } : null,
    permissions: { query: sourcesOf('query'), manage: sourcesOf('manage') },
    policies: new Map(
      template.ofType('AWS::IAM::ManagedPolicy').map(({ properties }) => {
        const document = JSON.parse(
          JSON.stringify(properties.PolicyDocument, (_key, value: unknown) =>
            isIntrinsic(value) ? resolve(value) : value,
          ),
        ) as PolicyDocument;
        return [resolve(properties.ManagedPolicyName), document];
      }),
    ),
  };
}

type Intrinsic =
  | { readonly Ref: string }
  | { readonly 'Fn::Join': readonly [string, readonly (string | Intrinsic)[]] };

function isIntrinsic(value: unknown): value is Intrinsic {
  return typeof value === 'object' && value !== null && ('Ref' in value || 'Fn::Join' in value);
}

/** Resolves CloudFormation references. */
class Names {
  readonly #values: ReadonlyMap<string, string>;

  constructor(apiLogicalId: string) {
    this.#values = new Map([
      ['AWS::Partition', 'aws'],
      ['AWS::Region', REGION],
      ['AWS::AccountId', ACCOUNT],
      ['AWS::StackName', 'Cairn'],
      [apiLogicalId, API_ID],
    ]);
  }

  readonly resolve = (value: string | Intrinsic): string => {
    if (typeof value === 'string') return value;
    if ('Ref' in value) return this.#values.get(value.Ref) ?? value.Ref;
    const [separator, parts] = value['Fn::Join'];
    return parts.map(this.resolve).join(separator);
  };
}
