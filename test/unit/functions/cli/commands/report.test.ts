import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../../../../helpers/cli/cli.ts';
import {
  clusterVersion,
  type Json,
  listOf,
  node,
  pod,
  pool,
  subscription,
} from '../../../../helpers/cluster/objects.ts';
import { type ServedCairn, serveCairn } from '../../../../helpers/lambda/served-cairn.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] } };

let cairn: ServedCairn;
beforeAll(async () => {
  cairn = await serveCairn({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) });
});
afterAll(() => cairn.close());

const cluster = (nodes: readonly string[]): string =>
  JSON.stringify(listOf(clusterVersion, ...nodes.map((name) => node(name)), pool('worker'), pod('p', 'w0')));

async function report(id: string, documents: string, ...argv: readonly string[]) {
  const bodies: string[] = [];
  const queries: URLSearchParams[] = [];
  const run = await runCli(['report', '--cluster', id, '--url', cairn.url, ...argv], {
    stdin: documents,
    clock: () => cairn.now,
    fetch: (url, init) => {
      if (init.method === 'PUT') {
        bodies.push(gunzipSync(init.body as Uint8Array).toString());
        queries.push(url.searchParams);
      }
      return fetch(url, init);
    },
  });
  return { ...run, bodies, queries };
}

const get = async (id: string) =>
  (await (await fetch(`${cairn.url}/v1/clusters/${id}?digests`)).json()) as Json;

describe('cairn report', () => {
  it('sends what is needed of a cluster, and then only what changed', async () => {
    const first = await report('prod', cluster(['w0', 'w1']));
    expect(first).toMatchObject({
      code: 0,
      out: 'prod: clusterVersion, nodes, pools, podsPerNode, drainedPods sent, nothing unchanged\n',
    });
    const same = await report('prod', cluster(['w0', 'w1']));
    expect(same.out).toBe(
      'prod: nothing sent, clusterVersion, nodes, pools, podsPerNode, drainedPods unchanged\n',
    );
    expect(same.bodies[0]!.length + same.queries[0]!.toString().length).toBeLessThan(1000);
    const more = await report('prod', cluster(['w0', 'w1', 'w2']));
    expect(more.out).toBe('prod: nodes sent, clusterVersion, pools, podsPerNode, drainedPods unchanged\n');
    expect(await get('prod')).toMatchObject({ nodes: 3, pods: 1, version: '4.14.8' });
  });

  it('sends Subscriptions, and again only when they change', async () => {
    const documents = (channel: string) =>
      JSON.stringify(listOf(clusterVersion, subscription('logging', { channel, config: { env: ['x'] } })));
    const first = await report('subscribed', documents('stable'));
    expect(first.out).toBe('subscribed: clusterVersion, subscriptions sent, nothing unchanged\n');
    expect(first.bodies[0]).not.toContain('env');
    const same = await report('subscribed', documents('stable'));
    expect(same.out).toBe('subscribed: nothing sent, clusterVersion, subscriptions unchanged\n');
    const other = await report('subscribed', documents('fast'));
    expect(other.out).toBe('subscribed: subscriptions sent, clusterVersion unchanged\n');
    expect(await get('subscribed')).toMatchObject({ subscriptions: 1 });
  });

  it('marks what it does not send as unchanged', async () => {
    const reportAt = (now: number) =>
      runCli(['report', '--cluster', 'aged', '--url', cairn.url], {
        stdin: cluster(['w0']),
        clock: () => now,
        fetch,
      });
    await reportAt(cairn.now - 60_000);
    await reportAt(cairn.now);
    const later = new Date(cairn.now).toISOString();
    expect(await get('aged')).toMatchObject({
      collected: { nodes: later, pools: later, clusterVersion: later },
    });
  });

  it('distinguishes a kind without objects from one without access', async () => {
    const { err } = await runCli(['report', '--oc', '--cluster', 'none', '--url', cairn.url], {
      clock: () => cairn.now,
      fetch,
      oc: ([, resource]) => {
        if (resource === 'poddisruptionbudgets.policy') return { exitCode: 1, stderr: 'Forbidden' };
        return {
          stdout: Buffer.from(
            JSON.stringify(
              resource === 'clusterversions.config.openshift.io/version' ? clusterVersion : listOf(),
            ),
          ),
        };
      },
    });
    expect(err).toBe('oc get poddisruptionbudgets.policy: Forbidden; goes on without it\n');
    expect(await get('none')).toMatchObject({
      operators: 0,
      subscriptions: 0,
      pools: [],
      apisGoingAway: [],
      pods: null,
    });
  });

  it('keeps names of people to itself, and prints what it would send', async () => {
    const documents = JSON.stringify(
      listOf(clusterVersion, {
        apiVersion: 'apiserver.openshift.io/v1',
        kind: 'APIRequestCount',
        metadata: { name: 'cronjobs.v1beta1.batch' },
        status: {
          removedInRelease: '1.25',
          requestCount: 4,
          currentHour: { byNode: [{ byUser: [{ username: 'alice', requestCount: 4 }] }] },
        },
      }),
    );
    const dry = await report('x', documents, '--dry-run');
    expect(dry).toMatchObject({ code: 0, asked: [] });
    expect(dry.out).toContain('cronjobs.v1beta1.batch');
    expect(dry.out).not.toContain('alice');
    expect((await report('x', documents, '--dry-run', '--usernames')).out).toContain('alice');
  });

  it('tries again after a concurrent report', async () => {
    await report('busy', cluster(['w0']));
    let isFirst = true;
    const { code, out, asked } = await runCli(['report', '--cluster', 'busy', '--url', cairn.url], {
      stdin: cluster(['w0', 'w9']),
      clock: () => cairn.now,
      fetch: async (url, init) => {
        if (init.method === 'PUT' && isFirst) {
          isFirst = false;
          await report('busy', cluster(['w0', 'w8']));
        }
        return fetch(url, init);
      },
    });
    expect({ code, out }).toEqual({
      code: 0,
      out: 'busy: nodes sent, clusterVersion, pools, podsPerNode, drainedPods unchanged\n',
    });
    expect(asked).toHaveLength(4);
  });

  it.each([
    [['report', '--url', 'https://x.example'], '{}', '--cluster is needed'],
    [['report', '--cluster', 'a'], JSON.stringify(clusterVersion), '--url is needed'],
    [
      ['report', '--cluster', 'a', '--url', 'https://x.example'],
      '{"kind":"Node"}',
      'document 0 /metadata/name: ',
    ],
  ])('refuses %j', async (argv, stdin, told) => {
    const { code, err } = await runCli(argv, { stdin });
    expect(code).toBe(64);
    expect(err).toContain(`cairn: ${told}`);
  });

  it('fails if a kind marked as unchanged was never reported', async () => {
    await report('some', JSON.stringify(clusterVersion));
    const answer = await fetch(`${cairn.url}/v1/clusters/some?unchanged=nodes`, {
      method: 'PUT',
      body: JSON.stringify(clusterVersion),
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: [{ parameter: 'unchanged', value: 'nodes', detail: 'was never reported, send its documents' }],
    });
  });
});
