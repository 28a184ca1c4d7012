import { writePrunerSpec } from '@cairn/shared/prune/images/pruner/spec';
import type { PruneOutcome } from '@cairn/shared/prune/images/values';
import type { JobRun } from '../store/run-records.ts';
import type { PruneCounts, PruneReport } from './finish.ts';
import type { UnfinishedRun } from './progress.ts';

export type PruneRun = JobRun<PruneCounts, PruneOutcome>;

/** Frozen repositories in a response. `frozenTotal` counts all. */
const MOST_FROZEN = 1000;

export function activeRunView({ isHeld, progress }: UnfinishedRun) {
  const { slot, trigger, dryRun, startedAt, phase, listed, planned, deletedLines, deleted } = progress;
  return {
    id: slot,
    state: isHeld ? ('running' as const) : ('paused' as const),
    trigger,
    dryRun,
    startedAt,
    phase,
    listed,
    planned,
    deleted,
    percent: phase === 'delete' && planned > 0 ? Math.floor((100 * deletedLines) / planned) : null,
  };
}

export type ActiveRunView = ReturnType<typeof activeRunView>;

export function runRecordView(run: PruneRun) {
  const { slot, trigger, outcome, durationMs, notes } = run;
  const message = notes.join('; ');
  if (outcome === 'Skipped' || run.counts === null) return skippedRunView(run);
  const { dryRun, reason, listed, planned, deleted, revived } = run.counts;
  return {
    id: slot,
    state: 'finished' as const,
    trigger,
    dryRun,
    outcome,
    reason,
    message,
    durationMs,
    listed,
    planned,
    deleted,
    revived,
  };
}

export function skippedRunView({ slot, trigger, notes }: PruneRun) {
  return { id: slot, state: 'skipped' as const, trigger, message: notes.join('; ') };
}

/** Limits the examples per kind. */
export function reportView({ run, spec, plan, cluster, ...report }: PruneReport, examples: number) {
  return {
    id: run,
    state: 'finished' as const,
    ...report,
    spec: writePrunerSpec(spec),
    plan: plan && {
      ...plan,
      frozenTotal: plan.frozen.length,
      frozen: plan.frozen.slice(0, MOST_FROZEN),
      examplesTotal: plan.reasons.reduce((sum, { count }) => sum + count, 0),
      examples: firstOfEach(plan.examples, examples),
    },
    cluster: cluster && {
      ...cluster,
      tagItems: cluster.tagItems.slice(0, examples),
      emptiedTags: cluster.emptiedTags.slice(0, examples),
      images: cluster.images.slice(0, examples),
    },
  };
}

export type ReportView = ReturnType<typeof reportView>;

function firstOfEach<Item extends { readonly kind: string }>(items: readonly Item[], most: number): Item[] {
  const counts = new Map<string, number>();
  return items.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= most;
  });
}
