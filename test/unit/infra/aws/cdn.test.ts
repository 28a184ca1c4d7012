import { describe, expect, it } from 'vitest';
import { type Route, routeKey } from '../../../../functions/http/route.ts';
import { releaseDataHeaders } from '../../../../functions/releases/cache-headers.ts';
import { routes } from '../../../../functions/routes.ts';
import { graphRequestCode, keptPaths, SHIELD_REGIONS } from '../../../../infra/aws/cdn.ts';
import type { PublicReleaseData } from '../../../../infra/aws/settings/settings.ts';
import { edgeRequest, type EdgeRequest, loadEdgeFunction } from '../../../helpers/gateway/edge.ts';
import { matchesWildcard } from '../../../helpers/gateway/iam-policy.ts';
import { sized } from '../../../helpers/size.ts';
import { type ReadTemplate, templateOf } from '../../../helpers/template/template.ts';

const jwt = { issuer: 'https://login.example.com/realm', audience: ['cairn'] };
const templates = {
  graph: await templateOf({ access: { publicReleaseData: 'graph' }, cloudFront: true }),
  all: await templateOf({ access: { publicReleaseData: 'all', jwt }, cloudFront: true }),
};

const distributionOf = (template: ReadTemplate) =>
  template.resource('Cdn/Distribution').Properties.DistributionConfig;
const pathsOf = (name: keyof typeof templates): string[] =>
  distributionOf(templates[name]).CacheBehaviors.map(
    ({ PathPattern }: { PathPattern: string }) => PathPattern,
  );

const cacheControl = releaseDataHeaders('', null)['cache-control']!;
const GRAPH_PATHS = ['/api/upgrades_info/v1/graph', '/api/upgrades_info/graph', '/v1/graph', '/graph'];

describe('what is kept', () => {
  it('is the graph and the files of the console where the graph is open', () => {
    expect(pathsOf('graph')).toEqual(['/assets/*', ...GRAPH_PATHS]);
  });

  it('is all that can only be read where release data is open', () => {
    expect(pathsOf('all').toSorted()).toEqual(
      [
        '/assets/*',
        '/openapi.json',
        '/v2/openshift-versions',
        '/api/assisted-install/v2/openshift-versions',
        '/v2/release-sources',
        '/api/assisted-install/v2/release-sources',
        ...GRAPH_PATHS,
        '/v1/channels',
        '/v1/channel-index/*',
        '/v1/channels/*/*',
        '/v1/channels/*/*/changes',
        '/v1/support',
        '/v1/versions',
        '/v1/versions/*',
      ].toSorted(),
    );
  });

  it('is never a route that is closed, or one that does more than read', () => {
    const open = { graph: ['open', 'graph'], all: ['open', 'graph', 'public'] };
    for (const name of ['graph', 'all'] as const) {
      const touched = (routes as readonly Route[]).filter(({ path }) =>
        pathsOf(name).some((pattern) => matchesWildcard(pattern, path)),
      );
      const wrong = touched.filter(
        ({ method, access }) => !open[name].includes(access) || method === 'POST' || method === 'PUT',
      );
      expect(wrong.map(routeKey)).toEqual([]);
    }
  });

  it('leaves out a path as soon as something of it is closed', () => {
    const route = (method: Route['method'], path: string, access: Route['access']) =>
      ({ method, path, access }) as Route;
    const kept = (publicReleaseData: PublicReleaseData) => [
      ...keptPaths(
        [
          route('GET', '/a/{b}', 'public'),
          route('GET', '/a/{b}/secret', 'read'),
          route('GET', '/c', 'public'),
          route('DELETE', '/c', 'admin'),
          route('GET', '/d', 'public'),
          route('POST', '/d', 'public'),
          route('GET', '/e', 'public'),
          route('HEAD', '/e', 'public'),
        ],
        { publicReleaseData },
      ).keys(),
    ];
    expect(kept('all')).toEqual(['/e']);
    expect(kept('graph')).toEqual([]);
  });

  it('fits into a distribution', () => {
    expect(pathsOf('all').length).toBeLessThan(25);
  });

  it('stays for as long as an answer may be served while the API is down, and no longer', () => {
    const policies = templates.all.ofType('AWS::CloudFront::CachePolicy');
    expect(policies).toHaveLength(2);
    const seconds = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(cacheControl)![1]);
    const MaxTTL = seconds('max-age') + seconds('stale-if-error');
    for (const { properties } of policies) {
      expect(properties.CachePolicyConfig).toMatchObject({ MinTTL: 0, DefaultTTL: 60, MaxTTL });
    }
  });

  it('is no error, which would be kept for everyone who asks for the same path', () => {
    const errors = distributionOf(templates.graph).CustomErrorResponses;
    expect(errors).toEqual(
      [404, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });
});

describe('everything else', () => {
  it('passes with all headers but the name of the host', () => {
    // The managed policies CachingDisabled and AllViewerExceptHostHeader.
    expect(distributionOf(templates.graph).DefaultCacheBehavior).toMatchObject({
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'https-only',
    });
  });
});

describe('connections', () => {
  it('are by TLS only, to the API by TLS 1.2', () => {
    const { HttpVersion, CacheBehaviors, Origins } = distributionOf(templates.graph);
    expect(HttpVersion).toBe('http2and3');
    for (const behaviour of CacheBehaviors) expect(behaviour.ViewerProtocolPolicy).toBe('https-only');
    const CustomOriginConfig = { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] };
    expect(Origins).toMatchObject([{ CustomOriginConfig }, { CustomOriginConfig }]);
  });

  it('go to the domain of the deployment where it has one, as the name of AWS is switched off then', async () => {
    const template = await templateOf({
      access: { publicReleaseData: 'graph' },
      cloudFront: true,
      domain: {
        name: 'cairn.example.com',
        certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/a',
      },
    });
    const { Origins } = distributionOf(template) as { Origins: { DomainName: string }[] };
    expect(Origins.map(({ DomainName }) => DomainName)).toEqual(['cairn.example.com', 'cairn.example.com']);
  });
});

describe('the shield before the API', () => {
  /** Of the origins that something asks which is kept, and of those that everything else goes to. */
  const shieldsOf = (template: ReadTemplate) => {
    const { Origins, CacheBehaviors, DefaultCacheBehavior } = distributionOf(template) as {
      Origins: { Id: string; OriginShield?: unknown }[];
      CacheBehaviors: { TargetOriginId: string }[];
      DefaultCacheBehavior: { TargetOriginId: string };
    };
    const shieldOf = (id: string) => Origins.find(({ Id }) => Id === id)!.OriginShield;
    const kept = new Set(CacheBehaviors.map(({ TargetOriginId }) => TargetOriginId));
    return { kept: [...kept].map(shieldOf), other: shieldOf(DefaultCacheBehavior.TargetOriginId) };
  };

  it('is in the region of the stack, where there is one, and only before what is kept', () => {
    const { kept, other } = shieldsOf(templates.all);
    expect(other).toBeUndefined();
    expect(kept).toEqual([
      {
        'Fn::If': [
          expect.any(String),
          { Enabled: true, OriginShieldRegion: { Ref: 'AWS::Region' } },
          { Enabled: false },
        ],
      },
    ]);
    const [{ 'Fn::If': choice }] = kept as [{ 'Fn::If': [string] }];
    const { Conditions } = templates.all.json;
    const named = JSON.stringify(Conditions![choice[0]]).match(/[a-z]{2}-[a-z]+-\d/g);
    expect(named).toEqual(SHIELD_REGIONS);
  });

  it('is where the settings want it', async () => {
    const settings = { access: { publicReleaseData: 'graph' }, cloudFront: true } as const;
    const template = await templateOf({ ...settings, originShieldRegion: 'eu-west-2' });
    expect(shieldsOf(template)).toEqual({
      kept: [{ Enabled: true, OriginShieldRegion: 'eu-west-2' }],
      other: undefined,
    });
  });
});

it('has an output with its address', () => {
  expect(templates.graph.output('CloudFrontUrl')).toEqual({
    'Fn::Join': [
      '',
      ['https://', { 'Fn::GetAtt': [templates.graph.idOf('Cdn/Distribution'), 'DomainName'] }],
    ],
  });
});

it('is not there unless it is asked for', async () => {
  const template = await templateOf({ access: { publicReleaseData: 'graph' } });
  expect(template.ofType('AWS::CloudFront::Distribution')).toEqual([]);
});

it.each(Object.entries(templates))('leaves cdk-nag nothing to say: %s', (_name, { violations }) => {
  expect(violations).toEqual([]);
});

describe('the function before the cache', () => {
  it('is the one that is tested, and small enough', () => {
    const code = graphRequestCode();
    const [edge] = templates.graph.ofType('AWS::CloudFront::Function');
    expect(edge!.properties).toMatchObject({
      FunctionCode: code,
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    });
    expect(Buffer.byteLength(code)).toBeLessThan(10_240);
  });

  it('runs for every path of the update protocol, and for nothing else', () => {
    const arn = { 'Fn::GetAtt': [templates.all.idOf('Cdn/GraphRequest'), 'FunctionARN'] };
    for (const { PathPattern, FunctionAssociations } of distributionOf(templates.all).CacheBehaviors) {
      expect(FunctionAssociations, PathPattern).toEqual(
        GRAPH_PATHS.includes(PathPattern) ? [{ EventType: 'viewer-request', FunctionARN: arn }] : undefined,
      );
    }
  });
});

/** The parts of a cache policy that a key is made from. */
interface KeyParts {
  readonly queryStrings: readonly string[];
  readonly headers: readonly string[];
}

interface CacheOutcome {
  /** Of all polls, those that the API is not asked for. */
  readonly hitShare: number;
  readonly originPerSecond: number;
}

/** Caches of CloudFront: poller by poller they ask another regional one, and all of those ask the shield, if there is one. */
interface Caches {
  readonly regional: number;
  readonly isShielded: boolean;
}

const ONE_CACHE: Caches = { regional: 1, isShielded: false };

class ModelCache {
  readonly #freshUntil = new Map<string, number>();

  /** Whether it has to ask for it; then it has it for as long as the answer says. */
  misses(key: string, now: number): boolean {
    if ((this.#freshUntil.get(key) ?? 0) > now) return false;
    this.#freshUntil.set(key, now + Number(/max-age=(\d+)/.exec(cacheControl)![1]));
    return true;
  }
}

/**
 * 1,000 pollers that each ask once a second, which is what 180,000 clusters do: any of 200 channels, with another id
 * every time and one of 60 versions.
 */
function pollThroughCache(
  keyParts: KeyParts,
  edge: (request: EdgeRequest) => { readonly query: string; readonly headers: EdgeRequest['headers'] },
  seconds: number,
  { regional, isShielded }: Caches = ONE_CACHE,
): CacheOutcome {
  const [pollers, channels] = [1000, 200];
  const caches = Array.from({ length: regional }, () => new ModelCache());
  const shield = isShielded ? new ModelCache() : null;
  let [state, missed] = [42, 0];
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let second = 0; second < seconds; second++) {
    for (let poller = 0; poller < pollers; poller++) {
      const now = second + poller / pollers;
      const question = `channel=stable-4.${random(channels)}&id=${random(2 ** 31)}&version=4.14.${random(60)}`;
      const { query, headers } = edge(
        edgeRequest(`/api/upgrades_info/v1/graph?arch=amd64&${question}`, {
          headers: { accept: 'application/json', 'user-agent': `poller/${poller}` },
        }),
      );
      const values = new URLSearchParams(query);
      const key = [
        ...keyParts.queryStrings.map((name) => values.get(name)),
        ...keyParts.headers.map((name) => headers[name.toLowerCase()]?.value),
      ].join('\n');
      if (!caches[poller % regional]!.misses(key, now)) continue;
      if (shield === null || shield.misses(key, now)) missed++;
    }
  }
  return { hitShare: 1 - missed / (pollers * seconds), originPerSecond: missed / seconds };
}

describe('a fleet that polls', () => {
  const { ParametersInCacheKeyAndForwardedToOrigin: parts } =
    templates.graph.resource('Cdn/graph').Properties.CachePolicyConfig;
  const keyParts: KeyParts = {
    queryStrings: parts.QueryStringsConfig.QueryStrings,
    headers: parts.HeadersConfig.Headers,
  };
  const run = loadEdgeFunction();
  const rewritten = (request: EdgeRequest) => {
    const result = run(request);
    if ('statusCode' in result) throw new Error(result.body);
    return { query: result.querystring, headers: result.headers };
  };

  it('reaches the API for less than one request in a hundred, and less than four times a second', () => {
    const { hitShare, originPerSecond } = pollThroughCache(keyParts, rewritten, sized(60, 120));
    expect(hitShare).toBeGreaterThanOrEqual(0.99);
    expect(originPerSecond).toBeLessThanOrEqual(4);
  });

  it('does so from all regions through Origin Shield', () => {
    const regional = SHIELD_REGIONS.length;
    const shielded = pollThroughCache(keyParts, rewritten, 60, { regional, isShielded: true });
    expect(shielded.hitShare).toBeGreaterThanOrEqual(0.99);
    expect(shielded.originPerSecond).toBeLessThanOrEqual(4);
    const unshielded = pollThroughCache(keyParts, rewritten, 60, { regional, isShielded: false });
    expect(unshielded.originPerSecond).toBeGreaterThan(4 * (regional - 3));
  });

  it('would reach it each time with the id in the key, and often with the version', () => {
    const untouched = ({ querystring, headers }: EdgeRequest) => ({
      query: Object.entries(querystring)
        .map(([name, { value }]) => `${name}=${value}`)
        .join('&'),
      headers,
    });
    const withId = { ...keyParts, queryStrings: [...keyParts.queryStrings, 'id'] };
    expect(pollThroughCache(withId, untouched, 20).hitShare).toBeLessThan(0.01);
    expect(pollThroughCache(keyParts, untouched, 20).originPerSecond).toBeGreaterThan(100);
  });
});
