import { gunzipSync, gzipSync } from 'node:zlib';
import { type ReleaseGraph, serializeGraph } from '@cairn/shared/graph/graph';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { parseChannel } from '@cairn/shared/releases/channel';
import type { SupportSettings } from '@cairn/shared/releases/lifecycle';
import { parseReleaseConfig } from '@cairn/shared/releases/sources';
import { EUS_TERMS } from '@cairn/shared/releases/values';
import { type Arch, ARCHES, archOf, parseCpuArchitecture } from '@cairn/shared/version/arch';
import { startsLikeGzip } from '../../http/body.ts';
import { parseHostileJson } from '../../outbound/failures.ts';
import { badInput, type Failure } from '../../runtime/exit.ts';

export interface KnownGraph {
  readonly channel: string;
  readonly arch: Arch;
  readonly graph: ReleaseGraph;
  /** Last response of the update service. */
  readonly syncedAt: string;
  /** Last change, if known. */
  readonly publishedAt: string;
  readonly withdrawn: readonly string[];
  /** Excluded by the configuration of the Cairn that it is from. */
  readonly excluded: readonly string[];
}

/** Release data of a file, or of an update service. */
export interface SavedReleases {
  readonly graphs: readonly KnownGraph[];
  /** Of the Cairn that the graphs are from; null for the defaults. */
  readonly support: SupportSettings | null;
}

/** Format of `cairn channels --save`: graphs as Cairn serves them, with their age. */
const KIND = 'CairnGraphs';

/** Files of earlier releases have no exclusions. */
type SavedGraph = Omit<KnownGraph, 'graph' | 'excluded'> &
  Partial<Pick<KnownGraph, 'excluded'>> & { readonly graph: unknown };

const MOST_BYTES = 1024 * 1024 * 1024;

export function saveGraphs({ graphs, support }: SavedReleases): Uint8Array {
  const entries = graphs.map(({ graph, ...known }) =>
    JSON.stringify({ ...known, graph: JSON.parse(serializeGraph(graph)) as unknown } satisfies SavedGraph),
  );
  const head = `{"kind":"${KIND}","support":${JSON.stringify(support)},"graphs":`;
  return gzipSync(`${head}[\n${entries.join(',\n')}\n]}\n`);
}

interface GivenFile {
  /** As given, optionally with the channel: `stable-4.16=graph.json`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly changedAt: Date;
}

/**
 * Reads a file of `cairn channels --save`, or a single graph of any update service, optionally compressed. The name of
 * a single graph identifies its channel: `stable-4.16.json`, `stable-4.16.arm64.json.gz`, `stable-4.16=any.json`.
 */
export function readGraphFile({ name, bytes, changedAt }: GivenFile, arch: Arch): SavedReleases {
  const content = contentOf(name, bytes);
  if (isSaved(content)) {
    const graphs = content.graphs.map((saved) => knownGraph(name, { ...saved }));
    return { graphs, support: supportOf(name, content.support) };
  }
  const place = placeOf(name, arch);
  if (!place) {
    throw badInput(
      `${name}: nothing tells the channel of this graph; name the file like stable-4.16.json, or give it as stable-4.16=${name}`,
    );
  }
  const at = changedAt.toISOString();
  const unknown = { withdrawn: [], excluded: [] };
  const graph = knownGraph(name, { ...place, syncedAt: at, publishedAt: at, ...unknown, graph: content });
  return { graphs: [graph], support: null };
}

/** Files of earlier releases have none. */
function supportOf(name: string, saved: unknown): SupportSettings | null {
  if (saved === undefined || saved === null) return null;
  const { eusTerms, dates } = saved as Partial<Record<keyof SupportSettings, unknown>>;
  const terms = EUS_TERMS.find((each) => each === eusTerms);
  const reading = parseReleaseConfig({ support_dates: dates });
  if (terms === undefined || !reading.ok) throw notAsSaved(name);
  return { eusTerms: terms, dates: reading.config.supportDates };
}

/** Removes the channel prefix. */
export function pathIn(args: string): string {
  const [channel = '', ...rest] = args.split('=');
  return rest.length > 0 && channelAndArch(channel) ? rest.join('=') : args;
}

function contentOf(name: string, bytes: Uint8Array): unknown {
  try {
    const plain = startsLikeGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes;
    return parseHostileJson(Buffer.from(plain));
  } catch (error) {
    throw badInput(`${name}: ${(error as Error).message}`);
  }
}

function isSaved(
  content: unknown,
): content is { readonly graphs: readonly SavedGraph[]; readonly support?: unknown } {
  const { kind, graphs } = { ...(content as { readonly kind?: unknown; readonly graphs?: unknown } | null) };
  return kind === KIND && Array.isArray(graphs);
}

function knownGraph(name: string, saved: SavedGraph): KnownGraph {
  const { channel, arch, syncedAt, publishedAt, withdrawn, excluded = [], graph } = saved;
  const isWhole =
    typeof channel === 'string' &&
    parseChannel(channel) !== null &&
    ARCHES.includes(arch) &&
    [syncedAt, publishedAt].every((at) => !Number.isNaN(Date.parse(at))) &&
    Array.isArray(withdrawn) &&
    Array.isArray(excluded);
  if (!isWhole) throw notAsSaved(name);
  const known = { channel, arch, syncedAt, publishedAt, withdrawn, excluded };
  return { ...known, graph: parsedGraph(name, graph, arch) };
}

function notAsSaved(name: string): Failure {
  return badInput(`${name} is not as "cairn channels --save" writes it`);
}

function parsedGraph(name: string, answer: unknown, arch: Arch): ReleaseGraph {
  const parsed = normalizeGraph(answer, { arch });
  if (!parsed.ok) throw badInput(`${name} is not a graph of an update service: ${parsed.detail}`);
  const [fault] = parsed.report;
  if (parsed.graph.nodes.length > 0 || !fault) return parsed.graph;
  throw badInput(`${name}: nothing in this graph can be used, ${fault.code}: ${fault.examples[0] ?? ''}`);
}

function placeOf(name: string, arch: Arch): { readonly channel: string; readonly arch: Arch } | null {
  const [given = '', ...rest] = name.split('=');
  const place = (rest.length > 0 ? channelAndArch(given) : null) ?? channelAndArch(baseOf(pathIn(name)));
  return place && { channel: place.channel, arch: place.arch ?? arch };
}

function baseOf(path: string): string {
  return path
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.gz$/, '')
    .replace(/\.json$/, '');
}

/** `stable-4.16`, `stable-4.16.arm64`, `stable-4.16/arm64` and similar. */
function channelAndArch(text: string): { readonly channel: string; readonly arch: Arch | null } | null {
  if (parseChannel(text)) return { channel: text, arch: null };
  const [, channel = '', name = ''] = /^(.+)[./_-](\w+)$/.exec(text) ?? [];
  const cpu = parseCpuArchitecture(name);
  return parseChannel(channel) && cpu ? { channel, arch: archOf(cpu) } : null;
}
