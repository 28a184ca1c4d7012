import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { Arch } from '@cairn/shared/version/arch';
import { openReleases, type PageReleases } from './releases.ts';
import { useResource, type Resource } from './resource.ts';
import { noteFreshness } from './status.ts';

/** As long as caches may hold the answers that it is made from. */
const KEPT_MS = 60_000;
let last: { readonly arch: Arch; readonly at: number; readonly releases: PageReleases } | undefined;

/** Those read a moment ago are good for the next view too. */
export function useReleases(arch: Arch): Resource<PageReleases> {
  return useResource(`releases ${arch}`, async (signal) => {
    if (last?.arch === arch && Date.now() - last.at < KEPT_MS) return last.releases;
    const releases = await openReleases(arch, signal);
    last = { arch, at: Date.now(), releases };
    return releases;
  });
}

/** The graph of one channel, and how old it is for the header. */
export function useGraph(releases: PageReleases, channel: string): Resource<PreparedGraph> {
  return useResource(`${channel} ${releases.arch}`, async () => {
    const graph = await releases.prepare([channel]);
    noteFreshness(releases.freshnessOf([channel]));
    return graph;
  });
}
