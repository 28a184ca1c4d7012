import { groupBy } from '../../collection/group-by.ts';
import type { Choose } from '../promql/expression.ts';
import { groupsOf } from './operators.ts';
import { keyOf, type Sample, type Vector, visibleKey } from './samples.ts';
import {
  anyOf,
  known,
  mayHaveLabel,
  MOST_VECTORS,
  sharedLabels,
  UNCLEAR,
  type Value,
  valuesOf,
} from './values.ts';

/** Labels that matter to what follows, or all. */
export type Needed = readonly string[] | 'all';

/**
 * `topk` and `bottomk`: of equal samples any may be chosen, so that there is a vector for every choice. Samples that are
 * the same to all that follows are one choice.
 */
export function choose({ op, k, by }: Choose, vector: Vector, needed: Needed): Value {
  const count = Math.trunc(k);
  if (count < 1) return known([]);
  const groups = groupsOf(vector, by);
  if (groups === null) return UNCLEAR;
  let choices: readonly Vector[] = [[]];
  for (const { samples } of groups) {
    const ofGroup = choicesOf(samples, { count, needed, sign: op === 'topk' ? -1 : 1 });
    if (ofGroup === null) return openChoice(vector);
    choices = choices.flatMap((chosen) => ofGroup.map((more) => [...chosen, ...more]));
    if (choices.length > MOST_VECTORS) return openChoice(vector);
  }
  return anyOf(choices.map(known));
}

/** Some of these samples; any choice is possible. */
function openChoice(vector: Vector): Value {
  const all = known(vector);
  return {
    must: [],
    fixed: sharedLabels([all]),
    nonEmpty: true,
    values: valuesOf([all]),
    mayHave: (label) => mayHaveLabel(all, label),
    mayFail: false,
  };
}

interface Rule {
  readonly count: number;
  readonly needed: Needed;
  readonly sign: 1 | -1;
}

function choicesOf(samples: Vector, rule: Rule): readonly Vector[] | null {
  const isRepeated = samples.some((sample) => sample.isRepeated);
  if (isRepeated && rule.count > 1) return null;
  if (!isRepeated && samples.length <= rule.count) return [samples];
  const rank = (sample: Sample) =>
    Number.isNaN(sample.value) ? Number.POSITIVE_INFINITY : rule.sign * sample.value!;
  // What is not known may be first or last.
  if (samples.some(({ value }) => value === null)) return ties(samples, rule.count, rule.needed);
  const sorted = samples.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  const last = rank(sorted[rule.count - 1]!);
  const sure = sorted.filter((sample) => rank(sample) < last);
  const tied = sorted.filter((sample) => rank(sample) === last);
  return ties(tied, rule.count - sure.length, rule.needed)?.map((chosen) => [...sure, ...chosen]) ?? null;
}

/** All ways to take some of these that differ for what follows, or null if there are too many. */
function ties(samples: Vector, count: number, needed: Needed): readonly Vector[] | null {
  const alike = [...groupBy(samples, (sample) => likeness(sample, needed)).values()];
  let ways: readonly Vector[] = [[]];
  for (const [index, some] of alike.entries()) {
    const left = alike.slice(index + 1).reduce((sum, others) => sum + others.length, 0);
    ways = ways.flatMap((way) => {
      const most = Math.min(some.length, count - way.length);
      const least = Math.max(0, count - way.length - left);
      return Array.from({ length: most - least + 1 }, (_, more) => [...way, ...some.slice(0, least + more)]);
    });
    if (ways.length > MOST_VECTORS) return null;
  }
  return ways.map((way) => way.map(oneOfCopies));
}

function likeness(sample: Sample, needed: Needed): string {
  const key = needed === 'all' ? undefined : keyOf(sample, needed);
  return `${sample.value} ${key ?? sample.metric + visibleKey(sample.labels)}`;
}

/** The chosen copy is no longer the same as the others. */
function oneOfCopies(sample: Sample): Sample {
  if (!sample.isRepeated || sample.origin === null) return sample;
  const origin = { ...sample.origin, series: { ...sample.origin.series } };
  return { ...sample, isRepeated: false, origin };
}
