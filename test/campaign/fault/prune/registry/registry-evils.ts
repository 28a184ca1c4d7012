import type { S3Client } from '@aws-sdk/client-s3';
import type { InUse } from '@cairn/shared/prune/images/in-use/facts';
import type { Random } from '../../../../helpers/random.ts';
import { changePages, shiftPage } from '../../harness/client-bugs.ts';

const DAY = 86_400_000;

/** The registry that it is done to. */
interface HarmedRegistry {
  removeAll(isMeant: (key: string) => boolean): Promise<void>;
  addOrphans(count: number): Promise<void>;
  garbleManifests(): Promise<void>;
  addDeadLinks(): Promise<void>;
  addOddRepository(): Promise<void>;
}

/** What is done to a registry, or to what is said of it. */
export interface Evil {
  /** Otherwise nothing at all may go. */
  readonly mayGo?: true;
  /** Otherwise every tag that is left must be whole whatever the pruner was made to believe. */
  readonly mayBreakTags?: true;
  readonly spec?: Readonly<Record<string, unknown>> & { readonly maxDeletes?: number };
  readonly inUse?: Partial<InUse>;
  change?(scene: HarmedRegistry): Promise<void>;
  /** Makes the answers of the bucket lie. */
  lie?(s3: S3Client, random: Random): void;
}

export const EVILS: Readonly<Record<string, Evil>> = {
  emptied: { change: (scene) => scene.removeAll(() => true) },
  'all tags gone': { change: (scene) => scene.removeAll((key) => key.includes('/_manifests/tags/')) },
  'all manifests unlinked': {
    mayBreakTags: true,
    change: (scene) => scene.removeAll((key) => key.includes('/_manifests/')),
  },
  'nothing but orphans': { mayGo: true, change: (scene) => scene.addOrphans(60) },
  'manifests that cannot be read': {
    mayGo: true,
    mayBreakTags: true,
    change: (scene) => scene.garbleManifests(),
  },
  'links that lead nowhere': { mayGo: true, change: (scene) => scene.addDeadLinks() },
  'links that cannot be parsed': { change: (scene) => scene.addOddRepository() },
  'a listing that breaks off': { lie: (s3) => cutListings(s3, () => 0, true) },
  'a listing that leaves out': {
    mayGo: true,
    mayBreakTags: true,
    lie: (s3, random) => cutListings(s3, (length) => random.below(length + 1), false),
  },
  'nothing is in use': { mayGo: true, mayBreakTags: true, spec: { keepTagRevisions: 0 }, inUse: {} },
  'in use is not whole': { inUse: { complete: false } },
  'in use is required and not said': { spec: { requireInUse: true } },
  'in use is of last year': { spec: { requireInUse: true }, inUse: { collectedAt: 0 } },
  'objects of the future': {
    spec: { keepYoungerThan: '1h' },
    lie: (s3) => changePages(s3, (page) => shiftPage(page, 10 * 365 * DAY)),
  },
  'objects of long ago': {
    mayGo: true,
    lie: (s3) => changePages(s3, (page) => shiftPage(page, -50 * 365 * DAY)),
  },
  'a dry run': { spec: { dryRun: true }, change: (scene) => scene.addOrphans(5) },
  suspended: { spec: { suspend: true } },
  'few at a time': { mayGo: true, spec: { maxDeletes: 3 }, change: (scene) => scene.addOrphans(15) },
};

/** Listings that hold less than there is, and say so or not. */
function cutListings(s3: S3Client, keep: (length: number) => number, isTold: boolean): void {
  changePages(s3, (page, prefix) => {
    if (!/(repositories|blobs)\//.test(prefix)) return page;
    const Contents = (page.Contents ?? []).slice(0, keep(page.Contents?.length ?? 0));
    return { ...page, Contents, IsTruncated: isTold };
  });
}
