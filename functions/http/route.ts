import type * as z from 'zod/mini';

export const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'] as const;

export interface Route {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  /** API Gateway syntax: `/v1/channels/{channel}`. */
  readonly path: string;
  /** `query` has read-only access to the table. */
  readonly lambda: 'query' | 'manage';
  /**
   * `open` is always public, because it exposes no data. A deployment can make release data public: `graph` for
   * clusters, which cannot sign requests, and `public` for the rest.
   */
  readonly access: 'open' | 'graph' | 'public' | 'read' | 'write' | 'admin';
  /** Error format: assisted-service on `/v2`, the update protocol on graphs, RFC 9457 elsewhere. */
  readonly errors: 'problem' | 'assisted' | 'cincinnati';
  readonly summary: string;
  /** Replaced by another route; marked in `openapi.json`. */
  readonly isDeprecated?: true;
  /** Omitted from `openapi.json` and from the list at `/`: not part of the API. */
  readonly isUnlisted?: true;
  /** Schemas are built on first use. */
  readonly query?: () => z.ZodMiniObject;
  /** Query parameters that may repeat, equivalent to a comma-separated list. */
  readonly lists?: readonly string[];
  readonly body?: () => z.ZodMiniObject;
  /** Limit of values in a body, of any kind. @default 100,000 */
  readonly bodyValues?: number;
  /** Accepts cluster documents through `readDocumentInput`, with these fields in the body or the query. */
  readonly documents?: () => z.ZodMiniObject;
  /** Returns an upload URL for documents that a later request references. */
  readonly isForUploads?: true;
  /** Field that can replace the documents. */
  readonly insteadOfDocuments?: string;
  /** Fields beside documents in the body. @default as in the query */
  readonly documentsBody?: () => z.ZodMiniObject;
  /**
   * Accepts a Kubernetes object in JSON or YAML through `readResource`. The schema serves `openapi.json`; the `spec`
   * may stand alone.
   */
  readonly resource?: () => z.ZodMiniObject<{ spec: z.ZodMiniObject }>;
  /** Headers that change the behavior, with their effect. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly success: {
    readonly status: number;
    readonly description: string;
    /** Description of a 201 response on a route that also returns 200. */
    readonly created?: string;
    /** Empty without a body. @default ['application/json'] */
    readonly mediaTypes?: readonly string[];
  };
  /** Error statuses in addition to 500. */
  readonly failures: readonly number[];
}

/** Access levels that are public, or that a deployment can make public. */
export const RELEASE_DATA: readonly Route['access'][] = ['open', 'graph', 'public'];

/** True if a request may contain or reference more than a few fields. */
export function takesDocuments({ documents, bodyValues, isForUploads }: Partial<Route>): boolean {
  return documents !== undefined || bodyValues !== undefined || isForUploads === true;
}

/** The list with a HEAD route for every GET route. */
export function withHead(list: readonly Route[]): Route[] {
  const listed = new Set(list.map(routeKey));
  return list.flatMap((route) => {
    const head: Route = { ...route, method: 'HEAD' };
    return route.method === 'GET' && !listed.has(routeKey(head)) ? [route, head] : [route];
  });
}

/** API Gateway route key: `GET /v2/openshift-versions`. */
export function routeKey(route: Pick<Route, 'method' | 'path'>): string {
  return `${route.method} ${route.path}`;
}
