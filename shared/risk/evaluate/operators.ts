import { groupBy } from '../../collection/group-by.ts';
import type { Aggregation, Calculation, LabelReplace, SetOperation } from '../promql/expression.ts';
import { matchPattern } from '../promql/match-pattern.ts';
import { LONGEST_VALUE } from '../promql/pattern.ts';
import { calculate, isArithmetic } from './arithmetic.ts';
import { expandTemplate } from './expand-template.ts';
import {
  aggregated,
  fullKeys,
  keyOf,
  type Labels,
  labelOf,
  type Sample,
  type Vector,
  withHidden,
  withLabel,
} from './samples.ts';
import { isMatchable, patternOf } from './select.ts';

/** What an operator of PromQL makes of vectors: an error is a result. `unclear` hangs on what documents do not show. */
export type Result = Vector | 'error' | 'unclear';

/** No two samples may have the same labels. */
function checked(vector: Vector): Result {
  if (vector.length < 2) return vector;
  const keys = fullKeys([vector])?.[0];
  if (keys === undefined) return 'unclear';
  const named = keys.map((key, index) => `${vector[index]!.metric} ${key}`);
  return new Set(named).size < named.length ? 'error' : vector;
}

export function withoutNames(vector: Vector): Result {
  const isOfOne = vector.every(({ metric }) => metric === vector[0]!.metric);
  const unnamed = vector.map((sample) => ({ ...sample, metric: '' }));
  // They differed in labels before.
  return isOfOne ? unnamed : checked(unnamed);
}

/** New values for all samples. Like all functions, this drops the name. */
export function mapValues(vector: Vector, change: (value: number | null) => number | null): Result {
  return withoutNames(vector.map((sample) => ({ ...sample, value: change(sample.value) })));
}

/** Samples that a comparison keeps, and whether an unknown value left it open. */
export function filterValues(
  vector: Vector,
  test: (value: number | null) => number | boolean | null,
): { readonly kept: Vector; readonly isClear: boolean } {
  const results = vector.map(({ value }) => test(value));
  return { kept: vector.filter((_, index) => results[index] === true), isClear: !results.includes(null) };
}

export function replaceLabel(vector: Vector, call: LabelReplace, spend: (steps: number) => void): Result {
  const pattern = patternOf(call, call.pattern);
  const replaced: Sample[] = [];
  for (const sample of vector) {
    const text = call.from === '' ? '' : labelOf(sample, call.from);
    if (text === undefined || !isMatchable(text)) {
      const alwaysMatches = call.pattern === '.*' && text === undefined && !call.text.includes('$');
      if (!alwaysMatches) return 'unclear';
      replaced.push(withLabel(sample, call.to, call.text));
      continue;
    }
    const groups = matchPattern(pattern, text, spend);
    const value = groups === null ? null : expandTemplate(call.text, groups);
    if (value !== null && value.length > LONGEST_VALUE) return 'unclear';
    replaced.push(value === null ? sample : withLabel(sample, call.to, value));
  }
  return checked(replaced);
}

/** Samples by the labels of an aggregation, each with those labels; null if one has a hidden label. */
export function groupsOf(
  vector: Vector,
  by: readonly string[],
): readonly { readonly labels: Labels; readonly samples: Vector }[] | null {
  const keys = vector.map((sample) => keyOf(sample, by));
  if (keys.includes(undefined)) return null;
  const groups = groupBy(vector, (_, index) => keys[index]!);
  return [...groups.values()].map((samples) => ({ labels: pickLabels(samples[0]!, by), samples }));
}

function pickLabels(sample: Sample, names: readonly string[]): Labels {
  const entries = names.map((label) => [label, labelOf(sample, label)!] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}

export function aggregate(op: Aggregation, by: readonly string[], vector: Vector): Result {
  const groups = groupsOf(vector, by);
  return groups === null
    ? 'unclear'
    : groups.map(({ labels, samples }) => aggregated(labels, AGGREGATE[op](samples)));
}

const AGGREGATE: Readonly<Record<Aggregation, (samples: Vector) => number | null>> = {
  group: () => 1,
  max: (samples) => extreme(samples, (a, b) => a > b),
  min: (samples) => extreme(samples, (a, b) => a < b),
  count: (samples) => (isCounted(samples) ? samples.length : null),
  sum: (samples) => sumOf(samples),
  // Releases of Prometheus differ in how they round.
  avg: (samples) => (new Set(samples.map(({ value }) => value)).size === 1 ? samples[0]!.value : null),
};

/** Copies of a series count too, and their number is not known. */
function isCounted(samples: Vector): boolean {
  return !samples.some(({ isRepeated }) => isRepeated);
}

function sumOf(samples: Vector): number | null {
  const values = samples.map(({ value }) => value);
  if (values.includes(null) || !isCounted(samples)) return null;
  const sum = (values as number[]).reduce((sum, value) => sum + value, 0);
  // Fractions add up to other digits in another order.
  return values.every(Number.isSafeInteger) && Number.isSafeInteger(sum) ? sum : null;
}

function extreme(samples: Vector, isBetter: (a: number, b: number) => boolean): number | null {
  const values = samples.map(({ value }) => value);
  if (values.includes(null)) return null;
  return (values as number[]).reduce((best, value) =>
    isBetter(value, best) || Number.isNaN(best) ? value : best,
  );
}

/** Keys that match, of the samples of both sides. */
function matchKeys(
  left: Vector,
  right: Vector,
  on: readonly string[] | undefined,
): readonly (readonly string[])[] | null {
  if (on === undefined) return fullKeys([left, right]);
  const keys = [left, right].map((side) => side.map((sample) => keyOf(sample, on)));
  return keys.some((side) => side.includes(undefined)) ? null : (keys as string[][]);
}

export function combineSets({ op, on }: SetOperation, left: Vector, right: Vector): Result {
  const keys = matchKeys(left, right, on);
  if (keys === null) return 'unclear';
  const [ofLeft, ofRight] = keys.map((side) => new Set(side));
  if (op === 'or') return [...left, ...right.filter((_, index) => !ofLeft!.has(keys[1]![index]!))];
  return left.filter((_, index) => ofRight!.has(keys[0]![index]!) === (op === 'and'));
}

/** An operator between the samples of two vectors. */
export function combine(calculation: Calculation, left: Vector, right: Vector): Result {
  // Nothing can match, and Prometheus does not look further.
  if (left.length === 0 || right.length === 0) return [];
  const keys = matchKeys(left, right, calculation.on);
  if (keys === null) return 'unclear';
  const isSwapped = calculation.many === 'right';
  const [many, one] = isSwapped ? [right, left] : [left, right];
  const [manyKeys, oneKeys] = isSwapped ? [keys[1]!, keys[0]!] : [keys[0]!, keys[1]!];
  const partners = new Map(one.map((sample, index) => [oneKeys[index]!, sample]));
  if (partners.size < one.length) return 'error';
  if (one.some(({ isRepeated }) => isRepeated)) return 'unclear';
  const made = new Set<string>();
  const samples: Sample[] = [];
  for (const [index, sample] of many.entries()) {
    const partner = partners.get(manyKeys[index]!);
    if (partner === undefined) continue;
    const pair: readonly [Sample, Sample] = isSwapped ? [partner, sample] : [sample, partner];
    const value = valueOfPair(calculation, pair);
    if (value === 'dropped') continue;
    if (value === 'unclear') return value;
    if (calculation.many === undefined) {
      if (sample.isRepeated) return 'unclear';
      if (made.has(manyKeys[index]!)) return 'error';
      made.add(manyKeys[index]!);
    }
    samples.push({ ...labelResult(calculation, sample, partner), value });
  }
  return checked(samples);
}

function valueOfPair(
  { op, bool }: Calculation,
  [left, right]: readonly [Sample, Sample],
): number | null | 'dropped' | 'unclear' {
  const result = calculate(op, left.value, right.value);
  if (bool) return result === null ? null : Number(result);
  if (typeof result === 'number') return result;
  if (isArithmetic(op)) return null;
  if (result === null) return 'unclear';
  return result ? left.value : 'dropped';
}

/** The sample of the many side, with the labels that the result has. */
function labelResult(calculation: Calculation, sample: Sample, partner: Sample): Sample {
  const { op, on, many, include = [], bool } = calculation;
  if (many === undefined && on !== undefined) return aggregated(pickLabels(sample, on), null);
  const keepsName = !isArithmetic(op) && bool !== true;
  let result = keepsName ? sample : { ...sample, metric: '' };
  for (const label of include) {
    const text = labelOf(partner, label);
    result = text === undefined ? withHidden(result, label) : withLabel(result, label, text);
  }
  return result;
}
