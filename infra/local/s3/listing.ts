import type { SortedIndex } from './sorted-index.ts';

/** Above every byte UTF-8 uses, so `prefix + PAST_PREFIX` follows each name that starts with the prefix. */
const PAST_PREFIX = '\u00ff';

/**
 * The key with one character per UTF-8 byte. S3 lists in byte order; JavaScript compares UTF-16 units, which puts
 * U+1F600 before U+FF5E. Of two byte names, `<` tells the right order.
 */
export function byteName(key: string): string {
  return isAscii(key) ? key : Buffer.from(key, 'utf8').toString('latin1');
}

export function keyOfByteName(name: string): string {
  return isAscii(name) ? name : Buffer.from(name, 'latin1').toString('utf8');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** All names are byte names; `after` is exclusive and empty for the first page. */
export interface PageRequest {
  readonly prefix: string;
  readonly delimiter: string;
  readonly after: string;
  readonly limit: number;
}

export interface Page<Value> {
  readonly entries: readonly Value[];
  readonly commonPrefixes: readonly string[];
  /** `after` of the next page, or null on the last one. */
  readonly next: string | null;
}

/** One page of a listing. Names rolled up into a common prefix are skipped by a seek, not read one by one. */
export function listPage<Value>(index: SortedIndex<Value>, request: PageRequest): Page<Value> {
  const { prefix, delimiter, limit } = request;
  // S3 answers a page of none as the last one.
  if (limit === 0) return { entries: [], commonPrefixes: [], next: null };
  const entries: Value[] = [];
  const commonPrefixes: string[] = [];
  let after = request.after;
  // The smallest name after `x` is `x` with a zero byte.
  let seek = after >= prefix ? `${after}\0` : prefix;
  for (;;) {
    const found = index.ceiling(seek);
    if (found === undefined || !found.name.startsWith(prefix)) return { entries, commonPrefixes, next: null };
    if (entries.length + commonPrefixes.length === limit) return { entries, commonPrefixes, next: after };
    const cut = delimiter === '' ? -1 : found.name.indexOf(delimiter, prefix.length);
    if (cut === -1) {
      entries.push(found.value);
      after = found.name;
    } else {
      const commonPrefix = found.name.slice(0, cut + delimiter.length);
      commonPrefixes.push(commonPrefix);
      after = `${commonPrefix}${PAST_PREFIX}`;
    }
    seek = `${after}\0`;
  }
}
