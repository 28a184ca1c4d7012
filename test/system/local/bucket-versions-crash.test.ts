import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUCKET, useBucketProcesses } from '../../helpers/s3/bucket-process.ts';
import { createVersionCalls } from '../../helpers/s3/s3-version-calls.ts';

const fixture = useBucketProcesses();

async function start() {
  const { client, stop } = await fixture.start();
  return { ...createVersionCalls(() => ({ client, bucket: BUCKET })), stop };
}

const count = (folder: string): number => fixture.files(folder).length;

describe('restart', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('by %s keeps the order of all versions', async (signal) => {
    const first = await start();
    await first.put('key', 'before');
    await first.setVersioning('Enabled');
    for (const body of ['one', 'two']) await first.put('key', body);
    await first.remove('key');
    await first.setVersioning('Suspended');
    await first.put('key', 'suspended');
    await first.put('gone', 'x');
    await first.remove('gone');
    const before = await first.versions('');
    await first.stop(signal);

    const second = await start();
    expect(await second.versioning()).toBe('Suspended');
    expect(await second.versions('')).toEqual(before);
    expect(await second.keys('')).toEqual(['key']);
    expect(await second.text('key')).toBe('suspended');
    await second.setVersioning('Enabled');
    const { VersionId } = await second.put('key', 'after');
    expect((await second.versions('key')).objects[0]!.id).toBe(VersionId);
    await second.remove('gone', 'null');
    await second.remove('key', VersionId);
    await second.remove('key', 'null');
    await second.remove('key', before.markers.find(({ key }) => key === 'key')!.id);
    expect(await second.text('key')).toBe('two');
    await expect.poll(() => count('blobs')).toBe(2);
  });

  it('on what a power cut left loses no version that is whole', async () => {
    const first = await start();
    await first.setVersioning('Enabled');
    const { VersionId } = await first.put('key', 'whole');
    await first.stop();
    const versions = join(fixture.dir, BUCKET, 'versions');
    writeFileSync(join(versions, `${'0'.repeat(32)}.json`), '');
    writeFileSync(join(versions, `${'1'.repeat(32)}.json`), '{"key":"lost","blob":"gone","sequence":9}');
    writeFileSync(join(versions, `${'2'.repeat(32)}.json.new`), '{"key":"ha');
    writeFileSync(join(fixture.dir, BUCKET, 'versioning.json'), '');
    const second = await start();
    expect(await second.versioning()).toBe('Enabled');
    expect(await second.versions('')).toEqual({
      objects: [{ key: 'key', id: VersionId, isLatest: true, size: 5 }],
      markers: [],
    });
    expect(await second.text('key')).toBe('whole');
  });
});

describe('SIGKILL', () => {
  it('among writes and deletes leaves every answered one, and the one under way whole or not at all', async () => {
    const answered: string[] = [];
    for (let kill = 0; kill < 4; kill++) {
      const server = await start();
      await server.setVersioning('Enabled');
      let underWay = '';
      const writer = (async () => {
        for (;;) {
          underWay = `put ${answered.length}`;
          await server.put('key', `${underWay} `.repeat(10_000));
          answered.push(underWay);
          underWay = `delete ${answered.length}`;
          await server.remove('key');
          answered.push(underWay);
        }
      })();
      const stopped = writer.catch(() => undefined);
      const goal = answered.length + 5 + 2 * kill;
      await expect.poll(() => answered.length, { interval: 1 }).toBeGreaterThanOrEqual(goal);
      await server.stop('SIGKILL');
      await stopped;

      const next = await start();
      const { objects, markers } = await next.versions('key');
      const isDone = objects.length + markers.length > answered.length;
      if (isDone) answered.push(underWay);
      expect(markers).toHaveLength(answered.filter((step) => step.startsWith('delete')).length);
      const bodies = await Promise.all(objects.map(({ id }) => next.text('key', id)));
      expect(bodies.toReversed()).toEqual(
        answered.filter((step) => step.startsWith('put')).map((step) => `${step} `.repeat(10_000)),
      );
      const latest = [...objects, ...markers].filter(({ isLatest }) => isLatest);
      expect(latest.map(({ size }) => size === undefined)).toEqual([answered.at(-1)!.startsWith('delete')]);
      expect(count('blobs')).toBe(objects.length);
      await next.stop();
    }
  });
});
