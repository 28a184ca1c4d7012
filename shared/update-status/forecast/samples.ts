import { CONTROL_PLANE_POOL } from '../../cluster/pools.ts';
import type { ClusterRecord } from '../../cluster/record.ts';
import { clusterSize, isNetworkSerial, median, modelMinutes } from '../../plan/duration.ts';
import { parseVersion } from '../../version/release-version.ts';
import { summarizeRun } from '../runs/past.ts';
import type { PastRun } from '../runs/run.ts';
import type { UpdateSample } from './fleet.ts';
import { completedUpdates } from './past-updates.ts';

const DAY_MS = 24 * 3600_000;
const KEPT_MS = 180 * DAY_MS;
/** Of one cluster, so that none outweighs the others. */
const MOST_OF_CLUSTER = 3;
const MOST_SAMPLES = 500;

export function updateSamples(
  cluster: string,
  { facts, runs }: Pick<ClusterRecord, 'facts' | 'runs'>,
  now: number,
): UpdateSample[] {
  const past = [...runs.recent.filter(({ openedAt }) => openedAt !== null).map(summarizeRun), ...runs.past];
  const size = clusterSize(facts);
  return completedUpdates(facts.clusterVersion?.history ?? [])
    .filter(({ entry }) => isKept(entry.completionTime!, now))
    .slice(0, MOST_OF_CLUSTER)
    .map(({ entry, minutes, minors }) => {
      const version = parseVersion(entry.version);
      const run = past.find(
        ({ startedAt, image }) => startedAt === entry.startedTime && image === entry.image,
      );
      const workers = run?.pools.filter(({ name }) => name !== CONTROL_PLANE_POOL) ?? [];
      return {
        cluster,
        startedAt: entry.startedTime!,
        completedAt: entry.completionTime!,
        minors,
        minutes,
        ratio:
          'reason' in size || version === null
            ? null
            : minutes / modelMinutes(size, isNetworkSerial(version, facts.networkType)).expected,
        nodeMinutes: median(workers.flatMap(({ nodeMinutes }) => nodeMinutes)),
        forecastError: run === undefined ? null : errorOf(run),
      };
    });
}

function isKept(completedAt: string, now: number): boolean {
  return now - Date.parse(completedAt) <= KEPT_MS;
}

function errorOf({ beganAt, completedAt, forecasts }: PastRun): number | null {
  const end = forecasts?.begin?.whole ?? null;
  if (end === null || completedAt === null || completedAt <= beganAt) return null;
  return Math.abs(completedAt - end) / (completedAt - beganAt);
}

/** Replaces the samples of these clusters; the newest of the fleet stay. */
export function samplesAfter(
  former: readonly UpdateSample[],
  fresh: ReadonlyMap<string, readonly UpdateSample[]>,
  now: number,
): UpdateSample[] {
  return [...former.filter(({ cluster }) => !fresh.has(cluster)), ...[...fresh.values()].flat()]
    .filter(({ completedAt }) => isKept(completedAt, now))
    .toSorted(
      (a, b) => Date.parse(b.completedAt) - Date.parse(a.completedAt) || (a.cluster < b.cluster ? -1 : 1),
    )
    .slice(0, MOST_SAMPLES);
}
