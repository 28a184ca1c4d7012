import type { ClusterFacts } from '../../cluster/facts.ts';
import { namesInWords } from '../../text/words.ts';
import type { ConditionObject } from '../condition.ts';
import { type Decision, NO, unknown, yes } from '../decision.ts';

type Facts = Pick<ClusterFacts, 'digestMirrorSets' | 'contentSourcePolicies'>;

/** Documents that decide `hasMirrors`. ImageTagMirrorSets do not count: releases are pulled by digest. */
export const MIRROR_DOCUMENTS = ['digestMirrorSets', 'contentSourcePolicies'] as const;

export const SIGNATURES_NEEDED = 'SigstoreSignaturesNeeded';

/** One mirror set is enough, whatever else was sent. */
export function hasMirrors(facts: Facts): Decision {
  const objects = mirrorSets(facts);
  if (objects.length > 0)
    return yes(`Images are mirrored: ${namesInWords(objects.map(({ name }) => name))}`, objects);
  const missing = MIRROR_DOCUMENTS.filter((kind) => facts[kind] === null);
  return missing.length > 0 ? unknown(...missing) : NO;
}

function mirrorSets({ digestMirrorSets, contentSourcePolicies }: Facts): readonly ConditionObject[] {
  return [
    ...(digestMirrorSets ?? []).map(({ name }) => ({ kind: 'ImageDigestMirrorSet', name })),
    ...(contentSourcePolicies ?? []).map(({ name }) => ({ kind: 'ImageContentSourcePolicy', name })),
  ];
}
