import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixture } from '../../../helpers/local/local-run.ts';
import { OciLayout } from './oci-layout.ts';
import {
  collectable,
  RealRegistry,
  type RegistryBucket,
  registryPrograms,
  type RegistrySetup,
} from './real-registry.ts';
import { RegistryClient } from './registry-client.ts';

const programs = registryPrograms();
if (programs === null) {
  console.log('skipped: CAIRN_REGISTRY is not set, run test/campaign/conformance/registry/run-registry.sh');
}

describe.skipIf(programs === null)('a real registry on the bucket of npm start', () => {
  const fixture = openFixture();
  const data = fixture.dataFolder();
  const releases = fixture.releasesFile({
    release_sources: [
      {
        openshift_version: '4.21',
        upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable'] }],
      },
    ],
  });
  let api: string;
  let setup: RegistrySetup;
  let registry: RealRegistry;
  let client: RegistryClient;
  beforeAll(async () => {
    const args = ['--data', data, '--port', '0', '--releases', releases, '--upstream', 'demo'];
    const [, url] = await fixture.start(args).printed(/^Cairn is ready at (\S+)$/m);
    api = `${url}/v1/image-pruners/cluster`;
    const bucket = JSON.parse(readFileSync(join(data, 'endpoints.json'), 'utf8')) as RegistryBucket;
    setup = { work: fixture.dir, programs: programs!, bucket };
    registry = await RealRegistry.start(setup);
    client = new RegistryClient(registry.url);
  });
  afterAll(async () => {
    await registry?.stop();
    await fixture.close();
  });

  const call = async (method: string, path: string, body?: object) => {
    const sent = { method, headers: { 'content-type': 'application/json' } };
    const answer = await fetch(
      `${api}${path}`,
      body === undefined ? sent : { ...sent, body: JSON.stringify(body) },
    );
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const prune = async (): Promise<Record<string, unknown>> => {
    const { id } = await call('POST', '/runs', {});
    for (;;) {
      const report = await call('GET', `/runs/${String(id)}`);
      if (report['outcome'] !== undefined) return report;
      await sleep(200);
    }
  };

  it('is pruned through the API, while it serves', async () => {
    const layout = new OciLayout(join(fixture.dir, 'images'));
    mkdirSync(join(fixture.dir, 'pulled'));
    const [old, fresh] = [layout.image(['base', 'old']), layout.image(['base', 'fresh'])];
    const index = layout.index([layout.image(['base', 'amd64']), layout.image(['base', 'arm64'], 'arm64')]);
    const pushes = [
      ['app:latest', old],
      ['app:latest', fresh],
      ['app:multi', index],
    ] as const;
    for (const [number, [name, image]] of pushes.entries()) {
      layout.name(image, `push-${number}`);
      await registry.push(layout.dir, `push-${number}`, name);
    }
    const ballast = Array.from({ length: 12 }, (_, layer) => `ballast ${layer} `.repeat(100));
    await client.push('ballast', 'stays', ballast);
    const removed = `app/manifests/${old.digest}`;
    const kept = ['app:latest', 'app:multi', 'ballast:stays'];

    await call('PUT', '', { keepTagRevisions: 1, keepYoungerThan: '0s', grace: '0s' });
    expect(await prune()).toMatchObject({ outcome: 'Succeeded', reason: 'DryRun' });
    expect(await client.look(removed)).toMatchObject({ status: 200 });

    await call('PUT', '', { keepTagRevisions: 1, keepYoungerThan: '0s', grace: '0s', dryRun: false });
    expect(await prune()).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
    expect(await client.look(removed)).toMatchObject({ status: 404 });
    expect(await client.tags()).toEqual(kept);
    for (const [position, name] of kept.entries()) {
      await registry.pull(name, join(fixture.dir, 'pulled', String(position)));
    }
    expect(await client.look('app/manifests/latest')).toEqual({ status: 200, digest: fresh.digest });
    expect(await collectable(setup, 'kept')).toEqual([]);
  });
});
