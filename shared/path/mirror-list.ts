import type { ReleaseNode } from '../graph/graph.ts';
import type { Arch } from '../version/arch.ts';
import { compareVersions, parseVersion } from '../version/release-version.ts';
import type { PathStep } from './solver/solve.ts';

/** A release image that a disconnected cluster needs in its mirror. */
export interface MirrorEntry {
  readonly version: string;
  readonly payload: string;
  /** `sha256:…` */
  readonly digest: string;
  readonly arch: Arch;
}

/** A release on some path. */
export interface MirrorRelease {
  readonly node: Pick<ReleaseNode, 'version' | 'payload'>;
  readonly arch: Arch;
}

/**
 * Everything to mirror for the releases of one or many paths: each image once, oldest version first. Two clusters
 * that pass through 4.14.20 on amd64 need it once; on two architectures they need two images.
 */
export function mirrorList(releases: readonly MirrorRelease[]): MirrorEntry[] {
  const byDigest = new Map<string, MirrorEntry>();
  for (const { node, arch } of releases) {
    const digest = digestOf(node);
    byDigest.set(
      digest,
      byDigest.get(digest) ?? { version: node.version, payload: node.payload, digest, arch },
    );
  }
  return [...byDigest.values()].toSorted(
    (a, b) =>
      compareVersions(parseVersion(a.version)!, parseVersion(b.version)!) ||
      (a.arch < b.arch ? -1 : a.arch > b.arch ? 1 : 0),
  );
}

function digestOf({ version, payload }: MirrorRelease['node']): string {
  const digest = /@(sha256:[0-9a-f]{64})$/.exec(payload)?.[1];
  if (digest === undefined) throw new Error(`the payload ${payload} of ${version} has no digest`);
  return digest;
}

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

/** A package of a catalog that a cluster has installed. */
export interface OperatorPackage {
  readonly name: string;
  /** Those that the cluster follows, in order; none where that is not known. */
  readonly channels: readonly string[];
}

/** What to mirror of a catalog, for a minor that the cluster passes. */
export interface OperatorCatalog {
  /** `4.16` */
  readonly minor: string;
  /** `registry.redhat.io/redhat/redhat-operator-index:v4.16`; null for a catalog of one's own, which only its owner knows. */
  readonly catalog: string | null;
  /** The CatalogSources that the packages come from, `openshift-marketplace/redhat-operators`; none where that is not known. */
  readonly sources: readonly string[];
  /** By name. */
  readonly packages: readonly OperatorPackage[];
}

/** What a cluster needs of operators on its way, beside the releases. */
export interface OperatorContent {
  /** By minor, then by image, those without one last; null when nothing is known of the operators. */
  readonly catalogs: readonly OperatorCatalog[] | null;
  /** What was left out, what is assumed, and what to do about it. */
  readonly notes: readonly string[];
}

/** Of a way without a cluster, or of one that says nothing of its operators. */
export const PLATFORM_ONLY: OperatorContent = {
  catalogs: null,
  notes: [
    'Platform content only: operators are not in it, as it is not known here which ones there are',
    'The plan of a cluster has them (POST /v1/upgrade-plans, cairn plan -o imageset) once it is sent what this prints: oc get subscriptions.operators.coreos.com -A -o json',
  ],
};
