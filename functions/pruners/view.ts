import type { FinishedRunFacts } from '@cairn/shared/prune/images/pruner/conditions';
import { conditionsNow, type PrunerRecord } from '@cairn/shared/prune/images/pruner/record';
import {
  API_GROUP,
  notApplicableFields,
  PRUNER_KIND,
  writePrunerSpec,
} from '@cairn/shared/prune/images/pruner/spec';
import { nextTimes } from '@cairn/shared/prune/schedule/next-times';
import { readSchedule } from '@cairn/shared/prune/schedule/read-schedule';
import { sha256Hex } from '../runtime/hash.ts';
import type { Stop } from '../switches/store.ts';
import type { StoredPruner } from './store.ts';

const NEXT_RUNS = 5;
const DRY_RUN_NOTE = 'a dry run: it reports what would go and deletes nothing until spec.dryRun is false';

/** Shown as a Kubernetes object: `spec` can be sent back unchanged. */
export function prunerView({ name, record }: StoredPruner, now: number, stopped: Stop | null) {
  const { spec } = record;
  return {
    apiVersion: `${API_GROUP}/v1`,
    kind: PRUNER_KIND,
    metadata: {
      name,
      uid: record.uid,
      generation: record.generation,
      creationTimestamp: record.createdAt,
    },
    spec: writePrunerSpec(spec),
    status: {
      observedGeneration: record.observedGeneration,
      conditions: conditionsNow(record, now, stopped),
      nextRuns: nextRuns(record, now, NEXT_RUNS),
      lastRun: record.lastRun,
      activeRun: record.activeRun,
      inUse: record.inUse,
      notApplicable: notApplicableFields(spec),
      dryRun: spec.dryRun ? DRY_RUN_NOTE : null,
    },
  };
}

export function prunerSummary({ name, record }: StoredPruner, now: number, stopped: Stop | null) {
  const { schedule, timeZone, suspend, dryRun, managementState, target } = record.spec;
  return {
    name,
    schedule,
    timeZone,
    suspend,
    dryRun,
    managementState,
    target,
    nextRun: nextRuns(record, now, 1)[0] ?? null,
    lastRun: record.lastRun && runSummary(record.lastRun),
    running: record.activeRun !== null,
    conditions: conditionsNow(record, now, stopped).map(({ type, status, reason }) => ({
      type,
      status,
      reason,
    })),
  };
}

function runSummary({ id, outcome, dryRun, finishedAt }: FinishedRunFacts) {
  return { id, outcome, dryRun, finishedAt };
}

/** Empty while the pruner is suspended. */
function nextRuns({ spec, schedule, changedAt }: PrunerRecord, now: number, count: number): string[] {
  const reading = readSchedule(spec.schedule);
  if (spec.suspend || !reading.ok) return [];
  const since = Date.parse(schedule.inForce?.since ?? changedAt);
  return nextTimes(reading.schedule, spec.timeZone, { after: now, count, since }).map((time) =>
    new Date(time).toISOString(),
  );
}

/** Changes with the spec only. */
export function specTag({ record: { uid, generation } }: StoredPruner): string {
  return `"${uid.slice(0, 8)}-${generation}"`;
}

/** Changes with every shown value. Its first part is the spec tag. */
export function entityTag(pruner: StoredPruner, view: ReturnType<typeof prunerView>): string {
  const hash = sha256Hex(JSON.stringify(view)).slice(0, 12);
  return `${specTag(pruner).slice(0, -1)}.${hash}"`;
}

/** Compares spec tags only, so that the end of a run does not fail a precondition. */
export function specPreconditions(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const ofSpec = (tags: string | undefined) => tags?.replaceAll(/\.[0-9a-f]{12}(-gzip)?"/g, '"');
  return { 'if-match': ofSpec(headers['if-match']), 'if-none-match': ofSpec(headers['if-none-match']) };
}
