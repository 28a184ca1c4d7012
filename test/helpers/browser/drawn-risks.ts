import type { Page, Route } from 'playwright-core';
import type {
  FleetRisk,
  RiskAcceptance,
  RiskCluster,
  RiskQueriesAnswer,
} from '../../../functions/console/data/responses.ts';

/** Ids by answer; those accepted are among the others as well. */
interface DrawnRisk extends Pick<FleetRisk, 'name' | 'message' | 'firstSeen' | 'channels'> {
  readonly promql?: string;
  readonly yes?: readonly string[];
  readonly unknown?: readonly string[];
  readonly accepted?: readonly string[];
}

const named = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name}-${String(at + 1).padStart(2, '0')}`);

/** As many clusters as the fleet of {@link drawRisks} has. */
const FLEET = [
  ...named('mirror-eu', 6),
  ...named('gov-core', 4),
  ...named('lab-sno', 8),
  ...named('prod-eu', 16),
];

const platform = (type: string): string =>
  `group(cluster_infrastructure_provider{_id="",type="${type}"})\nor\n0 * group(cluster_infrastructure_provider{_id=""})`;

/** Names and messages are invented, as are the clusters. */
export const DRAWN_RISKS: readonly DrawnRisk[] = [
  {
    name: 'MirrorsWithoutSignatures',
    message:
      'The target release requires signatures on any mirror of the release repository. Mirror them before you update.',
    firstSeen: '2026-11-17T10:40:00Z',
    channels: ['stable-4.20/amd64', 'stable-4.21/amd64', 'eus-4.20/amd64'],
    promql:
      'topk(1,\n  group by (_id, resource) (max_over_time(apiserver_storage_objects{_id="",resource=~"imagedigestmirrorsets[.]config[.]openshift[.]io|imagecontentsourcepolicies[.]operator[.]openshift[.]io"}[1h]) > 0))\nor on (_id)\n0 * group by (_id) (max_over_time(apiserver_storage_objects{_id=""}[1h]))',
    yes: [...named('mirror-eu', 4), ...named('gov-core', 2)],
    unknown: ['lab-sno-03'],
  },
  {
    name: 'SharedVolumesDoNotMount',
    message: 'Shared volumes do not mount after the update.',
    firstSeen: '2026-10-02T08:00:00Z',
    channels: ['stable-4.18/amd64'],
    promql: platform('VSphere'),
    yes: named('gov-core', 2),
    accepted: ['gov-core-03'],
  },
  {
    name: 'OperatorsReportFailure',
    message: 'Operators may report a failed status',
    firstSeen: '2026-09-01T08:00:00Z',
    channels: ['stable-4.14/amd64'],
    promql: 'count(csv_abnormal) > 2',
    unknown: named('prod-eu', 9),
  },
  {
    name: 'NodesFailToReboot',
    message: 'Nodes of another system may fail to reboot.',
    firstSeen: '2026-06-01T08:00:00Z',
    channels: ['stable-4.16/amd64'],
    promql: platform('BareMetal'),
    accepted: named('prod-eu', 3),
  },
  {
    name: 'NodesAreAlwaysSlow',
    message: 'Nodes start slowly.',
    firstSeen: '2026-05-01T08:00:00Z',
    channels: ['stable-4.16/amd64', 'stable-4.17/amd64'],
  },
  {
    name: 'MachineSetsDoNotScale',
    message: 'Machine sets without zones do not scale.',
    firstSeen: '2026-04-01T08:00:00Z',
    channels: ['stable-4.16/arm64'],
    promql: platform('Azure'),
  },
];

const URL_OF_RISKS = 'https://issues.example.com/browse/DEMO-1';

const countOf = (some: readonly string[] = []): number => some.length;

function risksAnswer(): { readonly risks: readonly FleetRisk[] } {
  return {
    risks: DRAWN_RISKS.map(({ name, message, firstSeen, channels, promql, yes, unknown, accepted }) => ({
      name,
      url: URL_OF_RISKS,
      message,
      firstSeen,
      channels,
      rule: promql === undefined ? 'always' : 'query',
      clusters: {
        yes: countOf(yes),
        unknown: countOf(unknown),
        accepted: countOf(accepted),
        no: FLEET.length - countOf(yes) - countOf(unknown) - countOf(accepted),
      },
    })),
  };
}

function clusterLine(risk: DrawnRisk, id: string): RiskCluster {
  const { promql = '', yes = [], unknown = [], accepted = [] } = risk;
  const line = {
    id,
    version: '4.20.12',
    asOf: '2026-11-17T11:50:00Z',
    source: 'facts' as const,
    onPlannedPath: id.startsWith('mirror'),
  };
  if (unknown.includes(id)) {
    const documents = ['imagedigestmirrorsets.config.openshift.io'];
    const missing = [{ metric: 'apiserver_storage_objects', documents }];
    return { ...line, applies: 'unknown', decidedBy: [], reason: 'MissingFacts', missing };
  }
  const isYes = yes.includes(id) || accepted.includes(id);
  const series = promql.includes('imagedigest')
    ? 'apiserver_storage_objects{resource="imagedigestmirrorsets.config.openshift.io"} 2'
    : /cluster_infrastructure_provider\{_id="",(type="\w+")\}/.exec(promql)?.[1];
  const evidence = series?.startsWith('type') ? `cluster_infrastructure_provider{${series}} 1` : series;
  return {
    ...line,
    applies: isYes ? 'yes' : 'no',
    decidedBy: isYes ? [evidence ?? 'Always'] : ['cluster_infrastructure_provider{type="AWS"} 1'],
    ...(accepted.includes(id) && {
      accepted: { reason: 'no such disks', owner: 'M. Weber', until: '2027-02-01T00:00:00.000Z' },
    }),
  };
}

/** Two clusters per page and answer, whatever limit is asked for. */
const PAGE = 4;

function clustersAnswer(url: URL): object {
  const name = decodeURIComponent(url.pathname.split('/')[3]!);
  const risk = DRAWN_RISKS.find((each) => each.name === name)!;
  const lines = FLEET.map((id) => clusterLine(risk, id)).filter(
    ({ applies }) => applies === url.searchParams.get('applies'),
  );
  const start = Number(url.searchParams.get('cursor') ?? 0);
  const end = start + PAGE;
  return { clusters: lines.slice(start, end), nextCursor: end < lines.length ? String(end) : null };
}

function queriesAnswer(): RiskQueriesAnswer {
  return {
    queries: DRAWN_RISKS.flatMap(({ name, promql }) =>
      promql === undefined ? [] : [{ promql, digest: name, risks: [name] }],
    ),
    resources: [],
  };
}

/** What the service keeps of acceptances. */
export interface KeptAcceptances {
  readonly kept: Map<string, RiskAcceptance>;
  /** Requests that changed something, as `PUT id`. */
  readonly changes: { readonly what: string; readonly headers: Readonly<Record<string, string>> }[];
  /** Body of the next refusal, once. */
  refusal: { readonly status: number; readonly body: object } | null;
}

/** Answers the page as a service with a fleet would. */
export async function drawRisks(page: Page): Promise<KeptAcceptances> {
  const acceptances: KeptAcceptances = { kept: new Map(), changes: [], refusal: null };
  await page.route('**/v1/fleet/summary', (route) => answer(route, { clusters: FLEET.length }));
  await page.route('**/v1/risks', (route) => answer(route, risksAnswer()));
  await page.route('**/v1/risks/*/clusters?*', (route) => {
    const url = new URL(route.request().url());
    if (url.searchParams.get('format') !== 'csv') return answer(route, clustersAnswer(url));
    return route.fulfill({
      contentType: 'text/csv; charset=utf-8',
      body: 'id,applies\r\nmirror-eu-01,yes\r\n',
    });
  });
  await page.route('**/v1/risk-queries*', (route) => answer(route, queriesAnswer()));
  await page.route(/\/v1\/risk-acceptances/, (route) => changeAcceptance(route, acceptances));
  return acceptances;
}

function answer(
  route: Route,
  body: object,
  more: { status?: number; headers?: Record<string, string> } = {},
) {
  const { status = 200, headers = {} } = more;
  return route.fulfill({ status, contentType: 'application/json', headers, body: JSON.stringify(body) });
}

function changeAcceptance(route: Route, acceptances: KeptAcceptances): Promise<void> {
  const request = route.request();
  const url = new URL(request.url());
  const id = url.pathname.split('/')[3];
  const { kept, changes, refusal } = acceptances;
  const stored = id === undefined ? undefined : kept.get(id);
  if (request.method() === 'GET') {
    if (stored) return answer(route, stored, { headers: { etag: `"${stored.changed.at}"` } });
    const risk = url.searchParams.get('risk');
    const listed = [...kept.values()].filter((each) => each.risk === risk);
    return answer(route, { acceptances: listed, nextCursor: null });
  }
  changes.push({ what: `${request.method()} ${id}`, headers: request.headers() });
  if (refusal !== null) {
    acceptances.refusal = null;
    return answer(route, refusal.body, { status: refusal.status });
  }
  if (request.method() === 'DELETE') {
    kept.delete(id!);
    return route.fulfill({ status: 204 });
  }
  const sent = request.postDataJSON() as RiskAcceptance;
  const until = new Date(Date.parse(sent.until) + 24 * 3600_000).toISOString();
  const change = { at: `2026-11-17T12:00:0${changes.length}.000Z`, by: 'jan@example.com' };
  const acceptance = { ...sent, id: id!, until, state: 'active' as const, created: change, changed: change };
  kept.set(id!, acceptance);
  return answer(route, acceptance, { status: stored ? 200 : 201 });
}
