import { type Json, wholeCluster } from '../cluster/objects.ts';
import { byTag, pod } from '../prune/cluster-scenario.ts';
import { updates } from '../prune/histories.ts';
import { TestRegistry } from '../registry/test-registry.ts';
import { type Engines, REGISTRY } from './engines.ts';
import type { FixedTime } from './fixed-time.ts';
import type { Product, PruneSlot } from './product.ts';
import { CLUSTER_IMAGES, FULL_REPORT, IN_USE_KINDS, ofVersion, versionOf } from './reports.ts';

const START = Date.parse('2026-12-01T00:00:00.000Z');

/** Days, hours and minutes since the start of the scenario. */
export const at = (day: number, hour = 0, minute = 0): number =>
  START + ((day * 24 + hour) * 60 + minute) * 60_000;
export const slotAt = (...time: Parameters<typeof at>): string => new Date(at(...time)).toISOString();

/** Time of the dump. */
export const END = at(16, 1);

export const REGISTRIES = ['finished', 'paused', 'cluster', 'forgotten'].map((prefix) => ({
  bucket: REGISTRY,
  prefix,
}));

const PRUNE_ALL = { keepYoungerThan: '60m', keepTagRevisions: 1, dryRun: false };
const LARGE = Array.from({ length: 12 }, (_, layer) => `${layer}`.repeat(300));

/** Clock, engines, and the product with its faults. */
export interface Controls {
  readonly time: FixedTime;
  readonly engines: Engines;
  /** Opens the product with the configuration of this day. */
  readonly open: (day: number, faults?: Faults) => Promise<Product>;
}

export interface Faults {
  readonly refusesEvent?: (type: string, subject: string) => boolean;
  /** Receives events as `NewerPatch small`. */
  readonly onEvent?: (event: string) => void;
  readonly isWebhookDown?: boolean;
  /** Prune runs pause after this many deletion batches: tags, revisions, layer links, blobs. */
  readonly deletionsBeforePause?: number;
  /** The table fails after this many calls. */
  readonly tableCalls?: number;
}

export const registryOf = ({ s3 }: Engines, prefix: string): TestRegistry =>
  new TestRegistry(s3, REGISTRY, prefix);

/** The run that the dump leaves unfinished. */
export const UNFINISHED: PruneSlot = { pruner: 'paused', slot: slotAt(16, 0, 25) };
/** A run that deletes condemned objects of a former run and restores what that run deleted wrongly. */
export const NEXT: PruneSlot = { pruner: 'finished', slot: slotAt(17, 1) };
/** Tags of both registries that must be complete after these two runs. */
export const KEPT_TAGS = [
  ['paused', 'team/large', 'stays'],
  ['paused', 'team/app', 'latest'],
  ['paused', 'team/late', 'v1'],
  ['finished', 'team/large', 'stays'],
  ['finished', 'team/app', 'latest'],
  ['finished', 'team/app', 'back'],
] as const;
/** Layers of the first registry that must be deleted, and one that a push after the pause uses again. */
export const DOOMED_LAYERS = ['old layer 1', 'old layer 2'] as const;
export const REUSED_LAYER = 'reused layer';

export const registryKeys = async (engines: Engines): Promise<readonly string[]> => [
  ...(await registryOf(engines, 'finished').keys()),
  ...(await registryOf(engines, 'paused').keys()),
];

/** Runs a release for sixteen days, to a table with every kind of item. */
export async function play({ time, engines, open }: Controls): Promise<void> {
  const send = async (product: Product, method: string, target: string, body?: unknown) => {
    const response = await product.request({ method, target, ...(body !== undefined && { body }) });
    if (response.status >= 300) {
      throw new Error(`${method} ${target} was refused: ${response.status} ${response.text}`);
    }
    return response;
  };
  const sync = async (product: Product, ...when: Parameters<typeof at>): Promise<void> => {
    time.set(at(...when));
    must(await product.sync(slotAt(...when)), 'Done');
  };
  const report = (product: Product, id: string, documents: readonly Json[], query = '') =>
    send(product, 'PUT', `/v1/clusters/${id}${query}`, { documents });
  const put = (product: Product, pruner: string, spec: object) =>
    send(product, 'PUT', `/v1/image-pruners/${pruner}`, { spec });
  const push = (prefix: string, repository: string, tag: string, layers: readonly string[]) => {
    time.set(time.now() + 1000);
    return registryOf(engines, prefix).push(repository, tag, layers);
  };
  const prune = async (product: Product, pruner: string, trigger: 'schedule' | 'manual', when: number) => {
    time.set(when);
    return product.prune({ pruner, slot: new Date(when).toISOString(), trigger });
  };

  // Days 0 to 10: releases, and two minors that leave the configuration.
  await sync(await open(0), 0);
  await sync(await open(0), 0, 0, 10);
  for (const day of [1, 5, 7, 10]) await sync(await open(day), day);

  // Day 12: registries and pruners. Housekeeping creates the missing ones.
  time.set(at(12));
  await push('finished', 'team/large', 'stays', LARGE);
  const old = await push('finished', 'team/app', 'latest', ['base', 'old']);
  await push('finished', 'team/app', 'latest', ['base', 'new']);
  await push('paused', 'team/large', 'stays', LARGE);
  await push('paused', 'team/app', 'latest', ['base', DOOMED_LAYERS[0]]);
  await push('paused', 'team/app', 'latest', ['base', DOOMED_LAYERS[1], REUSED_LAYER]);
  await push('paused', 'team/app', 'latest', ['base', 'current layer']);
  const day12 = await open(12);
  await put(day12, 'finished', {
    ...PRUNE_ALL,
    target: REGISTRIES[0],
    schedule: '0 1 * * *',
    timeZone: 'Europe/Berlin',
    protectedTags: ['team/*:v9'],
    startingDeadlineSeconds: 600,
  });
  await put(day12, 'paused', { ...PRUNE_ALL, target: REGISTRIES[1], grace: '0s' });
  time.set(at(12, 1));
  must(await day12.housekeeping(slotAt(12, 1)), 'Done');
  await send(day12, 'DELETE', '/v1/image-pruners/registry-2');
  await put(day12, 'registry', { managementState: 'Unmanaged', target: REGISTRIES[2], suspend: true });

  // Days 13 and 14: in-use reports, a finished run of an unmanaged registry, and condemned objects.
  const day13 = await open(13);
  time.set(at(13));
  await send(day13, 'PUT', '/v1/image-pruners/finished/in-use', {
    documents: [pod('Running', byTag('team/app', 'latest'))],
    asked: IN_USE_KINDS,
    source: 'cluster-full',
  });
  await send(day13, 'PUT', '/v1/image-pruners/registry/in-use', CLUSTER_IMAGES);
  must(await prune(day13, 'registry', 'manual', at(13, 1)), 'Done');
  must(await prune(day13, 'finished', 'schedule', at(13)), 'Done');
  // Later than its deadline, recorded as skipped.
  time.set(at(13, 12));
  must(await day13.prune({ pruner: 'finished', slot: slotAt(13, 11), trigger: 'schedule' }), 'Skipped');
  const day14 = await open(14);
  must(await prune(day14, 'finished', 'schedule', at(14, 1)), 'Done');
  await push('finished', 'team/app', 'latest', ['base', 'newest']);
  must(await prune(day14, 'finished', 'schedule', at(14, 3)), 'Done');

  // Day 14: clusters of different shapes, each assessed once.
  time.set(at(14, 4));
  await report(day14, 'full', FULL_REPORT, '?usernames=true');
  await report(day14, 'small', [versionOf('4.15.10', 'stable-4.15', { clusterID: 'small' })]);
  await report(day14, 'settings', [
    versionOf('4.14.10', 'eus-4.16', { clusterID: 'settings', history: updates(100, { perMinor: 200 }) }),
    ...wholeCluster().slice(1),
  ]);
  await report(day14, 'deleted', ofVersion('4.14.8', 'stable-4.14', 'deleted'));
  await report(day14, 'removed', ofVersion('4.14.8', 'stable-4.14', 'removed'));
  await report(
    day14,
    'twice',
    ofVersion('4.15.10', 'stable-4.15', 'twice'),
    `?collected_at=${slotAt(14, 3)}`,
  );
  await report(day14, 'twice', ofVersion('4.15.9', 'stable-4.15', 'twice'), `?collected_at=${slotAt(14, 1)}`);
  await send(day14, 'PUT', '/v1/clusters/settings/settings', {
    target: '4.16',
    channel: 'eus-4.16',
    accept_risk: ['SlowDrain'],
    policy: 'n-2',
    strategy: 'control-plane-only',
    windows: ['Sat 22:00-04:00', { day: 'Sun', start: '01:00', end: '05:00' }],
    time_zone: 'Europe/Berlin',
  });
  await send(day14, 'PUT', '/v1/clusters/deleted/settings', { target: '4.15' });
  await send(day14, 'PUT', '/v1/news/webhook', { url: 'https://hooks.example.com/secret', format: 'slack' });
  time.set(at(14, 5));
  must(await day14.reassessFleet(slotAt(14, 5)), 'Done');
  await send(day14, 'DELETE', '/v1/clusters/removed');
  time.set(at(14, 6));
  must(await day14.reassessFleet(slotAt(14, 6)), 'Done');
  // 103 updates, of which the history keeps 100.
  await report(day14, 'settings', [
    versionOf('4.14.10', 'eus-4.16', { clusterID: 'settings', history: updates(103, { perMinor: 200 }) }),
  ]);

  // Day 15: a sync dies, the next one completes it, rows of 4.12 are deleted, and some notifications fail.
  time.set(at(15, 0, 30));
  await mustDie((await open(15, { tableCalls: 20 })).sync(slotAt(15, 0, 30)));
  await sync(await open(15), 15, 1);
  const refusing = await open(15, {
    refusesEvent: (_type, subject) => subject === 'small',
    isWebhookDown: true,
  });
  time.set(at(15, 2));
  must(await refusing.reassessFleet(slotAt(15, 2)), 'Done');
  must(await prune(refusing, 'finished', 'schedule', at(15, 2, 30)), 'Done');
  // A client found a manifest before the run deleted it, and tags it again.
  time.set(at(15, 2, 40));
  await registryOf(engines, 'finished').tag('team/app', 'back', old);
  time.set(at(15, 3));
  must(await refusing.housekeeping(slotAt(15, 3)), 'Done');

  // Day 16: one pair is held for review, one fails, and one run is too late.
  await sync(await open(16, { refusesEvent: (_type, subject) => subject === 'stable-4.14' }), 16);
  // Clusters notified of a patch a day ago wait for their next notification.
  time.set(at(16, 0, 15));
  must(await refusing.reassessFleet(slotAt(16, 0, 15)), 'Done');
  const day16 = await open(16);
  time.set(at(16, 0, 20));
  must(await day16.sync(slotAt(16, 0, 10)), 'Skipped');

  // The run of this day pauses between two kinds of deletions. A push then uses a layer that is deleted later.
  const cut = await open(16, { deletionsBeforePause: 3 });
  must(await prune(cut, UNFINISHED.pruner, 'schedule', at(16, 0, 25)), 'Paused');
  time.set(at(16, 0, 30));
  await push('paused', 'team/late', 'v1', [REUSED_LAYER]);

  // Work for the next round: marks for reassessment, an upload, a stopped job.
  time.set(at(16, 0, 40));
  await report(day16, 'full', [versionOf('4.14.9', 'stable-4.14', { clusterID: 'full' })]);
  await send(day16, 'DELETE', '/v1/clusters/deleted');
  await upload(day16, JSON.stringify({ kind: 'List', apiVersion: 'v1', items: FULL_REPORT }));
  await send(day16, 'PUT', '/v1/switches/news', { stopped: true, reason: 'The chat moves to a new server.' });
  time.set(at(16, 0, 50));
  must(await (await open(16)).reassessFleet(slotAt(16, 0, 50)), 'Skipped');
  // A housekeeping run dies and leaves its lease.
  time.set(at(16, 0, 52));
  await mustDie((await open(16, { tableCalls: 4 })).housekeeping(slotAt(16, 0, 52)));
  time.set(END);

  async function upload(product: Product, content: string): Promise<void> {
    const { url } = JSON.parse((await send(product, 'POST', '/v1/uploads')).text) as { url: string };
    const response = await fetch(url, { method: 'PUT', body: content });
    if (!response.ok) throw new Error(`the upload was refused: ${await response.text()}`);
  }
}

/** Thrown by the table client after its last allowed call. */
export class TableGone extends Error {}

async function mustDie(run: Promise<unknown>): Promise<void> {
  const error: unknown = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TableGone)) throw new Error('the run did not die', { cause: error });
}

function must(result: { readonly status: string }, status: string): void {
  if (result.status !== status) throw new Error(`not ${status}: ${JSON.stringify(result)}`);
}
