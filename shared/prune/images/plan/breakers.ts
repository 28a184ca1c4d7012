import type { InUse } from '../in-use/facts.ts';
import type { UnknownKeys } from '../registry/inventory-view.ts';

/** Share of all blobs, by number or by bytes. */
export const MOST_THAT_MAY_GO = 0.3;
/** A share of fewer blobs means little: two pushes to the only tag of a new registry replace half of it. */
export const FEW_BLOBS = 20;
export const IN_USE_MAX_AGE_MS = 6 * 3_600_000;

export const BREAKER_REASONS = [
  'IncompleteListing',
  'NoInUse',
  'StaleInUse',
  'IncompleteInUse',
  'NoTags',
  'NoRoots',
  'TooMuch',
] as const;

export interface Breaker {
  readonly reason: (typeof BREAKER_REASONS)[number];
  readonly message: string;
}

export interface BreakerFacts {
  /** Parts of the storage with an incomplete listing. */
  readonly incomplete: readonly string[];
  readonly unknown: UnknownKeys;
  readonly inUse: InUse | null;
  readonly requireInUse: boolean;
  readonly now: number;
  /** Nothing but uploads. */
  readonly isEmpty: boolean;
  readonly hasTags: boolean;
  readonly keptManifests: number;
  readonly blobs: { readonly all: Total; readonly condemned: Total };
  readonly hash: string;
  /** Hash of the large plan that a user has reviewed and confirmed. */
  readonly agreedHash: string | null;
}

export interface Total {
  readonly count: number;
  readonly bytes: number;
}

/** Most severe reason to delete nothing, or null. Users can confirm only `TooMuch`. */
export function findBreaker(facts: BreakerFacts): Breaker | null {
  const { incomplete, unknown, inUse, requireInUse, isEmpty, hasTags, keptManifests } = facts;
  if (incomplete.length > 0) {
    const more = incomplete.length > 1 ? ` and ${incomplete.length - 1} more` : '';
    return { reason: 'IncompleteListing', message: `could not list all of ${incomplete[0]}${more}` };
  }
  if (unknown.count > 0) return unknownKeys(unknown);
  if (requireInUse && inUse === null) {
    return { reason: 'NoInUse', message: 'it is not known which images are in use, as this pruner requires' };
  }
  if (inUse !== null && !inUse.complete) {
    return {
      reason: 'IncompleteInUse',
      message: 'the documents that tell which images are in use are not complete',
    };
  }
  const isFresh = isFreshInUse(inUse, facts.now);
  if (requireInUse && !isFresh) {
    const collected = new Date(inUse!.collectedAt).toISOString();
    return {
      reason: 'StaleInUse',
      message: `which images are in use was collected at ${collected}, ${inUse!.isFromFuture ? 'a time in the future' : 'more than 6 hours ago'}`,
    };
  }
  if (isEmpty) return null;
  if (!hasTags && (!isFresh || inUse!.streams === null)) {
    return {
      reason: 'NoTags',
      message:
        'the storage has no tags, as that of a registry of a cluster, and no ImageStreams of the last 6 hours were sent',
    };
  }
  if (keptManifests === 0) return { reason: 'NoRoots', message: 'there is no image that would stay' };
  return tooMuch(facts);
}

/** Each of them can be the only reference to a blob. */
export function unknownKeys({ count, example }: UnknownKeys): Breaker {
  const more = count > 1 ? ` and ${count - 1} more` : '';
  return {
    reason: 'IncompleteListing',
    message: `the pruner cannot parse the key ${JSON.stringify(example)}${more} below repositories/, so it does not know which blobs are needed; copy the images that you need to a repository with a valid name, then remove these keys`,
  };
}

/** Documents can be newer than `now`: the time of a run is its scheduled time. */
export function isFreshInUse(inUse: InUse | null, now: number): boolean {
  return inUse !== null && !inUse.isFromFuture && now - inUse.collectedAt <= IN_USE_MAX_AGE_MS;
}

function tooMuch({ blobs: { all, condemned }, hash, agreedHash }: BreakerFacts): Breaker | null {
  const ofCount = share(condemned.count, all.count);
  const ofBytes = share(condemned.bytes, all.bytes);
  const isLarge = condemned.count > FEW_BLOBS && Math.max(ofCount, ofBytes) > MOST_THAT_MAY_GO;
  if (!isLarge || hash === agreedHash) return null;
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  return {
    reason: 'TooMuch',
    message: `${percent(ofCount)} of the blobs and ${percent(ofBytes)} of their bytes would go, more than ${percent(MOST_THAT_MAY_GO)}; a run that names the plan ${hash} may do so`,
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
