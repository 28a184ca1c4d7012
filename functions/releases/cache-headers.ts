/**
 * For how many seconds an answer with release data may be kept. Clusters ask every two to four minutes, upstream holds its
 * own answers for one; a cluster is better off with the graph of an hour ago than with none.
 */
export const KEPT_SECONDS = { fresh: 60, whileRevalidating: 60, ifError: 3600 };
