import { gzipSync } from 'node:zlib';
import { type ServedGraph, trimToReachable } from '@cairn/shared/graph/served-graph';
import type { CompressedContent } from '../http/compressed-content.ts';
import { type CachedPublication, contentHash, perRevision } from '../store/publication-cache.ts';
import { graphContent } from './response.ts';

/** Trimmed graphs kept per graph: a fleet runs few versions. */
const KEPT = 32;

const partsOf = perRevision(() => new Map<string, CompressedContent>());

/** Built once per revision and version. */
export function trimmedGraph(document: CachedPublication<ServedGraph>, version: string): CompressedContent {
  const parts = partsOf(document);
  const known = parts.get(version);
  if (known) return known;
  const isHeld = document.value.nodes.some((node) => node.version === version);
  // An unknown version is untrusted and must not reach a header.
  const hash = `${contentHash(document)}-from-${isHeld ? version : 'nowhere'}`;
  const body = gzipSync(JSON.stringify(trimToReachable(document.value, version)));
  const part = graphContent(hash, body, document.head.publishedAt);
  if (parts.size >= KEPT) parts.delete(parts.keys().next().value!);
  if (isHeld) parts.set(version, part);
  return part;
}
