import type { Arch } from '@cairn/shared/version/arch';
import { DEMO_DAY, RELEASES, TRAINS, type DemoRelease } from './graph.ts';
import { createHash } from 'node:crypto';
import type { Risk } from '@cairn/shared/graph/graph';
import type { Minor } from '@cairn/shared/version/minor';
import { DEFECTS, hasDefect, RELEASE_CANDIDATE_ORIGIN, type Defect } from './risks.ts';

// In the order in which the update service lists the channels of one minor.
const PREFIXES = ['candidate', 'eus', 'fast', 'stable'] as const;
type Prefix = (typeof PREFIXES)[number];

/** How long a release waits, in days, before it is promoted. */
const SOAK: Readonly<Record<Prefix, number>> = { candidate: 0, fast: 4, eus: 9, stable: 14 };

/** The share of releases that are never built for an architecture. */
const NOT_BUILT: Readonly<Record<Arch, number>> = {
  amd64: 0,
  arm64: 0.03,
  ppc64le: 0.05,
  s390x: 0.05,
  multi: 0.08,
};

interface Channel {
  readonly name: string;
  readonly prefix: Prefix;
  /** The releases of each minor it holds, the channel's own minor last. */
  readonly minors: readonly (readonly DemoRelease[])[];
}

const CHANNELS: readonly Channel[] = TRAINS.flatMap(({ minor, longLived }, index) => {
  const own = releasesOf(index);
  const isReleased = own.some((release) => release.stage === 'ga');
  // A cluster on a long-lived minor moves to the next long-lived one, so these channels reach two minors back.
  const span = longLived && isReleased ? 2 : 1;
  const minors = [...TRAINS.keys()].slice(Math.max(0, index - span), index + 1).map(releasesOf);
  return PREFIXES.filter((prefix) => prefix === 'candidate' || isReleased)
    .filter((prefix) => prefix !== 'eus' || longLived)
    .map((prefix) => ({ name: `${prefix}-${minor}`, prefix, minors }));
});

/** The channels of the demo world, oldest minor first: `candidate-4.12`, `eus-4.12`, …, `candidate-5.0`. */
export const DEMO_CHANNELS: readonly string[] = CHANNELS.map((channel) => channel.name);

/** What each channel holds for one architecture, oldest version first. */
export function channelMembers(arch: Arch): ReadonlyMap<string, readonly DemoRelease[]> {
  return new Map(CHANNELS.map((channel) => [channel.name, membersOf(channel, arch)]));
}

function membersOf({ prefix, minors }: Channel, arch: Arch): DemoRelease[] {
  const promoted = minors.map((releases) =>
    releases.filter((release) => isBuilt(release, arch) && isPromoted(release, prefix)),
  );
  if (prefix === 'candidate') return promoted.flat();
  // Tested channels hold no dead end: the newest releases of an older minor join once there is a way on from them.
  return promoted.reduceRight<DemoRelease[]>((newer, older) => {
    if (newer.length === 0) return older;
    const last = older.findLastIndex((from) => newer.some((to) => canUpdate(from, to)));
    return [...older.slice(0, last + 1), ...newer];
  }, []);
}

function isPromoted(release: DemoRelease, prefix: Prefix): boolean {
  if (prefix === 'candidate') return true;
  if (release.stage !== 'ga' || DEMO_DAY - release.day < SOAK[prefix]) return false;
  if (prefix === 'stable' && release.extended) return false;
  // Some releases fail their last tests and stay where they are.
  return release.number === 0 || draw(`stays candidate ${release.version}`) >= 0.05;
}

function isBuilt(release: DemoRelease, arch: Arch): boolean {
  if (arch === 'amd64') return true;
  if (release.extended) return false;
  return draw(`not built ${release.version} ${arch}`) >= NOT_BUILT[arch];
}

function releasesOf(trainIndex: number): DemoRelease[] {
  const { minor } = TRAINS[trainIndex]!;
  return RELEASES.filter((release) => release.minor === minor);
}

const SEED = 'cairn demo 1';

/**
 * A number in [0, 1) that depends on nothing but the label: the demo world is the same on every machine, and a draw
 * added in one place changes no other. `draw('weekday 4.14.3')` is the same number for ever.
 */
export function draw(label: string): number {
  return createHash('sha256').update(`${SEED}\n${label}`).digest().readUInt32BE() / 2 ** 32;
}

/** A whole number from `low` to `high`, both included. */
export function drawBetween(low: number, high: number, label: string): number {
  return low + Math.floor(draw(label) * (high - low + 1));
}

interface Entry {
  readonly previous: Minor;
  /** The oldest z of the previous minor from which this minor can be entered. */
  readonly fromNumber: number;
}

const ENTRIES: ReadonlyMap<Minor, Entry> = new Map(
  TRAINS.slice(1).map(({ minor }, index) => [
    minor,
    { previous: TRAINS[index]!.minor, fromNumber: drawBetween(4, 9, `entry ${minor}`) },
  ]),
);

const DEFECTS_OF: ReadonlyMap<DemoRelease, readonly Defect[]> = new Map(
  RELEASES.map((release) => [release, DEFECTS.filter((defect) => hasDefect(release, defect))]),
);

/** Whether an update leads from a release to a newer one, with a risk or without. */
export function canUpdate(from: DemoRelease, to: DemoRelease): boolean {
  // Engineering candidates get out through a release candidate only.
  if (from.minor === to.minor) return from.stage !== 'ec' || to.stage !== 'ga';
  const entry = ENTRIES.get(to.minor);
  return (
    entry?.previous === from.minor &&
    from.stage === 'ga' &&
    from.number >= entry.fromNumber &&
    // A release knows the ones before it: a newer z of the previous minor has to wait for the next release.
    from.day <= to.day
  );
}

/** What a cluster making this update is exposed to: nothing when the update is recommended. */
export function risksOfUpdate(from: DemoRelease, to: DemoRelease): readonly Risk[] {
  const risks = DEFECTS_OF.get(to)!
    .filter((defect) => isExposed(from, to, defect))
    .map((defect) => defect.risk);
  return from.stage === 'rc' && to.stage === 'ga' ? [...risks, RELEASE_CANDIDATE_ORIGIN] : risks;
}

function isExposed(from: DemoRelease, to: DemoRelease, defect: Defect): boolean {
  if (defect.exposure === 'every') return true;
  if (defect.exposure === 'crossing') return from.minor !== to.minor;
  return !DEFECTS_OF.get(from)!.includes(defect);
}
