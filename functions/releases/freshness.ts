import type { KnownPairs } from './pair-states.ts';
import { isStale } from './sync-state.ts';
import type { ReleaseSnapshot } from './planning-release-reader.ts';

/** How fresh the graphs are that an answer comes from. */
export interface GraphFreshness {
  /** Of the one that was renewed longest ago. */
  readonly syncedAt: string | null;
  readonly stale: boolean;
  /** What their entity tags begin with. */
  readonly etag: string;
}

export interface FreshnessSources {
  readonly states: KnownPairs;
  readonly clock: () => number;
  readonly sync: { readonly intervalMs: number };
}

export async function graphFreshness(
  channels: readonly string[],
  snapshot: ReleaseSnapshot,
  { states, clock, sync }: FreshnessSources,
): Promise<GraphFreshness> {
  const graphs = await Promise.all(
    channels.map(async (channel) => ({
      etag: await snapshot.entityTag(channel),
      syncedAt: (await states.get(`${channel}/${snapshot.arch}`))?.lastSuccessAt ?? null,
    })),
  );
  return {
    etag: graphs.flatMap(({ etag }) => etag ?? []).join(', '),
    syncedAt: graphs.flatMap(({ syncedAt }) => syncedAt ?? []).toSorted()[0] ?? null,
    stale: graphs.some(({ syncedAt }) => isStale({ lastSuccessAt: syncedAt }, clock(), sync.intervalMs)),
  };
}
