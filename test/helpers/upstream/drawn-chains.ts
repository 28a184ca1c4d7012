import type { ReleaseConfig } from '@cairn/shared/releases/sources';
import { configOf } from '../path/builders.ts';

/** Follows these channels and the minors in their names, on x86_64. */
export function following(...channels: string[]): ReleaseConfig {
  const byMinor = Map.groupBy(channels, (channel) => channel.split('-')[1]!);
  return configOf({
    release_sources: [...byMinor].map(([minor, names]) => ({
      openshift_version: minor,
      upgrade_channels: [{ cpu_architecture: 'x86_64', channels: names.map((name) => name.split('-')[0]) }],
    })),
  });
}

/** A Cincinnati graph in which every version leads to all later ones. */
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

/** Versions that each lead to all later ones, some with risks. */
export interface DrawnChannel {
  readonly versions: readonly string[];
  readonly risky?: readonly {
    readonly from: string;
    readonly to: string;
    readonly risk: string;
    /** Without it, the risk applies to every cluster. */
    readonly promql?: string;
  }[];
}

/** The Cincinnati graph of a channel. */
export function drawnGraph({ versions, risky = [] }: DrawnChannel) {
  const graph = chainGraph(versions);
  const place = (version: string): number => versions.indexOf(version);
  const isRisky = ([from, to]: readonly number[]): boolean =>
    risky.some((edge) => place(edge.from) === from && place(edge.to) === to);
  return {
    ...graph,
    edges: graph.edges.filter((edge) => !isRisky(edge)),
    conditionalEdges: risky.map(({ from, to, risk, promql }) => ({
      edges: [{ from, to }],
      risks: [
        {
          url: `https://issues.redhat.com/browse/${risk}`,
          name: risk,
          message: `${risk} may happen`,
          matchingRules: [promql === undefined ? { type: 'Always' } : { type: 'PromQL', promql: { promql } }],
        },
      ],
    })),
  };
}

function digestOf(text: string): string {
  return Buffer.from(text).toString('hex').padStart(64, '0').slice(-64);
}
