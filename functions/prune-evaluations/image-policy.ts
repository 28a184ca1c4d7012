import type { ClusterImagePolicy } from '@cairn/shared/prune/images/cluster/cluster-images';
import { durationText, parseDuration } from '@cairn/shared/text/duration';
import type { ProblemDetail } from '../http/problem.ts';
import { invalidRequest } from '../http/request.ts';
import type { PlaceOfField } from './endpoints.ts';
import type { ImagePolicyFields } from './images-schema.ts';

/** A policy with all that was left out. */
export interface ImagePolicy extends ClusterImagePolicy {
  readonly ignoreInvalidReferences: boolean;
  /** What the documents are said to hold, by the names of `oc get`. */
  readonly collected: readonly string[];
}

const DEFAULT_YOUNGER_THAN_MS = 3600_000;

/** Reads what a policy says. Each fault in it is told with its place. */
export function readImagePolicy(
  fields: ImagePolicyFields,
  clock: number,
  placeOf: PlaceOfField,
): ImagePolicy {
  const faults: ProblemDetail[] = [];
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

/** As it is told back, in the words in which it was given. */
export function imagePolicyView({ keepYoungerThanMs, now, ...policy }: ImagePolicy) {
  return {
    ...policy,
    keepYoungerThan: durationText(keepYoungerThanMs),
    now: new Date(now).toISOString(),
  };
}
