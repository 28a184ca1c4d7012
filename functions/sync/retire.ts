import { gzipSync } from 'node:zlib';
import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import type { ReleaseRow } from '@cairn/shared/releases/catalogue';
import { planRetirement } from '@cairn/shared/releases/retirement';
import { CHANNEL_NAMES } from '@cairn/shared/releases/values';
import { isInFuture } from '@cairn/shared/time/future';
import { ARCHES } from '@cairn/shared/version/arch';
import { type Minor, minorOf } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import { LeaseLost } from '../jobs/run-under-lease.ts';
import { claimRelease, deleteRelease } from '../releases/rows.ts';
import type { SyncState } from '../releases/sync-state.ts';
import { archiveJson } from '../store/bucket.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import { remove } from '../store/published.ts';
import type { SyncRun } from './run.ts';

export type RetirementState = Pick<SyncState, 'retired' | 'retirementHeld'>;

/** Deletes the data of minors whose grace period after leaving the configuration is over. */
export async function retireMinors(
  run: SyncRun,
  rows: readonly ReleaseRow[],
  before: RetirementState,
): Promise<RetirementState> {
  const { config, bucket, log, clock } = run.dependencies;
  const candidates = rows.map((row) => ({ ...row, minor: minorOfRow(row) }));
  const plan = planRetirement({
    configured: config.sources.map((source) => source.minor),
    rows: candidates,
    retiredSince: new Map(Object.entries(before.retired) as [Minor, string][]),
    confirmed: config.confirmRemoval,
    pinnedVersions: new Set(config.staticReleases.map((release) => release.version)),
    now: run.slot,
    graceMs: run.limits.retirementGraceMs,
  });
  await claimReturned(run, candidates, before);
  // A slot in the future does not prove that the grace period is over.
  const deletable = isInFuture(run.slot, clock()) ? [] : plan.deletable;
  if (deletable.length > 0) {
    const minors = [...new Set(deletable.map((row) => row.minor))];
    // Archive the rows first, so that a removal can be undone manually.
    await archiveJson(bucket, `removed/${run.slot}.json.gz`, gzipSync(JSON.stringify(deletable)));
    // Delete rows last: while one exists, the next run finds the minor and completes the removal.
    await deleteGraphs(run, minors);
    await deleteRows(run, deletable);
    log.info('rows of retired minors deleted', { minors, rows: deletable.length });
  }
  const deleted = new Set(deletable);
  const left = new Set(candidates.filter((row) => !deleted.has(row)).map((row) => row.minor));
  const stillRetired = [...plan.retiredSince].filter(([minor]) => left.has(minor));
  return { retired: Object.fromEntries(stillRetired), retirementHeld: plan.held?.reason ?? null };
}

export function isRetirementDue(run: SyncRun, { retired }: RetirementState): boolean {
  const { retirementGraceMs } = run.limits;
  return Object.values(retired).some(
    (since) => Date.parse(run.slot) - Date.parse(since) >= retirementGraceMs,
  );
}

/** Claims rows of a minor that is followed again: a stalled earlier run must not delete them. */
async function claimReturned(
  run: SyncRun,
  rows: readonly (ReleaseRow & { readonly minor: Minor })[],
  { retired }: RetirementState,
): Promise<void> {
  const { config, table } = run.dependencies;
  const returned = new Set(config.sources.map(({ minor }) => minor).filter((minor) => minor in retired));
  const claimed = rows.filter(({ minor }) => returned.has(minor));
  await mapConcurrent(claimed, run.limits.rowWritesAtOnce, (row) => claimRelease(table, row, run.token));
}

async function deleteRows(run: SyncRun, rows: readonly ReleaseRow[]): Promise<void> {
  const deleted = await mapConcurrent(rows, run.limits.rowWritesAtOnce, (row) =>
    deleteRelease(run.dependencies.table, row, run.token),
  );
  if (deleted.includes(false)) throw new LeaseLost('a later run follows what this one would delete');
}

async function deleteGraphs(run: SyncRun, minors: readonly Minor[]): Promise<void> {
  for (const minor of minors) {
    for (const channel of CHANNEL_NAMES) {
      for (const arch of ARCHES) {
        const name = PUBLICATION_NAME.graph(`${channel}-${minor}`, arch);
        const isGone = await remove(run.dependencies.table, name, run.token);
        if (!isGone) throw new LeaseLost(`a later run has published ${name}`);
      }
    }
  }
}

function minorOfRow(row: ReleaseRow): Minor {
  const version = parseVersion(row.version);
  if (!version) throw new Error(`stored release has the malformed version ${row.version}`);
  return minorOf(version);
}
