import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { groupBy } from '@cairn/shared/collection/group-by';
import { buildChannelIndex, channelFacts } from '@cairn/shared/graph/channel-index';
import { serializeGraph } from '@cairn/shared/graph/graph';
import { buildCatalogue, type ReleaseRow, listedReleases } from '@cairn/shared/releases/catalogue';
import { parseChannel } from '@cairn/shared/releases/channel';
import { type ReleaseConfig, parseReleaseConfig } from '@cairn/shared/releases/sources';
import { ARCHES, cpuArchitectureOf } from '@cairn/shared/version/arch';
import { minorOf } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import type { PublishedCatalogue, PublishedConfiguration } from '../../releases/release-reader.ts';
import { DOCUMENT } from '../../store/keys.ts';
import type { CachedDocument, Documents } from '../../store/publication-cache.ts';
import type { KnownGraph } from './saved-graphs.ts';

/** The documents that a sync would publish of these graphs; each is made when it is first asked for. */
export function hereDocuments(graphs: readonly KnownGraph[]): Documents {
  const makers = new Map<string, () => { readonly text: string; readonly publishedAt: string }>();
  const newest =
    graphs
      .map(({ publishedAt }) => publishedAt)
      .toSorted()
      .at(-1) ?? '';
  for (const { channel, arch, graph, publishedAt } of graphs) {
    makers.set(DOCUMENT.graph(channel, arch), () => ({ text: serializeGraph(graph), publishedAt }));
  }
  for (const arch of ARCHES) {
    const own = graphs.filter((known) => known.arch === arch);
    const entries = () =>
      own.map(({ channel, publishedAt, graph, withdrawn }) => ({
        channel,
        publishedAt,
        withdrawn,
        facts: channelFacts(graph),
      }));
    const text = () => JSON.stringify(buildChannelIndex(entries()));
    makers.set(DOCUMENT.channelIndex(arch), () => ({ text: text(), publishedAt: newest }));
  }
  const config = configOf(graphs);
  const catalogue = (): PublishedCatalogue => ({
    releases: listedReleases(buildCatalogue({ config, rows: rowsOf(graphs) }), []),
  });
  const configuration = (): PublishedConfiguration => ({
    releaseSources: config.asConfigured,
    pairs: graphs.map(({ channel, arch }) => `${channel}/${arch}`),
  });
  makers.set(DOCUMENT.catalogue, () => ({ text: JSON.stringify(catalogue()), publishedAt: newest }));
  makers.set(DOCUMENT.configuration, () => ({ text: JSON.stringify(configuration()), publishedAt: newest }));

  const made = new Map<string, CachedDocument<unknown>>();
  return {
    async get<T>(name: string): Promise<CachedDocument<T> | null> {
      const make = makers.get(name);
      if (!make) return null;
      const document = made.get(name) ?? documentOf(name, make());
      made.set(name, document);
      return document as CachedDocument<T>;
    },
  };
}

function documentOf(
  name: string,
  { text, publishedAt }: { readonly text: string; readonly publishedAt: string },
): CachedDocument<unknown> {
  const etag = createHash('sha256').update(text).digest('hex');
  const head = { name, revision: '0', previous: null, etag, chunks: 1, publishedAt, summary: {} };
  return { head, body: gzipSync(text), value: JSON.parse(text) as unknown };
}

/** The configuration that follows just these channels. */
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
      // A channel also lists older releases, as a place to come from.
      if (minorOf(parseVersion(version)!) !== minor) continue;
      const key = `${version} ${arch}`;
      const known = rows.get(key);
      // One that any channel still has is not withdrawn.
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
