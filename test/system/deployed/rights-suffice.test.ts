import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3';
import { marshall } from '@aws-sdk/util-dynamodb';
import { takeReport } from '@cairn/shared/cluster/record';
import { layerLinkKey } from '@cairn/shared/prune/images/registry/storage-layout';
import { Stage } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeCluster } from '../../../functions/clusters/store.ts';
import { readFleetEntry } from '../../../functions/fleet/store.ts';
import type { Route } from '../../../functions/http/route.ts';
import { putWebhook } from '../../../functions/notifications/store.ts';
import {
  deleteAcceptance,
  putAcceptance,
  readAcceptances,
} from '../../../functions/risk-acceptances/store.ts';
import { routes } from '../../../functions/routes.ts';
import { PRUNER_SEEDS_KEY } from '../../../functions/store/keys.ts';
import { CACHE_LIMITS } from '../../../functions/store/publication-cache.ts';
import { recordRun } from '../../../functions/store/run-records.ts';
import { aCluster, aClusterVersion } from '../../helpers/cluster/clusters.ts';
import { clusterVersion, idleCluster, node, updatingCluster } from '../../helpers/cluster/objects.ts';
import {
  type FunctionName,
  FUNCTIONS,
  type GuardedStack,
  NAMES,
  startGuardedStack,
} from '../../helpers/iam/guarded-stack.ts';
import { inHours, ProductCalls } from '../../helpers/iam/product-calls.ts';
import { RolePolicy } from '../../helpers/iam/role-policy.ts';
import { startAwsStub } from '../../helpers/lambda/aws-stub.ts';
import { requestTo } from '../../helpers/lambda/deployment.ts';
import { byTag, pod } from '../../helpers/prune/cluster-scenario.ts';
import { updates } from '../../helpers/prune/histories.ts';
import { digestOf, TestRegistry } from '../../helpers/registry/test-registry.ts';
import { createStack, synthesize } from '../../helpers/template/synthesize.ts';
import { readTemplate } from '../../helpers/template/template.ts';
import { chainGraph, series } from '../../helpers/upstream/sync-harness.ts';

const HISTORY_LIMIT = 10;
const dir = mkdtempSync(join(tmpdir(), 'cairn-rights-'));
let stack: GuardedStack;
let registry: TestRegistry;
let calls: ProductCalls;

const minor = (openshift_version: string) => ({
  openshift_version,
  upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable'] }],
});
/** Upstream has so many versions of each minor, and one risk, of an update that no cluster here can take. */
const upstreamOf = (count: number) => (channel: string) => {
  const versions = series(channel.split('-')[1]!, count);
  const [from, to] = versions;
  const risk = { url: 'https://x', name: 'Known', message: 'm', matchingRules: [{ type: 'Always' }] };
  return { ...chainGraph(versions), conditionalEdges: [{ edges: [{ from, to }], risks: [risk] }] };
};

beforeAll(async () => {
  const outdir = join(dir, 'synthesized');
  const synthesized = createStack(
    { outdir, context: { 'aws:cdk:enable-asset-metadata': true } },
    {
      registryBuckets: [{ bucket: NAMES.registry, prefix: 'prod' }],
      historyLimit: HISTORY_LIMIT,
      retirementGraceDays: 0,
    },
  );
  Stage.of(synthesized)?.synth();
  const source = upstreamOf(3);
  stack = await startGuardedStack({
    template: readTemplate(synthesize(synthesized)),
    outdir,
    dir: join(dir, 'buckets'),
    source,
  });
  stack.configure({ release_sources: [minor('4.14'), minor('4.15')] });
  registry = new TestRegistry(stack.s3, NAMES.registry, 'prod');
  calls = await ProductCalls.start(stack);
});
afterAll(async () => {
  await stack.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Not by the code: Lambda itself writes the log, and sends on the event of a run that threw twice. */
const USED_BY_LAMBDA = new Set(['logs:CreateLogStream', 'logs:PutLogEvents', 'sqs:SendMessage']);

/** The kinds that may use an image. */
const USERS = 'pods,rc,rs,deployments,statefulsets,daemonsets,jobs,cronjobs,builds,bc,dc'.split(',');
const PRUNER = {
  schedule: '0 3 * * *',
  dryRun: false,
  keepTagRevisions: 1,
  keepYoungerThan: '0s',
  grace: '15m',
  successfulJobsHistoryLimit: 1,
};

const ACCEPTANCE = { risk: 'SlowBoot', reason: 'a test', owner: 'shop', until: inHours(300 * 24) };

/** Types of all events, in order. */
const toldTypes = (): unknown[] =>
  stack.eventBridge.calls.flatMap(({ body }) =>
    (body['Entries'] as readonly { readonly DetailType: string }[]).map(({ DetailType }) => DetailType),
  );

describe('with no more rights than the template gives', () => {
  it('the sync publishes, rests, follows changes, takes a minor back and retires it', async () => {
    expect(await calls.sync(0)).toMatchObject({ outcome: 'Succeeded', pairs: { published: 2 } });
    expect(await calls.sync(0)).toMatchObject({ outcome: 'Succeeded', pairs: { unchanged: 2 } });
    for (const count of [5, 6]) {
      stack.upstream.setSource(upstreamOf(count));
      expect(await calls.sync(0)).toMatchObject({ outcome: 'Succeeded', pairs: { published: 2 } });
    }
    // One that leaves without a word that this is meant is held back, and claimed when it returns.
    await calls.configure({ release_sources: [minor('4.14')] });
    expect(await calls.sync(0)).toMatchObject({ outcome: 'PartiallySucceeded' });
    await calls.configure({ release_sources: [minor('4.14'), minor('4.15')] });
    expect(await calls.sync(0)).toMatchObject({
      outcome: 'Succeeded',
      pairs: { unchanged: 1, published: 1 },
    });
    await calls.configure({ release_sources: [minor('4.14')], confirm_removal: ['4.15'] });
    expect(await calls.sync(0)).toMatchObject({ outcome: 'Succeeded' });
    // A version that stays away is withdrawn.
    stack.upstream.setSource(upstreamOf(5));
    for (const hours of [1, 4, 8]) {
      expect(await calls.sync(hours)).toMatchObject({ outcome: 'Succeeded' });
    }
    expect((await calls.ask('GET', '/v1/channels/stable-4.14/amd64/changes')).text).toContain(
      '"versionsWithdrawn":["4.14.5"]',
    );
  });

  it('clusters are kept, planned for and removed, also by upload', async () => {
    const documents = [...idleCluster, node('worker-0')];
    expect(
      await calls.faultsOf(
        [201, 'PUT', '/v1/clusters/shop', { documents }],
        [200, 'PUT', '/v1/clusters/shop', { documents }],
        [200, 'PUT', '/v1/clusters/shop', { documents: [node('worker-1')] }],
        [200, 'POST', '/v1/upgrade-plans', { documents, target: '4.14.4' }],
        [200, 'POST', '/v1/upgrade-paths', { clusters: [{ from: '4.14.0' }] }],
        [200, 'POST', '/v1/prune-evaluations/history', { history: updates(9) }],
      ),
    ).toEqual([]);
    const { body } = await calls.ask('POST', '/v1/uploads');
    const { upload, url } = body as Record<'upload' | 'url', string>;
    expect(await calls.faultsOf([404, 'PUT', '/v1/clusters/uploaded', { upload }])).toEqual([]);
    // At an address of the guard of manage, whose rights it carries.
    expect((await fetch(url, { method: 'PUT', body: JSON.stringify(documents) })).status).toBe(200);
    expect(
      await calls.faultsOf(
        [201, 'PUT', '/v1/clusters/uploaded', { upload }],
        [204, 'DELETE', '/v1/clusters/uploaded'],
      ),
    ).toEqual([]);
  });

  it('pruners are stored with their schedules and receive in-use reports', async () => {
    const inUse = { documents: [pod('Running', byTag('team/app', 'latest'))], asked: USERS };
    expect(
      await calls.faultsOf(
        [201, 'PUT', '/v1/image-pruners/north', { spec: { ...PRUNER, dryRun: true } }],
        [200, 'PUT', '/v1/image-pruners/north', { spec: PRUNER }],
        [200, 'PUT', '/v1/image-pruners/north/in-use', inUse],
        [200, 'PUT', '/v1/image-pruners/north/in-use', inUse],
        [202, 'POST', '/v1/image-pruners/north/runs', { dryRun: true }],
        [202, 'POST', '/v1/sync/runs', {}],
        [200, 'PUT', '/v1/switches/prune', { stopped: true, reason: 'a test' }],
        [200, 'PUT', '/v1/switches/prune', { stopped: false }],
      ),
    ).toEqual([]);
  });

  it('the fleet is reassessed after reports and changes, with notifications on the bus and by webhook', async () => {
    const chat = await startAwsStub();
    const hook = { url: 'https://chat.example.com/services/secret', format: 'slack' };
    expect(
      await calls.faultsOf(
        [201, 'PUT', '/v1/clusters/edge', { documents: [clusterVersion] }],
        [200, 'PUT', '/v1/clusters/shop/settings', { target: '4.14' }],
        [201, 'PUT', '/v1/risk-acceptances/shop', { ...ACCEPTANCE, clusters: ['shop'] }],
        [200, 'PUT', '/v1/risk-acceptances/shop', { ...ACCEPTANCE, clusters: 'all' }],
        [201, 'PUT', '/v1/risk-acceptances/edge', { ...ACCEPTANCE, clusters: 'all' }],
        [204, 'DELETE', '/v1/risk-acceptances/edge'],
        [200, 'PUT', '/v1/news/webhook', hook],
        [200, 'PUT', '/v1/news/webhook', hook],
        [204, 'DELETE', '/v1/news/webhook'],
      ),
    ).toEqual([]);
    // The API takes no address of this machine.
    const since = inHours(0);
    await putWebhook(stack.table, { url: `${chat.url}/hook`, format: 'json', since, by: 'test' });
    // Also of the cluster that was removed.
    expect(await calls.followFleet(0.1)).toMatchObject({ status: 'Done', counts: { clusters: 2, news: 0 } });

    stack.upstream.setSource(upstreamOf(12));
    expect(await calls.sync(9)).toMatchObject({ outcome: 'Succeeded' });
    expect(await calls.followFleet(9)).toMatchObject({ counts: { clusters: 2, news: 4, messagesLeft: 0 } });
    const ofEach = ['NewerPatch', 'PathOpened'];
    expect(toldTypes().slice(-6)).toEqual([...ofEach, ...ofEach, 'Message', 'Message']);
    expect(chat.calls.map(({ path, body }) => `${path} ${String(body['title'])}`).toSorted()).toEqual([
      '/hook 2 changes of edge',
      '/hook 2 changes of shop',
    ]);

    expect(await calls.faultsOf([204, 'DELETE', '/v1/clusters/edge'])).toEqual([]);
    expect(await calls.followFleet(10)).toMatchObject({ counts: { clusters: 0, failed: 0 } });
    expect(await readFleetEntry(stack.table, 'edge')).toMatchObject({
      assessment: null,
      reported: null,
      pairs: [],
    });

    expect(await calls.followFleet(4 * 24)).toMatchObject({ counts: { news: 1 } });
    expect(toldTypes().slice(-2)).toEqual(['PrunerOverdue', 'Message']);

    // The index of updates leads to the cluster.
    expect(
      await calls.faultsOf([201, 'PUT', '/v1/clusters/rolling', { documents: updatingCluster }]),
    ).toEqual([]);
    expect(await calls.followFleet(4 * 24 + 1)).toMatchObject({ counts: { failed: 0 } });
    expect(await calls.faultsOf([204, 'DELETE', '/v1/clusters/rolling'])).toEqual([]);
    await chat.close();
    expect(await calls.faultsOf([204, 'DELETE', '/v1/news/webhook'])).toEqual([]);
  });

  it('every route that only reads is answered, also when cached data has to be revalidated', async () => {
    const reading = routes.filter((route: Route) => route.method === 'GET' && !route.isUnlisted);
    const requests = reading.map(({ path, success }) => {
      const target = path
        .replace(/\/graph$/, '/graph?channel=stable-4.14')
        .replace(/\/upgrade-paths$/, '/upgrade-paths?from=4.14.0')
        .replace('{channel}/{arch}', 'stable-4.14/amd64')
        .replace('{arch}', 'amd64')
        .replace('{version}', '4.14.2')
        .replace('{id}', 'shop')
        .replace('/risks/{name}', '/risks/Known')
        .replace('{name}', 'north')
        // One of now may be about to start.
        .replace('{run}', inHours(0));
      return [success.status, 'GET', target] as const;
    });
    expect(await calls.faultsOf(...requests)).toEqual([]);
    await sleep(CACHE_LIMITS.trustMs);
    expect(await calls.faultsOf(...requests)).toEqual([]);
  });

  it('a pruner tries, condemns, deletes and brings back', async () => {
    await registry.push('team/app', 'latest', ['base', 'old']);
    const former = await registry.push('team/app', 'latest', ['base', 'new']);
    const layers = Array.from({ length: 26 }, (_, layer) => `layer ${layer}`);
    await registry.push('team/big', 'v1', ['base', ...layers]);
    const upload = { Bucket: NAMES.registry, Key: `${registry.root}repositories/team/app/_uploads/a/data` };
    await stack.s3.send(new CreateMultipartUploadCommand(upload));
    const pruned = { reason: 'Pruned' };

    expect(await calls.pruneHurriedly(1, { dryRun: true })).toMatchObject({ status: 'Paused' });
    expect(await calls.prune(1.1, { trigger: 'resume' })).toMatchObject({ reason: 'DryRun' });
    expect(await calls.prune(1.5)).toMatchObject(pruned);
    expect(await registry.hasBlob(digestOf('old'))).toBe(true);
    for (const hours of [2, 2.5]) expect(await calls.prune(hours)).toMatchObject(pruned);
    expect(await registry.hasBlob(digestOf('old'))).toBe(false);

    // A push that found the layer before it went.
    await registry.write(layerLinkKey(registry.root, 'team/app', digestOf('old')), digestOf('old'));
    const run = await calls.prune(3);
    expect(run).toMatchObject(pruned);
    expect(await registry.hasBlob(digestOf('old'))).toBe(true);
    expect(
      await calls.faultsOf(
        [200, 'GET', `/v1/image-pruners/north/runs/${(run as { readonly run: string }).run}`],
        [200, 'GET', '/v1/image-pruners/north/runs'],
      ),
    ).toEqual([]);

    // Without versions a link is written anew: here of a tag that was set back to the image before.
    await stack.setVersioning('Suspended');
    const unversioned = { ...PRUNER, acknowledgeUnversioned: true };
    expect(await calls.faultsOf([200, 'PUT', '/v1/image-pruners/north', { spec: unversioned }])).toEqual([]);
    await registry.push('team/app', 'latest', ['base', 'newest']);
    for (const hours of [3.5, 4]) expect(await calls.prune(hours)).toMatchObject(pruned);
    expect(await registry.faultOfManifest('team/app', former)).not.toBeNull();
    await registry.tag('team/app', 'latest', former);
    expect(await calls.prune(4.1)).toMatchObject(pruned);
    expect(await registry.faultOfPull('team/app', 'latest')).toBeNull();

    // Made anew, it does not know what is in use, which would be too old by the time when the upload is.
    expect(
      await calls.faultsOf(
        [204, 'DELETE', '/v1/image-pruners/north'],
        [201, 'PUT', '/v1/image-pruners/north', { spec: unversioned }],
      ),
    ).toEqual([]);
    expect(await calls.prune(8 * 24)).toMatchObject(pruned);
  });

  it('housekeeping creates a pruner, repairs a schedule, resumes a run and enforces limits', async () => {
    const facts = aCluster({
      clusterVersion: aClusterVersion({ history: updates(HISTORY_LIMIT + 5) }),
    });
    const report = { now: inHours(-1), forget: false, historyLimit: 1000 };
    // Twice, so that there is a body that nobody can be reading.
    for (let times = 0; times < 2; times++) {
      await changeCluster(stack.table, 'long', (known) => takeReport(known?.record ?? null, facts, report));
    }
    for (let days = 100; days < 155; days++) {
      const run = {
        job: 'watch',
        slot: inHours(-24 * days),
        trigger: 'schedule',
        outcome: 'Succeeded',
      } as const;
      await recordRun(stack.table, { ...run, durationMs: 1, counts: null, notes: [] });
    }
    const change = { at: inHours(-100 * 24), by: 'test', check: () => {} };
    await putAcceptance(stack.table, 'old', { ...ACCEPTANCE, clusters: [] }, change);
    await deleteAcceptance(stack.table, 'old', change);
    expect(await calls.pruneHurriedly(9 * 24)).toMatchObject({ status: 'Paused' });
    stack.schedules.byName.set('pruner-north', { ScheduleExpression: 'rate(1 day)' });
    expect(await calls.watch(0)).toMatchObject({
      outcome: 'Succeeded',
      counts: { historiesPruned: 1, prunersScheduled: 1, prunerRunsResumed: 1 },
    });
    expect((await readAcceptances(stack.table)).map(({ id }) => id)).toEqual(['edge', 'shop']);

    expect(await calls.prune(9 * 24, { trigger: 'resume' })).toMatchObject({ status: 'Done' });
    expect(await calls.faultsOf([204, 'DELETE', '/v1/image-pruners/north'])).toEqual([]);
    const Key = marshall(PRUNER_SEEDS_KEY);
    await stack.table.client.send(new DeleteItemCommand({ TableName: stack.table.name, Key }));
    expect(await calls.watch(1)).toMatchObject({ outcome: 'Succeeded', counts: { prunersSeeded: 1 } });
  });

  it('nothing was refused', () => {
    expect(stack.denials).toEqual([]);
  });

  it.each(Object.keys(FUNCTIONS) as FunctionName[])('%s needed every right that it has', (name) => {
    const { needed } = stack.policies[name];
    const granted = stack.policies[name].granted();
    expect(granted).toEqual([...new Set(granted)]);
    const isLeftToLambda = (right: string) => USED_BY_LAMBDA.has(right.split(' ')[0]!);
    expect(granted.filter((right) => !needed.has(right))).toEqual(granted.filter(isLeftToLambda));
  });

  it('the roles of schedules start what they are for, and can do nothing else', () => {
    const paths = ['Sync/Role', 'WatchSchedule/Role', 'FleetSchedule/Role', 'Pruning/Role'];
    const roles = new Map(
      paths.map((path) => [stack.roleArnAt(path), new RolePolicy(stack.statementsAt(path))]),
    );
    const targets = stack.scheduleTargets();
    expect(new Set(targets.map(({ RoleArn }) => RoleArn))).toEqual(new Set(roles.keys()));
    for (const { Arn, RoleArn, DeadLetterConfig } of targets) {
      const role = roles.get(RoleArn)!;
      expect(role.allows({ action: 'lambda:InvokeFunction', resource: Arn, context: {} })).toBe(true);
      const undelivered = { action: 'sqs:SendMessage', resource: DeadLetterConfig.Arn, context: {} };
      expect(role.allows(undelivered)).toBe(true);
    }
    for (const role of roles.values()) expect(role.granted()).toEqual([...role.needed]);
  });
});

it('a right that is taken away is missed', async () => {
  stack.denials.length = 0;
  const statements = stack.statementsAt('QueryRole');
  const fewer = statements.filter(({ Action }) => ![Action].flat().includes('dynamodb:GetItem'));
  expect(fewer).toHaveLength(statements.length - 1);
  const query = await stack.start('query', {}, new RolePolicy(fewer));
  const { status } = await requestTo({ query, manage: query })('GET', '/v1/sync');
  expect(status).toBe(500);
  expect(stack.denials.toSorted()).toEqual(
    ['SYNC', 'WATCH'].map((job): unknown =>
      expect.stringMatching(
        new RegExp(`^query: dynamodb:GetItem on .* with .*"${job}#STATE".* is not allowed$`),
      ),
    ),
  );
});
