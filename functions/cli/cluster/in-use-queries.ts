import { IMAGE_GROUPS, USING_KINDS } from '@cairn/shared/prune/images/in-use/kinds';
import type { ClusterQuery } from './cluster-query.ts';

const [IMAGES] = IMAGE_GROUPS;

/**
 * All that is read of a cluster to tell which images it uses. What is not shown is left out and said to be missing: a
 * pruner then deletes nothing.
 */
export const IN_USE_QUERIES: readonly ClusterQuery[] = [
  ...USING_KINDS.map(({ kind, groups, names }) => ({
    kind,
    group: groups[0]!,
    version: 'v1',
    resource: names[0]!,
    isOptional: true,
  })),
  { kind: 'ImageStream', group: IMAGES, version: 'v1', resource: 'imagestreams', isOptional: true },
];

/** And for a registry that the cluster does not manage, whose pruner tells what would go of these. */
export const IMAGE_QUERIES: readonly ClusterQuery[] = [
  { kind: 'Image', group: IMAGES, version: 'v1', resource: 'images', isOptional: true },
];
