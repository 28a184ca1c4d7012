import { inColumns } from '@cairn/shared/text/as-text';
import type { SyncResult } from '../../functions/sync/run.ts';

/** The outcome of a sync for a person: a line per pair, then the sum. */
export function resultTable(result: SyncResult): string {
  if (result.status === 'Skipped') return `sync skipped: ${result.reason}\n`;
  const rows = result.pairs.map(({ pair, state }) => [
    pair.channel,
    pair.arch,
    state.outcome,
    String(state.nodes),
    String(state.edges),
    state.held?.reason ?? (state.error ? `${state.error.code}: ${state.error.detail}` : ''),
  ]);
  const header = ['CHANNEL', 'ARCH', 'RESULT', 'VERSIONS', 'UPDATES', 'NOTE'];
  const lines = inColumns([header, ...rows]);
  const { outcome, versionsAdded, durationMs, notes } = result.record;
  const sum = `${outcome}: ${rows.length} channels, ${versionsAdded} new versions, ${(durationMs / 1000).toFixed(1)} s`;
  return `${[...lines, '', sum, ...notes].join('\n')}\n`;
}
