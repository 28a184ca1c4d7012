import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Totals } from './oracle.ts';
import type { TrueSeries } from './true-series.ts';

/** What promtool answered; `compare-promtool.ts --write` makes it. */
export interface Vectors {
  /** Every text of a query that was ever published. */
  readonly queries: readonly string[];
  readonly clusters: readonly {
    readonly seed: number;
    readonly series: readonly TrueSeries[];
    /** In the order of the queries. */
    readonly totals: readonly Totals[];
  }[];
}

export const VECTORS = new URL('../../fixtures/risk/promtool-vectors.json.gz', import.meta.url);

export function shippedVectors(): Vectors {
  return JSON.parse(gunzipSync(readFileSync(VECTORS)).toString()) as Vectors;
}

/** Queries and all their spellings. */
export function publishedQueries(path: string): readonly string[] {
  const { queries } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly queries: readonly { readonly query: string; readonly spellings?: readonly string[] }[];
  };
  return [...new Set(queries.flatMap(({ query, spellings = [] }) => [query, ...spellings]))];
}
