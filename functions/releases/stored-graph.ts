import { gunzipSync } from 'node:zlib';
import type { ReleaseGraph } from '@cairn/shared/graph/graph';
import { readServedGraph, type ServedGraph } from '@cairn/shared/graph/served-graph';
import { pairName } from '@cairn/shared/releases/channel';
import type { ConfigPair } from '@cairn/shared/releases/sources';

/** Skips validation: the sync validated the graph before it published it. */
export function storedGraph(
  body: Uint8Array,
  { channel, arch }: Pick<ConfigPair, 'channel' | 'arch'>,
): ReleaseGraph {
  try {
    return readServedGraph(JSON.parse(gunzipSync(body).toString('utf8')) as ServedGraph);
  } catch (cause) {
    throw new Error(`stored graph ${pairName(channel, arch)} is unreadable`, { cause });
  }
}
