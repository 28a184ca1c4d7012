import { groupBy } from '../../collection/group-by.ts';
import type { Family, Series } from '../family.ts';

export type Labels = Readonly<Record<string, string>>;

/** A series of the cluster, which has labels that the documents do not show. */
export interface Origin {
  readonly series: Series;
  readonly family: Family;
}

const MOST_COMPARED = 300;

export interface Sample {
  /** Empty once an operator dropped it. */
  readonly metric: string;
  /** An empty text is a label that is not there. */
  readonly labels: Labels;
  /** Null if it is not known. */
  readonly value: number | null;
  /** Null for what an aggregation made: it has no labels but those shown. */
  readonly origin: Origin | null;
  /** Stands for several samples with the same labels here. */
  readonly isRepeated: boolean;
  /** Labels that came from a sample that does not show them. */
  readonly hidden?: readonly string[];
}

export type Vector = readonly Sample[];

/** Labels of `_id` are on no metric that documents show. */
export function isModelled({ labels: { names, prefix } }: Family, label: string): boolean {
  return label === '_id' || names.includes(label) || (prefix !== undefined && label.startsWith(prefix));
}

/** The text of a label, or undefined if documents do not show it. */
export function labelOf({ labels, origin, hidden }: Sample, label: string): string | undefined {
  if (Object.hasOwn(labels, label)) return labels[label];
  if (hidden?.includes(label)) return undefined;
  return origin === null || isModelled(origin.family, label) ? '' : undefined;
}

export function aggregated(labels: Labels, value: number | null): Sample {
  return { metric: '', labels, value, origin: null, isRepeated: false };
}

export function withHidden({ labels, ...sample }: Sample, label: string): Sample {
  const { [label]: _hidden, ...others } = labels;
  return { ...sample, labels: others, hidden: [...(sample.hidden ?? []), label] };
}

export function withLabel(sample: Sample, label: string, value: string): Sample {
  return { ...sample, labels: { ...sample.labels, [label]: value } };
}

/** The texts of some labels as one, or undefined if one of them is not known. */
export function keyOf(sample: Sample, labels: readonly string[]): string | undefined {
  if (labels.length === 0) return '';
  const texts = labels.map((label) => labelOf(sample, label));
  return texts.includes(undefined) ? undefined : JSON.stringify(texts);
}

export function visibleKey(labels: Labels): string {
  return JSON.stringify(
    Object.entries(labels)
      .filter(([, value]) => value !== '')
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * A key of all labels but the name for each sample of each vector: equal if the labels are, hidden ones too. Null if labels
 * that are hidden decide it.
 */
export function fullKeys(vectors: readonly Vector[]): readonly (readonly string[])[] | null {
  const all = vectors.flat();
  if (all.some(({ hidden }) => hidden !== undefined)) return null;
  if (new Set(all.map(({ origin }) => origin?.family)).size > 1) return mixedKeys(vectors);
  const [first] = all;
  if (first !== undefined && first.origin !== null && !showTheSame(all)) return null;
  const originOfKey = new Map<string, Origin | null>();
  const numbers = new Map<Series, number>();
  let isClear = true;
  const keys = vectors.map((vector) =>
    vector.map((sample) => {
      const key = visibleKey(sample.labels);
      const { origin } = sample;
      const other = originOfKey.get(key);
      if (other === undefined) originOfKey.set(key, origin);
      if (!other || !origin || other.series === origin.series) return key;
      // Two series of a metric with the same labels here differ in hidden ones. Changed labels show nothing.
      const own = visibleKey(origin.series.labels);
      if (own !== visibleKey(other.series.labels)) isClear = false;
      if (!numbers.has(origin.series)) numbers.set(origin.series, numbers.size);
      return `${key} ${numbers.get(origin.series)}`;
    }),
  );
  return isClear ? keys : null;
}

/** Whether each label is modelled or shown by each sample. */
function showTheSame(samples: Vector): boolean {
  const { family } = samples[0]!.origin!;
  const shown = new Set(samples.flatMap(({ labels }) => Object.keys(labels)));
  const others = [...shown].filter((label) => !isModelled(family, label));
  return others.every((label) => samples.every(({ labels }) => Object.hasOwn(labels, label)));
}

/** Samples of different metrics differ for sure only in shown labels. */
function mixedKeys(vectors: readonly Vector[]): readonly (readonly string[])[] | null {
  const byFamily = [...groupBy(vectors.flat(), ({ origin }) => origin?.family).values()];
  // Each is compared with each: many are not worth the time.
  if (vectors.flat().length > MOST_COMPARED) return null;
  const areApart = byFamily.every((some, index) =>
    byFamily.slice(index + 1).every((others) => some.every((a) => others.every((b) => differ(a, b)))),
  );
  if (!areApart) return null;
  const keyed = byFamily.map((some) => fullKeys([some])?.[0] ?? null);
  if (keyed.includes(null)) return null;
  const keys = new Map<Sample, string>();
  byFamily.forEach((some, family) => {
    some.forEach((sample, index) => keys.set(sample, `${family} ${keyed[family]![index]!}`));
  });
  return vectors.map((vector) => vector.map((sample) => keys.get(sample)!));
}

function differ(a: Sample, b: Sample): boolean {
  return [...Object.keys(a.labels), ...Object.keys(b.labels)].some((label) => {
    const texts = [labelOf(a, label), labelOf(b, label)];
    return !texts.includes(undefined) && texts[0] !== texts[1];
  });
}
