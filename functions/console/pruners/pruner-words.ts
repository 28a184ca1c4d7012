import { countInWords } from '@cairn/shared/text/words';
import type { PrunerPageAnswer, PrunerRunAnswer, PrunerRunsAnswer } from '../data/responses.ts';
import type { Tone } from '../ui/controls.tsx';

export type PrunerSummary = PrunerPageAnswer['pruners'][number];
type ListedRun = PrunerRunsAnswer['runs'][number];
export type FinishedRun = Extract<PrunerRunAnswer, { state: 'finished' }>;
export type ActiveRun = Extract<PrunerRunAnswer, { state: 'running' | 'paused' }>;

export interface Mark {
  readonly tone: Tone;
  /** Prefix for a tone without a symbol. */
  readonly sign?: string;
  readonly words: string;
}

/** Health first, then the kind of pruner. */
export function prunerMarks(
  pruner: Pick<PrunerSummary, 'running' | 'suspend' | 'dryRun' | 'managementState'> & {
    readonly conditions: readonly Readonly<Record<'type' | 'status' | 'reason', string>>[];
  },
): Mark[] {
  const has = (type: string, status: string): boolean =>
    pruner.conditions.some((condition) => condition.type === type && condition.status === status);
  const health = (): Mark => {
    if (pruner.running) return { tone: 'info', sign: '▶', words: 'Running' };
    if (has('Degraded', 'True')) return { tone: 'block', words: 'Degraded' };
    if (has('Failed', 'True')) return { tone: 'block', words: 'Last run failed' };
    if (has('Available', 'False')) return { tone: 'block', words: 'No schedule' };
    if (has('Failed', 'Unknown')) return { tone: 'plain', sign: '○', words: 'Has not run yet' };
    return { tone: 'ok', words: 'Healthy' };
  };
  return [
    health(),
    ...(pruner.conditions.some(({ reason }) => reason === 'Stopped')
      ? [{ tone: 'cond', words: 'Stopped, with all others' } as const]
      : []),
    ...(pruner.suspend ? [{ tone: 'cond', words: 'Suspended' } as const] : []),
    ...(pruner.dryRun ? [{ tone: 'info', sign: '◌', words: 'Dry run' } as const] : []),
    ...(pruner.managementState === 'Managed'
      ? []
      : [{ tone: 'info', words: `Registry is ${pruner.managementState}` } as const]),
  ];
}

export function runMark(run: ListedRun): Mark {
  if (run.state === 'skipped') return { tone: 'plain', sign: '○', words: 'Skipped' };
  if (run.state !== 'finished') return { tone: 'info', sign: '▶', words: 'Running' };
  return run.outcome === 'Failed'
    ? { tone: 'block', words: 'Failed' }
    : { tone: 'ok', words: run.dryRun ? 'Dry run done' : 'Done' };
}

export function progressWords({ phase, listed, percent, state }: ActiveRun): string {
  const words = {
    inventory: `Listing the storage, ${countInWords(listed, 'object')} so far`,
    decide: `Deciding what may go of ${countInWords(listed, 'object')}`,
    delete: `Deleting, ${percent ?? 0} % done`,
    revive: 'Bringing back what came into use meanwhile',
  }[phase];
  return state === 'paused' ? `${words}; paused, goes on by itself` : words;
}

/** Plain text for the keys of a plan. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['superseded', 'its tag has moved on'],
  ['untagged', 'no tag leads to it'],
  ['unused', 'nothing uses it'],
  ['subject-gone', 'what it is about goes'],
  ['dangling', 'it leads to nothing'],
  ['unreferenced', 'no kept image has it'],
  ['abandoned', 'nobody went on with the upload'],
]);

export function reasonWords(reason: string): string {
  return REASONS.get(reason) ?? reason;
}

/** Null if the breaker's message says enough. */
export function breakerAdvice(reason: string): string | null {
  if (reason === 'TooMuch') return 'Read what would go. If that is right, agree to this very plan.';
  return /InUse|NoTags/.test(reason) ? 'Send what is in use, all kinds, not older than 6 hours.' : null;
}

/** Bytes count deletions, now or in a later run. */
export function kindTotals(totals: NonNullable<FinishedRun['plan']>['totals']) {
  return Object.entries(totals).map(([kind, fates]) => {
    const row = { kind, stays: 0, later: 0, now: 0, bytes: 0 };
    for (const [fate, { count, bytes }] of Object.entries(fates)) {
      const place =
        fate === 'condemned' ? 'later' : fate === 'unlinked' || fate === 'swept' ? 'now' : 'stays';
      row[place] += count;
      if (place !== 'stays') row.bytes += bytes;
    }
    return row;
  });
}

export function realRunCommand(url: string): string {
  const type = "-H 'content-type: application/json'";
  return [
    `url=${url}`,
    `curl -s $url | jq '.spec.dryRun = false' | curl -s -X PUT --data-binary @- ${type} $url`,
    `curl -s -X POST --data '{}' ${type} $url/runs`,
  ].join('\n');
}

/** One line: `none` for empty values, `bucket: registry, prefix: prod` for an object. */
export function settingText(value: unknown): string {
  if (Array.isArray(value)) return value.map(settingText).join(', ') || 'none';
  if (typeof value === 'object' && value !== null) {
    return settingText(Object.entries(value).map(([name, inner]) => `${name}: ${settingText(inner)}`));
  }
  return value === null || value === '' ? 'none' : JSON.stringify(value).replaceAll('"', '');
}
