import { byTag, image, NOW, pod, stream } from '../prune/cluster-scenario.ts';
import { updates } from '../prune/histories.ts';
import type { ProductRequest } from './product.ts';
import { CLUSTER_IMAGES, FULL_REPORT, IN_USE_KINDS, SMALL_REPORT } from './reports.ts';
import { REGISTRIES, slotAt, UNFINISHED } from './scenario.ts';

const FINISHED_RUN = slotAt(15, 2, 30);
const CLUSTER_RUN = slotAt(13, 1);

/** Every GET route that reads the table, in each of its forms. */
export const READS: readonly string[] = [
  '/healthz',
  '/v2/openshift-versions',
  '/v2/openshift-versions?only_latest=true',
  '/v2/openshift-versions?version=4.15&exclude_withdrawn=true',
  '/api/assisted-install/v2/openshift-versions',
  '/v2/release-sources',
  '/api/assisted-install/v2/release-sources',
  ...['stable-4.14', 'stable-4.15', 'stable-4.16', 'eus-4.16', 'fast-4.16'].map(
    (channel) => `/api/upgrades_info/v1/graph?channel=${channel}`,
  ),
  '/api/upgrades_info/graph?channel=stable-4.16&arch=multi',
  '/v1/graph?channel=stable-4.15&version=4.14.10&trim=reachable',
  '/graph?channel=stable-4.14&arch=amd64',
  '/v1/channels',
  '/v1/channel-index/amd64',
  '/v1/channel-index/multi',
  '/v1/channels/stable-4.15/amd64',
  '/v1/channels/fast-4.16/amd64',
  '/v1/channels/stable-4.16/multi',
  '/v1/channels/stable-4.15/amd64/changes',
  '/v1/channels/stable-4.14/amd64/changes?limit=1',
  '/v1/versions',
  '/v1/versions/4.15.10',
  '/v1/versions/4.15.5',
  '/v1/support',
  '/v1/upgrade-paths?from=4.14.8&to=4.16',
  '/v1/upgrade-paths?from=4.14.10&to=4.16.6&channel=eus-4.16&alternatives=2',
  '/v1/upgrade-paths?from=4.14.8&to=4.15.12&accept_risk=NewRisk&format=text',
  '/v1/upgrade-paths?from=4.14.8&to=4.16&format=imageset',
  '/v1/sync',
  '/v1/clusters',
  '/v1/clusters?limit=2',
  '/v1/clusters?format=csv',
  '/v1/clusters?verdict=pending&overdue_after=1h',
  '/v1/fleet/summary',
  '/v1/fleet/updates',
  '/v1/clusters/full',
  '/v1/clusters/full?usernames=true&digests=true',
  '/v1/clusters/small',
  '/v1/clusters/settings',
  '/v1/clusters/twice',
  '/v1/clusters/settings/settings',
  '/v1/clusters/full/settings',
  '/v1/clusters/full/history?explain=true',
  '/v1/clusters/full/update-status',
  '/v1/clusters/full/updates',
  '/v1/clusters/settings/history',
  '/v1/clusters/settings/history?format=text&explain=true',
  '/v1/clusters/full/upgrade-plan',
  '/v1/clusters/full/upgrade-plan?to=4.16&format=text',
  '/v1/clusters/settings/upgrade-plan',
  '/v1/clusters/settings/upgrade-plan?format=markdown',
  '/v1/clusters/twice/upgrade-plan?to=4.16&format=imageset',
  '/v1/risk-acceptances',
  '/v1/image-pruners',
  '/v1/image-pruners/finished',
  '/v1/image-pruners/paused',
  '/v1/image-pruners/registry',
  '/v1/image-pruners/finished/runs',
  '/v1/image-pruners/paused/runs',
  '/v1/image-pruners/registry/runs',
  `/v1/image-pruners/finished/runs/${FINISHED_RUN}`,
  `/v1/image-pruners/finished/runs/${FINISHED_RUN}?format=text`,
  `/v1/image-pruners/paused/runs/${UNFINISHED.slot}`,
  `/v1/image-pruners/registry/runs/${CLUSTER_RUN}`,
  `/v1/image-pruners/registry/runs/${CLUSTER_RUN}?format=text`,
  '/v1/switches',
  '/v1/news',
];

/** Must return 404, although leftovers are stored. */
export const GONE: readonly string[] = [
  '/v1/clusters/deleted',
  '/v1/clusters/removed',
  '/v1/image-pruners/registry-2',
  '/v1/channels/stable-4.12/amd64',
  '/v1/versions/4.12.1',
];

const put = (target: string, body: unknown): ProductRequest => ({ method: 'PUT', target, body });
const post = (target: string, body: unknown): ProductRequest => ({ method: 'POST', target, body });
const remove = (target: string): ProductRequest => ({ method: 'DELETE', target });

const ACCEPTANCE = {
  risk: 'NewRisk',
  reason: 'Tested on staging',
  owner: 'platform team',
  until: slotAt(60),
  clusters: 'all',
};

/** Every other route, in an order in which each request succeeds and rewrites an item of its kind. */
export const CHANGES: readonly ProductRequest[] = [
  put('/v1/switches/news', { stopped: false }),
  put('/v1/switches/sync', { stopped: true, reason: 'The upstream is moved.' }),
  put('/v1/switches/sync', { stopped: false }),
  put('/v1/clusters/new', { documents: FULL_REPORT }),
  put('/v1/clusters/small', { documents: SMALL_REPORT }),
  put('/v1/clusters/temporary', { documents: SMALL_REPORT }),
  remove('/v1/clusters/temporary'),
  put('/v1/clusters/small/settings', { target: 'latest', windows: ['Mon 01:00-03:00'] }),
  put('/v1/clusters/settings/settings', { target: '4.16', channel: 'eus-4.16', accept: ['PoolsNotReady'] }),
  remove('/v1/news/webhook'),
  put('/v1/news/webhook', { url: 'https://hooks.example.com/other', format: 'json' }),
  put('/v1/image-pruners/finished', { spec: { target: REGISTRIES[0], keepTagRevisions: 2, grace: '12h' } }),
  put('/v1/image-pruners/temporary', { spec: { target: REGISTRIES[3], suspend: true } }),
  post('/v1/image-pruners/temporary/runs', { dryRun: true }),
  remove('/v1/image-pruners/temporary'),
  put('/v1/image-pruners/finished/in-use', {
    documents: [pod('Running', byTag('team/app', 'latest')), pod('Pending', byTag('team/large', 'stays'))],
    asked: IN_USE_KINDS,
    source: 'cluster-full',
  }),
  put('/v1/image-pruners/registry/in-use', CLUSTER_IMAGES),
  post('/v1/sync/runs', {}),
  post('/v1/uploads', undefined),
  post('/v1/upgrade-paths', { clusters: [{ name: 'a', from: '4.14.8', to: '4.16' }] }),
  post('/v1/upgrade-plans', { documents: FULL_REPORT, target: '4.15' }),
  post('/v1/prune-evaluations/history', { history: updates(9), max: 8 }),
  post('/v1/prune-evaluations/resources', { documents: FULL_REPORT, policy: { older_than: '7d' } }),
  post('/v1/prune-evaluations/images', {
    documents: [image('D0'), stream('foo/bar', { latest: ['D0'] })],
    policy: { now: new Date(NOW).toISOString() },
  }),
  put('/v1/risk-acceptances/one', ACCEPTANCE),
  put('/v1/risk-acceptances/temporary', { ...ACCEPTANCE, clusters: ['full', 'small'] }),
  { method: 'GET', target: '/v1/risk-acceptances/one' },
  remove('/v1/risk-acceptances/temporary'),
];
