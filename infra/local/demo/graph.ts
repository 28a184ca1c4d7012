import type { ReleaseNode, Risk } from '@cairn/shared/graph/graph';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { sha256Hex } from '../../../functions/runtime/hash.ts';
import { canUpdate, channelMembers, drawBetween, type DemoRelease } from './channels.ts';
import { risksOfUpdate } from './risks.ts';

export interface CincinnatiGraph {
  readonly version: 1;
  readonly nodes: readonly ReleaseNode[];
  readonly edges: readonly (readonly [from: number, to: number])[];
  readonly conditionalEdges: readonly ConditionalEdges[];
}

interface ConditionalEdges {
  readonly edges: { readonly from: string; readonly to: string }[];
  readonly risks: readonly Risk[];
}

interface World {
  readonly members: ReadonlyMap<string, readonly DemoRelease[]>;
  readonly nodes: ReadonlyMap<DemoRelease, ReleaseNode>;
}

const worlds = new Map<Arch, World>();

/** Deterministic bytes; null for an unknown channel or architecture. `demoGraph('stable-4.18', 'amd64')` */
export function demoGraph(channel: string, archName: string): CincinnatiGraph | null {
  const arch = ARCHES.find((known) => known === archName);
  if (arch === undefined) return null;
  const world = worldOf(arch);
  const members = world.members.get(channel);
  if (members === undefined) return null;
  const nodes = members.map((release) => world.nodes.get(release)!);
  return { version: 1, nodes, ...updatesAmong(members) };
}

function updatesAmong(members: readonly DemoRelease[]): Pick<CincinnatiGraph, 'edges' | 'conditionalEdges'> {
  const edges: [number, number][] = [];
  const groups = new Map<string, ConditionalEdges>();
  for (const [toIndex, to] of members.entries()) {
    for (let fromIndex = 0; fromIndex < toIndex; fromIndex++) {
      const from = members[fromIndex]!;
      if (!canUpdate(from, to)) continue;
      const risks = risksOfUpdate(from, to);
      if (risks.length === 0) {
        edges.push([fromIndex, toIndex]);
        continue;
      }
      const key = risks.map((risk) => risk.name).join(' ');
      const group = groups.get(key) ?? { edges: [], risks };
      group.edges.push({ from: from.version, to: to.version });
      groups.set(key, group);
    }
  }
  return { edges, conditionalEdges: [...groups.values()] };
}

function worldOf(arch: Arch): World {
  const known = worlds.get(arch);
  if (known !== undefined) return known;
  const members = channelMembers(arch);
  const channels = new Map<DemoRelease, string[]>();
  for (const [channel, releases] of members) {
    for (const release of releases) channels.set(release, [...(channels.get(release) ?? []), channel]);
  }
  const nodes = new Map([...channels].map(([release, names]) => [release, nodeOf(release, arch, names)]));
  const world = { members, nodes };
  worlds.set(arch, world);
  return world;
}

function nodeOf(release: DemoRelease, arch: Arch, channels: readonly string[]): ReleaseNode {
  const digest = `sha256:${sha256Hex(`demo ${release.version}${arch}`)}`;
  const metadata = {
    'io.openshift.upgrades.graph.release.channels': channels.join(','),
    'io.openshift.upgrades.graph.release.manifestref': digest,
    ...(arch === 'multi' && { 'release.openshift.io/architecture': 'multi' }),
    ...(release.stage === 'ga' && { url: errataUrl(release) }),
  };
  return {
    version: release.version,
    payload: `quay.io/openshift-release-dev/ocp-release@${digest}`,
    metadata,
  };
}

function errataUrl({ version, day }: DemoRelease): string {
  const year = new Date(day * 86_400_000).getUTCFullYear();
  // Real advisories of a year never reach 90000, so no link leads to another advisory.
  const number = drawBetween(90_000, 99_999, `errata ${version}`);
  return `https://access.redhat.com/errata/RHSA-${year}:${number}`;
}
