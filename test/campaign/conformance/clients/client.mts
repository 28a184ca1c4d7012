// Calls a running Cairn with openapi-fetch and the types that openapi-typescript generates from its openapi.json.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { paths } from 'cairn-api';
import createClient from 'openapi-fetch';

const [, , baseUrl = '', token = '', file = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
const documents = JSON.parse(await readFile(file, 'utf8')) as { kind: string };

const query = { channel: 'stable-4.14' };
const graph = await client.GET('/api/upgrades_info/v1/graph', { params: { query } });
assert(graph.data && graph.data.nodes.length > 0);
const etag = graph.response.headers.get('etag')!;
const known = await client.GET('/api/upgrades_info/v1/graph', {
  params: { query, header: { 'If-None-Match': etag } },
});
assert.equal(known.response.status, 304);
const installable = await client.GET('/v2/openshift-versions', { params: { query: { only_latest: true } } });
assert(installable.data && Object.values(installable.data).some((version) => version.default));
const sources = await client.GET('/v2/release-sources');
assert(sources.data && sources.data.length > 0);
const version = await client.GET('/v1/versions/{version}', { params: { path: { version: '4.14.20' } } });
assert.equal(version.data?.version, '4.14.20');
const channels = await client.GET('/v1/channels', { params: { query: { limit: 5 } } });
assert.equal(channels.data?.channels.length, 5);

const path = await client.GET('/v1/upgrade-paths', { params: { query: { from: '4.14.20', to: '4.16' } } });
assert(typeof path.data === 'object' && path.data.found && path.data.path.length > 1);
const many = await client.POST('/v1/upgrade-paths', {
  body: { clusters: [{ from: '4.14.20', to: '4.16' }] },
});
assert(typeof many.data === 'object' && many.data.found === 1 && many.data.mirror.length > 0);

const plan = await client.POST('/v1/upgrade-plans', {
  params: { query: { target: '4.16' } },
  body: documents,
});
assert(typeof plan.data === 'object' && plan.data.hops.length > 0);
const params = { path: { id: 'typescript-client' } };
const stored = await client.PUT('/v1/clusters/{id}', { params, body: documents });
assert.equal(stored.data?.id, 'typescript-client');
const cluster = await client.GET('/v1/clusters/{id}', { params });
assert.equal(cluster.data?.id, 'typescript-client');
const fleet = await client.GET('/v1/clusters');
assert(typeof fleet.data === 'object' && fleet.data.clusters.length > 0);
const pruners = await client.GET('/v1/image-pruners');
assert(pruners.data?.pruners);

const refused = await client.GET('/v1/clusters/{id}', { params: { path: { id: 'no~name' } } });
assert(refused.error && 'errors' in refused.error && refused.error.errors?.[0]?.parameter === 'id');
const closed = await createClient<paths>({ baseUrl }).GET('/v1/sync');
assert.equal(closed.response.status, 401);
console.log('typescript client: all calls hold');
