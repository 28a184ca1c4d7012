import { clusterImageCommands, type ImageCommands } from '@cairn/shared/prune/images/cluster/commands';
import {
  type ClusterImageVerdict,
  judgeClusterImages,
} from '@cairn/shared/prune/images/cluster/cluster-images';
import type { InUseReading } from '@cairn/shared/prune/images/in-use/documents';
import { countInWords, joinInWords } from '@cairn/shared/text/words';
import type { ImagePolicy } from './image-policy.ts';
import type { BLOCKERS } from './image-evaluation-responses.ts';

export type ReadInUse = Extract<InUseReading, { ok: true }>;

/** Why there are no commands. */
export interface Blocker {
  readonly reason: (typeof BLOCKERS)[number];
  readonly message: string;
}

export interface ImageEvaluation {
  readonly reading: ReadInUse;
  /** Null where ImageStreams or Images are missing: nothing can be said then. */
  readonly verdict: ClusterImageVerdict | null;
  readonly blockers: readonly Blocker[];
  readonly commands: ImageCommands;
}

const NO_COMMANDS: ImageCommands = { streams: [], images: [], tagItemsInCommands: 0, imagesInCommands: 0 };

/** What would go of the ImageStreams and Images among documents. Nothing is deleted, as there is no cluster here. */
export function evaluateImages(reading: ReadInUse, policy: ImagePolicy): ImageEvaluation {
  const { inUse, users, images } = reading;
  const { streams } = inUse;
  const verdict =
    streams === null || images === null
      ? null
      : judgeClusterImages({ streams, images, inUse, users, policy });
  const blockers = blockersOf(reading, policy);
  const commands = verdict === null || blockers.length > 0 ? NO_COMMANDS : clusterImageCommands(verdict);
  return { reading, verdict, blockers, commands };
}

function blockersOf({ inUse, images, missing, unreadTotal }: ReadInUse, policy: ImagePolicy): Blocker[] {
  const blockers: Blocker[] = [];
  if (unreadTotal > 0 && !policy.ignoreInvalidReferences) {
    const references = countInWords(unreadTotal, 'reference');
    blockers.push({
      reason: 'InvalidReferences',
      message: `${references} cannot be read and may hide a use; mend them, or ask with ignore_invalid_refs`,
    });
  }
  if (missing.length > 0) {
    blockers.push({
      reason: 'IncompleteInUse',
      message: `no ${joinInWords(missing, 'or')} is among the documents; send them, or say with collected that they were asked for`,
    });
  }
  if (inUse.streams === null) {
    const message = 'no ImageStream is among the documents, and without them every image seems unused';
    blockers.push({ reason: 'NoImageStreams', message });
  }
  if (images === null) {
    const message = 'no Image is among the documents, and without them every tag seems to name nothing';
    blockers.push({ reason: 'NoImages', message });
  }
  return blockers;
}
