import { createHash } from 'node:crypto';
import type { ReleaseNode, Risk } from '@cairn/shared/graph/graph';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { channelMembers, drawBetween, draw, canUpdate, risksOfUpdate } from './channels.ts';
import type { Minor } from '@cairn/shared/version/minor';

/** A graph as an update service sends it. */
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

/** Everything that the graphs of one architecture share. */
interface World {
  readonly members: ReadonlyMap<string, readonly DemoRelease[]>;
  readonly nodes: ReadonlyMap<DemoRelease, ReleaseNode>;
}

const worlds = new Map<Arch, World>();

/**
 * The graph of a demo channel, the same bytes on every machine; null for a channel or architecture that the demo world
 * does not have. `demoGraph('stable-4.18', 'amd64')`
 */
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
  const digest = `sha256:${createHash('sha256').update(`demo ${release.version}${arch}`).digest('hex')}`;
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
  // Real advisories of a year never get to 90000, so no link leads to one about something else.
  const number = drawBetween(90_000, 99_999, `errata ${version}`);
  return `https://access.redhat.com/errata/RHSA-${year}:${number}`;
}

export interface DemoRelease {
  readonly version: string;
  readonly minor: Minor;
  readonly stage: 'ec' | 'rc' | 'ga';
  /** The last number of the version: 3 in `4.14.3` and in `4.14.0-rc.3`. */
  readonly number: number;
  /** Release date in days since 1970-01-01. */
  readonly day: number;
  /** Shipped after the end of maintenance, in the extra half year of a long-lived minor. */
  readonly extended: boolean;
}

interface Train {
  readonly minor: Minor;
  /** The day of the first GA release, known ahead: pre-releases count back from it. */
  readonly ga: number;
  readonly longLived: boolean;
}

/** The demo world stands still on this day. */
export const DEMO_DAY = dayOf('2026-11-10');

/** In release order: the position in this list, not arithmetic on numbers, says that 5.0 follows 4.22. */
export const TRAINS: readonly Train[] = [
  { minor: '4.12', ga: dayOf('2023-01-17'), longLived: true },
  { minor: '4.13', ga: dayOf('2023-05-16'), longLived: false },
  { minor: '4.14', ga: dayOf('2023-10-31'), longLived: true },
  { minor: '4.15', ga: dayOf('2024-02-27'), longLived: false },
  { minor: '4.16', ga: dayOf('2024-06-25'), longLived: true },
  { minor: '4.17', ga: dayOf('2024-10-01'), longLived: false },
  { minor: '4.18', ga: dayOf('2025-02-25'), longLived: true },
  { minor: '4.19', ga: dayOf('2025-06-17'), longLived: false },
  { minor: '4.20', ga: dayOf('2025-09-30'), longLived: true },
  { minor: '4.21', ga: dayOf('2026-01-13'), longLived: false },
  { minor: '4.22', ga: dayOf('2026-05-26'), longLived: true },
  { minor: '5.0', ga: dayOf('2026-12-29'), longLived: true },
];

const WEEK = 7;
const FULL_SUPPORT = 44 * WEEK;
const MAINTENANCE = 78 * WEEK;
const EXTENDED = 104 * WEEK;

/** Every release of the demo world, whatever its architecture, oldest version first. */
export const RELEASES: readonly DemoRelease[] = TRAINS.flatMap((train) =>
  [...engineeringCandidates(train), ...releaseCandidates(train), ...zStream(train)].filter(
    (release) => release.day <= DEMO_DAY,
  ),
);

export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000;
}

function engineeringCandidates({ minor, ga }: Train): DemoRelease[] {
  const count = drawBetween(6, 8, `ec count ${minor}`);
  return preReleases(minor, 'ec', count, ga - 30 * WEEK, 3 * WEEK);
}

function releaseCandidates({ minor, ga }: Train): DemoRelease[] {
  const count = drawBetween(3, 5, `rc count ${minor}`);
  return preReleases(minor, 'rc', count, ga - 6 * WEEK, WEEK);
}

function preReleases(
  minor: Minor,
  stage: 'ec' | 'rc',
  count: number,
  firstDay: number,
  interval: number,
): DemoRelease[] {
  return Array.from({ length: count }, (_, number) => {
    const version = `${minor}.0-${stage}.${number}`;
    return { version, minor, stage, number, day: firstDay + number * interval, extended: false };
  });
}

function zStream({ minor, ga, longLived }: Train): DemoRelease[] {
  const lastDay = Math.min(DEMO_DAY, ga + (longLived ? EXTENDED : MAINTENANCE));
  const releases: DemoRelease[] = [];
  let weekStart = ga;
  for (let number = 0; weekStart <= lastDay; number++) {
    const version = `${minor}.${number}`;
    // Now and then a build is thrown away: its number is used up and never ships.
    if (number > 0 && draw(`thrown away ${version}`) < 0.04) continue;
    const day = number === 0 ? ga : weekStart + drawBetween(0, 3, `weekday ${version}`);
    releases.push({ version, minor, stage: 'ga', number, day, extended: weekStart > ga + MAINTENANCE });
    weekStart += weeksUntilNext(version, weekStart - ga) * WEEK;
  }
  return releases;
}

/** Weekly while the minor is young, with a week left out at times; then every third week; then every fifth. */
function weeksUntilNext(version: string, age: number): number {
  if (age > MAINTENANCE) return 5;
  if (age > FULL_SUPPORT) return 3;
  return draw(`week left out ${version}`) < 0.1 ? 2 : 1;
}
