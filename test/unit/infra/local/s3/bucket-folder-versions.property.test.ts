import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { BucketFolder } from '../../../../../infra/local/s3/bucket-folder.ts';
import { listVersionPage, type ListedVersion } from '../../../../../infra/local/s3/list-operations.ts';
import { byteName } from '../../../../../infra/local/s3/listing.ts';
import { isDeleteMarker } from '../../../../../infra/local/s3/records.ts';
import { versionIdOf } from '../../../../../infra/local/s3/version-index.ts';
import { sized } from '../../../../helpers/size.ts';

const folders: string[] = [];
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-bucket-'));
  folders.push(dir);
  return dir;
}

const anything = (): void => undefined;

async function put(bucket: BucketFolder, key: string, body: string): Promise<string> {
  const blob = await bucket.writeBlob(new Blob([body]).stream());
  return versionIdOf(bucket.putObject({ key, ...blob, modifiedAt: 0, headers: [] }, anything));
}

async function read(bucket: BucketFolder, key: string, versionId?: string): Promise<string> {
  const { handle } = await bucket.openObject(key, versionId);
  return text(handle.createReadStream());
}

/** Walks all pages, as a client does that hands back the markers it got. */
function listAll(bucket: BucketFolder, limit: number, prefix = ''): ListedVersion[] {
  const all: ListedVersion[] = [];
  let markers: { keyMarker: string; versionIdMarker: string | undefined } = {
    keyMarker: '',
    versionIdMarker: undefined,
  };
  for (;;) {
    const page = listVersionPage(bucket.versions, { prefix: byteName(prefix), limit, ...markers });
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    all.push(...page.entries);
    if (!page.isTruncated) return all;
    if (all.length > 1000) throw new Error('the listing goes round in circles');
    const last = page.entries.at(-1)!.version;
    markers = { keyMarker: byteName(last.key), versionIdMarker: versionIdOf(last) };
  }
}

/** What S3 documents, over lists: the newest version first, null for the body of a delete marker. */
class Model {
  status: 'Enabled' | 'Suspended' | null = null;
  readonly keys = new Map<string, { readonly id: string; readonly body: string | null }[]>();

  versions(key: string): { readonly id: string; readonly body: string | null }[] {
    return this.keys.get(key) ?? [];
  }

  write(key: string, id: string, body: string | null): void {
    if ((id === 'null') === (this.status === 'Enabled')) throw new Error(`${id} while ${this.status}`);
    const before = this.versions(key).filter((version) => version.id !== id);
    this.keys.set(key, body === null && this.status === null ? [] : [{ id, body }, ...before]);
  }

  remove(key: string, id: string): void {
    this.keys.set(
      key,
      this.versions(key).filter((version) => version.id !== id),
    );
  }

  listed(): unknown[] {
    return [...this.keys]
      .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .flatMap(([key, versions]) =>
        versions.map(({ id, body }, at) => ({ key, id, isMarker: body === null, isLatest: at === 0 })),
      );
  }
}

const KEYS = ['a', 'a-b', 'a/b', 'a\uff5e', 'a\u{1f600}'];
const key = fc.constantFrom(...KEYS);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), key, body: fc.string() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('delete version' as const), key, position: fc.nat(3) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('versioning' as const),
      status: fc.constantFrom('Enabled' as const, 'Suspended' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

describe('any course of writes', () => {
  it('leaves what S3 would have, before and after a restart', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        check,
      ),
      { numRuns: sized(12, 120), interruptAfterTimeLimit: 40_000 },
    );
  });

  async function check(
    steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
    pageSize: number,
  ): Promise<void> {
    const dir = newFolder();
    const model = new Model();
    let bucket = new BucketFolder(dir);
    for (const next of [...steps, { kind: 'restart' } as const]) {
      if (next.kind === 'put') {
        model.write(next.key, await put(bucket, next.key, next.body), next.body);
      } else if (next.kind === 'delete') {
        const marker = bucket.removeObject(next.key, 0, anything);
        model.write(next.key, marker === undefined ? 'null' : versionIdOf(marker), null);
      } else if (next.kind === 'delete version') {
        const id = model.versions(next.key)[next.position]?.id ?? 'null';
        bucket.removeVersion(next.key, id, anything);
        model.remove(next.key, id);
      } else if (next.kind === 'versioning') {
        bucket.setVersioning(next.status);
        model.status = next.status;
      } else {
        bucket = new BucketFolder(dir);
      }
      expect(bucket.versioning).toBe(model.status);
      const listed = listAll(bucket, pageSize).map(({ version, isLatest }) => ({
        key: version.key,
        id: versionIdOf(version),
        isMarker: isDeleteMarker(version),
        isLatest,
      }));
      expect(listed).toEqual(model.listed());
      for (const name of KEYS) {
        expect(bucket.find(name) === undefined).toBe((model.versions(name)[0]?.body ?? null) === null);
      }
    }
    const objects = [...model.keys].flatMap(([name, versions]) =>
      versions.flatMap(({ id, body }) => (body === null ? [] : [{ name, id, body }])),
    );
    for (const { name, id, body } of objects) expect(await read(bucket, name, id)).toBe(body);
    expect(readdirSync(join(dir, 'blobs'))).toHaveLength(objects.length);
  }
});

describe('a listing whose marker is gone', () => {
  it.each([0, 1, 2, 3])('goes on behind version %i, by the id alone', async (position) => {
    const bucket = new BucketFolder(newFolder());
    bucket.setVersioning('Enabled');
    const ids: string[] = [];
    for (const body of ['1', '2', '3', '4']) ids.unshift(await put(bucket, 'key', body));
    const next = await put(bucket, 'next', 'x');
    bucket.removeVersion('key', ids[position]!, anything);
    const request = { prefix: '', keyMarker: 'key', versionIdMarker: ids[position], limit: 10 };
    const { entries } = listVersionPage(bucket.versions, request);
    expect(entries.map(({ version }) => versionIdOf(version))).toEqual([...ids.slice(position + 1), next]);
  });

  it('shows the key once more when the marker was a null version', async () => {
    const bucket = new BucketFolder(newFolder());
    bucket.setVersioning('Enabled');
    const id = await put(bucket, 'key', 'old');
    bucket.setVersioning('Suspended');
    await put(bucket, 'key', 'new');
    bucket.removeVersion('key', 'null', anything);
    const request = { prefix: '', keyMarker: 'key', versionIdMarker: 'null', limit: 10 };
    const { entries } = listVersionPage(bucket.versions, request);
    expect(entries.map(({ version }) => versionIdOf(version))).toEqual([id]);
  });
});
