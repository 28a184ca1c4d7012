import type { ImageStreamFacts, InUse } from './in-use-facts.ts';

/** What is in use, as it is stored. */
interface StoredInUse {
  readonly complete: boolean;
  readonly collectedAt: number;
  readonly usedImages: readonly string[];
  readonly usedTags: readonly string[];
  readonly usedDigests: readonly string[];
  readonly protectedRepositories: readonly string[];
  readonly streams:
    | readonly (readonly [
        repository: string,
        created: number | null,
        tags: readonly (readonly [
          tag: string,
          items: ImageStreamFacts['tags'] extends ReadonlyMap<string, infer Items> ? Items : never,
        ])[],
      ])[]
    | null;
}

export function inUseToJson(inUse: InUse): string {
  const stored: StoredInUse = {
    complete: inUse.complete,
    collectedAt: inUse.collectedAt,
    usedImages: [...inUse.usedImages],
    usedTags: [...inUse.usedTags],
    usedDigests: [...inUse.usedDigests],
    protectedRepositories: [...inUse.protectedRepositories],
    streams:
      inUse.streams &&
      Array.from(inUse.streams, ([name, { created, tags }]) => [name, created, [...tags]] as const),
  };
  return JSON.stringify(stored);
}

/** Of what `inUseToJson` made. */
export function inUseFromJson(json: string): InUse {
  const stored = JSON.parse(json) as StoredInUse;
  return {
    complete: stored.complete,
    collectedAt: stored.collectedAt,
    usedImages: new Set(stored.usedImages),
    usedTags: new Set(stored.usedTags),
    usedDigests: new Set(stored.usedDigests),
    protectedRepositories: new Set(stored.protectedRepositories),
    streams:
      stored.streams &&
      new Map(stored.streams.map(([name, created, tags]) => [name, { created, tags: new Map(tags) }])),
  };
}
