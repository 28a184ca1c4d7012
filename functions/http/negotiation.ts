import { Problem } from './problem.ts';

interface WeightedItem {
  /** Lower case, without parameters. */
  readonly value: string;
  /** 0 (rejected) to 1. */
  readonly weight: number;
}

/**
 * Chooses by RFC 9110; the first offered of equals. Null if the header rejects all. A missing or empty header accepts
 * anything.
 */
export function chooseMediaType<Offered extends string>(
  accept: string | undefined,
  offered: readonly [Offered, ...Offered[]],
): Offered | null {
  const ranges = parseWeighted(accept);
  if (ranges.length === 0) return offered[0];
  let best: Offered | null = null;
  let bestWeight = 0;
  for (const type of offered) {
    const weight = weightOf(ranges, [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*', '*']);
    if (weight > bestWeight) [best, bestWeight] = [type, weight];
  }
  return best;
}

/** Without a header, nothing is compressed. */
export function prefersGzip(acceptEncoding: string | undefined): boolean {
  const codings = parseWeighted(acceptEncoding);
  const gzip = weightOf(codings, ['gzip', 'x-gzip', '*']);
  return gzip > 0 && gzip >= weightOf(codings, ['identity']);
}

/** End of the entity tag of the gzip form. */
export const GZIP_TAG = '-gzip';

/** Weak comparison, so weak tags match. */
export function matchesEntityTag(ifNoneMatch: string | undefined, tags: readonly string[]): boolean {
  if (ifNoneMatch?.trim() === '*') return true;
  return (ifNoneMatch?.match(/"[^"]*"/g) ?? []).some(
    (tag) => tags.includes(tag) || tags.includes(`W/${tag}`),
  );
}

/**
 * True if the client has the current representation. If-Modified-Since counts only without If-None-Match (RFC 9110).
 *
 * @param tags Entity tags of the representation in each encoding; any satisfies If-None-Match.
 */
export function isNotModified(headers: Headers, tags: readonly string[], lastModified?: string): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return matchesEntityTag(ifNoneMatch, tags);
  // Also false for an invalid date, which is NaN.
  return lastModified !== undefined && httpDate(lastModified) <= httpDate(headers['if-modified-since']);
}

/** RFC 9110: today's format and two former ones, all in UTC. Date.parse alone accepts more, partly in local time. */
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

function httpDate(text = ''): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

/** Weight of the most specific listed name; the highest of duplicates. */
function weightOf(items: readonly WeightedItem[], names: readonly string[]): number {
  for (const name of names) {
    let highest = -1;
    for (const { value, weight } of items) if (value === name && weight > highest) highest = weight;
    if (highest >= 0) return highest;
  }
  return 0;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** Caches parsed headers: clients repeat the same few. */
const MAX_REMEMBERED = 100;
const remembered = new Map<string, readonly WeightedItem[]>();

function parseWeighted(header = ''): readonly WeightedItem[] {
  const known = remembered.get(header);
  if (known) return known;
  if (remembered.size === MAX_REMEMBERED) remembered.clear();
  const items = readWeighted(header);
  remembered.set(header, items);
  return items;
}

function readWeighted(header: string): WeightedItem[] {
  return splitOutsideQuotes(header, ',').flatMap((item) => {
    const [value = '', ...parameters] = splitOutsideQuotes(item.toLowerCase(), ';');
    if (value === '') return [];
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
    return [{ value, weight: weightIn(quality) }];
  });
}

/** Ignores an invalid weight. */
function weightIn(quality: string | undefined): number {
  return quality !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 1;
}

/** Returns trimmed, non-empty parts; a separator inside quotes is text. */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted && character === '\\') at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/**
 * Throws unless If-Match and If-None-Match allow the change. `etag` is null if nothing exists; `absentTag` is the tag of
 * a GET response that shows this.
 */
export function checkPreconditions(headers: Headers, etag: string | null, absentTag?: string): void {
  const ifMatch = headers['if-match'];
  const current = etag === null ? 'nothing is there' : `it is ${etag} now`;
  if (ifMatch !== undefined && !isNamed(ifMatch, etag, absentTag)) {
    throw new Problem(
      'precondition-failed',
      `if-match asks for ${JSON.stringify(ifMatch.slice(0, 100))}, ${current}`,
    );
  }
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && etag !== null && matchesEntityTag(ofState(ifNoneMatch), [etag])) {
    throw new Problem('precondition-failed', `if-none-match asks that nothing is there, ${current}`);
  }
}

/** Strong comparison: a weak tag does not identify the exact state. */
function isNamed(ifMatch: string, etag: string | null, absentTag: string | undefined): boolean {
  if (ifMatch.trim() === '*') return etag !== null;
  const current = etag ?? absentTag;
  return ofState(ifMatch)
    .split(',')
    .some((tag) => tag.trim() === current);
}

/** Changes concern the state, which a client may have read in either encoding. */
function ofState(tags: string): string {
  return tags.replaceAll(`${GZIP_TAG}"`, '"');
}
