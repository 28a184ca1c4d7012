import { createHash } from 'node:crypto';
import type { Arch } from '@cairn/shared/version/arch';
import type { Minor } from '@cairn/shared/version/minor';

const SEED = 'cairn demo 1';

export interface DemoRelease {
  readonly version: string;
  readonly minor: Minor;
  readonly stage: 'ec' | 'rc' | 'ga';
  /** Last number of the version: 3 in `4.14.3` and in `4.14.0-rc.3`. */
  readonly number: number;
  /** Release date in days since 1970-01-01. */
  readonly day: number;
  /** Released after the end of maintenance, in the extra half year of a long-lived minor. */
  readonly extended: boolean;
}

interface Train {
  readonly minor: Minor;
  /** Day of the first GA release; pre-releases count back from it. */
  readonly ga: number;
  readonly longLived: boolean;
}

const DEMO_DAY = dayOf('2026-11-10');

/** In release order: the position, not arithmetic, defines that 5.0 follows 4.22. */
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

/** All architectures, oldest version first. */
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
  return preReleases(minor, { stage: 'ec', count, firstDay: ga - 30 * WEEK, interval: 3 * WEEK });
}

function releaseCandidates({ minor, ga }: Train): DemoRelease[] {
  const count = drawBetween(3, 5, `rc count ${minor}`);
  return preReleases(minor, { stage: 'rc', count, firstDay: ga - 6 * WEEK, interval: WEEK });
}

interface PreReleases {
  readonly stage: 'ec' | 'rc';
  readonly count: number;
  readonly firstDay: number;
  readonly interval: number;
}

function preReleases(minor: Minor, { stage, count, firstDay, interval }: PreReleases): DemoRelease[] {
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
    // Some builds are discarded: their number is never released.
    if (number > 0 && draw(`thrown away ${version}`) < 0.04) continue;
    const day = number === 0 ? ga : weekStart + drawBetween(0, 3, `weekday ${version}`);
    releases.push({ version, minor, stage: 'ga', number, day, extended: weekStart > ga + MAINTENANCE });
    weekStart += weeksUntilNext(version, weekStart - ga) * WEEK;
  }
  return releases;
}

/** Weekly in full support with occasional gaps, then every third week, then every fifth. */
function weeksUntilNext(version: string, age: number): number {
  if (age > MAINTENANCE) return 5;
  if (age > FULL_SUPPORT) return 3;
  return draw(`week left out ${version}`) < 0.1 ? 2 : 1;
}

interface Entry {
  readonly previous: Minor;
  /** Oldest patch of the previous minor with updates into this minor. */
  readonly fromNumber: number;
}

const ENTRIES: ReadonlyMap<Minor, Entry> = new Map(
  TRAINS.slice(1).map(({ minor }, index) => [
    minor,
    { previous: TRAINS[index]!.minor, fromNumber: drawBetween(4, 9, `entry ${minor}`) },
  ]),
);

/** Includes conditional updates. */
export function canUpdate(from: DemoRelease, to: DemoRelease): boolean {
  // Engineering candidates have no direct update to GA; they need a release candidate first.
  if (from.minor === to.minor) return from.stage !== 'ec' || to.stage !== 'ga';
  const entry = ENTRIES.get(to.minor);
  return (
    entry?.previous === from.minor &&
    from.stage === 'ga' &&
    from.number >= entry.fromNumber &&
    // A release knows only earlier ones: a newer patch of the previous minor waits for the next release.
    from.day <= to.day
  );
}

// Order of the update service.
const PREFIXES = ['candidate', 'eus', 'fast', 'stable'] as const;
type Prefix = (typeof PREFIXES)[number];

/** Days before a release is promoted. */
const SOAK: Readonly<Record<Prefix, number>> = { candidate: 0, fast: 4, eus: 9, stable: 14 };

/** Share of releases without a build for the architecture. */
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
  /** Releases by minor, the channel's own minor last. */
  readonly minors: readonly (readonly DemoRelease[])[];
}

const CHANNELS: readonly Channel[] = TRAINS.flatMap(({ minor, longLived }, index) => {
  const own = releasesOf(index);
  const isReleased = own.some((release) => release.stage === 'ga');
  // Clusters on a long-lived minor update to the next one, so these channels reach two minors back.
  const span = longLived && isReleased ? 2 : 1;
  const minors = [...TRAINS.keys()].slice(Math.max(0, index - span), index + 1).map(releasesOf);
  return PREFIXES.filter((prefix) => prefix === 'candidate' || isReleased)
    .filter((prefix) => prefix !== 'eus' || longLived)
    .map((prefix) => ({ name: `${prefix}-${minor}`, prefix, minors }));
});

/** Oldest minor first: `candidate-4.12`, `eus-4.12`, …, `candidate-5.0`. */
export const DEMO_CHANNELS: readonly string[] = CHANNELS.map((channel) => channel.name);

export function channelMembers(arch: Arch): ReadonlyMap<string, readonly DemoRelease[]> {
  return new Map(CHANNELS.map((channel) => [channel.name, membersOf(channel, arch)]));
}

function membersOf({ prefix, minors }: Channel, arch: Arch): DemoRelease[] {
  const promoted = minors.map((releases) =>
    releases.filter((release) => isBuilt(release, arch) && isPromoted(release, prefix)),
  );
  if (prefix === 'candidate') return promoted.flat();
  // Tested channels have no dead ends: the newest releases of an older minor join once they have an update.
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
  // Some releases fail their last tests and stay in candidate.
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

/** Deterministic number in [0, 1) from the label alone, so that a new draw changes no other. */
function draw(label: string): number {
  return createHash('sha256').update(`${SEED}\n${label}`).digest().readUInt32BE() / 2 ** 32;
}

/** Both ends included. */
export function drawBetween(low: number, high: number, label: string): number {
  return low + Math.floor(draw(label) * (high - low + 1));
}
