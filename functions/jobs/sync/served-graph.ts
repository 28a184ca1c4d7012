import { gunzipSync } from 'node:zlib';
import type { ReleaseGraph } from '@cairn/shared/graph/graph';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import type { ConfigPair } from '@cairn/shared/releases/sources';
import type { StoredDocument } from '../../store/documents.ts';

/** The graph that a document holds, or null when nothing is published. */
export function servedGraph(
  stored: StoredDocument,
  pair: Pick<ConfigPair, 'channel' | 'arch'>,
): ReleaseGraph | null {
  if (!stored.body) return null;
  const parsed = normalizeGraph(JSON.parse(gunzipSync(stored.body).toString('utf8')), { arch: pair.arch });
  if (!parsed.ok)
    throw new Error(`stored graph ${pair.channel}/${pair.arch} is unreadable: ${parsed.detail}`);
  return parsed.graph;
}
