import { isDeepStrictEqual } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { mapConcurrent } from '@cairn/shared/collection/map-concurrent';
import {
  buildChannelIndex,
  type ChannelEntry,
  channelFacts,
  type ChannelIndex,
  factsOf,
  NO_FACTS,
} from '@cairn/shared/graph/channel-index';
import {
  buildCatalogue,
  type Catalogue,
  excludedReleases,
  type ReleaseRow,
  listedReleases,
} from '@cairn/shared/releases/catalogue';
import { pairName } from '@cairn/shared/releases/channel';
import {
  dayOf,
  DEFAULT_EUS_TERMS,
  listSupport,
  supportCalendar,
  type SupportSettings,
} from '@cairn/shared/releases/lifecycle';
import { type ConfigPair, configPairs, type ReleaseConfig } from '@cairn/shared/releases/sources';
import { excludedTest } from '@cairn/shared/releases/static-releases';
import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import { LeaseLost } from '../jobs/run-under-lease.ts';
import type { PublishedConfiguration } from '../releases/configuration.ts';
import type { PublishedCatalogue } from '../releases/release-reader.ts';
import { setWithdrawn } from '../releases/rows.ts';
import { storedGraph } from '../releases/stored-graph.ts';
import { readSyncState, type SyncState, type PairState } from '../releases/sync-state.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { PUBLICATION_NAME } from '../store/keys.ts';
import {
  claim,
  type PublicationHead,
  readHeads,
  isOfLaterRun,
  publish,
  PUBLICATION,
  readPublished,
  type StoredPublication,
} from '../store/published.ts';
import type { PairResult } from './pair-result.ts';
import type { ReleaseRows } from './release-rows.ts';
import { isRetirementDue, retireMinors, type RetirementState } from './retire.ts';
import type { SyncRun } from './run.ts';

export type Heads = ReadonlyMap<string, PublicationHead>;

/**
 * Fences publications that this run may find unchanged against stalled earlier runs: all of them after an
 * unfinished run, and graphs of minors that are followed again. Rereads heads that changed meanwhile.
 */
export async function fencePublications(
  run: SyncRun,
  pairs: readonly ConfigPair[],
  heads: Heads,
  { finishedBy, retired }: Pick<SyncState, 'finishedBy' | 'retired'>,
): Promise<Heads> {
  const { table } = run.dependencies;
  const isSomebodyLeft = finishedBy !== run.token - 1;
  const returned = new Set(
    pairs
      .filter(({ minor }) => minor in retired)
      .map(({ channel, arch }) => PUBLICATION_NAME.graph(channel, arch)),
  );
  const claimed = [...heads.values()].filter(({ name }) => isSomebodyLeft || returned.has(name));
  const lost = await mapConcurrent(claimed, run.limits.rowWritesAtOnce, async (head) =>
    (await claim(table, head, run.token)) ? [] : [head.name],
  );
  const names = lost.flat();
  if (names.length === 0) return heads;
  const untouched = [...heads].filter(([name]) => !names.includes(name));
  return new Map([...untouched, ...(await readHeads(table, names))]);
}

const PUBLISH_ATTEMPTS = 3;

/**
 * Publishes JSON over the publication that was read, or over one that a stalled older run wrote since. A
 * newer publication ends this run.
 */
export async function publishJson(
  run: SyncRun,
  document: Pick<PublicationHead, 'name' | 'summary'> & { readonly text: string },
  stored: StoredPublication,
): Promise<PublicationHead> {
  const { table } = run.dependencies;
  const { name, summary, text } = document;
  const content = { name, etag: sha256Hex(text), publishedAt: run.slot, summary, body: gzipSync(text) };
  let current = stored;
  for (let attempt = 1; ; attempt++) {
    const outcome = await publish(table, PUBLICATION, { ...content, revision: run.nextRevision() }, current);
    if (outcome.published) return outcome.head;
    if (outcome.head && isOfLaterRun(outcome.head, run.token)) {
      throw new LeaseLost(`${name} is of a later run, at revision ${outcome.head.revision}`);
    }
    if (attempt === PUBLISH_ATTEMPTS) throw new Error(`${name} kept changing while it was published`);
    current = await readPublished(table, PUBLICATION, name);
  }
}

type ReadModelState = RetirementState & Pick<SyncState, 'catalogueInputs'>;

type Pairs = Readonly<Record<string, PairState>>;

/** Updates catalogue and configuration. Reads no row while their inputs are unchanged. */
export async function updateReadModel(
  run: SyncRun,
  rows: ReleaseRows,
  {
    heads,
    pairs,
    before,
  }: {
    readonly heads: Heads;
    readonly pairs: Pairs;
    readonly before: ReadModelState;
  },
): Promise<ReadModelState> {
  const { config, eusTerms = DEFAULT_EUS_TERMS } = run.dependencies;
  const support = { eusTerms, dates: config.supportDates };
  const today = dayOf(Date.parse(run.slot));
  const inputs = fingerprint(config, pairs, support, today);
  const isCurrent = inputs === before.catalogueInputs && heads.has(PUBLICATION_NAME.catalogue);
  if (isCurrent && !isRetirementDue(run, before)) {
    const { retired, retirementHeld, catalogueInputs } = before;
    return { retired, retirementHeld, catalogueInputs };
  }
  const current = await flagWithdrawn(run, await rows.all(), pairs);
  await publishIfOther(run, PUBLICATION_NAME.configuration, publishedConfiguration(config, support), heads);
  const catalogue = buildCatalogue({
    config,
    rows: current,
    calendar: supportCalendar(support, today),
  });
  // An empty catalogue before the first successful fetch would show clients that there are no versions.
  const wasFetched = Object.values(pairs).every((pair) => pair.lastSuccessAt !== null);
  const isKnown = catalogue.releases.length > 0 || wasFetched;
  const listed = publishedCatalogue(catalogue, config.ignored);
  if (isKnown) await publishIfOther(run, PUBLICATION_NAME.catalogue, listed, heads);
  const retirement = await retireMinors(run, current, before);
  return { ...retirement, catalogueInputs: isKnown ? inputs : null };
}

/** Raise it when the catalogue of the same inputs changes: the next run then publishes it again. */
const CATALOGUE_FORMAT = 4;

/**
 * Covers all inputs of the catalogue: configuration, graph revisions, withdrawn versions, and the support phases of
 * the day.
 */
function fingerprint(config: ReleaseConfig, pairs: Pairs, support: SupportSettings, today: string): string {
  const graphs = Object.entries(pairs).map(([name, pair]) => {
    const withdrawn = Object.entries(pair.missing).filter(([, absence]) => absence.withdrawnAt);
    return JSON.stringify([name, pair.revision, withdrawn.map(([version]) => version)]);
  });
  const phases = listSupport(support, today, []).map(({ phase }) => phase);
  return sha256Hex(JSON.stringify([CATALOGUE_FORMAT, config, graphs.toSorted(), support.eusTerms, phases]));
}

/** False if the stored catalogue is of another configuration, or of support phases of an earlier day. */
export async function isReadModelCurrent({
  table,
  config,
  eusTerms = DEFAULT_EUS_TERMS,
  now,
}: Pick<SyncRun['dependencies'], 'table' | 'config' | 'eusTerms'> & { readonly now: number }) {
  const state = await readSyncState(table, { consistent: true });
  const support = { eusTerms, dates: config.supportDates };
  const inputs = fingerprint(config, state?.book.pairs ?? {}, support, dayOf(now));
  return inputs === state?.book.catalogueInputs;
}

/** A release is withdrawn once every followed channel that listed it has withdrawn it. */
async function flagWithdrawn(run: SyncRun, rows: readonly ReleaseRow[], pairs: Pairs): Promise<ReleaseRow[]> {
  const flagged: ReleaseRow[] = [];
  for (const row of rows) {
    const { withdrawnAt: former, ...rest } = row;
    const withdrawnAt = withdrawalOf(row, pairs);
    if (withdrawnAt !== former) await setWithdrawn(run.dependencies.table, row, withdrawnAt ?? null);
    flagged.push(withdrawnAt === undefined ? rest : { ...rest, withdrawnAt });
  }
  return flagged;
}

function withdrawalOf(row: ReleaseRow, pairs: Pairs): string | undefined {
  const followed = row.channels.flatMap((channel) => pairs[pairName(channel, row.arch)] ?? []);
  // None of its channels is followed any more: keep the last known value.
  if (followed.length === 0) return row.withdrawnAt;
  const since = followed.flatMap((pair) => pair.missing[row.version]?.withdrawnAt ?? []);
  if (since.length < followed.length) return undefined;
  return row.withdrawnAt ?? since.toSorted().at(-1);
}

async function publishIfOther(run: SyncRun, name: string, value: unknown, heads: Heads): Promise<void> {
  const text = JSON.stringify(value);
  if (heads.get(name)?.etag === sha256Hex(text)) return;
  await publishJson(
    run,
    { name, text, summary: {} },
    await readPublished(run.dependencies.table, PUBLICATION, name),
  );
}

function publishedCatalogue(catalogue: Catalogue, ignored: readonly string[]): PublishedCatalogue {
  const excluded = excludedReleases(catalogue, ignored);
  return { releases: listedReleases(catalogue, ignored), ...(excluded.length > 0 && { excluded }) };
}

function publishedConfiguration(config: ReleaseConfig, support: SupportSettings): PublishedConfiguration {
  const { ignored: versions, excludedInGraph: inGraph } = config;
  return {
    support,
    releaseSources: config.asConfigured,
    pairs: configPairs(config).map(({ channel, arch }) => pairName(channel, arch)),
    ...(versions.length > 0 && { excluded: { versions, inGraph } }),
  };
}

/** Raise it when the index shape changes: the next run then rebuilds every index. */
const FORMAT = 1;

/** Source of one channel in an index. Stored in the head, so that reading heads shows whether the index is current. */
interface IndexSource {
  /** Revision of the published graph; null if there is none. */
  readonly revision: string | null;
  readonly withdrawn: readonly string[];
  /** Hash of the configured exclusions; absent without any. */
  readonly excluded?: string;
}

type IndexSources = Readonly<Record<string, IndexSource>>;

type Indexed = Pick<ChannelEntry, 'publishedAt' | 'facts'> & Pick<IndexSource, 'revision'>;

/**
 * Updates the index of each architecture. Reads nothing while its sources are unchanged. Missing facts come
 * from this run or, after an interrupted run, from the published graph.
 */
export async function updateChannelIndexes(
  run: SyncRun,
  heads: Heads,
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
    const sources = sourcesOf(followed, heads, run.dependencies.config.ignored);
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
    const { revision, withdrawn, ...exclusion } = wanted[channel]!;
    const found: Indexed = facts
      ? { revision, publishedAt: run.slot, facts }
      : (former(channel, revision) ?? (await fromDocument(run, channel, arch)));
    entries.push({ channel, withdrawn, publishedAt: found.publishedAt, facts: found.facts });
    sources[channel] = { revision: found.revision, withdrawn, ...exclusion };
  }
  const text = JSON.stringify(buildChannelIndex(entries, excludedTest(run.dependencies.config.ignored)));
  return publishJson(run, { name, text, summary: { format: FORMAT, sources } }, stored);
}

function sourcesOf(results: readonly PairResult[], heads: Heads, ignored: readonly string[]): IndexSources {
  // Clusters are reassessed when a source changes, so it names what is excluded.
  const exclusion = ignored.length > 0 && { excluded: sha256Hex(JSON.stringify(ignored)).slice(0, 16) };
  const sources = results.map(({ pair, state }): [string, IndexSource] => {
    const withdrawn = Object.entries(state.missing).filter(
      ([, { withdrawnAt }]) => withdrawnAt !== undefined,
    );
    return [
      pair.channel,
      {
        revision: publishedRevision({ pair, state }, heads),
        withdrawn: withdrawn.map(([version]) => version).toSorted(),
        ...exclusion,
      },
    ];
  });
  return Object.fromEntries(sources);
}

/** An interrupted run may have published a revision that is missing from the state. */
export function publishedRevision(
  { pair, state }: Pick<PairResult, 'pair' | 'state'>,
  heads: Heads,
): string | null {
  const published = heads.get(PUBLICATION_NAME.graph(pair.channel, pair.arch))?.revision ?? null;
  return state.revision === null || (published ?? '') > state.revision ? published : state.revision;
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
