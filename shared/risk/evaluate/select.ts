import type { Families, Family, Region, Series } from '../family.ts';
import type { Matcher, Selector } from '../promql/expression.ts';
import { matchPattern } from '../promql/match-pattern.ts';
import { LONGEST_VALUE, parsePattern, type Pattern } from '../promql/pattern.ts';
import { isModelled, type Labels, type Vector } from './samples.ts';
import { known, type Value } from './values.ts';

/** What a selector of a query found. */
export interface Finding {
  readonly selector: Selector;
  readonly family: Family | null;
  /** Whether the series are all that the cluster has for it. */
  readonly isExact: boolean;
  readonly series: readonly Series[];
}

/** Labels that scraping gives to series, which documents do not show. */
const SCRAPED = [
  'instance',
  'job',
  'namespace',
  'pod',
  'node',
  'service',
  'endpoint',
  'container',
  'prometheus',
];
const MOST_COMBINATIONS = 64;

const patterns = new WeakMap<object, Pattern>();

/** A pattern of a stored expression, which was checked when it was stored. */
export function patternOf(owner: object, text: string): Pattern {
  let pattern = patterns.get(owner);
  if (pattern === undefined) {
    const parsed = parsePattern(text);
    if ('unsupported' in parsed) throw new Error(`an unchecked pattern: ${parsed.unsupported}`);
    pattern = parsed;
    patterns.set(owner, pattern);
  }
  return pattern;
}

interface Hit {
  readonly isHit: boolean;
  /** Spent again each time, so that the limit does not depend on what was matched before. */
  readonly steps: number;
}

const MOST_HITS = 500;
const hits = new WeakMap<Matcher, Map<string, Hit>>();

/** Nodes and clusters mostly have the same values. */
function isMatch(matcher: Matcher, text: string, spend: (steps: number) => void): boolean {
  const known = hits.get(matcher) ?? new Map<string, Hit>();
  let hit = known.get(text);
  if (hit === undefined) {
    let steps = 0;
    const count = (more: number) => {
      steps += more;
      spend(more);
    };
    const isHit = matchPattern(patternOf(matcher, matcher[2]), text, count) !== null;
    hit = { isHit, steps };
    if (known.size === MOST_HITS) known.clear();
    hits.set(matcher, known.set(text, hit));
    return isHit;
  }
  spend(hit.steps);
  return hit.isHit;
}

/** Whether versions of the matching agree on a text: they differ on line breaks. */
export function isMatchable(text: string): boolean {
  return text.length <= LONGEST_VALUE && !text.includes('\n');
}

export function findSeries(selector: Selector, families: Families, spend: (steps: number) => void): Finding {
  const family = families(selector.metric);
  if (family === null) return { selector, family, isExact: false, series: [] };
  const { where } = selector;
  const isKnownLabel = ([label]: Matcher) => isModelled(family, label);
  if (!where.every(isKnownLabel)) return { selector, family, isExact: false, series: [] };
  spend(family.series.length * (where.length + 1));
  const fits = family.series.map(({ labels }) => fitsAll(labels, where, spend));
  const series = family.series.filter((_, index) => fits[index] === true);
  return { selector, family, isExact: !fits.includes(null) && isCovered(family, where), series };
}

/** Null if it is not known. */
function fitsAll(labels: Labels, where: readonly Matcher[], spend: (steps: number) => void): boolean | null {
  let isClear = true;
  for (const matcher of where) {
    const [label, op, wanted] = matcher;
    const text = Object.hasOwn(labels, label) ? labels[label]! : '';
    if (op === '=' || op === '!=') {
      if ((text === wanted) !== (op === '=')) return false;
    } else if (isMatchable(text)) {
      if (isMatch(matcher, text, spend) !== (op === '=~')) return false;
    } else {
      isClear = false;
    }
  }
  return isClear ? true : null;
}

/** Whether all that the matchers can find is in regions where every series is known. */
function isCovered({ covered }: Family, where: readonly Matcher[]): boolean {
  if (covered === 'all') return true;
  const labels = [...new Set(covered.flatMap(Object.keys))];
  let combinations: readonly Labels[] = [{}];
  for (const label of labels) {
    const texts = finiteTexts(label, where);
    if (texts === null) continue;
    combinations = combinations.flatMap((some) => texts.map((text) => ({ ...some, [label]: text })));
    if (combinations.length > MOST_COMBINATIONS) return false;
  }
  return combinations.every((some) => covered.some((region) => isWithin(region, some)));
}

/** All texts that the matchers leave a label, as far as they name them. */
export function finiteTexts(label: string, where: readonly Matcher[]): readonly string[] | null {
  for (const matcher of where) {
    if (matcher[0] !== label) continue;
    if (matcher[1] === '=') return [matcher[2]];
    const literals = matcher[1] === '=~' ? patternOf(matcher, matcher[2]).literals : null;
    if (literals !== null) return literals;
  }
  return null;
}

function isWithin(region: Region, texts: Labels): boolean {
  return Object.entries(region).every(([label, values]) => {
    if (!Object.hasOwn(texts, label)) return false;
    const text = texts[label]!;
    return 'in' in values ? values.in.includes(text) : !values.notIn.includes(text);
  });
}

/** The vector of a selector, or what is proven of it. */
export function valueOfFinding({ selector, family, isExact, series }: Finding): Value {
  const must: Vector = series.map((one) => ({
    metric: selector.metric,
    labels: one.labels,
    value: one.value,
    origin: { series: one, family: family! },
    isRepeated: family!.isRepeated === true,
  }));
  if (isExact) return known(must);
  const isPlain = selector.where.every(([label, op, value]) => label === '_id' && op === '=' && value === '');
  const fixed = selector.where.filter(([, op]) => op === '=').map(([label, , value]) => [label, value]);
  return {
    must,
    fixed: { ...(family !== null && { _id: '' }), ...Object.fromEntries(fixed) },
    nonEmpty: must.length > 0 || (family?.exists === true && isPlain),
    values: null,
    mayHave: (label) =>
      family === null || SCRAPED.includes(label) || (label !== '_id' && isModelled(family, label)),
    mayFail: false,
  };
}
