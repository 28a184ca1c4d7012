import { gunzipSync } from 'node:zlib';
import type { ReleaseGraph } from '@cairn/shared/graph/graph';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import type { ConfigPair } from '@cairn/shared/releases/sources';

/** The graph that the body of a document holds. */
export function storedGraph(
  body: Uint8Array,
  { channel, arch }: Pick<ConfigPair, 'channel' | 'arch'>,
): ReleaseGraph {
  const parsed = normalizeGraph(JSON.parse(gunzipSync(body).toString('utf8')), { arch });
  if (!parsed.ok) throw new Error(`stored graph ${channel}/${arch} is unreadable: ${parsed.detail}`);
  return parsed.graph;
}
