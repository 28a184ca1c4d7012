import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateArchiveCommand,
  DescribeArchiveCommand,
  EventBridgeClient,
  ListTargetsByRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { GetScheduleCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { asText } from '@cairn/shared/text/as-text';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../../infra/aws/settings/settings.ts';
import { clusterVersion, node, wholeCluster } from '../../../helpers/cluster/objects.ts';
import { requestTo } from '../../../helpers/lambda/deployment.ts';
import type { Lambda } from '../../../helpers/lambda/lambda-host.ts';
import { TestRegistry } from '../../../helpers/registry/test-registry.ts';
import { type CincinnatiStub, startCincinnatiStub } from '../../../helpers/upstream/cincinnati-stub.ts';
import { chainGraph, series } from '../../../helpers/upstream/sync-harness.ts';
import {
  type CountingProxy,
  type FunctionName,
  functionOf,
  physicalOf,
  readState,
  type StackState,
  startCountingProxy,
  startFunction,
  updateStack,
} from './deployed-stack.ts';
import { createQueue } from './moto-queue.ts';

const { CAIRN_MOTO_URL: url = '', CAIRN_DEPLOY_WORK: work, CAIRN_DEPLOY_PYTHON: python = '' } = process.env;
if (work === undefined)
  console.log('skipped: CAIRN_DEPLOY_WORK is not set, run test/campaign/conformance/run-deploy.sh');

const JSON_TYPE = { 'content-type': 'application/json' };
const aws = {
  endpoint: url || 'http://127.0.0.1:9',
  region: 'us-east-1',
  credentials: { accessKeyId: 'moto', secretAccessKey: 'moto-secret' },
};
const scheduler = new SchedulerClient(aws);
const events = new EventBridgeClient(aws);
const s3 = new S3Client({ ...aws, forcePathStyle: true });

/** Of those that are followed by default. */
const NEWEST_MINOR = '4.20';
const now = (): string => new Date().toISOString();

it('every setting is in the file that has them all, but for the table that takes the place of the own', () => {
  const file = readFileSync(join(import.meta.dirname, 'every-setting.json'), 'utf8');
  const names = new Set([...Object.keys(JSON.parse(file) as object), 'restoredTable']);
  expect(names).toEqual(new Set(Object.keys(DEFAULT_SETTINGS)));
});

describe.skipIf(work === undefined)('the stack on moto', () => {
  const folder = join(work ?? '', 'cairn');
  let state: StackState;
  let upstream: CincinnatiStub;
  let proxy: CountingProxy;
  let lambdas: Partial<Record<FunctionName, Lambda>>;

  const start = async (...names: FunctionName[]): Promise<void> => {
    // The only variables that differ from those of the stack: nobody here may ask the public service.
    const overrides = { GRAPH_URL: upstream.url, LOCAL_UPSTREAM: 'true' };
    for (const name of names) {
      lambdas[name] = await startFunction(state, name, proxy.url, name === 'sync' ? overrides : {});
    }
  };
  const stop = async (): Promise<void> => {
    await Promise.all(Object.values(lambdas).map((lambda) => lambda.stop()));
    lambdas = {};
  };
  const invoke = async (name: FunctionName, event: object): Promise<unknown> => {
    const lambda = lambdas[name]!;
    const result = await lambda.invoke(event);
    if (!result.ok) throw new Error(`${JSON.stringify(result.error)}\n${lambda.logs().slice(-5000)}`);
    return result.payload;
  };
  const ask = (method: string, target: string, body?: unknown) =>
    requestTo({ query: lambdas.query!, manage: lambdas.manage! })(method, target, {
      ...(body !== undefined && { body: JSON.stringify(body), headers: JSON_TYPE }),
    });
  const group = () => functionOf(state, 'manage').environment['SCHEDULE_GROUP']!;
  const schedule = (Name: string) => scheduler.send(new GetScheduleCommand({ Name, GroupName: group() }));
  const scheduleNames = async (): Promise<string[]> => {
    const { Schedules = [] } = await scheduler.send(new ListSchedulesCommand({ GroupName: group() }));
    return Schedules.map(({ Name }) => Name!);
  };

  beforeAll(async () => {
    state = readState(folder);
    lambdas = {};
    proxy = await startCountingProxy(url);
    upstream = await startCincinnatiStub((channel, arch) => {
      const minor = channel.split('-')[1]!;
      const before = minor === '4.15' ? ['4.14.8'] : [];
      return chainGraph([...before, ...series(minor, 3)], { arch });
    });
    await start('query', 'manage', 'sync', 'watch', 'fleet');
  });
  afterAll(async () => {
    await stop();
    await Promise.all([upstream.close(), proxy.close()]);
  });

  it('has every type made as the list says', () => {
    const types = { ...state.types, ...readState(join(work!, 'every')).types };
    console.log(asText([{ kind: 'table', header: ['TYPE', 'MADE BY'], rows: Object.entries(types) }]));
    const listed = JSON.parse(readFileSync(join(import.meta.dirname, 'types.json'), 'utf8')) as unknown;
    expect(types).toEqual(listed);
    expect(state.status).toBe('CREATE_COMPLETE');
  });

  it('has the schedules of the jobs, with their role and queue', async () => {
    const made = Object.values(state.made).filter(({ type }) => type === 'AWS::Scheduler::Schedule');
    const targets = await Promise.all(
      made.map(async ({ values }) => (await schedule(values['Ref']!)).Target),
    );
    const queue = functionOf(state, 'manage').environment['DELIVERY_QUEUE_ARN'];
    expect(new Set(targets.map((target) => target?.Arn))).toEqual(
      new Set((['sync', 'watch', 'fleet'] as const).map((job) => functionOf(state, job).FunctionArn)),
    );
    for (const target of targets) {
      expect(target).toMatchObject({
        DeadLetterConfig: { Arn: queue },
        RoleArn: expect.stringContaining(':role/Cairn-') as string,
        Input: expect.stringContaining('<aws.scheduler.scheduled-time>') as string,
      });
    }
  });

  it('answers 503 before the first sync', async () => {
    expect((await ask('GET', '/v2/openshift-versions')).status).toBe(503);
  });

  it('syncs every channel of its configuration and sends events to its bus', async () => {
    const bus = `arn:aws:events:us-east-1:123456789012:event-bus/${state.outputs['EventBusName']}`;
    await events.send(new CreateArchiveCommand({ ArchiveName: 'all', EventSourceArn: bus }));
    const run = await invoke('sync', { scheduledTime: now(), trigger: 'schedule' });
    expect(run).toMatchObject({ status: 'Done', outcome: 'Succeeded' });
    const { pairs } = run as { readonly pairs: { readonly published: number } };
    expect(pairs.published).toBe(new Set(upstream.requests.map(({ channel, arch }) => channel + arch)).size);
    const { EventCount } = await events.send(new DescribeArchiveCommand({ ArchiveName: 'all' }));
    expect(EventCount).toBe(pairs.published);
  });

  it('writes twice when nothing has changed', async () => {
    proxy.tableCalls.length = 0;
    const run = await invoke('sync', { scheduledTime: now(), trigger: 'schedule' });
    expect(run).toMatchObject({ status: 'Done', outcome: 'Succeeded', pairs: { published: 0 } });
    const writes = proxy.tableCalls.filter((call) => !/^(BatchGet|Get|Query)/.test(call));
    expect(writes).toEqual(['UpdateItem', 'UpdateItem']);
  });

  const served = async () => {
    const versions = await ask('GET', `/v2/openshift-versions?version=${NEWEST_MINOR}`);
    const graph = await ask('GET', `/api/upgrades_info/v1/graph?channel=stable-${NEWEST_MINOR}&arch=amd64`);
    const path = await ask('GET', `/v1/upgrade-paths?from=${NEWEST_MINOR}.0&to=${NEWEST_MINOR}.2`);
    return {
      versions: Object.keys(versions.body as object),
      nodes: (graph.body as { nodes: { version: string }[] }).nodes.map(({ version }) => version),
      path: path.body,
    };
  };
  const SERVED = {
    versions: expect.arrayContaining([`${NEWEST_MINOR}.2`]) as string[],
    nodes: series(NEWEST_MINOR, 3),
    path: { found: true },
  };

  it('serves versions, graphs and paths', async () => {
    expect(await served()).toMatchObject(SERVED);
  });

  it('takes a cluster, in the request and by upload', async () => {
    const documents = [clusterVersion, node('worker-0')];
    expect((await ask('PUT', '/v1/clusters/shop', { documents })).status).toBe(201);
    const { status, body } = await ask('POST', '/v1/uploads');
    expect(status).toBe(201);
    const { upload, url: address } = body as { readonly upload: string; readonly url: string };
    expect(new URL(address).pathname).toContain(state.outputs['BucketName']);
    const sent = await fetch(address, { method: 'PUT', body: JSON.stringify(documents) });
    expect(sent.status).toBe(200);
    const taken = await ask('PUT', '/v1/clusters/uploaded', { upload });
    expect([taken.status, taken.body]).toMatchObject([201, { id: 'uploaded' }]);
    expect((await ask('GET', '/v1/clusters')).body).toMatchObject({
      clusters: [{ id: 'shop' }, { id: 'uploaded' }],
    });
  });

  it('notifies its event bus and subscribers of a blocked cluster', async () => {
    const follow = () => invoke('fleet', { scheduledTime: now(), trigger: 'schedule' });
    const report = (isUpgradeable: boolean) =>
      ask('PUT', '/v1/clusters/gated', { documents: wholeCluster(isUpgradeable) });
    const EventBusName = state.outputs['EventBusName']!;
    const queue = await createQueue(url, 'told');
    const listener = {
      Name: 'blocked',
      EventPattern: '{"source": ["cairn"], "detail-type": ["ClusterBlocked"]}',
    };
    await events.send(new PutRuleCommand({ EventBusName, ...listener }));
    const Targets = [{ Id: 'queue', Arn: queue.arn }];
    await events.send(new PutTargetsCommand({ EventBusName, Rule: listener.Name, Targets }));
    // moto brings events to queues but not to topics: the rule of the stack gets one, and stays as it is otherwise.
    const Rule = physicalOf(state, 'NewsMessages');
    const { Targets: [target] = [] } = await events.send(
      new ListTargetsByRuleCommand({ EventBusName, Rule }),
    );
    expect(target?.Arn).toBe(state.outputs['NewsTopicArn']);
    await events.send(
      new PutTargetsCommand({ EventBusName, Rule, Targets: [{ ...target!, Arn: queue.arn }] }),
    );

    expect((await report(true)).status).toBe(201);
    // 4.15 is end of life, so it is no default target.
    expect((await ask('PUT', '/v1/clusters/gated/settings', { target: '4.15' })).status).toBe(200);
    expect(await follow()).toMatchObject({ status: 'Done', counts: { clusters: 3, failed: 0, news: 0 } });
    expect((await report(false)).status).toBe(200);
    expect(await follow()).toMatchObject({ counts: { clusters: 1, news: 1, messagesLeft: 0 } });
    expect((await ask('GET', '/v1/clusters?verdict=blocked')).body).toMatchObject({
      clusters: [{ id: 'gated', target: '4.15.2', blockers: ['ClusterOperatorsUpgradeable'] }],
    });
    expect(await queue.receive()).toEqual([
      expect.objectContaining({
        source: 'cairn',
        'detail-type': 'ClusterBlocked',
        detail: expect.objectContaining({
          cluster: 'gated',
          version: '4.14.8',
          blockers: ['ClusterOperatorsUpgradeable'],
        }) as object,
      }),
      'gated is blocked on its way from 4.14.8 to 4.15.2: ClusterOperatorsUpgradeable',
    ]);

    expect((await ask('DELETE', '/v1/clusters/gated')).status).toBe(204);
    expect(await follow()).toMatchObject({ counts: { clusters: 0, failed: 0, news: 0 } });
    expect(await queue.receive()).toEqual([]);
  });

  it('starts a manual sync through a schedule that removes itself', async () => {
    const before = await scheduleNames();
    const { status, body } = await ask('POST', '/v1/sync/runs', {});
    expect(status).toBe(202);
    const [name] = (await scheduleNames()).filter((other) => !before.includes(other));
    const made = await schedule(name!);
    const manage = functionOf(state, 'manage').environment;
    expect(made).toMatchObject({
      ActionAfterCompletion: 'DELETE',
      Target: {
        Arn: functionOf(state, 'sync').FunctionArn,
        RoleArn: manage['SCHEDULER_ROLE_ARN'],
        DeadLetterConfig: { Arn: manage['DELIVERY_QUEUE_ARN'] },
      },
    });
    const event = JSON.parse(made.Target!.Input!) as { readonly scheduledTime: string };
    expect(event.scheduledTime).toBe((body as { slot: string }).slot);
    expect(await invoke('sync', event)).toMatchObject({ status: 'Done', outcome: 'Succeeded' });
  });

  it('stops and goes on by a switch', async () => {
    expect((await ask('PUT', '/v1/switches/sync', { stopped: true, reason: 'a test' })).status).toBe(200);
    const scheduledTime = new Date(Date.now() + 10_000).toISOString();
    const event = { scheduledTime, trigger: 'schedule' };
    expect(await invoke('sync', event)).toEqual({ status: 'Skipped', reason: 'Stopped' });
    expect((await ask('GET', '/v1/sync')).body).toMatchObject({ lastSkipped: { reason: 'Stopped' } });
    expect((await ask('PUT', '/v1/switches/sync', { stopped: false })).status).toBe(200);
    expect(await invoke('sync', event)).toMatchObject({ status: 'Done' });
  });

  it('is watched', async () => {
    const run = await invoke('watch', { scheduledTime: now(), trigger: 'schedule' });
    expect(run).toMatchObject({ status: 'Done', outcome: 'Succeeded', counts: { clustersWatched: 2 } });
  });

  describe('with other settings', () => {
    let former: StackState;
    beforeAll(async () => {
      await s3.send(new CreateBucketCommand({ Bucket: 'registry' }));
      const VersioningConfiguration = { Status: 'Enabled' } as const;
      await s3.send(new PutBucketVersioningCommand({ Bucket: 'registry', VersioningConfiguration }));
      const registry = new TestRegistry(s3, 'registry', 'prod');
      for (const layer of ['old', 'new']) await registry.push('shop/web', 'latest', ['base', layer]);
      await stop();
      former = state;
      state = await updateStack(python, join(work!, 'changed'), 'Cairn', folder);
      await start('query', 'manage', 'sync', 'watch', 'fleet', 'prune');
    });

    it('is updated where they hold', () => {
      expect(state.status).toBe('UPDATE_COMPLETE');
      expect(functionOf(state, 'manage').environment).toMatchObject({ HISTORY_LIMIT: '50' });
      expect(functionOf(state, 'query').environment).toMatchObject({ SYNC_INTERVAL_MINUTES: '20' });
      expect(functionOf(state, 'fleet').environment).toMatchObject({ DIGEST_ABOVE: '3' });
      expect(functionOf(state, 'watch').environment).toMatchObject({
        REGISTRY_BUCKETS: JSON.stringify([{ bucket: 'registry', prefix: 'prod' }]),
      });
    });

    it.each(['TableName', 'BucketName', 'EventBusName', 'NewsTopicArn', 'ApiUrl', 'UndeliveredQueueUrl'])(
      'keeps %s',
      (output) => {
        expect(former.outputs[output]).toMatch(/./);
        expect(state.outputs[output]).toBe(former.outputs[output]);
      },
    );

    it('serves what was there before, without another sync', async () => {
      expect(await served()).toMatchObject(SERVED);
      expect((await ask('GET', '/v1/clusters')).body).toMatchObject({ clusters: [{}, {}] });
    });

    it('prunes a registry by a pruner with its own schedule', async () => {
      const pruner = { schedule: '0 3 * * *', keepYoungerThan: '0s', grace: '0s', keepTagRevisions: 1 };
      const spec = { ...pruner, dryRun: false, target: { bucket: 'registry', prefix: 'prod' } };
      const before = await scheduleNames();
      const { status, body } = await ask('PUT', '/v1/image-pruners/cluster', spec);
      expect([status, body]).toMatchObject([201, { metadata: { name: 'cluster' } }]);
      const [name] = (await scheduleNames()).filter((other) => !before.includes(other));
      const made = await schedule(name!);
      const manage = functionOf(state, 'manage').environment;
      expect(made).toMatchObject({
        ScheduleExpression: 'cron(0 3 * * ? *)',
        Target: {
          Arn: functionOf(state, 'prune').FunctionArn,
          RoleArn: manage['PRUNER_ROLE_ARN'],
          DeadLetterConfig: { Arn: manage['DELIVERY_QUEUE_ARN'] },
        },
      });
      const input = JSON.parse(made.Target!.Input!) as object;
      const scheduledTime = new Date(Date.now() + 3600_000).toISOString();
      const event = { ...input, scheduledTime };
      expect(await invoke('prune', event)).toMatchObject({
        status: 'Done',
        outcome: 'Succeeded',
        reason: 'Pruned',
      });
      const registry = new TestRegistry(s3, 'registry', 'prod');
      expect(await registry.faultOfPull('shop/web', 'latest')).toBeNull();
      const { body: runs } = await ask('GET', '/v1/image-pruners/cluster/runs');
      expect(runs).toMatchObject({ runs: [{ outcome: 'Succeeded' }] });
    });

    it('is watched, and its pruners are', async () => {
      const run = await invoke('watch', { scheduledTime: now(), trigger: 'schedule' });
      expect(run).toMatchObject({ status: 'Done', outcome: 'Succeeded', counts: { prunersWatched: 1 } });
    });
  });
});
