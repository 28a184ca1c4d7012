import type * as z from 'zod/mini';

export const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE'] as const;

/** One route of the HTTP interface, as data. */
export interface Route {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  /** In the syntax of API Gateway: `/v1/channels/{channel}`. */
  readonly path: string;
  /** Which Lambda serves it: `query` only reads the table. */
  readonly lambda: 'query' | 'manage';
  /**
   * Who may call it: `open` is for everyone, always, as there is no data in it. A deployment may open release data to
   * everyone: `graph` is what clusters poll, which can't sign a request, and `public` all the rest.
   */
  readonly access: 'open' | 'graph' | 'public' | 'read' | 'write' | 'admin';
  /** Shape of its errors: assisted-service's on `/v2`, the update protocol's on graphs, RFC 9457 elsewhere. */
  readonly errors: 'problem' | 'assisted' | 'cincinnati';
  readonly summary: string;
  /** Another route has replaced it; the document marks it. */
  readonly isDeprecated?: true;
  /** Left out of the interface document and of the list at `/`: it is no part of what programs are to use. */
  readonly isUnlisted?: true;
  /** Schemas are made when they are first used. */
  readonly query?: () => z.ZodMiniObject;
  /** Parameters of the query that may be repeated, which is the same as a list with commas. */
  readonly lists?: readonly string[];
  readonly body?: () => z.ZodMiniObject;
  /**
   * How many values a body may hold, of any kind.
   * @default 100,000
   */
  readonly bodyValues?: number;
  /**
   * Takes documents of a cluster, as `readDocumentInput` reads them. These fields stand beside them in the body, or in
   * the query.
   */
  readonly documents?: () => z.ZodMiniObject;
  /** Gives an address that takes documents, for a later request that names them. */
  readonly isForUploads?: true;
  /** One of these fields that may stand in the place of the documents. */
  readonly insteadOfDocuments?: string;
  /**
   * How these fields stand beside documents in the body.
   * @default as in the query
   */
  readonly documentsBody?: () => z.ZodMiniObject;
  /**
   * Takes an object of Kubernetes in JSON or YAML, as `readResource` reads it. The schema is for the interface document;
   * its `spec` may stand alone.
   */
  readonly resource?: () => z.ZodMiniObject<{ spec: z.ZodMiniObject }>;
  /** Headers that change what it does, and how. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly success: {
    readonly status: number;
    readonly description: string;
    /** Has an entity tag, and answers 304 to whoever has it already. */
    readonly isTagged?: true;
    /** That of 201, on a route that answers the same with it when it has made something. */
    readonly created?: string;
    /**
     * None when there is no body.
     * @default ['application/json']
     */
    readonly mediaTypes?: readonly string[];
  };
  /** Statuses of errors, beside 500. */
  readonly failures: readonly number[];
}

/** Routes of what a deployment may open to everyone, with those that always are. */
export const RELEASE_DATA: readonly Route['access'][] = ['open', 'graph', 'public'];

/** Whether a request may hold, or bring in, more than the few fields of the others. */
export function takesDocuments({
  documents,
  bodyValues,
  isForUploads,
}: Pick<Route, 'documents' | 'bodyValues' | 'isForUploads'>): boolean {
  return documents !== undefined || bodyValues !== undefined || isForUploads === true;
}

/** API Gateway's name of a route: `GET /v2/openshift-versions`. */
export function routeKey(route: Pick<Route, 'method' | 'path'>): string {
  return `${route.method} ${route.path}`;
}
