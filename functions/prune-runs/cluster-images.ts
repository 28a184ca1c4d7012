import { clusterImageCommands } from '@cairn/shared/prune/images/cluster/commands';
import type {
  ClusterImageInput,
  ClusterImageVerdict,
} from '@cairn/shared/prune/images/cluster/cluster-images';
import type { KeptFor } from '@cairn/shared/prune/images/values';

const MOST_LISTED = 1000;

/** What is told of a verdict on the objects of a cluster. */
export function clusterOutcome(
  verdict: ClusterImageVerdict,
  { inUse, streams }: Pick<ClusterImageInput, 'inUse' | 'streams'>,
) {
  const { items, keptItems, emptiedTags, images, keptImages } = verdict;
  const commands = clusterImageCommands(verdict);
  return {
    collectedAt: new Date(inUse.collectedAt).toISOString(),
    examined: {
      imageStreams: streams.size,
      tagItems: items.length + keptItems.length,
      images: images.length + keptImages.length,
    },
    tagItemsTotal: items.length,
    tagItems: items.slice(0, MOST_LISTED).map(({ repository, tag, revision, digest, created, reason }) => ({
      repository,
      tag,
      revision,
      digest,
      createdAt: timeText(created),
      reason,
    })),
    emptiedTagsTotal: emptiedTags.length,
    emptiedTags: emptiedTags.slice(0, MOST_LISTED).map(({ repository, tag }) => `${repository}:${tag}`),
    imagesTotal: images.length,
    images: images
      .slice(0, MOST_LISTED)
      .map(({ digest, created, reason }) => ({ digest, createdAt: timeText(created), reason })),
    kept: keptCounts(verdict),
    inCommands: { tagItems: commands.tagItemsInCommands, images: commands.imagesInCommands },
    /** Those on streams first: an Image may go only after the tags that name it. */
    commands: [...commands.streams, ...commands.images],
  };
}

export type ClusterOutcome = ReturnType<typeof clusterOutcome>;

function keptCounts({ keptItems, keptImages }: ClusterImageVerdict) {
  const counts = new Map<KeptFor, { for: KeptFor; tagItems: number; images: number }>();
  const of = (why: KeptFor) => {
    const known = counts.get(why) ?? { for: why, tagItems: 0, images: 0 };
    counts.set(why, known);
    return known;
  };
  for (const item of keptItems) of(item.for).tagItems++;
  for (const image of keptImages) of(image.for).images++;
  return [...counts.values()];
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
