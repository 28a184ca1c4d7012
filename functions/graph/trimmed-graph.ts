import { gzipSync } from 'node:zlib';
import { type ServedGraph, trimToReachable } from '@cairn/shared/graph/served-graph';
import type { CompressedContent } from '../http/compressed-content.ts';
import { type CachedPublication, contentHash } from '../store/publication-cache.ts';
import { graphContent } from './response.ts';

/** Parts that are kept of one graph: a fleet is on a few versions. */
const KEPT = 32;

const trimmed = new WeakMap<CachedPublication<ServedGraph>, Map<string, CompressedContent>>();

/** What can be reached from a version, made once per revision and version. */
export function trimmedGraph(document: CachedPublication<ServedGraph>, version: string): CompressedContent {
  const parts = trimmed.get(document) ?? new Map<string, CompressedContent>();
  trimmed.set(document, parts);
  const known = parts.get(version);
  if (known) return known;
  const isHeld = document.value.nodes.some((node) => node.version === version);
  // An unknown version comes from outside and has no place in a header.
  const hash = `${contentHash(document)}-from-${isHeld ? version : 'nowhere'}`;
  const body = gzipSync(JSON.stringify(trimToReachable(document.value, version)));
  const part = graphContent(hash, body, document.head.publishedAt);
  if (parts.size >= KEPT) parts.delete(parts.keys().next().value!);
  if (isHeld) parts.set(version, part);
  return part;
}
