import { createHash } from 'node:crypto';
import { type ReleaseGraph, serializeGraph } from '@cairn/shared/graph/graph';
import { normalizeGraph, type RepairReport } from '@cairn/shared/graph/normalize';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import type { PairState } from '../releases/sync-state.ts';
import type { SyncRun } from './job.ts';

export interface Answer {
  readonly graph: ReleaseGraph;
  readonly hash: string;
  readonly repairs: PairState['repairs'];
}

/** What upstream says of a pair, in canonical form, or why that is of no use. */
export async function askUpstream(
  run: SyncRun,
  pair: ConfigPair,
): Promise<Answer | { readonly error: { code: string; detail: string } }> {
  const fetched = await run.upstream.fetchGraph(pair.channel, pair.arch);
  if (!fetched.ok) return { error: fetched };
  const { payloadHosts } = run.dependencies.upstream;
  const normalized = normalizeGraph(fetched.answer, {
    arch: pair.arch,
    ...(payloadHosts && { payloadHosts }),
  });
  if (!normalized.ok) return { error: normalized };
  // An answer in which nothing is usable is not an empty channel.
  const [fault] = normalized.report;
  if (normalized.graph.nodes.length === 0 && fault) {
    return { error: { code: 'NothingUsable', detail: `${fault.code}: ${fault.examples[0] ?? ''}` } };
  }
  const hash = createHash('sha256').update(serializeGraph(normalized.graph)).digest('hex');
  return { graph: normalized.graph, hash, repairs: repairsOf(normalized.report) };
}

function repairsOf(report: RepairReport): PairState['repairs'] {
  return report.map(({ code, count, examples }) => ({ code, count, examples: examples.slice(0, 3) }));
}
