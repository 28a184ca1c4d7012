import { createHash } from 'node:crypto';
import type { InUseReading } from '@cairn/shared/prune/images/in-use/documents';
import type { ImageFacts, ImageStreamFacts, InUse } from '@cairn/shared/prune/images/in-use/facts';

const CHARACTERS = 32;
type Reading = Extract<InUseReading, { ok: true }>;

/** Equal for reports with the same images in use, whatever their order, their workloads and their collection time. */
export function inUseDigest({
  inUse,
  missing,
  images,
}: Pick<Reading, 'missing' | 'images'> & { readonly inUse: Omit<InUse, 'collectedAt'> }): string {
  const { usedImages, usedTags, usedDigests, protectedRepositories, streams } = inUse;
  const hash = createHash('sha256');
  const add = (values: Iterable<string> | null) => {
    hash.update(values === null ? 'none\n' : 'some\n');
    for (const value of [...(values ?? [])].toSorted()) hash.update(`${value}\n`);
    hash.update('\n');
  };
  for (const values of [missing, usedImages, usedTags, usedDigests, protectedRepositories]) add(values);
  add(streams && Array.from(streams, streamText));
  add(images && Array.from(images.values(), imageText));
  return hash.digest('hex').slice(0, CHARACTERS);
}

function streamText([repository, { created, tags }]: readonly [string, ImageStreamFacts]): string {
  return JSON.stringify([repository, created, [...tags]]);
}

/** Contains the stored fields only. */
function imageText({ digest, created, isManaged, children }: ImageFacts): string {
  return JSON.stringify([digest, created, isManaged, children]);
}
