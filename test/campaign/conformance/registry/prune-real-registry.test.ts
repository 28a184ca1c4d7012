import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PruneHarness, startPruneHarness } from '../../../helpers/registry/prune-harness.ts';
import { OciLayout } from './oci-layout.ts';
import { collectGarbage, RealRegistry, registryPrograms } from './real-registry.ts';

const programs = registryPrograms();
if (programs === null) {
  console.log('skipped: CAIRN_REGISTRY is not set, run test/campaign/conformance/registry/run-registry.sh');
}
const AT_ONCE = { keepTagRevisions: 1, keepYoungerThan: '0s', grace: '0s' };

describe.skipIf(programs === null)('the storage of a real registry', () => {
  let work: string;
  let harness: PruneHarness;
  let layout: OciLayout;
  let storage: string;
  beforeEach(async () => {
    work = mkdtempSync(join(tmpdir(), 'cairn-registry-'));
    storage = join(work, 'storage');
    mkdirSync(join(work, 'pulled'));
    layout = new OciLayout(join(work, 'images'));
    harness = await startPruneHarness();
  });
  afterEach(async () => {
    await harness.close();
    rmSync(work, { recursive: true, force: true });
  });

  /** Runs it over the storage for as long as something is done. */
  const withRegistry = async <T>(folder: string, act: (registry: RealRegistry) => Promise<T>): Promise<T> => {
    const registry = await RealRegistry.start(programs!, work, folder);
    try {
      return await act(registry);
    } finally {
      await registry.stop();
    }
  };
  const isSignedBy = (digest: string) => `${digest.replace(':', '-')}.sig`;
  const ballast = Array.from({ length: 12 }, (_, layer) => `ballast ${layer} `.repeat(100));

  it('serves every kept tag after a run, and says 404 of what was removed', async () => {
    const old = layout.image(['base', 'old']);
    const fresh = layout.image(['base', 'fresh']);
    const index = layout.index([
      layout.image(['base', 'for amd64']),
      layout.image(['base', 'for arm64'], 'arm64'),
    ]);
    const signature = layout.image(['signature of the index']);
    const oldSignature = layout.image(['signature of the old one']);
    const pushes = [
      ['team/app:latest', old],
      [`team/app:${isSignedBy(old.digest)}`, oldSignature],
      ['team/app:latest', fresh],
      ['team/app:v1', index],
      [`team/app:${isSignedBy(index.digest)}`, signature],
      ['team/web:stable', layout.image(['base', 'web'])],
      ['team/web:also', fresh],
      ['ballast:stays', layout.image(ballast)],
    ] as const;
    const kept = new Map<string, string>(pushes.map(([name, { digest }]) => [name, digest]));
    kept.delete(`team/app:${isSignedBy(old.digest)}`);
    const removed = [
      `team/app/manifests/${old.digest}`,
      `team/app/manifests/${isSignedBy(old.digest)}`,
      `team/app/manifests/${oldSignature.digest}`,
      ...layersOnlyOf(layout.dir, old.digest, fresh.digest).map((layer) => `team/app/blobs/${layer}`),
    ];
    await withRegistry(storage, async (registry) => {
      for (const [number, [name, descriptor]] of pushes.entries()) {
        layout.name(descriptor, `push-${number}`);
        await registry.push(layout.dir, `push-${number}`, name);
      }
      for (const path of removed) expect(await registry.look(path), path).toMatchObject({ status: 200 });
    });
    await intoBucket(harness, storage);
    await harness.put(AT_ONCE);
    expect(await harness.run(1)).toMatchObject({ status: 'Done', outcome: 'Succeeded', reason: 'Pruned' });
    const left = join(work, 'left');
    await outOfBucket(harness, left);

    await withRegistry(left, async (registry) => {
      for (const [name, digest] of kept) {
        const [repository, tag] = name.split(':');
        const found = await registry.look(`${repository}/manifests/${tag}`);
        expect(found, name).toEqual({ status: 200, digest });
        await registry.pull(name, join(work, 'pulled', digest.slice(7)));
      }
      for (const path of removed) expect(await registry.look(path), path).toMatchObject({ status: 404 });
      // A push of what was removed is taken again, whole.
      await registry.push(layout.dir, 'push-0', 'team/app:again');
      await registry.pull('team/app:again', join(work, 'pulled', 'again'));
    });
  });

  // No index among them: the collector of 2.8 takes the images of one that is tagged.
  it('is left with the blobs that its own collector leaves', async () => {
    await withRegistry(storage, async (registry) => {
      const images = [
        ['app:latest', layout.image(['base', 'old'])],
        ['app:latest', layout.image(['base', 'fresh'])],
        ['web:v1', layout.image(['base', 'web'])],
        ['ballast:stays', layout.image(ballast)],
      ] as const;
      for (const [number, [name, descriptor]] of images.entries()) {
        layout.name(descriptor, `push-${number}`);
        await registry.push(layout.dir, `push-${number}`, name);
      }
    });
    await intoBucket(harness, storage);
    await harness.put(AT_ONCE);
    expect(await harness.run(1)).toMatchObject({ outcome: 'Succeeded' });
    const collected = join(work, 'collected');
    cpSync(storage, collected, { recursive: true });
    await collectGarbage(programs!, work, collected);
    const isBlob = (key: string) => key.includes('/v2/blobs/');
    expect((await harness.registry.keys()).filter(isBlob)).toEqual(filesOf(collected).filter(isBlob));
  });
});

/** What an image refers to and another one does not. */
function layersOnlyOf(dir: string, digest: string, other: string): readonly string[] {
  const [own, others] = [digest, other].map((of) => {
    const { config, layers } = JSON.parse(readFileSync(join(dir, 'blobs', of.replace(':', '/')), 'utf8')) as {
      config: { digest: string };
      layers: { digest: string }[];
    };
    return [config, ...layers].map((part) => part.digest);
  });
  return own!.filter((layer) => !others!.includes(layer));
}

/** Paths below a folder, in order. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .toSorted();
}

/** In the order in which they were written: that of times is all that a bucket knows. */
async function intoBucket(harness: PruneHarness, folder: string): Promise<void> {
  const written = (path: string) => statSync(join(folder, path)).mtimeMs;
  for (const path of filesOf(folder).toSorted((a, b) => written(a) - written(b))) {
    await harness.registry.write(path, readFileSync(join(folder, path)));
  }
}

async function outOfBucket(harness: PruneHarness, folder: string): Promise<void> {
  for (const Key of await harness.registry.keys()) {
    const { Body } = await harness.s3.send(new GetObjectCommand({ Bucket: harness.bucket, Key }));
    mkdirSync(dirname(join(folder, Key)), { recursive: true });
    writeFileSync(join(folder, Key), await Body!.transformToByteArray());
  }
}
