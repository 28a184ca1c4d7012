import type { ClusterQuery } from './cluster-query.ts';

/** Whoever hands over the documents of a cluster. */
export interface ClusterSource {
  /**
   * What `take` makes of the documents of a query, page by page; it is called again where a list has to be read from its
   * beginning. Null when the cluster does not show them and they are optional, which was said then.
   */
  read<Taken>(
    query: ClusterQuery,
    take: (pages: AsyncIterable<Uint8Array>) => Promise<Taken>,
  ): Promise<Taken | null>;
}
