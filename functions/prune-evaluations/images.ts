import {
  judgeClusterImages,
  type ClusterImagePolicy,
} from '@cairn/shared/prune/images/cluster/cluster-images';
import { clusterImageCommands, type ImageCommands } from '@cairn/shared/prune/images/cluster/commands';
import type { InUseReading } from '@cairn/shared/prune/images/in-use/documents';
import { durationText, parseDuration } from '@cairn/shared/text/duration';
import { countInWords, joinInWords } from '@cairn/shared/text/words';
import { invalidRequest } from '../http/request.ts';
import type { ErrorDetail } from '../runtime/errors.ts';
import type { BLOCKERS, ImagePolicyFields } from './images-schema.ts';
import type { PlaceOfField } from './schema.ts';

type ReadInUse = Extract<InUseReading, { ok: true }>;

export type ImageEvaluation = ReturnType<typeof evaluateImages>;

const NO_COMMANDS: ImageCommands = { streams: [], images: [], tagItemsInCommands: 0, imagesInCommands: 0 };

/** Evaluates the ImageStreams and Images among the documents. Deletes nothing. */
export function evaluateImages(reading: ReadInUse, policy: ImagePolicy) {
  const { inUse, users, images } = reading;
  const { streams } = inUse;
  // ImageStreams or Images can be missing.
  const verdict =
    streams === null || images === null
      ? null
      : judgeClusterImages({ streams, images, inUse, users, policy });
  const blockers = blockersOf(reading, policy);
  const commands = verdict === null || blockers.length > 0 ? NO_COMMANDS : clusterImageCommands(verdict);
  return { reading, verdict, blockers, commands };
}

/** Reasons for an evaluation without commands. */
function blockersOf({ inUse, images, missing, unreadTotal }: ReadInUse, policy: ImagePolicy) {
  const blockers: { readonly reason: (typeof BLOCKERS)[number]; readonly message: string }[] = [];
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

/** Policy with its defaults filled in. */
export interface ImagePolicy extends ClusterImagePolicy {
  readonly ignoreInvalidReferences: boolean;
  /** Kinds that the documents cover, by their `oc get` names. */
  readonly collected: readonly string[];
}

const DEFAULT_YOUNGER_THAN_MS = 3600_000;

/** Reports every fault with its place. */
export function readImagePolicy(
  fields: ImagePolicyFields,
  clock: number,
  placeOf: PlaceOfField,
): ImagePolicy {
  const faults: ErrorDetail[] = [];
  const keepYoungerThanMs =
    fields.keep_younger_than === undefined
      ? DEFAULT_YOUNGER_THAN_MS
      : parseDuration(fields.keep_younger_than);
  if (keepYoungerThanMs === null) {
    const given = JSON.stringify(fields.keep_younger_than);
    const detail = `${given} is no duration, such as 60m, 36h or 7d is accepted`;
    faults.push({ ...placeOf('keep_younger_than', null), detail });
  }
  const now = fields.now === undefined ? clock : Date.parse(fields.now);
  if (Number.isNaN(now)) {
    const detail = `${JSON.stringify(fields.now)} is no time, such as 2026-11-16T08:00:00Z is accepted`;
    faults.push({ ...placeOf('now', null), detail });
  }
  if (faults.length > 0) throw invalidRequest(faults);
  return {
    keepTagRevisions: fields.keep_tag_revisions ?? 3,
    keepYoungerThanMs: keepYoungerThanMs!,
    all: fields.all ?? true,
    ignoreInvalidReferences: fields.ignore_invalid_refs ?? false,
    namespace: fields.namespace ?? null,
    collected: fields.collected ?? [],
    now,
  };
}

/** Uses the same units as the request. */
export function imagePolicyView({ keepYoungerThanMs, now, ...policy }: ImagePolicy) {
  return {
    ...policy,
    keepYoungerThan: durationText(keepYoungerThanMs),
    now: new Date(now).toISOString(),
  };
}
