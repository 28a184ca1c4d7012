import { gunzipSync, gzipSync } from 'node:zlib';
import { crossOriginHeaders, VARY } from '../runtime/cross-origin.ts';
import type { Call, HttpResult } from '../runtime/http.ts';
import { matchesEntityTag, prefersGzip } from '../runtime/negotiation.ts';
import type { CachedDocument } from '../store/document-cache.ts';
import { JSON_TYPE } from '../runtime/media-types.ts';
import { CINCINNATI_TYPE } from './graph-routes.ts';
import type { GraphMediaType } from './graph-request.ts';

/** Clusters ask every two to four minutes; upstream holds its own answers for one. */
const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=300';

/** Entity tags of the two types differ, although their bytes do not: a tag names a representation, type included. */
const TAG_SUFFIX: Readonly<Record<GraphMediaType, string>> = {
  [JSON_TYPE]: 'json',
  [CINCINNATI_TYPE]: 'cincinnati',
};

type Headers = Readonly<Record<string, string>>;

/** One representation: its bytes, and the headers that are the same each time it is sent. */
interface GraphForm {
  readonly headers: Headers;
  /** Those of them that a 304 has. */
  readonly validators: Headers;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** A graph in the forms it is sent in, each made when it is first asked for and then kept. */
export class ServableGraph {
  readonly #hash: string;
  readonly #body: Uint8Array;
  readonly #changedAt: string | null;
  readonly #forms = {
    gzip: new Map<GraphMediaType, GraphForm>(),
    identity: new Map<GraphMediaType, GraphForm>(),
  };
  #base64: string | undefined;
  #text: string | undefined;

  /** `changedAt` is when its content last changed; null when nobody knows. */
  constructor(hash: string, body: Uint8Array, changedAt: string | null) {
    this.#hash = hash;
    this.#body = body;
    this.#changedAt = changedAt;
  }

  form(type: GraphMediaType, isGzip: boolean): GraphForm {
    const forms = isGzip ? this.#forms.gzip : this.#forms.identity;
    const known = forms.get(type);
    if (known) return known;
    const form = this.#makeForm(type, isGzip);
    forms.set(type, form);
    return form;
  }

  /** Whether a client that sent this If-None-Match has the graph in this type, compressed or not. */
  isKnownTo(ifNoneMatch: string | undefined, type: GraphMediaType): boolean {
    if (ifNoneMatch === undefined) return false;
    return matchesEntityTag(ifNoneMatch, [this.#etag(type, false), this.#etag(type, true)]);
  }

  #etag(type: GraphMediaType, isGzip: boolean): string {
    return `"${this.#hash}-${TAG_SUFFIX[type]}${isGzip ? '-gzip' : ''}"`;
  }

  #makeForm(type: GraphMediaType, isGzip: boolean): GraphForm {
    const validators = {
      vary: VARY,
      'cache-control': CACHE_CONTROL,
      etag: this.#etag(type, isGzip),
      ...(this.#changedAt !== null && { 'last-modified': new Date(this.#changedAt).toUTCString() }),
    };
    return {
      validators,
      headers: {
        ...validators,
        'content-type': type,
        'x-content-type-options': 'nosniff',
        ...(isGzip && { 'content-encoding': 'gzip' }),
      },
      body: isGzip
        ? // As API Gateway takes bytes.
          (this.#base64 ??= Buffer.from(this.#body).toString('base64'))
        : (this.#text ??= gunzipSync(this.#body).toString('utf8')),
      isBase64Encoded: isGzip,
    };
  }
}

/** What is the same in the entity tags of all representations of a graph. */
export function graphHash({ head }: CachedDocument<unknown>): string {
  return head.etag.slice(0, 32);
}

const servable = new WeakMap<CachedDocument<unknown>, ServableGraph>();

/** The same one for as long as the cache holds this revision. */
export function servableGraph(document: CachedDocument<unknown>): ServableGraph {
  const known = servable.get(document);
  if (known) return known;
  const graph = new ServableGraph(graphHash(document), document.body, document.head.publishedAt);
  servable.set(document, graph);
  return graph;
}

let empty: ServableGraph | undefined;

/** What a channel looks like that nobody follows: clients rely on getting a graph, not an error. */
export function emptyGraph(): ServableGraph {
  const text = '{"conditionalEdges":[],"edges":[],"nodes":[],"version":1}';
  return (empty ??= new ServableGraph('empty', gzipSync(text), null));
}

export interface Freshness {
  /** The last good answer of upstream. */
  readonly syncedAt: string | null;
  readonly isStale: boolean;
}

/** 200 or 304, in the type, encoding and for the origin that the call asks for. */
export function graphAnswer(
  { method, headers }: Pick<Call, 'method' | 'headers'>,
  type: GraphMediaType,
  graph: ServableGraph,
  freshness: Freshness | null,
): HttpResult {
  const form = graph.form(type, prefersGzip(headers['accept-encoding']));
  const isKnown = graph.isKnownTo(headers['if-none-match'], type);
  const origin = headers['origin'];
  const answerHeaders = {
    ...(isKnown ? form.validators : form.headers),
    ...(freshness?.syncedAt && { 'x-graph-synced-at': freshness.syncedAt }),
    ...(freshness?.isStale && { 'x-graph-stale': 'true' }),
    ...(origin !== undefined && crossOriginHeaders(origin)),
  };
  if (isKnown) return { statusCode: 304, headers: answerHeaders, body: '' };
  if (method === 'HEAD') return { statusCode: 200, headers: answerHeaders, body: '' };
  const { body, isBase64Encoded } = form;
  return { statusCode: 200, headers: answerHeaders, body, isBase64Encoded };
}
