import type { ListObjectsV2CommandInput, ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3';
import type { InUse } from '@cairn/shared/prune/images/in-use/facts';
import type { Random } from '../../../../helpers/random.ts';
import { wrapCommand } from '../../../../helpers/wrap-command.ts';

const DAY = 86_400_000;

/** The registry that it is done to. */
export interface HarmedRegistry {
  removeAll(isMeant: (key: string) => boolean): Promise<void>;
  addOrphans(count: number): Promise<void>;
  garbleManifests(): Promise<void>;
  addDeadLinks(): Promise<void>;
  addOddRepository(): Promise<void>;
}

/** What is done to a registry, or to what is said of it. */
export interface Evil {
  /** Nothing at all may go. */
  readonly isForbidden: boolean;
  /** Whether every tag that is left must be whole whatever the pruner was made to believe. */
  readonly keepsTags: boolean;
  readonly spec?: Readonly<Record<string, unknown>> & { readonly maxDeletes?: number };
  readonly inUse?: Partial<InUse>;
  change?(scene: HarmedRegistry): Promise<void>;
  /** Makes the answers of the bucket lie. */
  lie?(s3: S3Client, random: Random): void;
}

export const EVILS: Readonly<Record<string, Evil>> = {
  emptied: { isForbidden: true, keepsTags: true, change: (scene) => scene.removeAll(() => true) },
  'all tags gone': {
    isForbidden: true,
    keepsTags: true,
    change: (scene) => scene.removeAll((key) => key.includes('/_manifests/tags/')),
  },
  'all manifests unlinked': {
    isForbidden: true,
    keepsTags: false,
    change: (scene) => scene.removeAll((key) => key.includes('/_manifests/')),
  },
  'nothing but orphans': { isForbidden: false, keepsTags: true, change: (scene) => scene.addOrphans(60) },
  'manifests that cannot be read': {
    isForbidden: false,
    keepsTags: false,
    change: (scene) => scene.garbleManifests(),
  },
  'links that lead nowhere': { isForbidden: false, keepsTags: true, change: (scene) => scene.addDeadLinks() },
  'links that cannot be parsed': {
    isForbidden: true,
    keepsTags: true,
    change: (scene) => scene.addOddRepository(),
  },
  'a listing that breaks off': {
    isForbidden: true,
    keepsTags: true,
    lie: (s3) => cutListings(s3, () => 0, true),
  },
  'a listing that leaves out': {
    isForbidden: false,
    keepsTags: false,
    lie: (s3, random) => cutListings(s3, (length) => random.below(length + 1), false),
  },
  'nothing is in use': { isForbidden: false, keepsTags: false, spec: { keepTagRevisions: 0 }, inUse: {} },
  'in use is not whole': { isForbidden: true, keepsTags: true, inUse: { complete: false } },
  'in use is required and not said': { isForbidden: true, keepsTags: true, spec: { requireInUse: true } },
  'in use is of last year': {
    isForbidden: true,
    keepsTags: true,
    spec: { requireInUse: true },
    inUse: { collectedAt: 0 },
  },
  'objects of the future': {
    isForbidden: true,
    keepsTags: true,
    spec: { keepYoungerThan: '1h' },
    lie: (s3) => shiftTimes(s3, 10 * 365 * DAY),
  },
  'objects of long ago': {
    isForbidden: false,
    keepsTags: true,
    lie: (s3) => shiftTimes(s3, -50 * 365 * DAY),
  },
  'a dry run': {
    isForbidden: true,
    keepsTags: true,
    spec: { dryRun: true },
    change: (scene) => scene.addOrphans(5),
  },
  suspended: { isForbidden: true, keepsTags: true, spec: { suspend: true } },
  'few at a time': {
    isForbidden: false,
    keepsTags: true,
    spec: { maxDeletes: 3 },
    change: (scene) => scene.addOrphans(15),
  },
};

/** Listings that hold less than there is, and say so or not. */
function cutListings(s3: S3Client, keep: (length: number) => number, isTold: boolean): void {
  wrapCommand<ListObjectsV2CommandInput, ListObjectsV2CommandOutput>(
    s3,
    'ListObjectsV2Command',
    async (input, next) => {
      const page = await next(input);
      if (!/(repositories|blobs)\//.test(input.Prefix ?? '')) return page;
      const Contents = (page.Contents ?? []).slice(0, keep(page.Contents?.length ?? 0));
      return { ...page, Contents, IsTruncated: isTold };
    },
  );
}

function shiftTimes(s3: S3Client, ms: number): void {
  wrapCommand<ListObjectsV2CommandInput, ListObjectsV2CommandOutput>(
    s3,
    'ListObjectsV2Command',
    async (input, next) => {
      const page = await next(input);
      return {
        ...page,
        Contents: page.Contents?.map((object) => ({
          ...object,
          LastModified: new Date(object.LastModified!.getTime() + ms),
        })),
      };
    },
  );
}
