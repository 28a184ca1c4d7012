import type { ReleaseNode } from '../graph/graph.ts';
import type { Arch } from '../version/arch.ts';
import { compareVersions, parseVersion } from '../version/release-version.ts';
import type { PathStep } from './solver/solve.ts';

export interface MirrorEntry {
  readonly version: string;
  readonly payload: string;
  /** `sha256:…` */
  readonly digest: string;
  readonly arch: Arch;
}

export interface NeededRelease {
  readonly step: PathStep;
  readonly arch: Arch;
}

export function neededReleases(
  path: readonly PathStep[],
  arch: Arch,
  includeSource: boolean,
): NeededRelease[] {
  return (includeSource ? path : path.slice(1)).map((step) => ({ step, arch }));
}

/** Each release image once, oldest version first; two architectures of a version need two images. */
export function mirrorOfReleases(
  needed: readonly { readonly step: Pick<PathStep, 'version' | 'payload'>; readonly arch: Arch }[],
): MirrorEntry[] {
  const byDigest = new Map<string, MirrorEntry>();
  for (const { step, arch } of needed) {
    const { version, payload } = step;
    const digest = /@(sha256:[0-9a-f]{64})$/.exec(payload)?.[1];
    if (digest === undefined) throw new Error(`the payload ${payload} of ${version} has no digest`);
    if (!byDigest.has(digest)) byDigest.set(digest, { version, payload, digest, arch });
  }
  return [...byDigest.values()].toSorted(
    (a, b) =>
      compareVersions(parseVersion(a.version)!, parseVersion(b.version)!) ||
      (a.arch < b.arch ? -1 : a.arch > b.arch ? 1 : 0),
  );
}

const CHANNELS = 'io.openshift.upgrades.graph.release.channels';

/** Channels that upstream lists for the release, followed by Cairn or not: oc-mirror queries upstream. */
export function channelsOf({ node, hop }: Pick<PathStep, 'node' | 'hop'>): string[] {
  return [...new Set([...listedChannels(node), ...(hop?.channels ?? [])])];
}

/** Channels from the release metadata; empty if it has none. */
export function listedChannels({ metadata }: Pick<ReleaseNode, 'metadata'>): string[] {
  return metadata[CHANNELS]?.split(',') ?? [];
}

export interface OperatorPackage {
  readonly name: string;
  /** Channels of the Subscriptions, in order; empty if unknown. */
  readonly channels: readonly string[];
}

export interface OperatorCatalog {
  /** `4.16` */
  readonly minor: string;
  /** `registry.redhat.io/redhat/redhat-operator-index:v4.16`; null for a custom catalog, whose image is not known. */
  readonly catalog: string | null;
  /** CatalogSources of the packages, `openshift-marketplace/redhat-operators`; empty if unknown. */
  readonly sources: readonly string[];
  /** By name. */
  readonly packages: readonly OperatorPackage[];
}

export interface OperatorContent {
  /** By minor, then by image, catalogs without an image last; null if the operators are unknown. */
  readonly catalogs: readonly OperatorCatalog[] | null;
  /** Omissions, assumptions, and next steps. */
  readonly notes: readonly string[];
}

/** Used without a cluster, or without Subscriptions in its report. */
export const PLATFORM_ONLY: OperatorContent = {
  catalogs: null,
  notes: [
    'Platform content only: operators are not in it, as it is not known here which ones there are',
    'The plan of a cluster has them (POST /v1/upgrade-plans, cairn plan -o imageset) once it is sent what this prints: oc get subscriptions.operators.coreos.com -A -o json',
  ],
};
