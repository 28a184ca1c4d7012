import { parseSince } from '@cairn/shared/text/duration';
import type { ChangePlace } from './store-changes.ts';
import { decodeCursor, encodeCursor } from '../http/pagination.ts';

const DEFAULT_SINCE = '7d';

export interface ChangesPlace {
  readonly since: string;
  /** Where the page before ended. */
  readonly before: ChangePlace | null;
}

/** What to list. A cursor keeps the beginning that its first page had: "7d" must not move from page to page. */
export function changesPlace(
  query: { readonly since?: string | undefined; readonly cursor?: string | undefined },
  now: number,
): ChangesPlace {
  if (query.cursor !== undefined) return decodeCursor(query.cursor, readParts);
  return { since: parseSince(query.since ?? DEFAULT_SINCE, now)!, before: null };
}

export function changesCursor(since: string, { at, id }: ChangePlace): string {
  return encodeCursor([since, at, id]);
}

function readParts([since = '', at = '', id = '', ...more]: readonly string[]): ChangesPlace | null {
  const isWhole = [since, at].every((time) => parseSince(time, 0) === time) && /^[\w-]{1,64}$/.test(id);
  return isWhole && more.length === 0 && since <= at ? { since, before: { at, id } } : null;
}
