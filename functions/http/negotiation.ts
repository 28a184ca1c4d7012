import { Problem } from './problem.ts';

interface WeightedItem {
  /** In lower case, without its parameters. */
  readonly value: string;
  /** From 0, which refuses, to 1. */
  readonly weight: number;
}

/**
 * The offered media type that an Accept header likes best, after RFC 9110; of equals the first offered. Null when it
 * refuses all of them. Without a header, or with an empty one, anything goes.
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

/** Whether gzip is what an Accept-Encoding header wants; without the header nothing is compressed. */
export function prefersGzip(acceptEncoding: string | undefined): boolean {
  const codings = parseWeighted(acceptEncoding);
  const gzip = weightOf(codings, ['gzip', 'x-gzip', '*']);
  return gzip > 0 && gzip >= weightOf(codings, ['identity']);
}

/** Whether an If-None-Match header names one of these entity tags; weak ones count, as the comparison is a weak one. */
export function matchesEntityTag(ifNoneMatch: string | undefined, tags: readonly string[]): boolean {
  if (ifNoneMatch?.trim() === '*') return true;
  return (ifNoneMatch?.match(/"[^"]*"/g) ?? []).some((tag) => tags.includes(tag));
}

/** The weight of the most specific name that is listed; the highest where it is listed twice. */
function weightOf(items: readonly WeightedItem[], names: readonly string[]): number {
  for (const name of names) {
    let highest = -1;
    for (const { value, weight } of items) if (value === name && weight > highest) highest = weight;
    if (highest >= 0) return highest;
  }
  return 0;
}

/** Clients send the same few headers again and again, so they are read once. */
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

/** A weight that is none is taken as if it were not there. */
function weightIn(quality: string | undefined): number {
  return quality !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 1;
}

/** The parts between separators, trimmed, without empty ones; a separator in a quoted string is text. */
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

type Headers = Readonly<Record<string, string | undefined>>;

/** Throws unless If-Match and If-None-Match allow to change what has this entity tag; null when nothing is there. */
export function checkPreconditions(headers: Headers, etag: string | null): void {
  const ifMatch = headers['if-match'];
  const current = etag === null ? 'nothing is there' : `it is ${etag} now`;
  if (ifMatch !== undefined && !isNamed(ifMatch, etag)) {
    throw new Problem(
      'precondition-failed',
      `if-match asks for ${JSON.stringify(ifMatch.slice(0, 100))}, ${current}`,
    );
  }
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && etag !== null && matchesEntityTag(ifNoneMatch, [etag])) {
    throw new Problem('precondition-failed', `if-none-match asks that nothing is there, ${current}`);
  }
}

/** A weak tag says that something is much the same, which is not enough to change it. */
function isNamed(ifMatch: string, etag: string | null): boolean {
  if (etag === null) return false;
  return ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag);
}
