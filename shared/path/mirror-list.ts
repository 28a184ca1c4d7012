import type { ReleaseNode } from '../graph/graph.ts';
import { parseChannel } from '../releases/channel.ts';
import type { Arch } from '../version/arch.ts';
import { compareMinors, minorOf } from '../version/minor.ts';
import { ordinalOf } from '../version/release-line.ts';
import { compareVersions, mustParseVersion, parseVersion } from '../version/release-version.ts';
import type { ChannelDirectory } from './channel-directory.ts';
import type { PathStep } from './solver/solve.ts';

export interface MirrorEntry {
  readonly version: string;
  readonly payload: string;
  /** `sha256:…` */
  readonly digest: string;
  readonly arch: Arch;
  /** Tag of the signature image, `sha256-….sig`, from the first minor whose nodes require it. */
  readonly signatureTag?: string;
}

/** First minor whose nodes verify the signature of a release. */
export const FIRST_SIGNED = { major: 4, minor: 21 } as const;

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
    if (!byDigest.has(digest)) {
      byDigest.set(digest, {
        version,
        payload,
        digest,
        arch,
        ...(isSigned(version) && { signatureTag: `${digest.replace(':', '-')}.sig` }),
      });
    }
  }
  return [...byDigest.values()].toSorted(
    (a, b) =>
      compareVersions(parseVersion(a.version)!, parseVersion(b.version)!) ||
      (a.arch < b.arch ? -1 : a.arch > b.arch ? 1 : 0),
  );
}

const CHANNELS = 'io.openshift.upgrades.graph.release.channels';

/**
 * Channels in which upstream lists this image of the release. Metadata may name channels that do not hold it, so it
 * counts only if no followed channel is known to hold the release, and only for channels that are not followed.
 */
export function channelsOf(
  { version, payload, node }: Pick<PathStep, 'version' | 'payload' | 'node'>,
  directory: Pick<ChannelDirectory, 'holdersOfImage' | 'get'>,
): readonly string[] {
  const holders = directory.holdersOfImage(version, payload);
  if (holders.length > 0) return holders;
  const minor = minorOf(mustParseVersion(version));
  return listedChannels(node).filter((name) => {
    const channel = parseChannel(name);
    // No channel has releases of a later minor.
    if (channel === null || compareMinors(channel.minor, minor) < 0) return false;
    return (directory.get(name)?.indexed.publishedAt ?? null) === null;
  });
}

/** Channels from the release metadata; empty if it has none. */
export function listedChannels({ metadata }: Pick<ReleaseNode, 'metadata'>): string[] {
  return metadata[CHANNELS]?.split(',') ?? [];
}

function isSigned(version: string): boolean {
  return ordinalOf(mustParseVersion(version)) >= ordinalOf(FIRST_SIGNED);
}

/** Advice for tools that copy single images; null if no release requires it. */
export function signatureNote(
  mirror: readonly { readonly signatureTag?: string | undefined }[],
): string | null {
  if (mirror.every(({ signatureTag }) => signatureTag === undefined)) return null;
  return 'Nodes from 4.21 on reject a release image without its signature. Tools other than oc-mirror, such as skopeo and oc adm release mirror, must copy its tag sha256-<digest>.sig as well';
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
  /** CatalogSources `openshift-marketplace/redhat-operators` and ClusterCatalogs of the packages; empty if unknown. */
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
