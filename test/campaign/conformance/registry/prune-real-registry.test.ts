import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  credentials,
  type PruneHarness,
  startPruneHarness,
} from '../../../helpers/registry/prune-harness.ts';
import { type Descriptor, digestOf, OciLayout } from './oci-layout.ts';
import { collectable, RealRegistry, registryPrograms, type RegistrySetup } from './real-registry.ts';
import { RegistryClient } from './registry-client.ts';

const programs = registryPrograms();
if (programs === null) {
  console.log('skipped: CAIRN_REGISTRY is not set, run test/campaign/conformance/registry/run-registry.sh');
}
const AT_ONCE = { keepTagRevisions: 1, keepYoungerThan: '0s', grace: '0s' };
const MIB = 1024 ** 2;

describe.skipIf(programs === null)('a real registry on the local S3 server', () => {
  let work: string;
  let harness: PruneHarness;
  let layout: OciLayout;
  let setup: RegistrySetup;
  let registry: RealRegistry;
  let client: RegistryClient;
  const restart = async (environment: RegistrySetup['environment']) => {
    await registry.stop();
    registry = await RealRegistry.start({ ...setup, environment: { ...setup.environment, ...environment } });
    client = new RegistryClient(registry.url);
  };
  beforeEach(async () => {
    work = mkdtempSync(join(tmpdir(), 'cairn-registry-'));
    mkdirSync(join(work, 'pulled'));
    layout = new OciLayout(join(work, 'images'));
    harness = await startPruneHarness();
    const bucket = { s3: harness.url, registryBucket: harness.bucket, ...credentials };
    // So that one process takes the uploads of another.
    setup = { work, programs: programs!, bucket, environment: { REGISTRY_HTTP_SECRET: 'of the tests' } };
    registry = await RealRegistry.start(setup);
    client = new RegistryClient(registry.url);
  });
  afterEach(async () => {
    await registry.stop();
    await harness.close();
    rmSync(work, { recursive: true, force: true });
  });

  const isSignedBy = (digest: string) => `${digest.replace(':', '-')}.sig`;
  const ballast = Array.from({ length: 12 }, (_, layer) => `ballast ${layer} `.repeat(100));
  const push = async (pushes: readonly (readonly [string, Descriptor])[]) => {
    for (const [number, [name, descriptor]] of pushes.entries()) {
      layout.name(descriptor, `push-${number}`);
      await registry.push(layout.dir, `push-${number}`, name);
    }
  };
  const prune = async () => {
    await harness.put(AT_ONCE);
    expect(await harness.run(1)).toMatchObject({ status: 'Done', outcome: 'Succeeded', reason: 'Pruned' });
  };
  const blobs = async () =>
    (await harness.registry.keys())
      .map((key) => /\/v2\/blobs\/(\w+)\/..\/(\w+)\/data$/.exec(key))
      .filter((match) => match !== null)
      .map(([, algorithm, hex]) => `${algorithm}:${hex}`)
      .toSorted();

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
    await push(pushes);
    for (const path of removed) expect(await client.look(path), path).toMatchObject({ status: 200 });

    await prune();
    expect(await client.tags()).toEqual([...kept.keys()].toSorted());
    for (const [name, digest] of kept) {
      const [repository, tag] = name.split(':');
      expect(await client.look(`${repository}/manifests/${tag}`), name).toEqual({ status: 200, digest });
      await registry.pull(name, join(work, 'pulled', digest.slice(7)));
    }
    for (const path of removed) expect(await client.look(path), path).toMatchObject({ status: 404 });
    expect(await collectable(setup, 'kept')).toEqual([]);
    // A push of what was removed is taken again, whole.
    await registry.push(layout.dir, 'push-0', 'team/app:again');
    await registry.pull('team/app:again', join(work, 'pulled', 'again'));
  });

  // No index among them: the collector of 2.8 takes the images of one that is tagged.
  it('loses the blobs that the own collector of the registry would remove', async () => {
    await push([
      ['app:latest', layout.image(['base', 'old'])],
      ['app:latest', layout.image(['base', 'fresh'])],
      ['web:v1', layout.image(['base', 'web'])],
      ['ballast:stays', layout.image(ballast)],
    ]);
    const doomed = await collectable(setup, 'collected');
    expect(doomed).not.toEqual([]);
    const before = await blobs();
    await prune();
    const left = await blobs();
    expect(before.filter((digest) => !left.includes(digest))).toEqual(doomed);
    expect(await collectable(setup, 'collected')).toEqual([]);
  });

  it('moves, resumes, mounts, redirects and deletes on the bucket', async () => {
    const chunks = [randomBytes(MIB), randomBytes(6 * MIB), randomBytes(6 * MIB + 1)];
    const content = Buffer.concat(chunks);
    let place = await client.begin('team/app');
    for (const chunk of chunks.slice(0, 2)) place = await client.append(place, chunk);
    // Another process goes on with what is in the bucket.
    await restart({ REGISTRY_STORAGE_REDIRECT_DISABLE: 'false' });
    place = await client.append(
      `${registry.url}${new URL(place).pathname}${new URL(place).search}`,
      chunks[2]!,
    );
    await client.finish(place, digestOf(content));
    const resumed = await client.blob('team/app', content);

    const large = await client.blob('team/app', randomBytes(33 * MIB));
    const [, hex = ''] = large.digest.split(':');
    const Key = `docker/registry/v2/blobs/sha256/${hex.slice(0, 2)}/${hex}/data`;
    // Two parts, each copied.
    expect((await harness.s3.send(new HeadObjectCommand({ Bucket: harness.bucket, Key }))).ETag).toMatch(
      /-2"$/,
    );

    const base = await client.blob('team/app', Buffer.from('base'));
    for (const { digest } of [base, large]) await client.mount('team/web', digest, 'team/app');
    const doomed = await client.image('team/app', 'doomed', [
      base,
      await client.blob('team/app', randomBytes(9)),
    ]);
    await client.image('team/app', 'v1', [base, resumed]);
    await client.image('team/web', 'v1', [base, large]);
    await client.push('ballast', 'stays', ballast);
    await client.deleteManifest('team/app', doomed);
    const kept = ['ballast:stays', 'team/app:v1', 'team/web:v1'];
    expect(await client.tags()).toEqual(kept);
    const range = await client.read(`team/web/blobs/${large.digest}`, { range: 'bytes=5-8' });
    expect(range.equals((await client.read(`team/web/blobs/${large.digest}`)).subarray(5, 9))).toBe(true);

    const half = randomBytes(6 * MIB);
    place = await client.append(await client.begin('team/half'), half);
    await prune();
    expect(await client.tags()).toEqual(kept);
    for (const name of kept) await client.pull(...(name.split(':') as [string, string]));
    expect(await client.look(`team/app/manifests/${doomed}`)).toMatchObject({ status: 404 });
    expect(await collectable(setup, 'kept')).toEqual([]);
    // An upload goes on after a run, until it is a week old.
    place = await client.append(place, half);
    expect(await harness.run(24 * 8)).toMatchObject({ outcome: 'Succeeded' });
    await expect(client.append(place, half)).rejects.toThrow('404');
    expect((await harness.registry.keys()).filter((key) => key.includes('/_uploads/'))).toEqual([]);
  });

  it('keeps images with layers by SHA-512 and with layers from elsewhere', async () => {
    await restart({ REGISTRY_VALIDATION_MANIFESTS_URLS_ALLOW: '["^https://layers.example/"]' });
    const foreign = {
      mediaType: 'application/vnd.oci.image.layer.nondistributable.v1.tar',
      digest: digestOf('elsewhere'),
      size: 9,
      urls: ['https://layers.example/1'],
    };
    const own = await client.blob('foreign', Buffer.from('own'));
    await client.image('foreign', 'v1', [own, foreign]);
    await client.image('other', 'v1', [await client.blob('other', Buffer.from('a layer'), 'sha512')]);
    await client.push('ballast', 'stays', ballast);
    await prune();
    // Not by the collector: that of 2.8 would remove the blob behind the layer by SHA-512.
    expect(await client.tags()).toEqual(['ballast:stays', 'foreign:v1', 'other:v1']);
    for (const repository of ['foreign', 'other']) await client.pull(repository, 'v1');
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
