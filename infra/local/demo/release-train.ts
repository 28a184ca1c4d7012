import type { Minor } from '@cairn/shared/version/minor';
import { draw, drawBetween } from './draw.ts';

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
