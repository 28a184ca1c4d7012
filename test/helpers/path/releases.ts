import { buildChannelIndex, channelFacts, type ChannelEntry } from '@cairn/shared/graph/channel-index';
import type { ReleaseGraph } from '@cairn/shared/graph/graph';
import { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import { findPath, type PathResult } from '@cairn/shared/path/find-path';
import { prepareGraph } from '@cairn/shared/path/prepared-graph';
import type { KnownReleases, UpgradeQuestion } from '@cairn/shared/path/question';
import { excludedTest } from '@cairn/shared/releases/static-releases';
import type { Arch } from '@cairn/shared/version/arch';
import { drawn } from './channels.ts';

type Channels = Readonly<Record<string, readonly string[] | ReleaseGraph>>;

export interface DrawnReleases extends KnownReleases {
  /** Names of read graphs, once per read. */
  readonly read: string[];
}

/** Followed channels, drawn as in `channels.ts`. */
export function releases(
  channels: Channels,
  more: {
    readonly elsewhere?: Readonly<Partial<Record<Arch, Channels>>>;
    readonly withdrawn?: Readonly<Record<string, readonly string[]>>;
    readonly neverSynced?: readonly string[];
    readonly excluded?: readonly string[];
  } = {},
): DrawnReleases {
  const graphs = new Map(
    Object.entries(channels).map(([name, edges]) => [name, 'nodes' in edges ? edges : drawn(...edges)]),
  );
  const read: string[] = [];
  const directory = directoryOf(graphs, more);
  return {
    arch: 'amd64',
    read,
    directory,
    prepare: async (names) => {
      read.push(...names);
      return prepareGraph(
        names.map((name) => ({ channel: name, graph: graphs.get(name)! })),
        directory.excluded,
      );
    },
    elsewhere: async () =>
      Object.entries(more.elsewhere ?? {}).map(([arch, others]) => ({
        arch: arch as Arch,
        directory: releases(others).directory,
      })),
  };
}

function directoryOf(
  graphs: ReadonlyMap<string, ReleaseGraph>,
  {
    withdrawn = {},
    neverSynced = [],
    excluded = [],
  }: {
    readonly withdrawn?: Readonly<Record<string, readonly string[]>>;
    readonly neverSynced?: readonly string[];
    readonly excluded?: readonly string[];
  },
): ChannelDirectory {
  const entries = [...graphs].map(([name, graph]): ChannelEntry => ({
    channel: name,
    publishedAt: neverSynced.includes(name) ? null : '2026-01-01T00:00:00.000Z',
    facts: channelFacts(graph),
    withdrawn: withdrawn[name] ?? [],
  }));
  return new ChannelDirectory(buildChannelIndex(entries, excludedTest(excluded)));
}

/** Asks with the defaults of most tests. */
export function ask(
  known: KnownReleases,
  from: string,
  to: string,
  channels: string | readonly string[] = [],
  conditions: Partial<UpgradeQuestion> = {},
): Promise<PathResult> {
  return findPath(
    {
      from,
      to,
      channels: typeof channels === 'string' ? [channels] : channels,
      risk: 'none',
      prefer: 'safest',
      alternatives: 0,
      ...conditions,
    },
    known,
  );
}

/** The versions of the path, or the reason code. */
export function outcome(answer: PathResult): string {
  if (!answer.found) return answer.explanation.code;
  return answer.upgrade.path.map(({ version }) => version).join(' ');
}

export function explanationOf(answer: PathResult) {
  if (answer.found) throw new Error(`there is a path: ${outcome(answer)}`);
  return answer.explanation;
}
