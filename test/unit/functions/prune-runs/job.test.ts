import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import {
  blobKey,
  layerLinkKey,
  revisionLinkKey,
  tagCurrentKey,
} from '@cairn/shared/prune/images/registry/storage-layout';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPruner } from '../../../../functions/pruners/store.ts';
import { listRuns } from '../../../../functions/store/run-records.ts';
import { type PruneHarness, PRUNER, startPruneHarness } from '../../../helpers/registry/prune-harness.ts';
import { digestOf } from '../../../helpers/registry/test-registry.ts';

let harness: PruneHarness;
beforeEach(async () => {
  harness = await startPruneHarness();
});
afterEach(() => harness.close());

/** Enough that stays for the rest to be a small part. */
const ballast = () =>
  harness.registry.push(
    'ballast',
    'stays',
    Array.from({ length: 20 }, (_, layer) => `${layer}`.repeat(1000)),
  );
const AT_ONCE = { keepYoungerThan: '0s', grace: '0s' };

/** Pushes twice to one tag, so that a run deletes the first image. */
async function pushTwice(layers: readonly string[] = ['base'], spec: object = {}) {
  const { registry } = harness;
  await ballast();
  const old = await registry.push('app', 'latest', [...layers, 'old']);
  const fresh = await registry.push('app', 'latest', [...layers, 'new']);
  await harness.put({ ...AT_ONCE, keepTagRevisions: 1, ...spec });
  return { registry, old, fresh };
}

const slotInAnHour = () => new Date(Math.floor((Date.now() + 3600_000) / 60_000) * 60_000).toISOString();

/** The same client, with something done before each command. */
function calling(client: S3Client, before: (command: unknown) => Promise<void>): S3Client {
  return new Proxy(client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: Parameters<S3Client['send']>[0]) => {
            await before(command);
            return target.send(command);
          }
        : Reflect.get(target, name),
  });
}

describe('a run of a pruner', () => {
  it('removes revisions of a tag over the limit with all that only they need, at once without grace', async () => {
    const { registry } = harness;
    const first = await registry.push('team/app', 'latest', ['base', 'old']);
    await registry.push('team/app', 'latest', ['base', 'new']);
    await registry.push('team/other', 'v1', ['base', 'x', 'y', 'z']);
    await harness.put({ ...AT_ONCE, keepTagRevisions: 1 });
    const result = await harness.run(1);
    expect(result).toMatchObject({ status: 'Done', outcome: 'Succeeded', reason: 'Pruned' });
    expect(await registry.faultOfManifest('team/app', first)).toContain('does not link');
    expect(await registry.hasBlob(first)).toBe(false);
    expect(await registry.faultOfPull('team/app', 'latest')).toBeNull();
    expect(await registry.faultOfPull('team/other', 'v1')).toBeNull();
    const report = await harness.report(result);
    expect(report).toMatchObject({
      dryRun: false,
      deleted: { tag: { count: 1 }, revision: { count: 1 }, layer: { count: 2 }, blob: { count: 3 } },
    });
    expect(await harness.run(2)).toMatchObject({ status: 'Done', outcome: 'Succeeded' });
  });

  it('with the most aggressive settings deletes the first of two pushes, and the current one only when it is not in use', async () => {
    const { registry } = harness;
    await ballast();
    const first = await registry.push('ns/app', 'latest', ['base', 'first']);
    const second = await registry.push('ns/app', 'latest', ['base', 'second']);
    await harness.put({ ...AT_ONCE, keepTagRevisions: 0, protectedRepositories: ['ballast'] });
    await harness.run(1);
    expect(await registry.hasBlob(first)).toBe(false);
    expect(await registry.faultOfPull('ns/app', 'latest')).toBeNull();
    await harness.use(2, { usedImages: new Set([`ns/app@${second}`]) });
    await harness.run(2);
    expect(await registry.faultOfPull('ns/app', 'latest')).toBeNull();
    await harness.use(3, { usedTags: new Set(['ns/app:latest']) });
    await harness.run(3);
    expect(await registry.faultOfPull('ns/app', 'latest')).toBeNull();
    await harness.use(4, {});
    expect(await harness.run(20)).toMatchObject({ outcome: 'Succeeded' });
    expect(await registry.faultOfPull('ns/app', 'latest')).toBeNull();
    await harness.use(21, { complete: false });
    expect(await harness.run(21)).toMatchObject({ outcome: 'Failed', reason: 'IncompleteInUse' });
    expect(await registry.faultOfPull('ns/app', 'latest')).toBeNull();
    await harness.use(22, {});
    expect(await harness.run(22)).toMatchObject({ outcome: 'Succeeded' });
    expect(await registry.faultOfPull('ns/app', 'latest')).toBe('ns/app:latest is not there');
    expect(await registry.hasBlob(second)).toBe(false);
    expect(await registry.faultOfPull('ballast', 'stays')).toBeNull();
  });

  it('follows indexes, referrers and signature tags, and freezes what it cannot read', async () => {
    const { registry } = harness;
    await ballast();
    const [arm, amd] = [
      await registry.push('app', null, ['base', 'arm']),
      await registry.push('app', null, ['base', 'amd']),
    ];
    await registry.pushIndex('app', 'multi', [arm, amd]);
    const signature = await registry.push('app', null, ['signature of arm'], { subject: arm });
    await registry.push('app', `${arm.replace(':', '-')}.sig`, ['cosign of arm']);
    const stray = await registry.push('app', null, ['stray']);
    const frozen = await registry.push('odd', null, ['odd']);
    await registry.manifest('odd', 'strange', { schemaVersion: 2, mediaType: 'application/x-unknown' });
    await harness.put({ ...AT_ONCE, keepTagRevisions: 1 });
    const result = await harness.run(1);
    expect(result).toMatchObject({ outcome: 'Succeeded' });
    for (const [repository, tag] of [
      ['app', 'multi'],
      ['app', `${arm.replace(':', '-')}.sig`],
    ] as const) {
      expect(await registry.faultOfPull(repository, tag)).toBeNull();
    }
    expect(await registry.faultOfManifest('app', signature)).toBeNull();
    expect(await registry.hasBlob(stray)).toBe(false);
    expect(await registry.faultOfManifest('odd', frozen)).toBeNull();
    expect(await harness.report(result)).toMatchObject({ plan: { frozen: [{ repository: 'odd' }] } });
  });

  it('freezes a repository with a layer that a client named by another digest', async () => {
    const { registry } = harness;
    await ballast();
    // As distribution stores it: the blob and a link under SHA-256, and a link from the name to the blob.
    const { digest, size } = await registry.blob('odd', 'layer');
    const alias = `sha512:${createHash('sha512').update('layer').digest('hex')}`;
    await registry.write(layerLinkKey(registry.root, 'odd', alias), digest);
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const config = {
      mediaType: 'application/vnd.oci.image.config.v1+json',
      ...(await registry.blob('odd', '{}')),
    };
    const layers = [{ mediaType: 'application/octet-stream', digest: alias, size }];
    const manifest = await registry.manifest('odd', 'v1', { schemaVersion: 2, mediaType, config, layers });
    const stray = await registry.push('app', null, ['stray']);
    await harness.put({ ...AT_ONCE, keepTagRevisions: 1 });
    const result = await harness.run(1);
    expect(result).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
    expect(await registry.hasBlob(digest)).toBe(true);
    expect((await registry.keys()).filter((key) => key.includes('/odd/_layers/'))).toHaveLength(3);
    expect(await registry.hasBlob(stray)).toBe(false);
    const reason = `the manifest ${manifest} cannot be read: its layer ${alias} is not stored under this digest`;
    expect(await harness.report(result)).toMatchObject({ plan: { frozen: [{ repository: 'odd', reason }] } });
  });

  it.each(['my app', 'team/größe', '_team/app', 'team/_app', 'team/_uploads'])(
    'deletes nothing while the links of the repository %s cannot be parsed',
    async (name) => {
      const { registry } = harness;
      await registry.push(name, 'v1', ['base', 'only here']);
      const old = await registry.push('app', 'latest', ['base', 'old']);
      await registry.push('app', 'latest', ['base', 'new']);
      await harness.put({ ...AT_ONCE, keepTagRevisions: 1 });
      const before = await registry.keys();
      const stopped = await harness.run(1);
      expect(stopped).toMatchObject({ outcome: 'Failed', reason: 'IncompleteListing' });
      expect(await registry.keys()).toEqual(before);
      const odd = before.filter((key) => key.startsWith(`${registry.root}repositories/${name}/`));
      expect((await harness.report(stopped))['message']).toContain(JSON.stringify(odd[0]));
      expect((await harness.report(stopped))['message']).toContain(`and ${odd.length - 1} more`);
      expect(await registry.faultOfPull(name, 'v1')).toBeNull();
      for (const key of odd) await registry.remove(key);
      expect(await harness.run(2)).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
      expect(await registry.hasBlob(old)).toBe(false);
    },
  );

  it('is not stopped by keys that refer to no blob', async () => {
    const { registry } = harness;
    const old = await registry.push('app', 'latest', ['base', 'old']);
    await registry.push('app', 'latest', ['base', 'new']);
    const digest = old.replace(':', '/');
    for (const key of [
      'repositories/',
      'repositories/my app/',
      'repositories/my app/_uploads/1/data',
      'repositories/app/_uploads/1/startedat',
      'repositories/app/_uploads/1/hashstates/sha256/0',
      `repositories/app/_manifests/revisions/${digest}/signatures/${digest}/link`,
      'blobs/sha256/ab/not a digest/data',
    ]) {
      await registry.write(registry.root + key, 'x');
    }
    await harness.put({ ...AT_ONCE, keepTagRevisions: 1 });
    expect(await harness.run(1)).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
    expect(await registry.hasBlob(old)).toBe(false);
  });

  it('fails when a link that cannot be parsed is written while it deletes', async () => {
    const { registry } = await pushTwice();
    const interrupted = calling(harness.s3, async (command) => {
      if (command instanceof DeleteObjectsCommand) await registry.push('my app', 'v1', ['old']);
    });
    const result = await harness.run(0.01, { trigger: 'manual' }, { registry: interrupted });
    expect(result).toMatchObject({ outcome: 'Failed', reason: 'IncompleteListing' });
    expect((await harness.report(result))['message']).toContain('repositories/my app/');
  });

  it.each([
    ['current', 'latest', false],
    ['untagged', null, false],
    ['current, since a run has read it,', 'latest', true],
  ])(
    'freezes the repository of a manifest that is %s and not what its digest says',
    async (_what, tag, isKnown) => {
      const { registry } = harness;
      await ballast();
      const superseded = await registry.push('broken', 'latest', ['base', 'old']);
      await registry.push('broken', 'latest', ['base', 'new']);
      const changed = await registry.push('broken', tag, ['base', 'changed']);
      const image = await registry.push('elsewhere', 'v1', ['base']);
      const stray = await registry.push('elsewhere', null, ['stray']);
      await harness.put({ ...AT_ONCE, keepTagRevisions: 1, dryRun: true });
      if (isKnown) {
        await harness.run(1);
        // S3 tells times to the second.
        await sleep(1000 - (Date.now() % 1000));
      }
      // A whole manifest, but of another image: its layers are not those that this one needs.
      const content = await harness.s3.send(
        new GetObjectCommand({ Bucket: harness.bucket, Key: blobKey(registry.root, image) }),
      );
      await registry.write(blobKey(registry.root, changed), await content.Body!.transformToByteArray());
      const ofBroken = (await registry.keys()).filter((key) => key.includes('/broken/'));
      await harness.put({ ...AT_ONCE, keepTagRevisions: 1 });
      for (const hour of [2, 3]) {
        const result = await harness.run(hour);
        expect(result).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
        const { plan } = (await harness.report(result)) as {
          plan: { frozen: { repository: string; reason: string }[] };
        };
        const reason = `the manifest ${changed} cannot be read: its content is not that of its digest`;
        expect(plan.frozen).toEqual([{ repository: 'broken', reason }]);
        expect((await registry.keys()).filter((key) => key.includes('/broken/'))).toEqual(ofBroken);
        for (const layer of ['base', 'old', 'new', 'changed']) {
          expect(await registry.hasBlob(digestOf(layer))).toBe(true);
        }
        expect(await registry.faultOfManifest('broken', superseded)).toBeNull();
        expect(await registry.hasBlob(stray)).toBe(false);
      }
    },
  );

  it('condemns first, unlinks after the grace, and sweeps after another one', async () => {
    const patient = { keepYoungerThan: '1h', grace: '24h' };
    const { registry, old: first } = await pushTwice(['a', 'b', 'c', 'd', 'e', 'f'], patient);
    const before = await registry.keys();
    expect(await harness.run(2)).toMatchObject({ outcome: 'Succeeded' });
    expect(await registry.keys()).toEqual(before);
    await harness.run(26);
    expect(await registry.keys()).toEqual(before);
    await harness.run(51);
    expect(await registry.faultOfManifest('app', first)).toContain('does not link');
    expect(await registry.hasBlob(first)).toBe(true);
    await harness.run(60);
    expect(await registry.hasBlob(first)).toBe(true);
    await harness.run(76);
    expect(await registry.hasBlob(first)).toBe(false);
    expect(await registry.faultOfPull('app', 'latest')).toBeNull();
    await harness.run(120);
    expect(await registry.faultOfPull('app', 'latest')).toBeNull();
  });

  it('deletes and condemns nothing in a dry run, and reports what would be deleted', async () => {
    const { registry } = await pushTwice(['a', 'b', 'c', 'd', 'e'], { dryRun: true });
    const before = await registry.keys();
    const result = await harness.run(1);
    expect(await registry.keys()).toEqual(before);
    expect(await harness.report(result)).toMatchObject({
      dryRun: true,
      reason: 'DryRun',
      deleted: {},
      plan: { breaker: null, totals: { revision: { unlinked: { count: 1 } } } },
    });
    expect((await readPruner(harness.table, PRUNER))!.record).toMatchObject({
      activeRun: null,
      lastRun: { dryRun: true, outcome: 'Succeeded' },
    });
  });

  it('stops at the circuit breaker until the plan is agreed to', async () => {
    const { registry } = harness;
    const layers = Array.from({ length: 25 }, (_, layer) => `layer ${layer}`);
    await registry.push('app', null, layers);
    await registry.push('app', 'latest', ['d']);
    await harness.put({ ...AT_ONCE });
    const before = await registry.keys();
    const blocked = await harness.run(1);
    expect(blocked).toMatchObject({ outcome: 'Failed', reason: 'TooMuch' });
    expect(await registry.keys()).toEqual(before);
    const { plan } = (await harness.report(blocked)) as { plan: { planHash: string } };
    const agreed = await harness.run(2, { trigger: 'manual', agree: plan.planHash });
    expect(agreed).toMatchObject({ outcome: 'Succeeded' });
    expect((await registry.keys()).length).toBeLessThan(before.length);
    expect(await registry.faultOfPull('app', 'latest')).toBeNull();
  });

  it('refuses to delete in a bucket without versions, unless that is acknowledged', async () => {
    await harness.close();
    harness = await startPruneHarness({ versioned: false });
    await harness.registry.push('app', 'latest', ['a']);
    await harness.put({ ...AT_ONCE });
    expect(await harness.run(1)).toMatchObject({ outcome: 'Failed', reason: 'Unversioned' });
    await harness.put({ ...AT_ONCE, acknowledgeUnversioned: true });
    expect(await harness.run(2)).toMatchObject({ outcome: 'Succeeded' });
  });

  it('can be resumed after an event to resume came too early', async () => {
    await harness.registry.push('app', 'latest', ['a']);
    await harness.put({ ...AT_ONCE });
    const scheduledTime = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
    const resume = { scheduledTime, trigger: 'resume' } as const;
    expect(await harness.run(0, resume)).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    const cut = await harness.run(0, { scheduledTime }, { remainingMs: () => 0 });
    expect(cut).toMatchObject({ status: 'Paused', run: scheduledTime });
    expect(await harness.run(0, resume)).toMatchObject({ status: 'Done', run: scheduledTime });
  });

  it('runs once for a slot, never when suspended, and not when it comes too late', async () => {
    await harness.registry.push('app', 'latest', ['a']);
    await harness.put({ ...AT_ONCE });
    const scheduledTime = new Date().toISOString();
    expect(await harness.run(0, { scheduledTime })).toMatchObject({ status: 'Done' });
    expect(await harness.run(0, { scheduledTime })).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    expect(await harness.run(-2)).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    await harness.put({ ...AT_ONCE, suspend: true });
    expect(await harness.run(1)).toEqual({ status: 'Skipped', reason: 'Suspended' });
    expect(await harness.run(2, { trigger: 'manual' })).toMatchObject({ status: 'Done' });
    expect(await harness.run(3, { trigger: 'resume' })).toEqual({ status: 'Skipped', reason: 'Duplicate' });
    expect(await harness.run(4, { pruner: 'nobody' })).toEqual({ status: 'Skipped', reason: 'Unknown' });
  });

  it('goes on where time was up, in as many invocations as it takes', async () => {
    const { registry } = harness;
    await ballast();
    for (let number = 0; number < 4; number++) {
      await registry.push('app', 'latest', ['a', 'b', 'c', 'd', 'e', 'f', `old ${number}`]);
    }
    await harness.put({ ...AT_ONCE, keepTagRevisions: 1 });
    const slot = slotInAnHour();
    const statuses: string[] = [];
    let trigger: 'schedule' | 'resume' = 'schedule';
    for (let invocation = 0; invocation < 100; invocation++) {
      // Time for a few looks at the clock only.
      let looks = 0;
      const remainingMs = () => (++looks > 1 ? 0 : 900_000);
      const result = await harness.run(1, { scheduledTime: slot, trigger }, { remainingMs });
      statuses.push(result.status);
      trigger = 'resume';
      if (result.status === 'Done') break;
    }
    expect(statuses.at(-1)).toBe('Done');
    expect(statuses.length).toBeGreaterThan(3);
    expect(await registry.faultOfPull('app', 'latest')).toBeNull();
    expect(
      (await registry.keys()).filter((key) => key.includes('/app/') && key.includes('/index/')),
    ).toHaveLength(1);
  });

  it.each([
    ['a clock that is right', 0],
    ['a clock that is years ahead', 10 * 365 * 24],
    ['a clock that is years behind', -10 * 365 * 24],
  ])('brings back what came into use after it had listed, with %s', async (_what, hoursAhead) => {
    const { registry, old } = await pushTwice(['a', 'b', 'c', 'd', 'e', 'f']);
    await registry.push('elsewhere', 'v1', ['kept']);
    // Between the plan and the first deletion somebody tags the old image again, and somebody else mounts a layer of it.
    let isUsed = false;
    const interrupted = calling(harness.s3, async (command) => {
      if (isUsed || !(command instanceof DeleteObjectsCommand)) return;
      isUsed = true;
      await registry.tag('app', 'stable', old);
      await registry.push('elsewhere', 'v2', ['kept', 'old']);
    });
    const clock = () => Date.now() + hoursAhead * 3600_000;
    // By hand, as nothing that comes by a schedule begins so late.
    const result = await harness.run(0.01, { trigger: 'manual' }, { registry: interrupted, clock });
    expect(result).toMatchObject({ outcome: 'Succeeded' });
    expect((await harness.report(result))['revived']).toBeGreaterThan(3);
    for (const tag of ['latest', 'stable']) expect(await registry.faultOfPull('app', tag)).toBeNull();
    expect(await registry.faultOfPull('elsewhere', 'v2')).toBeNull();
  });

  it('searches for what a manifest needs that a client uploads again', async () => {
    const { registry, old } = await pushTwice();
    const manifest = blobKey(registry.root, old);
    const content = await harness.s3.send(new GetObjectCommand({ Bucket: harness.bucket, Key: manifest }));
    const bytes = await content.Body!.transformToByteArray();
    let isTagged = false;
    let isUploaded = false;
    const interrupted = calling(harness.s3, async (command) => {
      if (command instanceof DeleteObjectsCommand && !isTagged) {
        isTagged = true;
        await registry.tag('app', 'stable', old);
      }
      // It was missing a moment ago, and is there before its delete marker is searched for.
      if (command instanceof ListObjectVersionsCommand && command.input.Prefix === manifest && !isUploaded) {
        isUploaded = true;
        await registry.write(manifest, bytes);
      }
    });
    const result = await harness.run(0.01, { trigger: 'manual' }, { registry: interrupted });
    expect(isUploaded).toBe(true);
    expect(result).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
    const report = await harness.report(result);
    expect(report['lostKeys']).toEqual([]);
    expect(report['revivedKeys']).not.toContain(manifest);
    // What the manifest needs is searched for after it is there again.
    expect(report['revivedKeys']).toContain(blobKey(registry.root, digestOf('old')));
    for (const tag of ['latest', 'stable']) expect(await registry.faultOfPull('app', tag)).toBeNull();
  });

  it('brings a revision back whole, although its tag moves on meanwhile', async () => {
    const { registry, old, fresh } = await pushTwice();
    const manifest = blobKey(registry.root, old);
    // Set back and forth by hand: no other young link leads to the old revision.
    const current = tagCurrentKey(registry.root, 'app', 'latest');
    let moves = 0;
    const moving = calling(harness.s3, async (command) => {
      if (command instanceof DeleteObjectsCommand && moves === 0) {
        moves = 1;
        await registry.write(current, old);
      }
      if (command instanceof ListObjectVersionsCommand && command.input.Prefix === manifest && moves === 1) {
        moves = 2;
        await registry.write(current, fresh);
      }
    });
    const result = await harness.run(0.01, { trigger: 'manual' }, { registry: moving });
    expect([moves, result]).toMatchObject([2, { outcome: 'Succeeded', reason: 'Pruned' }]);
    const { revivedKeys } = (await harness.report(result)) as { revivedKeys: string[] };
    expect(revivedKeys).toContain(revisionLinkKey(registry.root, 'app', old));
    expect(revivedKeys).toContain(layerLinkKey(registry.root, 'app', digestOf('old')));
    expect(revivedKeys).toContain(blobKey(registry.root, digestOf('old')));
  });

  it('does not end while a manifest that came into use cannot be read', async () => {
    const { registry, old } = await pushTwice();
    const manifest = blobKey(registry.root, old);
    let isTagged = false;
    const failing = calling(harness.s3, async (command) => {
      if (command instanceof DeleteObjectsCommand && !isTagged) {
        isTagged = true;
        await registry.tag('app', 'stable', old);
      }
      if (command instanceof GetObjectCommand && command.input.Key === manifest && isTagged) {
        throw new Error('the storage is out of reach');
      }
    });
    await expect(harness.run(0.01, { trigger: 'manual' }, { registry: failing })).rejects.toThrow(
      'out of reach',
    );
    const result = await harness.run(0.02, { trigger: 'manual' });
    expect(result).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
    expect((await harness.report(result))['revivedKeys']).toContain(blobKey(registry.root, digestOf('old')));
    for (const tag of ['latest', 'stable']) expect(await registry.faultOfPull('app', tag)).toBeNull();
  });

  it.each([
    ['with versions does not call a blob lost that is uploaded again', true, true],
    ['without versions does not call a blob lost that is uploaded again', false, true],
    ['without versions calls a blob lost that is gone', false, false],
  ])('%s while it is searched for', async (_what, versioned, isUploadedAgain) => {
    await harness.close();
    harness = await startPruneHarness({ versioned });
    const { registry } = await pushTwice(['base'], { acknowledgeUnversioned: true });
    const blob = blobKey(registry.root, digestOf('old'));
    let isMounted = false;
    let heads = 0;
    let isUploaded = false;
    const interrupted = calling(harness.s3, async (command) => {
      if (command instanceof DeleteObjectsCommand && !isMounted) {
        isMounted = true;
        await registry.push('elsewhere', 'v1', ['old']);
      }
      if (command instanceof HeadObjectCommand && command.input.Key === blob) heads++;
      const isSearched = versioned
        ? command instanceof ListObjectVersionsCommand && command.input.Prefix === blob
        : heads === 2;
      if (!isSearched || !isUploadedAgain || isUploaded) return;
      isUploaded = true;
      await registry.write(blob, 'old');
    });
    const result = await harness.run(0.01, { trigger: 'manual' }, { registry: interrupted });
    expect(isUploaded).toBe(isUploadedAgain);
    expect((await harness.report(result))['lostKeys']).toEqual(isUploadedAgain ? [] : [blob]);
    expect(result).toMatchObject(
      isUploadedAgain ? { outcome: 'Succeeded', reason: 'Pruned' } : { outcome: 'Failed', reason: 'Lost' },
    );
    expect((await registry.faultOfPull('elsewhere', 'v1')) === null).toBe(isUploadedAgain);
  });

  it('lists everything again when its stored listing is gone', async () => {
    const { registry } = await pushTwice([]);
    const scheduledTime = slotInAnHour();
    let looks = 0;
    const cut = await harness.run(1, { scheduledTime }, { remainingMs: () => (++looks > 1 ? 0 : 900_000) });
    expect(cut).toMatchObject({ status: 'Paused', phase: 'inventory' });
    const { client, name } = harness.dependencies.bucket;
    const stored = await client.send(new ListObjectsV2Command({ Bucket: name, Prefix: 'runs/' }));
    const [listing] = (stored.Contents ?? []).filter(({ Key }) => Key!.includes('/inventory'));
    await client.send(
      new DeleteObjectsCommand({ Bucket: name, Delete: { Objects: [{ Key: listing!.Key }] } }),
    );
    const result = await harness.run(1, { scheduledTime, trigger: 'resume' });
    expect(result).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
    expect(await registry.faultOfPull('app', 'latest')).toBeNull();
    expect(await registry.faultOfPull('ballast', 'stays')).toBeNull();
  });

  it('uses its own listing, whatever a superseded run writes later', async () => {
    const { registry } = await pushTwice([]);
    const scheduledTime = new Date(Date.now() + 36_000).toISOString();
    const clock = () => Date.now() + 3600_000;
    let looks = 2;
    let other: unknown;
    const overtaken = calling(harness.s3, async (command) => {
      if (!(command instanceof PutObjectCommand) || !command.input.Key!.includes('/inventory')) return;
      other = await harness.run(
        0,
        { scheduledTime, trigger: 'resume' },
        { clock, remainingMs: () => (looks-- > 0 ? 900_000 : 0) },
      );
    });
    // It has listed blobs only, as its time was up: to that listing all of them look like waste.
    const bucket = { ...harness.dependencies.bucket, client: overtaken };
    const result = await harness.run(
      0,
      { scheduledTime, trigger: 'manual' },
      { bucket, remainingMs: () => 0 },
    );
    expect(other).toMatchObject({ status: 'Paused', phase: 'decide' });
    expect(result).toMatchObject({ reason: 'Superseded' });
    const next = await harness.run(0, { scheduledTime, trigger: 'resume' }, { clock });
    expect(next).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
    expect(await registry.faultOfPull('app', 'latest')).toBeNull();
    expect(await registry.faultOfPull('ballast', 'stays')).toBeNull();
  });

  it('brings back what it deletes after it was overtaken', async () => {
    const { registry } = await pushTwice([]);
    const scheduledTime = new Date(Date.now() + 36_000).toISOString();
    let other: unknown;
    const overtaken = calling(harness.s3, async (command) => {
      if (!(command instanceof DeleteObjectsCommand) || other !== undefined) return;
      if (!command.input.Delete!.Objects![0]!.Key!.includes('/blobs/')) return;
      const clock = () => Date.now() + 3600_000;
      other = await harness.run(0, { scheduledTime, trigger: 'resume' }, { clock });
      await registry.push('elsewhere', 'v1', ['old']);
    });
    const result = await harness.run(0, { scheduledTime, trigger: 'manual' }, { registry: overtaken });
    expect(other).toMatchObject({ outcome: 'Succeeded' });
    expect(result).toMatchObject({ reason: 'Superseded' });
    expect(await registry.faultOfPull('elsewhere', 'v1')).toBeNull();
  });

  it('brings back with the next run what a push found before it went and named only after the run', async () => {
    const { registry, old } = await pushTwice();
    expect(await harness.run(1)).toMatchObject({ outcome: 'Succeeded' });
    expect(await registry.hasBlob(old)).toBe(false);
    await registry.tag('app', 'late', old);
    expect(await harness.run(2)).toMatchObject({ outcome: 'Succeeded' });
    for (const tag of ['latest', 'late']) expect(await registry.faultOfPull('app', tag)).toBeNull();
  });

  it.each([
    ['a dry run', { dryRun: true }, 'DryRun'],
    ['a run that a breaker stops', {}, 'TooMuch'],
  ])('deletes nothing when %s dies right after its plan and is resumed', async (_what, spec, reason) => {
    const { registry } = harness;
    const layers = Array.from({ length: 25 }, (_, layer) => `layer ${layer}`);
    await registry.push('app', null, layers);
    await registry.push('app', 'latest', ['d']);
    await harness.put({ ...AT_ONCE, ...spec });
    const before = await registry.keys();
    const slot = slotInAnHour();
    const dying = calling(harness.s3, async (command) => {
      if (command instanceof PutObjectCommand && command.input.Key?.endsWith('report.json'))
        throw new Error('dead');
    });
    const dies = () =>
      harness.run(1, { scheduledTime: slot }, { bucket: { ...harness.dependencies.bucket, client: dying } });
    await expect(dies()).rejects.toThrow('dead');
    expect(await harness.run(1, { scheduledTime: slot, trigger: 'resume' })).toMatchObject({
      status: 'Done',
      reason,
    });
    expect(await registry.keys()).toEqual(before);
  });

  it('ends after repeated failures of invocations, but not before it has checked its deletions', async () => {
    const { registry, old } = await pushTwice();
    const slot = slotInAnHour();
    let batches = 0;
    const broken = calling(harness.s3, async (command) => {
      if (!(command instanceof DeleteObjectsCommand) || command.input.Bucket !== harness.bucket) return;
      // Tags and revisions go; then somebody wants the old one back, and layers cannot be deleted any more.
      if (++batches === 3) await registry.tag('app', 'again', old);
      if (batches >= 3) throw new Error('no more');
    });
    for (let invocation = 0; invocation < 3; invocation++) {
      const trigger = invocation === 0 ? 'schedule' : 'resume';
      await expect(harness.run(1, { scheduledTime: slot, trigger }, { registry: broken })).rejects.toThrow(
        'no more',
      );
    }
    expect(await registry.faultOfPull('app', 'again')).not.toBeNull();
    expect(
      await harness.run(1, { scheduledTime: slot, trigger: 'resume' }, { registry: broken }),
    ).toMatchObject({
      status: 'Done',
      outcome: 'Failed',
      reason: 'Error',
    });
    for (const tag of ['latest', 'again']) expect(await registry.faultOfPull('app', tag)).toBeNull();
  });

  it('ends when the storage cannot be listed, and says so', async () => {
    await harness.put({ ...AT_ONCE });
    const slot = slotInAnHour();
    const broken = calling(harness.s3, async (command) => {
      if (command instanceof ListObjectsV2Command && command.input.Bucket === harness.bucket)
        throw new Error('denied');
    });
    const attempt = (trigger: 'schedule' | 'resume') =>
      harness.run(1, { scheduledTime: slot, trigger }, { registry: broken });
    await expect(attempt('schedule')).rejects.toThrow('denied');
    await expect(attempt('resume')).rejects.toThrow('denied');
    expect(await attempt('resume')).toMatchObject({ status: 'Done', outcome: 'Failed', reason: 'Error' });
    expect((await readPruner(harness.table, PRUNER))!.record.lastRun).toMatchObject({
      message: expect.stringContaining('denied') as string,
    });
  });

  it('keeps so many records of runs with their reports, and no more', async () => {
    await harness.registry.push('app', 'latest', ['a']);
    await harness.put({ ...AT_ONCE, history: { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 } });
    for (let hour = 1; hour <= 5; hour++) await harness.run(hour);
    const runs = await listRuns(harness.table, `image-pruner/${PRUNER}`);
    expect(runs.map(({ outcome }) => outcome)).toEqual(['Succeeded', 'Succeeded']);
  });
});
