/** Above every UTF-8 byte, so `prefix + PAST_PREFIX` follows all names with the prefix. */
const PAST_PREFIX = '\u00ff';

/**
 * One character per UTF-8 byte. S3 lists in byte order; JavaScript compares UTF-16 units, which puts U+1F600 before
 * U+FF5E. `<` orders byte names correctly.
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

/** All names are byte names. */
export interface NameFilter {
  readonly prefix: string;
  readonly delimiter: string;
}

/** `after` is exclusive, and empty for the first page. */
export interface PageRequest extends NameFilter {
  readonly after: string;
  readonly limit: number;
}

export interface Page<Value> {
  readonly entries: readonly Value[];
  readonly commonPrefixes: readonly string[];
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
}

/** Null for a name that is listed by itself. */
function commonPrefixOf(name: string, { prefix, delimiter }: NameFilter): string | null {
  const cut = delimiter === '' || !name.startsWith(prefix) ? -1 : name.indexOf(delimiter, prefix.length);
  return cut === -1 ? null : name.slice(0, cut + delimiter.length);
}

/** `after` for a name in the place of a token. A marker within a common prefix skips all of it, as in S3. */
export function afterMarker(marker: string, filter: NameFilter): string {
  const commonPrefix = commonPrefixOf(marker, filter);
  return commonPrefix === null ? marker : `${commonPrefix}${PAST_PREFIX}`;
}

/** The last name of a page with this `next`. */
export function markerOf(next: string): string {
  return next.endsWith(PAST_PREFIX) ? next.slice(0, -PAST_PREFIX.length) : next;
}

/** Skips names within a common prefix by a seek. */
export function listPage<Value>(index: SortedIndex<Value>, request: PageRequest): Page<Value> {
  const { prefix, limit } = request;
  // S3 returns a page of size 0 as the last one.
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
    const commonPrefix = commonPrefixOf(found.name, request);
    if (commonPrefix === null) {
      entries.push(found.value);
      after = found.name;
    } else {
      commonPrefixes.push(commonPrefix);
      after = `${commonPrefix}${PAST_PREFIX}`;
    }
    seek = `${after}\0`;
  }
}

/** Names per block; an insertion moves a few kilobytes at most. */
const BLOCK_LIMIT = 1024;

interface Block<Value> {
  readonly names: string[];
  readonly values: Value[];
}

/** Sorted map in short blocks: operations cost two binary searches and a small move, even with a million names. */
export class SortedIndex<Value> {
  readonly #blocks: Block<Value>[] = [{ names: [], values: [] }];

  get(name: string): Value | undefined {
    const block = this.#blocks[this.#blockFor(name)]!;
    const at = lowerBound(block.names, name);
    return block.names[at] === name ? block.values[at] : undefined;
  }

  ceiling(name: string): { readonly name: string; readonly value: Value } | undefined {
    let position = this.#blockFor(name);
    let at = lowerBound(this.#blocks[position]!.names, name);
    if (at === this.#blocks[position]!.names.length) {
      position++;
      at = 0;
    }
    const block = this.#blocks[position];
    const found = block?.names[at];
    return found === undefined ? undefined : { name: found, value: block!.values[at]! };
  }

  set(name: string, value: Value): void {
    const position = this.#blockFor(name);
    const block = this.#blocks[position]!;
    const at = lowerBound(block.names, name);
    if (block.names[at] === name) {
      block.values[at] = value;
      return;
    }
    block.names.splice(at, 0, name);
    block.values.splice(at, 0, value);
    if (block.names.length > BLOCK_LIMIT) {
      const half = BLOCK_LIMIT / 2;
      this.#blocks.splice(position + 1, 0, {
        names: block.names.splice(half),
        values: block.values.splice(half),
      });
    }
  }

  delete(name: string): boolean {
    const position = this.#blockFor(name);
    const block = this.#blocks[position]!;
    const at = lowerBound(block.names, name);
    if (block.names[at] !== name) return false;
    block.names.splice(at, 1);
    block.values.splice(at, 1);
    if (block.names.length === 0 && this.#blocks.length > 1) this.#blocks.splice(position, 1);
    return true;
  }

  /** Last block that starts at or before the name, else the first. */
  #blockFor(name: string): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#blocks[middle]!.names[0]! <= name) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function lowerBound(names: readonly string[], name: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (names[middle]! < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
