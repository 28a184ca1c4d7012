import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { listChanges } from '../../../../functions/channels/changes.ts';
import { listReleases } from '../../../../functions/releases/rows.ts';
import { readSyncState } from '../../../../functions/releases/sync-state.ts';
import { PUBLICATION, readPublished } from '../../../../functions/store/published.ts';
import {
  at,
  chainGraph,
  configOf,
  following,
  series,
  startHarness,
  type SyncHarness,
} from '../../../helpers/upstream/sync-harness.ts';

let harness: SyncHarness;
afterEach(() => harness.close());

type Options = Parameters<typeof startHarness>[0];

async function start(
  channels: readonly string[],
  source: Options['source'],
  more: Partial<Options> = {},
): Promise<void> {
  harness = await startHarness({ config: following(...channels), source, ...more });
}

interface Served {
  readonly nodes: { version: string; payload: string }[];
  readonly edges: [number, number][];
}

async function served(channel: string, arch = 'amd64'): Promise<Served> {
  const { body } = await readPublished(harness.table, PUBLICATION, `graph/${channel}/${arch}`);
  return JSON.parse(gunzipSync(body!).toString()) as Served;
}

const servedVersions = async (channel: string) => (await served(channel)).nodes.map((node) => node.version);

/** Everything that reaches the table from now on, as `Command pk`. */
function recordCalls(): string[] {
  const calls: string[] = [];
  harness.table.client.middlewareStack.add((next, context) => async (args) => {
    const input = args.input as { Key?: { pk?: { S?: string } }; Item?: { pk?: { S?: string } } };
    calls.push(`${context.commandName} ${(input.Key ?? input.Item)?.pk?.S ?? ''}`.trim());
    return next(args);
  });
  return calls;
}

describe('a first sync', () => {
  it('publishes graphs, rows, catalogue and configuration, archives and sends events', async () => {
    await start(['stable-4.14', 'stable-4.15'], (channel) =>
      chainGraph([...series('4.13', 2), ...series(channel.slice(-4), 3)]),
    );
    expect(await harness.get('/v2/openshift-versions')).toMatchObject({
      status: 503,
      body: { kind: 'Error', code: '503' },
    });
    const result = await harness.sync(0);
    expect(result).toMatchObject({
      status: 'Done',
      record: { outcome: 'Succeeded', versionsAdded: 6, pairs: { published: 2 } },
    });
    // S9: other minors in a channel are places to come from, not releases to offer.
    expect(await harness.versions()).toEqual(['4.15.2', '4.15.1', '4.15.0', '4.14.2', '4.14.1', '4.14.0']);
    expect(await servedVersions('stable-4.14')).toEqual(['4.13.0', '4.13.1', '4.14.0', '4.14.1', '4.14.2']);
    expect((await harness.get('/v2/release-sources')).body).toHaveLength(2);
    expect((await harness.archived()).map((key) => key.split('/').slice(0, 3).join('/'))).toEqual([
      'archive/stable-4.14/amd64',
      'archive/stable-4.15/amd64',
    ]);
    expect(
      harness.events.map(({ type, detail }) => [type, detail['channel'], detail['versionsAdded']]),
    ).toEqual([
      ['ChannelChanged', 'stable-4.14', ['4.13.0', '4.13.1', '4.14.0', '4.14.1', '4.14.2']],
      ['ChannelChanged', 'stable-4.15', ['4.13.0', '4.13.1', '4.15.0', '4.15.1', '4.15.2']],
    ]);
  });

  it('says 503 while nothing could be fetched, and {} when upstream has nothing (V1)', async () => {
    await start(['stable-4.14'], () => ({ status: 404, body: '' }));
    expect(await harness.sync(0)).toMatchObject({ record: { outcome: 'Failed' } });
    expect((await harness.get('/v2/openshift-versions')).status).toBe(503);
    harness.stub.setSource(() => null);
    await harness.sync(10);
    expect(await harness.get('/v2/openshift-versions')).toEqual({ status: 200, body: {} });
  });

  it('serves static releases although upstream is dead', async () => {
    const image = {
      openshift_version: '4.12',
      cpu_architecture: 'x86_64',
      url: 'quay.io/a/b:4.12.1-x86_64',
      version: '4.12.1',
    };
    const { asConfigured } = following('stable-4.14');
    harness = await startHarness({
      config: configOf({ release_sources: asConfigured, release_images: [image] }),
      source: () => ({ status: 404, body: '' }),
    });
    await harness.sync(0);
    expect(await harness.versions()).toEqual(['4.12.1']);
  });

  it('S5: gives one row per version, with the best level that its channels allow', async () => {
    const sets: Record<string, string[]> = {
      stable: ['4.14.0-ec.2', '4.14.2', '4.14.3'],
      candidate: ['4.14.0-ec.2', '4.14.2', '4.14.3', '4.14.4', '4.14.5'],
      fast: ['4.14.0-ec.2', '4.14.2', '4.14.3', '4.14.4'],
      eus: ['4.14.0-ec.2', '4.14.2', '4.14.3'],
    };
    const { asConfigured } = following('stable-4.14', 'candidate-4.14', 'fast-4.14', 'eus-4.14');
    harness = await startHarness({
      config: configOf({ release_sources: asConfigured, support_levels: { '4.14': 'production' } }),
      source: (channel) => chainGraph(sets[channel.split('-')[0]!]!),
    });
    await harness.sync(0);
    const { body } = await harness.get('/v2/openshift-versions');
    const levels = Object.values(
      body as Record<string, { display_name: string; support_level: string; default?: boolean }>,
    );
    expect(
      levels.map((version) => [version.display_name, version.support_level, version.default ?? false]),
    ).toEqual([
      ['4.14.5', 'beta', false],
      ['4.14.4', 'production', true],
      ['4.14.3', 'production', false],
      ['4.14.2', 'production', false],
      ['4.14.0-ec.2', 'beta', false],
    ]);
    expect(await listReleases(harness.table, 'amd64')).toHaveLength(5);
  });

  it('S8: names multi releases as installers do', async () => {
    harness = await startHarness({
      config: configOf({
        release_sources: [
          {
            openshift_version: '4.16',
            multi_cpu_architectures: ['x86_64', 'arm64'],
            upgrade_channels: [{ cpu_architecture: 'multi', channels: ['candidate'] }],
          },
        ],
      }),
      source: (_channel, arch) => chainGraph(['4.16.0-ec.2'], { arch }),
    });
    await harness.sync(0);
    expect((await harness.get('/v2/openshift-versions')).body).toEqual({
      '4.16.0-ec.2-multi': {
        display_name: '4.16.0-ec.2-multi',
        support_level: 'beta',
        cpu_architectures: ['x86_64', 'arm64'],
      },
    });
  });
});

describe('a quiet round', () => {
  it('writes twice, both to one item, and reads heads in batches', async () => {
    await start(['stable-4.14', 'fast-4.14', 'stable-4.15'], () => chainGraph(series('4.14', 4)));
    await harness.sync(0);
    const calls = recordCalls();
    expect(await harness.sync(10)).toMatchObject({
      record: { outcome: 'Succeeded', pairs: { unchanged: 3 } },
    });
    expect(calls).toEqual([
      'GetItemCommand SWITCHES',
      'UpdateItemCommand SYNC#STATE',
      'BatchGetItemCommand',
      'UpdateItemCommand SYNC#STATE',
    ]);
    expect(harness.stub.requests).toHaveLength(6);
  });

  it('takes answers in another order for the same', async () => {
    const graph = chainGraph(series('4.14', 3));
    await start(['stable-4.14'], () => graph);
    await harness.sync(0);
    const nodes = graph.nodes.toReversed();
    harness.stub.setSource(() => ({
      ...graph,
      nodes,
      edges: graph.edges.map(([from, to]) => [2 - from!, 2 - to!]).toReversed(),
    }));
    expect(await harness.sync(10)).toMatchObject({ record: { pairs: { unchanged: 1 } } });
  });
});

describe('failures of upstream', () => {
  it.each([
    ['404 with an empty body', { status: 404, body: '' }, 'BadStatus'],
    [
      '200 that is not JSON',
      { status: 200, body: 'hello', headers: { 'content-type': 'application/json' } },
      'NotJson',
    ],
    ['500 with a JSON body', { status: 500, body: { kind: 'failed', value: 'x' } }, 'BadStatus'],
    ['200 with a JSON error', { kind: 'failed', value: 'x' }, 'NodesMissing'],
  ])('S12: %s fails its pair only and keeps its versions', async (_name, answer, code) => {
    await start(['stable-4.14', 'stable-4.15'], (channel) => chainGraph(series(channel.slice(-4), 3)));
    await harness.sync(0);
    harness.stub.setSource((channel) => (channel === 'stable-4.14' ? answer : chainGraph(series('4.15', 4))));
    expect(await harness.sync(10)).toMatchObject({
      record: { outcome: 'PartiallySucceeded', pairs: { failed: 1, published: 1 } },
    });
    expect(await harness.versions()).toEqual([
      '4.15.3',
      '4.15.2',
      '4.15.1',
      '4.15.0',
      '4.14.2',
      '4.14.1',
      '4.14.0',
    ]);
    const pair = await harness.pair('stable-4.14/amd64');
    expect(pair).toMatchObject({ outcome: 'Failed', lastSuccessAt: at(0), lastAttemptAt: at(10) });
    expect(pair?.error?.code).toBe(code);
  });

  it('remembers since when a channel is followed that never had an answer', async () => {
    await start(['stable-4.14'], () => ({ status: 500, body: '' }));
    await harness.sync(0);
    await harness.sync(10);
    expect(await harness.pair('stable-4.14/amd64')).toMatchObject({
      followedSince: at(0),
      lastAttemptAt: at(10),
      lastSuccessAt: null,
    });
  });

  it('asks a dead host no more than it must', async () => {
    const channels = Array.from({ length: 20 }, (_, index) => `stable-4.${index + 1}`);
    await start(channels, () => null, { fetchLimits: { attempts: 1 } });
    await harness.stub.close();
    const result = await harness.sync(0, {}, { limits: { pairsAtOnce: 1 } });
    expect(result).toMatchObject({ record: { outcome: 'Failed', pairs: { failed: 8, skipped: 12 } } });
    expect(await harness.pair('stable-4.20/amd64')).toMatchObject({
      error: { code: 'UpstreamDown' },
      followedSince: at(0),
      lastAttemptAt: '',
    });
  });

  it('begins no pair when time is out, and begins with those in the next run', async () => {
    await start(['stable-4.13', 'stable-4.14', 'stable-4.15'], () => null);
    let now = Date.parse(at(0));
    // Every pair takes 90 seconds: after the second one the time is out.
    const limits = { pairsAtOnce: 1, beginPairsForMs: 150_000 };
    const overrides = { clock: () => now, onPair: () => void (now += 90_000), limits };
    expect(await harness.sync(0, {}, overrides)).toMatchObject({
      record: { pairs: { published: 2, skipped: 1 } },
    });
    harness.stub.requests.length = 0;
    await harness.sync(20, {}, { limits: { pairsAtOnce: 1 } });
    expect(harness.stub.requests.map(({ channel }) => channel)).toEqual([
      'stable-4.15',
      'stable-4.13',
      'stable-4.14',
    ]);
  });

  it('holds at most eight requests open', async () => {
    const channels = Array.from({ length: 30 }, (_, index) => `stable-4.${index + 1}`);
    // Nobody is answered before the eighth has asked and a ninth had time to.
    const eight = Promise.withResolvers<void>();
    await start(channels, async () => {
      if (harness.stub.requests.length === 8) setTimeout(() => eight.resolve(), 100);
      await eight.promise;
      return null;
    });
    await harness.sync(0);
    expect(harness.stub.requests).toHaveLength(30);
    expect(harness.stub.maxInFlight).toBe(8);
  });
});

describe('S14: a version that vanishes', () => {
  const full = series('4.14', 30);
  const less = full.filter((version) => version !== '4.14.20');

  it('stays in every answer, keeps its ways out and loses those in', async () => {
    await start(['stable-4.14'], () => chainGraph(full));
    await harness.sync(0);
    const before = await harness.get('/v2/openshift-versions');
    harness.stub.setSource(() => chainGraph(less));
    await harness.sync(10);
    expect(await harness.get('/v2/openshift-versions')).toEqual(before);
    const graph = await served('stable-4.14');
    expect(graph.nodes).toHaveLength(30);
    expect(graph.edges.filter(([, to]) => to === 20)).toEqual([]);
    expect(graph.edges.filter(([from]) => from === 20)).toHaveLength(9);
  });

  it('is withdrawn after three absences over six hours, once, and returns', async () => {
    await start(['stable-4.14', 'fast-4.14'], () => chainGraph(full));
    await harness.sync(0);
    harness.stub.setSource((channel) => chainGraph(channel === 'stable-4.14' ? less : full));
    for (const minutes of [10, 200, 370]) await harness.sync(minutes);
    const withdrawals = () =>
      harness.events
        .filter((event) => event.type === 'VersionsWithdrawn')
        .map((event) => event.detail['versionsWithdrawn']);
    expect(withdrawals()).toEqual([['4.14.20']]);
    // fast-4.14 still lists it, so it is not withdrawn as a release.
    expect(await harness.versions('exclude_withdrawn=true')).toContain('4.14.20');

    harness.stub.setSource(() => chainGraph(less));
    for (const minutes of [400, 600, 760]) await harness.sync(minutes);
    expect(withdrawals()).toEqual([['4.14.20'], ['4.14.20']]);
    expect(await harness.versions()).toContain('4.14.20');
    expect(await harness.versions('exclude_withdrawn=true')).not.toContain('4.14.20');
    expect((await harness.pair('fast-4.14/amd64'))?.missing['4.14.20']).toEqual({
      since: at(400),
      rounds: 3,
      withdrawnAt: at(760),
    });

    harness.stub.setSource(() => chainGraph(full));
    await harness.sync(770);
    expect(await harness.versions('exclude_withdrawn=true')).toContain('4.14.20');
    expect((await harness.pair('fast-4.14/amd64'))?.missing).toEqual({});
  });

  it('is never withdrawn while it comes back in between', async () => {
    await start(['stable-4.14'], () => chainGraph(full));
    await harness.sync(0);
    const before = await harness.get('/v2/openshift-versions?exclude_withdrawn=true');
    for (let round = 1; round <= 8; round++) {
      harness.stub.setSource(() => chainGraph(round % 2 === 1 ? less : full));
      await harness.sync(round * 240);
      expect(await harness.get('/v2/openshift-versions?exclude_withdrawn=true')).toEqual(before);
    }
  });
});

describe('an answer that is hard to believe', () => {
  const before = series('4.14', 40);
  const shrunk = before.slice(0, 30);

  it('changes nothing until it came three times over six hours', async () => {
    await start(['stable-4.14'], () => chainGraph(before));
    await harness.sync(0);
    harness.stub.setSource(() => chainGraph(shrunk));
    for (const minutes of [10, 200, 360]) {
      expect(await harness.sync(minutes)).toMatchObject({
        record: { outcome: 'Failed', pairs: { held: 1 } },
      });
      expect((await served('stable-4.14')).edges).toHaveLength(780);
    }
    expect(await harness.pair('stable-4.14/amd64')).toMatchObject({
      held: { reason: 'NodesLost', rounds: 3, since: at(10) },
      lastSuccessAt: at(0),
    });
    expect(await harness.sync(380)).toMatchObject({ record: { pairs: { published: 1 } } });
    expect(await servedVersions('stable-4.14')).toEqual(before);
    expect(await harness.pair('stable-4.14/amd64')).toMatchObject({ held: null, lastSuccessAt: at(380) });
  });

  it('can be accepted manually at once, also an empty one, which is accepted in no other case', async () => {
    await start(['stable-4.14'], () => chainGraph(before));
    await harness.sync(0);
    harness.stub.setSource(() => null);
    for (const minutes of [10, 400, 800, 1200]) {
      expect(await harness.sync(minutes)).toMatchObject({ record: { pairs: { held: 1 } } });
    }
    await harness.sync(1210, { trigger: 'manual', accept: ['stable-4.14/amd64'] });
    expect((await served('stable-4.14')).edges).toEqual([]);
    expect(await servedVersions('stable-4.14')).toEqual(before);
    expect(await harness.versions()).toHaveLength(40);
  });

  it('keeps the payload that was served first, and says which changed', async () => {
    const graph = chainGraph(before);
    await start(['stable-4.14'], () => graph);
    await harness.sync(0);
    const nodes = graph.nodes.map((node, index) =>
      index === 7 ? chainGraph(['4.14.7'], { salt: 'x' }).nodes[0]! : node,
    );
    harness.stub.setSource(() => ({ ...graph, nodes }));
    await harness.sync(10);
    expect((await served('stable-4.14')).nodes[7]?.payload).toBe(graph.nodes[7]?.payload);
    expect((await harness.pair('stable-4.14/amd64'))?.payloadConflicts).toEqual(['4.14.7']);
  });

  it('C12: reports a version that two channels give different payloads', async () => {
    await start(['stable-4.14', 'fast-4.14'], (channel) => chainGraph(['4.14.0'], { salt: channel }));
    await harness.sync(0, {}, { limits: { pairsAtOnce: 1 } });
    const pairs = [await harness.pair('fast-4.14/amd64'), await harness.pair('stable-4.14/amd64')];
    expect(pairs.map((pair) => pair?.payloadConflicts)).toEqual([[], ['4.14.0']]);
  });

  it('is refused when it would pass the number of versions that are kept', async () => {
    await start(['stable-4.14'], () => chainGraph(series('4.14', 11)));
    await harness.sync(0, {}, { limits: { versionsPerMinor: 10 } });
    expect((await harness.pair('stable-4.14/amd64'))?.error).toEqual({
      code: 'TooManyVersions',
      detail: '11 new versions would make 11 of 4.14, at most 10 are kept',
    });
    expect(await listReleases(harness.table, 'amd64')).toEqual([]);
  });
});

describe('a minor that leaves the configuration', () => {
  const source = (channel: string) => chainGraph(series(channel.split('-')[1]!, 10));
  const DAY = 24 * 60;
  const many = ['stable-4.11', 'stable-4.12', 'stable-4.13', 'stable-4.14', 'stable-4.15', 'stable-4.16'];

  it('leaves every answer at once, and its rows go after 14 days', async () => {
    harness = await startHarness({ config: following(...many), source });
    await harness.sync(0);
    harness.config = following(...many.slice(1));
    await harness.sync(10);
    expect(await harness.versions('version=4.11')).toEqual([]);
    expect((await harness.get('/v1/sync')).body).toMatchObject({
      retiredMinors: [
        { minor: '4.11', since: at(10), rowsDeletedAfter: at(10 + 14 * DAY), heldBecause: null },
      ],
    });
    await harness.sync(14 * DAY);
    expect(await listReleases(harness.table, 'amd64')).toHaveLength(60);
    await harness.sync(14 * DAY + 10);
    expect(await listReleases(harness.table, 'amd64')).toHaveLength(50);
    expect(await readPublished(harness.table, PUBLICATION, 'graph/stable-4.11/amd64')).toMatchObject({
      head: null,
      bodyKeys: [],
    });
    expect(await harness.archived()).toContain(`archive/removed/${at(14 * DAY + 10)}.json.gz`);
    expect((await harness.get('/v1/sync')).body).toMatchObject({ retiredMinors: [] });
  });

  it('comes back whole when it returns in time', async () => {
    harness = await startHarness({ config: following(...many), source });
    await harness.sync(0);
    const before = await harness.versions();
    harness.config = following(...many.slice(1));
    await harness.sync(10);
    harness.config = following(...many);
    await harness.sync(13 * DAY);
    expect(await harness.versions()).toEqual(before);
    harness.config = following(...many.slice(1));
    await harness.sync(13 * DAY + 10);
    await harness.sync(20 * DAY);
    expect(await listReleases(harness.table, 'amd64')).toHaveLength(60);
  });

  it('with others at once is kept until each is named in confirm_removal', async () => {
    harness = await startHarness({ config: following(...many), source });
    await harness.sync(0);
    harness.config = following(...many.slice(2));
    await harness.sync(10);
    await harness.sync(20 * DAY);
    expect(await listReleases(harness.table, 'amd64')).toHaveLength(60);
    const { retiredMinors } = (await harness.get('/v1/sync')).body as {
      retiredMinors: { heldBecause: string }[];
    };
    expect(retiredMinors[0]?.heldBecause).toContain('confirm_removal');
    harness.config = configOf({
      release_sources: harness.config.asConfigured,
      confirm_removal: ['4.11', '4.12'],
    });
    await harness.sync(20 * DAY + 10);
    expect(await listReleases(harness.table, 'amd64')).toHaveLength(40);
  });

  it('is not what an empty configuration means: nothing leaves, nothing goes', async () => {
    harness = await startHarness({ config: following(...many), source });
    await harness.sync(0);
    const before = await harness.versions();
    harness.config = configOf({});
    await harness.sync(10);
    await harness.sync(20 * DAY);
    expect(await harness.versions()).toEqual(before);
    expect(await listReleases(harness.table, 'amd64')).toHaveLength(60);
  });
});

describe('events of the scheduler', () => {
  it('that come five times make one run', async () => {
    await start(['stable-4.14'], () => chainGraph(series('4.14', 3)));
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => harness.sync(0)));
    expect(results.filter((result) => result.status === 'Done')).toHaveLength(1);
    expect(
      results.filter((result) => result.status === 'Skipped' && result.reason === 'Duplicate'),
    ).toHaveLength(4);
    expect(await harness.sync(0)).toEqual({ status: 'Skipped', reason: 'Duplicate' });
  });

  it('that find a run under way are skipped and recorded', async () => {
    let answer: (graph: unknown) => void = () => {};
    await start(['stable-4.14'], () => new Promise((resolve) => (answer = resolve)));
    const first = harness.sync(0);
    await expect.poll(() => harness.stub.requests.length).toBe(1);
    expect(await harness.sync(5)).toEqual({ status: 'Skipped', reason: 'Concurrent' });
    expect((await readSyncState(harness.table))?.lastSkip).toEqual({
      slot: at(5),
      trigger: 'schedule',
      reason: 'Concurrent',
    });
    answer(null);
    expect(await first).toMatchObject({ status: 'Done' });
  });

  it('that come too late are missed', async () => {
    await start(['stable-4.14'], () => null);
    expect(await harness.sync(10, { scheduledTime: at(4) })).toEqual({ status: 'Skipped', reason: 'Missed' });
    expect(harness.stub.requests).toEqual([]);
    expect(await harness.sync(10, { scheduledTime: at(5) })).toMatchObject({ status: 'Done' });
  });

  it('a run that stalled past its lease publishes nothing over the one that replaced it', async () => {
    let wake: () => void = () => {};
    await start(['stable-4.14'], () => chainGraph(series('4.14', 3)));
    await harness.sync(0);
    harness.stub.setSource(
      () => new Promise((resolve) => (wake = () => resolve(chainGraph(series('4.14', 4))))),
    );
    const stalled = harness.sync(10);
    await expect.poll(() => harness.stub.requests.length).toBe(2);
    const wakeStalled = wake;
    harness.stub.setSource(() => chainGraph(series('4.14', 6)));
    expect(await harness.sync(30)).toMatchObject({ status: 'Done' });
    wakeStalled();
    expect(await stalled).toEqual({ status: 'Skipped', reason: 'Superseded' });
    expect(await servedVersions('stable-4.14')).toHaveLength(6);
  });
});

describe('change events', () => {
  it('wait for the next round when they cannot be delivered', async () => {
    await start(['stable-4.14'], () => chainGraph(series('4.14', 3)));
    const refusing = { publish: () => Promise.reject(new Error('bus is down')) };
    expect(await harness.sync(0, {}, { events: refusing })).toMatchObject({
      record: { notes: ['1 events not delivered yet'] },
    });
    expect(harness.events).toEqual([]);
    await harness.sync(10);
    expect(harness.events).toHaveLength(1);
    await harness.sync(20);
    expect(harness.events).toHaveLength(1);
  });
});

describe('the table', () => {
  it('keeps what changed in a channel', async () => {
    const graph = chainGraph(series('4.14', 3));
    await start(['stable-4.14'], () => graph);
    await harness.sync(0);
    const risk = {
      name: 'Slow',
      message: 'it is slow',
      url: 'https://example.com/slow',
      matchingRules: [{ type: 'Always' }],
    };
    harness.stub.setSource(() => ({
      ...graph,
      conditionalEdges: [{ edges: [{ from: '4.14.0', to: '4.14.2' }], risks: [risk] }],
    }));
    await harness.sync(10);
    expect(await listChanges(harness.table, 'stable-4.14', 'amd64', at(0))).toMatchObject([
      { at: at(0), versionsAdded: series('4.14', 3) },
      {
        at: at(10),
        versionsAdded: [],
        turnedConditional: [{ from: '4.14.0', to: '4.14.2', risks: ['Slow'] }],
        risksNew: ['Slow'],
      },
    ]);
  });
});
