import { gzipSync } from 'node:zlib';
import { groupBy } from '@cairn/shared/collection/group-by';
import { buildChannelIndex, channelFacts } from '@cairn/shared/graph/channel-index';
import { serializeGraph } from '@cairn/shared/graph/graph';
import { buildCatalogue, type ReleaseRow, listedReleases } from '@cairn/shared/releases/catalogue';
import { pairName, parseChannel } from '@cairn/shared/releases/channel';
import { dayOf, DEFAULT_SUPPORT, supportCalendar } from '@cairn/shared/releases/lifecycle';
import { type ReleaseConfig, parseReleaseConfig } from '@cairn/shared/releases/sources';
import { buildRiskIndex, channelRisks, type RiskIndex } from '@cairn/shared/risk/risk-index';
import { ARCHES, cpuArchitectureOf } from '@cairn/shared/version/arch';
import { minorOf } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import type { PublishedConfiguration } from '../../releases/configuration.ts';
import type { PublishedCatalogue } from '../../releases/release-reader.ts';
import { sha256Hex } from '../../runtime/hash.ts';
import { PUBLICATION_NAME } from '../../store/keys.ts';
import type { CachedPublication, Documents } from '../../store/publication-cache.ts';
import type { KnownGraph, SavedReleases } from './saved-graphs.ts';

/** Publications that a sync would create from these graphs, built on demand. */
export function inMemoryPublications({ graphs, support }: SavedReleases, clock: () => number): Documents {
  const makers = new Map<string, () => Promise<{ readonly text: string; readonly publishedAt: string }>>();
  const newest =
    graphs
      .map(({ publishedAt }) => publishedAt)
      .toSorted()
      .at(-1) ?? '';
  const json = (make: () => unknown) => async () => ({
    text: JSON.stringify(await make()),
    publishedAt: newest,
  });
  for (const { channel, arch, graph, publishedAt } of graphs) {
    makers.set(PUBLICATION_NAME.graph(channel, arch), async () => ({
      text: serializeGraph(graph),
      publishedAt,
    }));
  }
  const excluded = new Set(graphs.flatMap((known) => known.excluded));
  for (const arch of ARCHES) {
    const own = graphs.filter((known) => known.arch === arch);
    const entries = () => own.map(({ graph, ...known }) => ({ ...known, facts: channelFacts(graph) }));
    makers.set(
      PUBLICATION_NAME.channelIndex(arch),
      json(() => buildChannelIndex(entries(), ({ raw }) => excluded.has(raw))),
    );
  }
  const config = configOf(graphs);
  const catalogue = (): PublishedCatalogue => ({
    releases: listedReleases(
      buildCatalogue({
        config,
        rows: rowsOf(graphs),
        calendar: supportCalendar(support ?? DEFAULT_SUPPORT, dayOf(clock())),
      }),
      [...excluded],
    ),
  });
  const configuration = (): PublishedConfiguration => ({
    releaseSources: config.asConfigured,
    pairs: graphs.map(({ channel, arch }) => pairName(channel, arch)),
    ...(support !== null && { support }),
  });
  makers.set(PUBLICATION_NAME.catalogue, json(catalogue));
  makers.set(PUBLICATION_NAME.configuration, json(configuration));
  makers.set(
    PUBLICATION_NAME.risks,
    json(() => riskIndexOf(graphs, newest)),
  );

  const made = new Map<string, Promise<CachedPublication<unknown>>>();
  return {
    async get<T>(name: string): Promise<CachedPublication<T> | null> {
      const make = makers.get(name);
      if (!make) return null;
      const document = made.get(name) ?? make().then((content) => documentOf(name, content));
      made.set(name, document);
      return (await document) as CachedPublication<T>;
    },
  };
}

async function riskIndexOf(graphs: readonly KnownGraph[], now: string): Promise<RiskIndex> {
  // On demand: most commands ask for no risk.
  const { compileQuery: compile } = await import('@cairn/shared/risk/promql/parse-query');
  const channels = graphs.map(({ channel, arch, graph }) => ({
    pair: pairName(channel, arch),
    risks: channelRisks(graph),
  }));
  return buildRiskIndex(channels, { former: null, now, compile });
}

function documentOf(
  name: string,
  { text, publishedAt }: { readonly text: string; readonly publishedAt: string },
): CachedPublication<unknown> {
  const etag = sha256Hex(text);
  const head = { name, revision: '0', previous: null, etag, chunks: 1, publishedAt, summary: {} };
  return { head, body: gzipSync(text), value: JSON.parse(text) as unknown };
}

function configOf(graphs: readonly KnownGraph[]): ReleaseConfig {
  const channels = graphs.map(({ channel, arch }) => ({ ...parseChannel(channel)!, arch }));
  const byMinor = groupBy(channels, ({ minor }) => minor);
  const reading = parseReleaseConfig({
    release_sources: Array.from(byMinor, ([minor, same]) => ({
      openshift_version: minor,
      upgrade_channels: Array.from(
        groupBy(same, ({ arch }) => arch),
        ([arch, own]) => ({
          cpu_architecture: cpuArchitectureOf(arch),
          channels: own.map(({ prefix }) => prefix),
        }),
      ),
    })),
  });
  if (!reading.ok) throw new Error(`channels make no configuration: ${reading.mistakes[0]!.detail}`);
  return reading.config;
}

function rowsOf(graphs: readonly KnownGraph[]): ReleaseRow[] {
  const rows = new Map<string, ReleaseRow>();
  for (const { channel, arch, graph, publishedAt, withdrawn } of graphs) {
    const { minor } = parseChannel(channel)!;
    for (const { version, payload } of graph.nodes) {
      // Channels also list older minors as update sources.
      if (minorOf(parseVersion(version)!) !== minor) continue;
      const key = `${version} ${arch}`;
      const known = rows.get(key);
      // Not withdrawn if any channel still has it.
      const isGone = withdrawn.includes(version) && (known === undefined || known.withdrawnAt !== undefined);
      rows.set(key, {
        version,
        arch,
        payload: known?.payload ?? payload,
        channels: [...(known?.channels ?? []), channel],
        firstSeenAt: publishedAt,
        ...(isGone && { withdrawnAt: publishedAt }),
      });
    }
  }
  return [...rows.values()];
}
