import type { Arch } from '@cairn/shared/version/arch';
import { draw } from './draw.ts';
import { DEMO_DAY, RELEASES, TRAINS } from './release-train.ts';
import type { DemoRelease } from './release-train.ts';
import { canUpdate } from './updates.ts';

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
