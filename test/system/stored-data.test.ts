import { randomUUID } from 'node:crypto';
import { blobKey, layerLinkKey } from '@cairn/shared/prune/images/registry/storage-layout';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../helpers/registry/test-registry.ts';
import { dumpEngines, loadDump } from '../helpers/stored/engines.ts';
import { fixTime, type FixedTime } from '../helpers/stored/fixed-time.ts';
import { openProduct, type Product, type ProductResponse } from '../helpers/stored/product.ts';
import {
  dumpedCommits,
  frozenRelease,
  readDump,
  readRecorded,
  type Recorded,
  responsesOf,
} from '../helpers/stored/recorded.ts';
import { CHANGES, GONE, READS } from '../helpers/stored/requests.ts';
import {
  at,
  DOOMED_LAYERS,
  END,
  KEPT_TAGS,
  NEXT,
  registryKeys,
  registryOf,
  REUSED_LAYER,
  slotAt,
  UNFINISHED,
} from '../helpers/stored/scenario.ts';
import { missingIn, shapesOf } from '../helpers/stored/shape.ts';
import { type OpenProduct, type Stage, startStage } from '../helpers/stored/stage.ts';
import { tableEngines } from '../helpers/table/table.ts';

/** On day 17 the present release takes a former one over, on day 18 it is rolled back. */
describe.each(dumpedCommits())('a table and buckets written by %s', (commit) => {
  const dump = readDump(commit);
  const recorded = readRecorded(commit);
  const former = frozenRelease(commit);
  const table = randomUUID();
  let time: FixedTime;
  /** What the present release works on, and for comparison what the former release works on. */
  let stage: Stage;
  let other: Stage;
  beforeAll(async () => {
    time = fixTime(END, 'test');
    stage = await start('present', openProduct);
    other = await start('former', former);
    time.set(END);
  });
  afterAll(async () => {
    await Promise.all([stage.close(), other.close()]);
    time.restore();
  });

  async function start(name: string, release: OpenProduct): Promise<Stage> {
    const tableName = `stored-${name}-${table}`;
    const started = await startStage({ tableUrl: tableEngines[0]!.url, tableName, time, release });
    await loadDump(started.engines, dump, time);
    return started;
  }

  /** Every response is the expected one, with status 200, and nothing is served that is gone. */
  async function compare(product: Product, expected: Recorded['responses']): Promise<void> {
    const responses = await responsesOf(product, COMMON_READS);
    for (const target of COMMON_READS) {
      const [served, known] = [responses[target]!, expected[target]!];
      // The former release has entity tags for stored content only.
      const hasTags = served.etag !== null && known.etag !== null;
      expect({ ...withoutAdded(target, served), etag: hasTags && served.etag }, target).toEqual({
        ...withoutAdded(target, known),
        etag: hasTags && known.etag,
      });
      expect(responses[target]!.status, target).toBe(200);
    }
    const gone = await responsesOf(product, GONE);
    expect(Object.values(gone).map(({ status }) => status)).toEqual(GONE.map(() => 404));
  }

  async function expectWholeTags(): Promise<void> {
    for (const [prefix, repository, tag] of KEPT_TAGS) {
      const fault = await registryOf(stage.engines, prefix).faultOfPull(repository, tag);
      expect(fault, `${prefix} ${repository}:${tag}`).toBeNull();
    }
  }

  /** Sends every request that changes something, also in the former release; each has to succeed. */
  async function change(open: () => Promise<Product>): Promise<void> {
    for (const request of COMMON_CHANGES) {
      time.set(time.now() + 1000);
      const { status, text } = await (await open()).request(request);
      expect(status, `${request.method} ${request.target} ${text}`).toBeLessThan(300);
    }
  }

  /** One round of each job, by the release of the stage; each notes the events that it publishes. */
  async function sync(on: Stage, events: string[]) {
    time.set(at(17));
    return (await on.open(17, { onEvent: (event) => events.push(event) })).sync(slotAt(17));
  }
  async function housekeeping(on: Stage) {
    time.set(at(17, 1));
    const product = await on.open(17);
    const { status, resumed } = await product.housekeeping(slotAt(17, 1));
    const run = await product.prune({ ...UNFINISHED, trigger: 'resume' });
    return { status, resumed, run, next: await product.prune({ ...NEXT, trigger: 'schedule' }) };
  }
  async function reassessFleet(on: Stage, events: string[]) {
    time.set(at(17, 2));
    const open = () => on.open(17, { onEvent: (event) => events.push(event) });
    const stopped = await (await open()).reassessFleet(slotAt(17, 2));
    await change(open);
    time.set(at(17, 3));
    return { stopped, started: await (await open()).reassessFleet(slotAt(17, 3)) };
  }

  it('is served as the former release served it', async () => {
    expect.hasAssertions();
    await compare(await stage.open(16), recorded.responses);
  });

  it('is synced', async () => {
    const events: string[] = [];
    expect(await sync(stage, events)).toMatchObject({
      status: 'Done',
      record: { pairs: { published: 2, unchanged: 3, held: 1, failed: 0, skipped: 0 }, versionsAdded: 1 },
    });
    // The first was refused on day 16.
    expect(events).toEqual([
      'ChannelChanged stable-4.14',
      'VersionsWithdrawn stable-4.15',
      'ChannelChanged stable-4.16',
      'ChannelChanged stable-4.16',
    ]);
    const same: string[] = [];
    await sync(other, same);
    expect(events).toEqual(same);
  });

  it('has runs that delete what was planned or condemned, restore what is used again, and nothing else', async () => {
    expect(await housekeeping(stage)).toMatchObject({
      status: 'Done',
      resumed: [UNFINISHED],
      run: { status: 'Done', run: UNFINISHED.slot, outcome: 'Succeeded', reason: 'Pruned' },
      next: { status: 'Done', outcome: 'Succeeded', reason: 'Pruned' },
    });
    const keys = await registryKeys(stage.engines);
    expect(keys).toEqual(recorded.registryAfter);
    const { root } = registryOf(stage.engines, UNFINISHED.pruner);
    for (const layer of DOOMED_LAYERS) {
      expect(keys).not.toContain(blobKey(root, digestOf(layer)));
      expect(keys).not.toContain(layerLinkKey(root, 'team/app', digestOf(layer)));
    }
    expect(keys).toContain(blobKey(root, digestOf(REUSED_LAYER)));
    await expectWholeTags();
    await housekeeping(other);
  });

  it('has clusters to assess, and messages that are sent once their switch is no longer stopped', async () => {
    const events: string[] = [];
    expect(await reassessFleet(stage, events)).toMatchObject({
      stopped: { status: 'Skipped', reason: 'Stopped' },
      started: { status: 'Done', counts: { failed: 0, messagesLeft: 0 } },
    });
    const same: string[] = [];
    await reassessFleet(other, same);
    // The present release also notifies of what later hops remove.
    expect(events).toEqual(expect.arrayContaining(same));
    // It was refused on day 15.
    expect(events).toContain('NewerPatch small');
    const [upload] = dump.objects.flatMap(({ key }) => key.match(/^uploads\/(.+)$/)?.[1] ?? []);
    const plan = { method: 'POST', target: '/v1/upgrade-plans', body: { upload, target: '4.15' } };
    expect((await (await stage.open(17)).request(plan)).status).toBe(200);
  });

  it('has every attribute and field afterwards that the former release would have written', async () => {
    // Marks for reassessment are there until the next assessment.
    for (const on of [stage, other]) {
      time.set(at(17, 3, 30));
      await change(() => on.open(17));
    }
    const [present, expected] = [await dumpEngines(stage.engines), await dumpEngines(other.engines)];
    // The present release publishes its support settings, and assesses clusters for other targets.
    const isOther = (key: string) => /^(?:DOC#|FLEET#|FOLLOW#STATE CENSUS)/.test(key);
    expect(missingIn(shapesOf(expected), shapesOf(present)).filter((key) => !isOther(key))).toEqual([]);
    expect(
      missingIn(shapesOf(present), shapesOf(expected)).filter((key) => !key.includes(': ') && !isOther(key)),
    ).toEqual([]);
  });

  it('is served by the former release after a rollback as if the present one had never run', async () => {
    const rolledBack = await responsesOf(await stage.open(17, {}, former), COMMON_READS);
    const never = await responsesOf(await other.open(17), COMMON_READS);
    for (const target of COMMON_READS.filter((each) => !isPlanned(each))) {
      expect(withoutRandom(rolledBack[target]!.text), target).toBe(withoutRandom(never[target]!.text));
    }
    await compare(await stage.open(17), rolledBack);
  });

  it('works with the former release after a rollback, and with the present one after that', async () => {
    // The former release resumes a run of the present one.
    time.set(at(17, 4));
    await registryOf(stage.engines, UNFINISHED.pruner).push('team/app', 'latest', ['base', 'newest layer']);
    time.set(at(18));
    const unfinished = { pruner: UNFINISHED.pruner, slot: slotAt(18) };
    const pausing = await stage.open(17, { deletionsBeforePause: 2 });
    expect(await pausing.prune({ ...unfinished, trigger: 'schedule' })).toMatchObject({
      status: 'Paused',
      phase: 'delete',
    });

    const open = () => stage.open(18, {}, former);
    const rolledBack = await open();
    await compare(rolledBack, await responsesOf(await stage.open(17), COMMON_READS));
    // An event that is delivered again is known by what the present release noted.
    time.set(at(17));
    expect(await rolledBack.sync(slotAt(17))).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    expect(await rolledBack.housekeeping(slotAt(17, 1))).toMatchObject({ status: 'Skipped' });
    expect(await rolledBack.reassessFleet(slotAt(17, 3))).toMatchObject({ reason: 'Duplicate' });
    expect(await rolledBack.prune({ ...UNFINISHED, trigger: 'schedule' })).toMatchObject({
      reason: 'Duplicate',
    });
    time.set(at(18, 1));
    expect(await rolledBack.sync(slotAt(18, 1))).toMatchObject({ record: { outcome: 'Succeeded' } });
    expect(await rolledBack.housekeeping(slotAt(18, 1))).toEqual({ status: 'Done', resumed: [unfinished] });
    expect(await rolledBack.prune({ ...unfinished, trigger: 'resume' })).toMatchObject({
      outcome: 'Succeeded',
      reason: 'Pruned',
    });
    await expectWholeTags();
    await change(open);
    time.set(at(18, 2));
    expect(await rolledBack.reassessFleet(slotAt(18, 2))).toMatchObject({ counts: { failed: 0 } });
    await compare(await stage.open(18), await responsesOf(await open(), COMMON_READS));
    expect([...stage.warnings, ...other.warnings]).toEqual([]);
  });
});

/** Routes that the former release lacks. */
const NEW =
  /^\/v1\/(?:support|versions|fleet\/updates|risk-acceptances(?:\/.*)?|clusters\/full\/update(?:s|-status))$/;
const COMMON_READS = READS.filter((target) => !NEW.test(target));
const COMMON_CHANGES = CHANGES.filter(({ target }) => !NEW.test(target));

/** Plans, and lists and messages that show their results: the present release checks more, and has other default targets. */
function isPlanned(target: string): boolean {
  return /\/upgrade-plan|\/v1\/clusters(?:\?|$)|\/v1\/fleet\/summary|\/v1\/news/.test(target);
}

/** The present release has more files, releases per minor, and fields of a version. */
function isExtended(target: string): boolean {
  return /only_latest|\/v1\/versions\/|\/v1\/upgrade-paths/.test(target);
}

/** Only the present release sends these fields. */
function withoutAdded(target: string, response: ProductResponse) {
  if (isPlanned(target) || isExtended(target)) return { status: response.status };
  const text = response.text
    .replace('"basis":"reported",', '')
    .replace('"alias":"notifications",', '')
    .replace('"extensions":null,', '')
    .replace(/(?<="digests":\{)"clusterVersion":"[0-9a-f]{32}",/, '')
    .replace(',"updateInProgress":false', '')
    .replace(/,"support":\{[^}]*\}/, '')
    .replace(/"digests":\{"clusterVersion":"[0-9a-f]+",/, '"digests":{')
    .replace(/,"updateInProgress":(?:true|false)/, '')
    .replace(/"excluded":(?:false|\[\]),/, '');
  return { ...response, text };
}

/** Identifiers that are drawn anew in each run. */
function withoutRandom(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/("revision":"[^"]+Z-)[0-9a-f]{8}"/g, '$1RANDOM"');
}
