import type { Aggregation, Calculation, Choose, LabelReplace, SetOperation } from '../promql/expression.ts';
import { matchPattern } from '../promql/match-pattern.ts';
import { calculate, isArithmetic } from './arithmetic.ts';
import { expandTemplate } from './expand-template.ts';
import { groupsOf, replaceLabel, type Result } from './operators.ts';
import { aggregated, keyOf, type Labels, type Vector } from './samples.ts';
import { isMatchable, patternOf } from './select.ts';
import {
  anyOf,
  EMPTY,
  FAILS,
  isAlwaysEmpty,
  isKnown,
  isNonEmpty,
  isOnlyFailure,
  known,
  type Known,
  mayFail,
  mayHaveLabel,
  type Open,
  sharedLabels,
  UNCLEAR,
  type Value,
  valuesOf,
  vectorsOf,
  withFailure,
} from './values.ts';

const MOST_VALUES = 64;

/** Keeps of `open` what an operator on each sample makes of the samples that must be there. */
function withMust(open: Open, must: Result, rest: Partial<Open>): Value {
  if (must === 'error') return FAILS;
  if (must === 'unclear') return { ...open, must: [], ...rest, mayFail: true };
  return { ...open, must, ...rest };
}

export function mapOpen(open: Open, must: Result, change: (value: number | null) => number | null): Value {
  const values = (open.values ?? [null]).map(change);
  return withMust(open, must, { values: values.includes(null) ? null : (values as number[]) });
}

export function filterOpen(open: Open, kept: Vector, values: readonly number[] | null): Open {
  return { ...open, must: kept, nonEmpty: kept.length > 0, values };
}

/** Candidates of a comparison with values that are not known. */
export function openFilter(vector: Vector, kept: Vector, values: readonly number[] | null): Open {
  const all = known(vector);
  return {
    must: kept,
    fixed: sharedLabels([all]),
    nonEmpty: kept.length > 0,
    values,
    mayHave: (label) => mayHaveLabel(all, label),
    mayFail: false,
  };
}

export function replaceLabelOpen(call: LabelReplace, open: Open, spend: (steps: number) => void): Value {
  const text = constantOf(call, open, spend);
  const { [call.to]: before, ...others } = open.fixed;
  const fixed = text === null ? others : { ...others, [call.to]: text };
  // Samples that differ only in this label become the same.
  const merges = before === undefined && open.mayHave(call.to);
  return withMust(open, replaceLabel(open.must, call, spend), {
    fixed,
    mayHave: (label) => label === call.to || open.mayHave(label),
    mayFail: open.mayFail || merges,
  });
}

/** The text that the label gets on every sample, or null. */
function constantOf(call: LabelReplace, { fixed }: Open, spend: (steps: number) => void): string | null {
  if (call.pattern === '.*' && !call.text.includes('$')) return call.text;
  const from = call.from === '' ? '' : Object.hasOwn(fixed, call.from) ? fixed[call.from]! : null;
  if (from === null || !isMatchable(from)) return null;
  const groups = matchPattern(patternOf(call, call.pattern), from, spend);
  if (groups !== null) return expandTemplate(call.text, groups);
  return Object.hasOwn(fixed, call.to) ? fixed[call.to]! : null;
}

function fixedOf(open: Open, labels: readonly string[]): Labels {
  return Object.fromEntries(
    labels.filter((label) => Object.hasOwn(open.fixed, label)).map((label) => [label, open.fixed[label]!]),
  );
}

export function aggregateOpen(op: Aggregation, by: readonly string[], open: Open): Value {
  const fixed = fixedOf(open, by);
  const isOneGroup = by.every((label) => Object.hasOwn(fixed, label));
  const present = Object.fromEntries(Object.entries(fixed).filter(([, text]) => text !== ''));
  if (isOneGroup && op === 'group') {
    const one = known([aggregated(present, 1)]);
    const either = open.nonEmpty ? one : anyOf([EMPTY, one]);
    return open.mayFail ? withFailure(either) : either;
  }
  const groups = op === 'group' ? groupsOf(open.must, by) : [];
  const keepsValues = op === 'max' || op === 'min';
  return {
    must: (groups ?? []).map(({ labels }) => aggregated(labels, 1)),
    fixed: by.includes('_id') ? fixed : { ...fixed, _id: '' },
    nonEmpty: open.nonEmpty,
    values: op === 'group' ? [1] : keepsValues ? open.values : null,
    mayHave: (label) => by.includes(label),
    mayFail: open.mayFail,
  };
}

export function chooseOpen({ k }: Choose, open: Open): Value {
  return k < 1 ? (open.mayFail ? withFailure(EMPTY) : EMPTY) : { ...open, must: [] };
}

/** The key that every sample has, if there is only one. */
function onlyKey(value: Value, on: readonly string[] | undefined): string | null {
  if (on === undefined) return null;
  if (!isKnown(value)) {
    const areFixed = on.every((label) => Object.hasOwn(value.fixed, label));
    return areFixed ? keyOf(aggregated(value.fixed, null), on)! : null;
  }
  const keys = new Set(vectorsOf(value).flatMap((vector) => vector.map((sample) => keyOf(sample, on))));
  return keys.size === 1 ? ([...keys][0] ?? null) : null;
}

/** `or`, `and` and `unless`, one side of which is open at least. */
export function combineSetsOpen(operation: SetOperation, left: Value, right: Value): Value {
  if (isOnlyFailure(left) || isOnlyFailure(right)) return FAILS;
  const result = operation.op === 'or' ? either(operation, left, right) : both(operation, left, right);
  return mayFail(left) || mayFail(right) ? withFailure(result) : result;
}

function either({ on }: SetOperation, left: Value, right: Value): Value {
  if (isAlwaysEmpty(left)) return right;
  if (isAlwaysEmpty(right)) return left;
  const key = onlyKey(right, on);
  // The left side hides all that the right side may have.
  if (key !== null && hasKey(left, key, on!)) return left;
  const sides = [left, right];
  return {
    must: isKnown(left) ? (onlyVector(left) ?? []) : left.must,
    fixed: sharedLabels(sides),
    nonEmpty: sides.some(isNonEmpty),
    values: valuesOf(sides),
    mayHave: (label) => sides.some((side) => mayHaveLabel(side, label)),
    mayFail: false,
  };
}

/** Whether there is a sample of this key, whatever the vector is. */
function hasKey(value: Value, key: string, on: readonly string[]): boolean {
  if (!isKnown(value)) {
    const isOfKey = value.nonEmpty && onlyKey(value, on) === key;
    return isOfKey || value.must.some((sample) => keyOf(sample, on) === key);
  }
  return vectorsOf(value).every((vector) => vector.some((sample) => keyOf(sample, on) === key));
}

function onlyVector(value: Known): Vector | null {
  const vectors = vectorsOf(value);
  return vectors.length === 1 ? vectors[0]! : null;
}

function both({ op, on }: SetOperation, left: Value, right: Value): Value {
  if (isAlwaysEmpty(left)) return left;
  if (op === 'unless' && isAlwaysEmpty(right)) return left;
  const key = onlyKey(right, on);
  if (isKnown(left) && key !== null) {
    const cases = vectorsOf(left).map((vector) => partsByKey(vector, key, on!));
    if (cases.includes(null)) return UNCLEAR;
    const matched = cases.map((parts) => known(op === 'and' ? parts![0] : parts![1]));
    if (isNonEmpty(right)) return anyOf(matched);
    return anyOf([...matched, op === 'and' ? EMPTY : left]);
  }
  const must =
    op === 'and' && on !== undefined
      ? mustOf(left).filter((sample) => {
          const own = keyOf(sample, on);
          return own !== undefined && hasKey(right, own, on);
        })
      : [];
  return {
    must,
    fixed: sharedLabels([left]),
    nonEmpty: must.length > 0,
    values: valuesOf([left]),
    mayHave: (label) => mayHaveLabel(left, label),
    mayFail: false,
  };
}

function mustOf(value: Value): Vector {
  return isKnown(value) ? (onlyVector(value) ?? []) : value.must;
}

/** Samples with the key, and the others. */
function partsByKey(vector: Vector, key: string, on: readonly string[]): readonly [Vector, Vector] | null {
  const keys = vector.map((sample) => keyOf(sample, on));
  if (keys.includes(undefined)) return null;
  return [vector.filter((_, index) => keys[index] === key), vector.filter((_, index) => keys[index] !== key)];
}

/** An operator between samples, one side of which is open at least. */
export function combineOpen(calculation: Calculation, left: Value, right: Value): Value {
  if (isOnlyFailure(left) || isOnlyFailure(right)) return FAILS;
  if (!isAlwaysEmpty(left) && !isAlwaysEmpty(right)) {
    return { ...UNCLEAR, values: valuesOfPairs(calculation, valuesOf([left]), valuesOf([right])) };
  }
  return mayFail(left) || mayFail(right) ? withFailure(EMPTY) : EMPTY;
}

function valuesOfPairs(
  { op, bool }: Calculation,
  left: readonly number[] | null,
  right: readonly number[] | null,
): readonly number[] | null {
  if (!isArithmetic(op)) return bool ? [0, 1] : left;
  const [some, others] = [left ?? [null], right ?? [null]];
  if (some.length * others.length > MOST_VALUES) return null;
  const results = some.flatMap((a) => others.map((b) => calculate(op, a, b)));
  return results.includes(null) ? null : [...new Set(results as number[])];
}
