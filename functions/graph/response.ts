import { gzipSync } from 'node:zlib';
import type { ServedGraph } from '@cairn/shared/graph/served-graph';
import { CompressedContent } from '../http/compressed-content.ts';
import type { Call } from '../http/endpoint.ts';
import { VARY } from '../http/middleware/cross-origin.ts';
import { JSON_TYPE, type HttpResult } from '../http/reply.ts';
import { releaseDataHeaders } from '../releases/cache-headers.ts';
import type { PublishedConfiguration } from '../releases/configuration.ts';
import { type CachedPublication, contentHash, perRevision } from '../store/publication-cache.ts';
import type { GraphMediaType } from './request.ts';
import { CINCINNATI_TYPE } from './routes.ts';

const TAGS: Readonly<Record<GraphMediaType, string>> = {
  [JSON_TYPE]: '-json',
  [CINCINNATI_TYPE]: '-cincinnati',
};

/** `changedAt` is the time of the last content change; null if unknown. */
export function graphContent(hash: string, gzip: Uint8Array, changedAt: string | null): CompressedContent {
  return new CompressedContent(hash, gzip, releaseDataHeaders(VARY, changedAt));
}

export const servableGraph = perRevision((document) =>
  graphContent(contentHash(document), document.body, document.head.publishedAt),
);

type GraphPublication = CachedPublication<ServedGraph>;

/** The graph with the date of the configuration if that is later: either one changes what is offered. */
export function datedGraph(
  document: GraphPublication,
  configuration: CachedPublication<PublishedConfiguration>,
): GraphPublication {
  return datedBy(configuration)(document);
}

const datedBy = perRevision(({ head: { publishedAt } }: CachedPublication<PublishedConfiguration>) =>
  perRevision((document: GraphPublication): GraphPublication => {
    if (document.head.publishedAt >= publishedAt) return document;
    const { head, body } = document;
    return {
      head: { ...head, publishedAt },
      body,
      get value() {
        return document.value;
      },
    };
  }),
);

let empty: CompressedContent | undefined;

/** Response for a channel that is not followed: clients expect a graph, not an error. */
export function emptyGraph(): CompressedContent {
  const text = '{"conditionalEdges":[],"edges":[],"nodes":[],"version":1}';
  return (empty ??= graphContent('empty', gzipSync(text), null));
}

export interface Freshness {
  /** Time of the last valid upstream response. */
  readonly syncedAt: string | null;
  readonly isStale: boolean;
}

/** Returns 200 or 304 in the negotiated type and encoding. */
export function graphAnswer(
  call: Pick<Call, 'headers'>,
  type: GraphMediaType,
  graph: CompressedContent,
  freshness: Freshness | null,
): HttpResult {
  const answer = graph.answer(call, type, TAGS[type]);
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...(freshness?.syncedAt && { 'x-graph-synced-at': freshness.syncedAt }),
      ...(freshness?.isStale && { 'x-graph-stale': 'true' }),
    },
  };
}
