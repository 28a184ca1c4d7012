import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { configOf } from '../shared/releases/builders.ts';

/** A configuration that follows these channels of the minors in their names, on x86_64. */
export function following(...channels: string[]): ReleaseConfig {
  const byMinor = Map.groupBy(channels, (channel) => channel.split('-')[1]!);
  return configOf({
    release_sources: [...byMinor].map(([minor, names]) => ({
      openshift_version: minor,
      upgrade_channels: [{ cpu_architecture: 'x86_64', channels: names.map((name) => name.split('-')[0]) }],
    })),
  });
}

/** A graph in Cincinnati form in which every version leads to all later ones. */
export function chainGraph(
  versions: readonly string[],
  options: { readonly arch?: string; readonly salt?: string } = {},
) {
  return {
    version: 1,
    nodes: versions.map((version) => ({
      version,
      payload: `quay.io/openshift-release-dev/ocp-release@sha256:${digestOf(`${version}${options.arch ?? ''}${options.salt ?? ''}`)}`,
      metadata: options.arch === 'multi' ? { 'release.openshift.io/architecture': 'multi' } : {},
    })),
    edges: versions.flatMap((_, from) =>
      versions.slice(from + 1).map((__, later) => [from, from + 1 + later]),
    ),
    conditionalEdges: [],
  };
}

function digestOf(text: string): string {
  return Buffer.from(text).toString('hex').padStart(64, '0').slice(-64);
}
