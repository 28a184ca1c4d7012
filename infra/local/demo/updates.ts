import type { Risk } from '@cairn/shared/graph/graph';
import type { Minor } from '@cairn/shared/version/minor';
import { drawBetween } from './draw.ts';
import { RELEASES, TRAINS } from './release-train.ts';
import type { DemoRelease } from './release-train.ts';
import { DEFECTS, hasDefect, RELEASE_CANDIDATE_ORIGIN } from './risks.ts';
import type { Defect } from './risks.ts';

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
