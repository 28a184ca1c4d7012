import {
  type ClusterImageInput,
  type ClusterImageVerdict,
  judgeClusterImages,
  keptCounts,
} from '@cairn/shared/prune/images/cluster/cluster-images';
import { clusterImageCommands } from '@cairn/shared/prune/images/cluster/commands';
import { IN_USE_MAX_AGE_MS, isFreshInUse } from '@cairn/shared/prune/images/plan/breakers';
import type { PruneOutcome } from '@cairn/shared/prune/images/values';
import { durationText } from '@cairn/shared/text/duration';
import { countInWords } from '@cairn/shared/text/words';
import { loadClusterReport } from './in-use.ts';
import type { PruneSession } from './session.ts';

const MOST_LISTED = 1000;

function clusterOutcome(
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
    /** Stream commands come first: delete an Image only after the tags that name it. */
    commands: [...commands.streams, ...commands.images],
  };
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

const HOW = 'send ImageStreams, Images and all that uses images by PUT …/in-use';

/**
 * Evaluates the cluster objects of a registry that is not `Managed`. The commands are for an administrator to run.
 */
export async function judgeCluster(session: PruneSession): Promise<RunEnd> {
  const { progress, files, pruner, dependencies } = session;
  const { spec, slot } = progress;
  const now = Date.parse(slot);
  const place = { table: dependencies.table, files, pruner, now: session.latest() };
  const known = whatIsKnown(await loadClusterReport(place), now);
  if ('reason' in known) {
    return { outcome: 'Failed', ...known, isWhole: false, isBlocked: true };
  }
  const verdict = judgeClusterImages({
    ...known,
    policy: { ...spec, all: true, namespace: null, now },
  });
  const going = `${countInWords(verdict.items.length, 'revision')} of tags and ${countInWords(verdict.images.length, 'Image')}`;
  return {
    outcome: 'Succeeded',
    reason: 'Reported',
    message: `the registry is ${spec.managementState}, its storage was not touched; ${going} of the cluster would go by the commands of the report`,
    isWhole: false,
    cluster: clusterOutcome(verdict, known),
  };
}

/** Returns the input of an evaluation, or the reason for none. */
function whatIsKnown(
  report: Awaited<ReturnType<typeof loadClusterReport>>,
  now: number,
): Omit<ClusterImageInput, 'policy'> | Pick<RunEnd, 'reason' | 'message'> {
  if (report === null) return { reason: 'NoInUse', message: `nothing is known of the cluster, ${HOW}` };
  const { inUse, more } = report;
  if (!inUse.complete) {
    const message = `the documents that tell which images are in use are not complete, ${HOW}`;
    return { reason: 'IncompleteInUse', message };
  }
  if (!isFreshInUse(inUse, now)) {
    const collected = new Date(inUse.collectedAt).toISOString();
    const when = inUse.isFromFuture
      ? 'a time in the future'
      : `more than ${durationText(IN_USE_MAX_AGE_MS)} ago`;
    const message = `what is known of the cluster was collected at ${collected}, ${when}, ${HOW}`;
    return { reason: 'StaleInUse', message };
  }
  if (inUse.streams === null) {
    return { reason: 'NoImageStreams', message: `no ImageStreams were sent, ${HOW}` };
  }
  if (more === null) {
    const message = `no Images are known, which are kept of reports to a pruner that is not Managed; ${HOW}`;
    return { reason: 'NoImages', message };
  }
  return { inUse, streams: inUse.streams, ...more };
}

export interface RunEnd {
  readonly outcome: PruneOutcome;
  /** One word, as in a Kubernetes condition. */
  readonly reason: string;
  readonly message: string;
  /** Every planned deletion is done. */
  readonly isWhole: boolean;
  /** The condemned file of this run replaces the former one. */
  readonly isCondemning?: boolean;
  /** A circuit breaker prevented all deletions. */
  readonly isBlocked?: boolean;
  readonly revived?: readonly string[];
  readonly lost?: readonly string[];
  /** Set only for a registry that is not `Managed`. */
  readonly cluster?: ReturnType<typeof clusterOutcome>;
}
