import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import {
  buildChannelIndex,
  type ChannelEntry,
  channelFacts,
  type ChannelIndex,
  factsOf,
  NO_FACTS,
} from '@cairn/shared/graph/channel-index';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { storedGraph } from '../releases/stored-graph.ts';
import type { SyncState } from '../releases/sync-state.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import {
  type PublicationHead,
  PUBLICATION,
  readPublished,
  type StoredPublication,
} from '../store/published.ts';
import type { PairResult } from './pair-result.ts';
import { publishJson } from './read-model.ts';
import type { SyncRun } from './run.ts';

/** Raise it when the index shape changes: the next run then rebuilds every index. */
const FORMAT = 1;

/** Source of one channel in an index. Stored in the head, so that reading heads shows whether the index is current. */
interface IndexSource {
  /** Revision of the published graph; null if there is none. */
  readonly revision: string | null;
  readonly withdrawn: readonly string[];
}

type IndexSources = Readonly<Record<string, IndexSource>>;

type Indexed = Pick<ChannelEntry, 'publishedAt' | 'facts'> & Pick<IndexSource, 'revision'>;

/**
 * Updates the index of each architecture. Reads nothing while its sources are unchanged. Missing facts come
 * from this run or, after an interrupted run, from the published graph.
 */
export async function updateChannelIndexes(
  run: SyncRun,
  heads: ReadonlyMap<string, PublicationHead>,
  results: readonly PairResult[],
  before: SyncState['indexRevisions'],
): Promise<SyncState['indexRevisions']> {
  // An empty configuration hides no channel.
  if (run.dependencies.config.sources.length === 0) return before;
  const revisions: Record<string, string> = {};
  // Publish an empty index for an unfollowed architecture: queries distinguish it from one that was never
  // synced.
  for (const arch of ARCHES) {
    const followed = results.filter(({ pair }) => pair.arch === arch);
    const sources = sourcesOf(arch, followed, heads);
    const head = heads.get(PUBLICATION_NAME.channelIndex(arch));
    const isCurrent =
      head?.revision === before[arch] && isDeepStrictEqual(head?.summary, { format: FORMAT, sources });
    const current = head && isCurrent ? head : await publishIndex(run, arch, sources, followed);
    revisions[arch] = current.revision;
  }
  return revisions;
}

async function publishIndex(
  run: SyncRun,
  arch: Arch,
  wanted: IndexSources,
  results: readonly PairResult[],
): Promise<PublicationHead> {
  const name = PUBLICATION_NAME.channelIndex(arch);
  const stored = await readPublished(run.dependencies.table, PUBLICATION, name);
  const former = readIndex(stored);
  const entries: ChannelEntry[] = [];
  const sources: Record<string, IndexSource> = {};
  for (const { pair, facts } of results) {
    const { channel } = pair;
    const { revision, withdrawn } = wanted[channel]!;
    const found: Indexed = facts
      ? { revision, publishedAt: run.slot, facts }
      : (former(channel, revision) ?? (await fromDocument(run, channel, arch)));
    entries.push({ channel, withdrawn, publishedAt: found.publishedAt, facts: found.facts });
    sources[channel] = { revision: found.revision, withdrawn };
  }
  const text = JSON.stringify(buildChannelIndex(entries));
  return publishJson(run, { name, text, summary: { format: FORMAT, sources } }, stored);
}

function sourcesOf(
  arch: Arch,
  results: readonly PairResult[],
  heads: ReadonlyMap<string, PublicationHead>,
): IndexSources {
  const sources = results.map(({ pair, state }): [string, IndexSource] => {
    const published = heads.get(PUBLICATION_NAME.graph(pair.channel, arch))?.revision ?? null;
    const withdrawn = Object.entries(state.missing).filter(
      ([, { withdrawnAt }]) => withdrawnAt !== undefined,
    );
    return [
      pair.channel,
      {
        // An interrupted run may have published a revision that is missing from the state.
        revision: state.revision === null || (published ?? '') > state.revision ? published : state.revision,
        withdrawn: withdrawn.map(([version]) => version).toSorted(),
      },
    ];
  });
  return Object.fromEntries(sources);
}

/** Looks up the facts of a channel if the index has them from this revision. */
function readIndex({
  head,
  body,
}: StoredPublication): (channel: string, revision: string | null) => Indexed | null {
  if (!body || head?.summary['format'] !== FORMAT) return () => null;
  const index = JSON.parse(gunzipSync(body).toString('utf8')) as ChannelIndex;
  const sources = head.summary['sources'] as IndexSources;
  return (channel, revision) => {
    if (sources[channel]?.revision !== revision) return null;
    const facts = factsOf(index, channel);
    const publishedAt = index.channels.find((indexed) => indexed.channel === channel)?.publishedAt ?? null;
    return facts && { revision, publishedAt, facts };
  };
}

async function fromDocument(run: SyncRun, channel: string, arch: Arch): Promise<Indexed> {
  const stored = await readPublished(
    run.dependencies.table,
    PUBLICATION,
    PUBLICATION_NAME.graph(channel, arch),
  );
  const graph = stored.body ? storedGraph(stored.body, { channel, arch }) : null;
  if (!stored.head || !graph) return { revision: null, publishedAt: null, facts: NO_FACTS };
  const { revision, publishedAt } = stored.head;
  return { revision, publishedAt, facts: channelFacts(graph) };
}
