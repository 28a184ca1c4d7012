import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RegistryStorage } from '../../../../functions/prune-runs/registry-storage.ts';
import { RunFiles } from '../../../../functions/pruners/files.ts';
import { type PruneHarness, startPruneHarness } from '../../../helpers/registry/prune-harness.ts';
import {
  type BucketProxy,
  type Fault,
  isListing,
  type ProxiedCall,
  SMALL_PAGE,
  startBucketProxy,
} from '../../../helpers/s3/bucket-proxy.ts';
import { wrapCommand } from '../../../helpers/wrap-command.ts';

let harness: PruneHarness;
let proxy: BucketProxy;
/** Its listings have pages of three entries. */
let client: S3Client;
let storage: RegistryStorage;
/** What becomes of a listing. */
let onPage: (call: ProxiedCall) => Fault | null;
let hasDeleted: boolean;
beforeEach(async () => {
  harness = await startPruneHarness();
  proxy = await startBucketProxy(harness.url, harness.s3);
  onPage = () => null;
  hasDeleted = false;
  proxy.use({
    pageSize: () => SMALL_PAGE,
    next: async (call) => (isListing(call) ? onPage(call) : null),
    carriedOut: ({ deletes }) => void (hasDeleted ||= deletes.length > 0),
    told: () => {},
  });
  client = new S3Client({
    endpoint: proxy.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    forcePathStyle: true,
    maxAttempts: 1,
  });
  storage = new RegistryStorage(client, harness.bucket);
});
afterEach(async () => {
  client.destroy();
  await proxy.close();
  await harness.close();
});

/** One after the other; then no more. */
function faultsInTurn(...faults: readonly (Fault | null)[]): () => Fault | null {
  const left = [...faults];
  return () => left.shift() ?? null;
}

const EMPTY: Fault = { page: 0 };
const SHORT: Fault = { page: 1 };
const KEYS = Array.from({ length: 10 }, (_, number) => `list/${number}`);

async function listed(after: string | null = null): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of storage.list('list/', after)) keys.push(...page.map(({ key }) => key));
  return keys;
}

describe('a list of objects', () => {
  beforeEach(async () => {
    for (const key of KEYS) await harness.registry.write(key, 'content');
  });

  it('has all pages', async () => {
    expect(await listed()).toEqual(KEYS);
    expect(await listed('list/4')).toEqual(KEYS.slice(5));
  });

  it('goes on after pages that are short or empty', async () => {
    onPage = faultsInTurn(EMPTY, EMPTY, SHORT, null, EMPTY, SHORT, EMPTY);
    expect(await listed()).toEqual(KEYS);
    onPage = faultsInTurn(EMPTY, SHORT, EMPTY);
    expect(await listed('list/4')).toEqual(KEYS.slice(5));
  });

  it.each([1, 2, 3, 4])('fails when page %i fails', async (number) => {
    onPage = faultsInTurn(...Array.from({ length: number - 1 }, () => null), 'denied');
    await expect(listed()).rejects.toThrow('planted');
  });

  it('is whole with its first page only when that is the last', async () => {
    expect(await storage.firstPage('list/')).toMatchObject({ isWhole: false });
    expect(await storage.firstPage('list/9')).toMatchObject({ isWhole: true, objects: [{ key: 'list/9' }] });
    onPage = faultsInTurn(EMPTY);
    expect(await storage.firstPage('list/9')).toEqual({ isWhole: false, objects: [] });
    onPage = faultsInTurn('denied');
    await expect(storage.firstPage('list/')).rejects.toThrow('planted');
  });

  it.each([
    ['no token', undefined],
    ['the same token again', 'token'],
  ])('fails when there is more and %s', async (_what, NextContinuationToken) => {
    wrapCommand(client, 'ListObjectsV2Command', async () => ({ IsTruncated: true, NextContinuationToken }));
    await expect(listed()).rejects.toThrow('the list of list/ breaks off');
  });
});

describe('an object that was deleted', () => {
  beforeEach(async () => {
    // Names that begin with its own, and more versions than a page has.
    for (const key of ['one', 'one.copy', 'one/two']) {
      for (let version = 0; version < 5; version++) await harness.registry.write(key, `${key} ${version}`);
    }
    await storage.remove(['one']);
  });

  it('comes back, also when its versions begin with empty pages', async () => {
    onPage = faultsInTurn(EMPTY, SHORT);
    expect(await storage.restore('one', 0)).toBe(true);
    expect(await storage.read('one')).toEqual(new TextEncoder().encode('one 4'));
  });

  it('does not come back when it is there again, or was deleted before', async () => {
    expect(await storage.restore('one', Date.now() + 3600_000)).toBe(false);
    await harness.registry.write('one', 'again');
    expect(await storage.restore('one', 0)).toBe(false);
    expect(await storage.restore('none', 0)).toBe(false);
  });

  it.each([
    ['first', ['denied']],
    ['second', [EMPTY, 'denied']],
  ] as const)('stays so far when the %s page of its versions fails', async (_which, faults) => {
    onPage = faultsInTurn(...faults);
    await expect(storage.restore('one', 0)).rejects.toThrow('planted');
    expect(await storage.restore('one', 0)).toBe(true);
  });
});

describe('uploads in parts', () => {
  beforeEach(async () => {
    for (let upload = 0; upload < 7; upload++) {
      await harness.s3.send(
        new CreateMultipartUploadCommand({ Bucket: harness.bucket, Key: `parts/${upload}` }),
      );
    }
  });
  const left = async () =>
    (await harness.s3.send(new ListMultipartUploadsCommand({ Bucket: harness.bucket }))).Uploads?.length ?? 0;
  const abort = () => storage.abortUploads('parts/', Date.now() + 3600_000);

  it('end on every page', async () => {
    onPage = faultsInTurn(EMPTY, null, SHORT);
    expect(await abort()).toBe(7);
    expect(await left()).toBe(0);
  });

  it('end later when a page fails', async () => {
    onPage = faultsInTurn(null, 'denied');
    await expect(abort()).rejects.toThrow('planted');
    expect(await left()).toBe(4);
    expect(await abort()).toBe(4);
  });
});

describe('the files of runs', () => {
  const files = () => new RunFiles({ client, name: harness.bucket }, 'one');

  it('are removed on every page', async () => {
    for (const key of KEYS) await files().write(key, 'content');
    onPage = faultsInTurn(EMPTY, null, SHORT);
    await files().removeAll('list/');
    for (const key of KEYS) expect(await files().read(key)).toBeNull();
  });

  it('are not called removed when a page fails', async () => {
    for (const key of KEYS) await files().write(key, 'content');
    onPage = faultsInTurn(null, 'denied');
    await expect(files().removeAll('list/')).rejects.toThrow('planted');
  });
});

describe('a run on a registry of many pages', () => {
  let old: string;
  beforeEach(async () => {
    const { registry } = harness;
    old = await registry.push('app', 'latest', ['base', 'old']);
    await registry.push('app', 'latest', ['base', 'new']);
    for (let number = 0; number < 3; number++) {
      await registry.push(`team/${number}`, 'v1', ['base', `layer ${number}`]);
    }
    for (let upload = 0; upload < 7; upload++) {
      const Key = `${registry.root}repositories/app/_uploads/${upload}/data`;
      await harness.s3.send(new CreateMultipartUploadCommand({ Bucket: harness.bucket, Key }));
    }
    await harness.put({ keepYoungerThan: '0s', grace: '0s', keepTagRevisions: 1 });
  });

  async function expectPruned(): Promise<void> {
    const { registry } = harness;
    expect(await registry.hasBlob(old)).toBe(false);
    expect(await registry.faultOfPull('app', 'latest')).toBeNull();
    for (let number = 0; number < 3; number++) {
      expect(await registry.faultOfPull(`team/${number}`, 'v1')).toBeNull();
    }
  }

  it('sees all of it', async () => {
    const { length } = await harness.registry.keys();
    onPage = ({ query }) => (query.has('list-type') && !query.has('continuation-token') ? EMPTY : null);
    const result = await harness.run(1, {}, { registry: client });
    expect(result).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
    expect(await harness.report(result)).toMatchObject({ listed: length, deleted: { blob: { count: 3 } } });
    await expectPruned();
  });

  it.each([
    ['all blobs', 'list-type', /blobs\/$/, 1, false],
    ['a part of the blobs', 'list-type', /blobs\/sha256\/..\/$/, 7, false],
    ['the links', 'list-type', /repositories\/$/, 2, false],
    ['the links after the deletions', 'list-type', /repositories\/$/, 2, true],
    ['the uploads in parts', 'uploads', /repositories\/$/, 2, true],
  ])('goes on later when a page of %s fails', async (_what, listing, prefix, number, isAfterDeletion) => {
    const before = await harness.registry.keys();
    let pages = 0;
    onPage = ({ query }) => {
      const isMeant = query.has(listing) && prefix.test(query.get('prefix')!);
      return isMeant && hasDeleted === isAfterDeletion && ++pages === number ? 'denied' : null;
    };
    const slot = new Date(Math.floor((Date.now() + 3600_000) / 60_000) * 60_000).toISOString();
    await expect(harness.run(1, { scheduledTime: slot }, { registry: client })).rejects.toThrow('planted');
    expect(hasDeleted).toBe(isAfterDeletion);
    const left = new Set(await harness.registry.keys());
    expect(before.some((key) => !left.has(key))).toBe(isAfterDeletion);
    const again = await harness.run(1, { scheduledTime: slot, trigger: 'resume' }, { registry: client });
    expect(again).toMatchObject({ outcome: 'Succeeded', reason: 'Pruned' });
    await expectPruned();
  });
});
