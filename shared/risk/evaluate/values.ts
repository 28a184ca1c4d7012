import { type Labels, labelOf, type Sample, type Vector, visibleKey } from './samples.ts';

/** Every vector that may be the result, or an error of the query. */
export interface Known {
  readonly vectors: readonly (Vector | 'error')[];
}

/** Any vector that contains `must`, and only samples that fit the rest. */
export interface Open {
  readonly must: Vector;
  /** Labels that all samples have, with their texts; empty for those that none has. */
  readonly fixed: Labels;
  readonly nonEmpty: boolean;
  /** The only values there can be, or null. */
  readonly values: readonly number[] | null;
  /** Whether samples may have this label. */
  readonly mayHave: (label: string) => boolean;
  /** The query may end in an error instead. */
  readonly mayFail: boolean;
}

/** What an expression may give on a cluster of which not everything is known. */
export type Value = Known | Open;

export const MOST_VECTORS = 64;

export const FAILS: Known = { vectors: ['error'] };
export const EMPTY: Known = { vectors: [[]] };
/** Nothing is known. */
export const UNCLEAR: Open = {
  must: [],
  fixed: {},
  nonEmpty: false,
  values: null,
  mayHave: () => true,
  mayFail: true,
};

export function isKnown(value: Value): value is Known {
  return 'vectors' in value;
}

export function known(vector: Vector): Known {
  return { vectors: [vector] };
}

/** Those that are no errors. */
export function vectorsOf({ vectors }: Known): readonly Vector[] {
  return vectors.filter((vector) => vector !== 'error');
}

export function mayFail(value: Value): boolean {
  return isKnown(value) ? value.vectors.includes('error') : value.mayFail;
}

export function withFailure(value: Value): Value {
  if (mayFail(value)) return value;
  return isKnown(value) ? { vectors: [...value.vectors, 'error'] } : { ...value, mayFail: true };
}

export function isOnlyFailure(value: Value): boolean {
  return isKnown(value) && vectorsOf(value).length === 0;
}

export function isAlwaysEmpty(value: Value): boolean {
  return isKnown(value) && vectorsOf(value).every((vector) => vector.length === 0);
}

export function isNonEmpty(value: Value): boolean {
  return isKnown(value) ? vectorsOf(value).every((vector) => vector.length > 0) : value.nonEmpty;
}

/** Any of these. Too many vectors become open. */
export function anyOf(values: readonly Value[]): Value {
  if (values.length === 1) return values[0]!;
  const vectors = values.every(isKnown) ? distinct(values.flatMap(({ vectors }) => vectors)) : null;
  if (vectors !== null && vectors.length <= MOST_VECTORS) return { vectors };
  return {
    must: sharedSamples(values),
    fixed: sharedLabels(values),
    nonEmpty: values.every(isNonEmpty),
    values: valuesOf(values),
    mayHave: (label) => values.some((value) => mayHaveLabel(value, label)),
    mayFail: values.some(mayFail),
  };
}

function keyOfSample({ metric, labels, value, origin, isRepeated, hidden = [] }: Sample): string {
  return `${metric}${visibleKey(labels)}${value}${origin !== null}${isRepeated}${hidden.join()}`;
}

function distinct(vectors: Known['vectors']): Known['vectors'] {
  const byKey = new Map<string, Vector | 'error'>();
  for (const vector of vectors) {
    const key = vector === 'error' ? vector : vector.map(keyOfSample).toSorted().join('\n');
    byKey.set(key, vector);
  }
  return [...byKey.values()];
}

function sharedSamples(values: readonly Value[]): Vector {
  const [first, ...others] = values.flatMap((value) => (isKnown(value) ? vectorsOf(value) : [value.must]));
  const keys = others.map((vector) => new Set(vector.map(keyOfSample)));
  return (first ?? []).filter((sample) => keys.every((some) => some.has(keyOfSample(sample))));
}

/** Labels that have one text in all samples of all these. */
export function sharedLabels(values: readonly Value[]): Labels {
  const samples = values.filter(isKnown).flatMap(vectorsOf).flat();
  const opens = values.filter((value): value is Open => !isKnown(value));
  const [first] = opens;
  const candidates = first?.fixed ?? samples[0]?.labels ?? {};
  const shared = Object.entries(candidates).filter(
    ([label, text]) =>
      opens.every(({ fixed }) => Object.hasOwn(fixed, label) && fixed[label] === text) &&
      samples.every((sample) => labelOf(sample, label) === text),
  );
  return Object.fromEntries(shared);
}

export function valuesOf(values: readonly Value[]): readonly number[] | null {
  const all = values.flatMap((value) =>
    isKnown(value)
      ? vectorsOf(value).flatMap((vector) => vector.map((sample) => sample.value))
      : value.values,
  );
  return all.includes(null) ? null : [...new Set(all as number[])];
}

export function mayHaveLabel(value: Value, label: string): boolean {
  if (!isKnown(value)) return value.mayHave(label);
  return vectorsOf(value).some((vector) => vector.some((sample) => labelOf(sample, label) !== ''));
}
