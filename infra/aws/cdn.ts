import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHANNEL_ORDER } from '@cairn/shared/releases/values';
import { ARCHES } from '@cairn/shared/version/arch';
import { Aws, CfnCondition, Duration, Fn, Validations } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheHeaderBehavior,
  CachePolicy,
  type CachePolicyProps,
  CacheQueryStringBehavior,
  Distribution,
  Function,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type OriginBindConfig,
  type OriginBindOptions,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, type HttpOriginProps } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import type { Route } from '../../functions/http/route.ts';
import { KEPT_SECONDS } from '../../functions/releases/cache-headers.ts';
import { routes } from '../../functions/routes.ts';
import { PROJECT_ROOT } from './bundling/options.ts';
import { whyOpen } from './http-api.ts';
import { doMeet } from './invoke-policies.ts';
import type { AccessSettings } from './settings/settings.ts';

interface CdnProps {
  readonly apiUrl: string;
  readonly access: AccessSettings;
  /** Region of the Origin Shield; null for the region of the stack. */
  readonly originShieldRegion: string | null;
}

type BehaviourKind = 'graph' | 'other';

export const SHIELD_REGIONS = [
  ...['us-east-1', 'us-east-2', 'us-west-2', 'sa-east-1'],
  ...['eu-central-1', 'eu-west-1', 'eu-west-2'],
  ...['ap-south-1', 'ap-northeast-1', 'ap-northeast-2', 'ap-southeast-1', 'ap-southeast-2'],
];

/** Errors that CloudFront caches for ten seconds by default, whatever the response headers say. */
const KEPT_ERRORS = [404, 414, 500, 501, 502, 503, 504];

/**
 * CloudFront in front of the API. Caches public responses as long as their headers allow and passes everything else
 * through. The API itself authorizes callers.
 */
export class Cdn extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { apiUrl, access, originShieldRegion }: CdnProps) {
    super(scope, id);
    const host = Fn.parseDomainName(apiUrl);
    const connection = {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    };
    const behaviours = this.#behaviours(new ShieldedOrigin(host, originShieldRegion, connection));
    const distribution = new Distribution(this, 'Distribution', {
      comment: Aws.STACK_NAME,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        // Uncached requests gain nothing from the shield.
        origin: new HttpOrigin(host, connection),
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      },
      additionalBehaviors: Object.fromEntries(
        [...keptPaths(routes, access)].map(([path, kind]) => [path, behaviours[kind]]),
      ),
      // Otherwise errors are cached for all callers: a cluster would stay missing after its first report.
      errorResponses: KEPT_ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    acknowledge(distribution);
    this.url = `https://${distribution.distributionDomainName}`;
  }

  #behaviours(origin: ShieldedOrigin): Record<BehaviourKind, BehaviorOptions> {
    const kept = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
    };
    return {
      graph: {
        ...kept,
        cachePolicy: this.#cachePolicy('graph', {
          comment: 'One answer for all clusters of a channel',
          // The viewer function keeps `trim` and `version` only if the response depends on them.
          queryStringBehavior: CacheQueryStringBehavior.allowList('arch', 'channel', 'trim', 'version'),
        }),
        // The Origin header is not forwarded, so that a response is not cached for another origin.
        responseHeadersPolicy: ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS_WITH_PREFLIGHT,
        functionAssociations: [
          {
            eventType: FunctionEventType.VIEWER_REQUEST,
            function: new Function(this, 'GraphRequest', {
              functionName: `${Aws.STACK_NAME}-${Aws.REGION}-graph`,
              comment: 'Leaves of a poll what its answer depends on',
              runtime: FunctionRuntime.JS_2_0,
              code: FunctionCode.fromInline(graphRequestCode()),
            }),
          },
        ],
      },
      other: {
        ...kept,
        cachePolicy: this.#cachePolicy('other', {
          comment: 'Release data and files that everyone may read',
          queryStringBehavior: CacheQueryStringBehavior.all(),
        }),
      },
    };
  }

  #cachePolicy(name: string, props: CachePolicyProps): CachePolicy {
    return new CachePolicy(this, name, {
      cachePolicyName: `${Aws.STACK_NAME}-${Aws.REGION}-${name}`,
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(60),
      // Beyond it CloudFront drops responses that it can serve while the API is down.
      maxTtl: Duration.seconds(KEPT_SECONDS.fresh + KEPT_SECONDS.ifError),
      headerBehavior: CacheHeaderBehavior.allowList('Accept'),
      enableAcceptEncodingGzip: true,
      ...props,
    });
  }
}

/** Viewer function code with the valid channels and architectures filled in. */
export function graphRequestCode(): string {
  const file = join(PROJECT_ROOT, 'infra/aws/edge/graph-request.js');
  return readFileSync(file, 'utf8')
    .replace('CHANNELS', CHANNEL_ORDER.toSorted().join('|'))
    .replace("['ARCHES']", `['${ARCHES.join("', '")}']`);
}

/** Patterns whose methods are all public reads. Excludes console pages: browsers revalidate them each time. */
export function keptPaths(list: readonly Route[], access: AccessSettings): Map<string, BehaviourKind> {
  const isOpen = (route: Route) => whyOpen(route.access, access) !== null;
  const isRead = ({ method }: Route) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
  const kept = new Map<string, BehaviourKind>();
  for (const route of list) {
    const isPage = route.access === 'open' && !route.path.startsWith('/assets/');
    const pattern = route.path.replaceAll(/\{\w+\}/g, '*');
    // The star of CloudFront matches slashes too, as that of a policy.
    const touched = list.filter(({ path }) => doMeet(pattern, path));
    if (isPage || !touched.every((other) => isOpen(other) && isRead(other))) continue;
    kept.set(pattern, route.access === 'graph' ? 'graph' : 'other');
  }
  return kept;
}

function acknowledge(distribution: Distribution): void {
  Validations.of(distribution).acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'clusters are everywhere' },
    {
      id: 'AwsSolutions-CFR2',
      reason: 'a web application firewall costs more than the rest; docs/security.md says how to add one',
    },
    {
      id: 'AwsSolutions-CFR3',
      reason: 'what reaches the API is in its access log; what does not is public data',
    },
    {
      id: 'AwsSolutions-CFR4',
      reason: 'under a name of CloudFront its certificate decides; towards the API it is TLS 1.2',
    },
  );
}

/**
 * Origin with Origin Shield in the region of the stack, which is known only at deployment. Without a shield there or in
 * the settings, every regional cache queries the origin itself.
 */
class ShieldedOrigin extends HttpOrigin {
  readonly #region: string | null;

  constructor(domainName: string, region: string | null, props: HttpOriginProps) {
    super(domainName, { ...props, ...(region !== null && { originShieldRegion: region }) });
    this.#region = region;
  }

  override bind(scope: Construct, options: OriginBindOptions): OriginBindConfig {
    const bound = super.bind(scope, options);
    if (this.#region !== null || !bound.originProperty) return bound;
    const isOffered = new CfnCondition(scope, 'HasShield', {
      expression: Fn.conditionOr(...SHIELD_REGIONS.map((region) => Fn.conditionEquals(Aws.REGION, region))),
    });
    const originShield = Fn.conditionIf(
      isOffered.logicalId,
      { Enabled: true, OriginShieldRegion: Aws.REGION },
      { Enabled: false },
    );
    return { ...bound, originProperty: { ...bound.originProperty, originShield } };
  }
}
