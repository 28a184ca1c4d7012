import type { ReleaseNode } from '../graph/graph.ts';
import type { Arch } from '../version/arch.ts';
import { mirrorList, type MirrorEntry } from './mirror-list.ts';
import type { PathStep } from './solver/solve.ts';

const CHANNELS = 'io.openshift.upgrades.graph.release.channels';

/** A release of a path, on the architecture that it is needed for. */
export interface NeededRelease {
  readonly step: PathStep;
  readonly arch: Arch;
}

/** Releases that a cluster on the path needs, without the one that it runs unless that is wanted. */
export function neededReleases(
  path: readonly PathStep[],
  arch: Arch,
  includeSource: boolean,
): NeededRelease[] {
  return (includeSource ? path : path.slice(1)).map((step) => ({ step, arch }));
}

/** What to mirror for them: each image once, oldest version first. */
export function mirrorOfReleases(needed: readonly NeededRelease[]): MirrorEntry[] {
  return mirrorList(needed.map(({ step, arch }) => ({ node: step.node, arch })));
}

/** All channels that upstream says it is in, followed here or not: oc-mirror asks upstream. */
export function channelsOf({ node, hop }: Pick<PathStep, 'node' | 'hop'>): string[] {
  return [...new Set([...listedChannels(node), ...(hop?.channels ?? [])])];
}

/** Those that the release itself says it is in; none when it does not say. */
export function listedChannels({ metadata }: Pick<ReleaseNode, 'metadata'>): string[] {
  return metadata[CHANNELS]?.split(',') ?? [];
}
