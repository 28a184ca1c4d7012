import type { Families, Family } from '../family.ts';
import {
  type Aggregate,
  AGGREGATIONS,
  type Calculation,
  CHOICES,
  type Choose,
  type Expression,
  isOneOf,
  type LabelReplace,
  SET_OPERATORS,
  type SetOperation,
} from '../promql/expression.ts';
import { calculate, isArithmetic } from './arithmetic.ts';
import { choose, type Needed } from './choose.ts';
import { type Evaluation, evaluationOf, WITHOUT_ANSWER } from './evaluation.ts';
import { namesOf, neededOf } from './needed.ts';
import {
  aggregateOpen,
  chooseOpen,
  combineOpen,
  combineSetsOpen,
  filterOpen,
  mapOpen,
  openFilter,
  replaceLabelOpen,
} from './open-rules.ts';
import {
  aggregate,
  combine,
  combineSets,
  filterValues,
  mapValues,
  replaceLabel,
  type Result,
} from './operators.ts';
import { aggregated, type Labels, type Vector } from './samples.ts';
import { type Finding, findSeries, valueOfFinding } from './select.ts';
import {
  anyOf,
  EMPTY,
  FAILS,
  isKnown,
  isNonEmpty,
  known,
  mayFail,
  type Open,
  UNCLEAR,
  type Value,
  withFailure,
} from './values.ts';

/** About a second of work: no query of a stranger takes longer. */
const MOST_STEPS = 20_000_000;
/** Work on a sample, in steps of a pattern. */
const STEPS_OF_SAMPLE = 20;

class TooMuchWork extends Error {}

type Clamp = Extract<Expression, { limit: number }>;

/** Every answer that a query can give on a cluster of which the families are known. */
export function evaluateQuery(expression: Expression, families: Families): Evaluation {
  // A number is no vector, and no cluster takes it for an answer.
  if (expression.op === 'number') return evaluationOf(FAILS, []);
  const run = new Run(families);
  try {
    return evaluationOf(run.evaluate(expression, []), run.findings);
  } catch (error) {
    if (error instanceof TooMuchWork) return WITHOUT_ANSWER;
    throw error;
  }
}

class Run {
  readonly findings: Finding[] = [];
  private readonly families: Families;
  private left = MOST_STEPS;

  constructor(families: Families) {
    const known = new Map<string, Family | null>();
    // Series are compared by identity, so each family is made once.
    this.families = (metric) => {
      if (!known.has(metric)) known.set(metric, families(metric));
      return known.get(metric)!;
    };
  }

  private readonly spend = (steps: number): void => {
    this.left -= steps;
    if (this.left < 0) throw new TooMuchWork();
  };

  evaluate(expression: Expression, needed: Needed): Value {
    const evaluatePart = (part: Expression) => this.evaluate(part, neededOf(expression, part, needed));
    const { op } = expression;
    if (op === 'number') throw new Error('a number has no vector');
    if (op === 'select') {
      const finding = findSeries(expression, this.families, this.spend);
      this.findings.push(finding);
      return valueOfFinding(finding);
    }
    if (op === 'vector') return known([aggregated({}, expression.value)]);
    if (op === 'absent') return absent(expression.of, evaluatePart(expression.of));
    if ('left' in expression) return this.evaluateBinary(expression, evaluatePart);
    const of = evaluatePart(expression.of);
    if (op === 'label_replace') return this.replace(expression, of);
    if (isOneOf(AGGREGATIONS, op)) return this.aggregate(expression as Aggregate, of);
    if (isOneOf(CHOICES, op)) return this.choose(expression as Choose, of, needed);
    if (op === 'last_over_time') return of;
    if (op === 'clamp_max' || op === 'clamp_min') return this.clamp(expression, of);
    // A snapshot stands for the whole range.
    return this.map(of, expression.of, (value) => value);
  }

  /** An operator on each vector that the value may be, or on what is known of an open one. */
  private each(value: Value, plain: (vector: Vector) => Value, open: (value: Open) => Value): Value {
    if (!isKnown(value)) {
      this.spend((value.must.length + 1) * STEPS_OF_SAMPLE);
      return open(value);
    }
    return anyOf(
      value.vectors.map((vector) => {
        this.spend((vector.length + 1) * STEPS_OF_SAMPLE);
        return vector === 'error' ? FAILS : plain(vector);
      }),
    );
  }

  /** Drops the name of the metric: samples of several may become the same. */
  private map(value: Value, part: Expression, change: (value: number | null) => number | null): Value {
    return this.each(
      value,
      (vector) => valueOfResult(mapValues(vector, change)),
      (open) => {
        const mapped = mapOpen(open, mapValues(open.must, change), change);
        return namesOf(part).size > 1 ? withFailure(mapped) : mapped;
      },
    );
  }

  private clamp({ op, of, limit }: Clamp, value: Value): Value {
    const pick = op === 'clamp_max' ? Math.min : Math.max;
    return this.map(value, of, (one) => (one === null ? null : pick(one, limit)));
  }

  private replace(call: LabelReplace, of: Value): Value {
    return this.each(
      of,
      (vector) => valueOfResult(replaceLabel(vector, call, this.spend)),
      (open) => replaceLabelOpen(call, open, this.spend),
    );
  }

  private aggregate({ op, by }: Aggregate, of: Value): Value {
    return this.each(
      of,
      (vector) => valueOfResult(aggregate(op, by, vector)),
      (open) => aggregateOpen(op, by, open),
    );
  }

  private choose(choice: Choose, of: Value, needed: Needed): Value {
    return this.each(
      of,
      (vector) => choose(choice, vector, needed),
      (open) => chooseOpen(choice, open),
    );
  }

  private evaluateBinary(
    expression: Calculation | SetOperation,
    evaluatePart: (part: Expression) => Value,
  ): Value {
    const { op, left, right } = expression;
    if (isOneOf(SET_OPERATORS, op)) {
      const operation = expression as SetOperation;
      return this.pair([evaluatePart(left), evaluatePart(right)], {
        plain: (a, b) => combineSets(operation, a, b),
        open: (a, b) => combineSetsOpen(operation, a, b),
      });
    }
    const calculation = expression as Calculation;
    if (left.op === 'number' || right.op === 'number') {
      return this.withNumber(calculation, evaluatePart(left.op === 'number' ? right : left));
    }
    return this.pair([evaluatePart(left), evaluatePart(right)], {
      plain: (a, b) => combine(calculation, a, b),
      open: (a, b) => combineOpen(calculation, a, b),
    });
  }

  /** Every vector of one side with every vector of the other. */
  private pair(
    [left, right]: readonly [Value, Value],
    {
      plain,
      open,
    }: {
      readonly plain: (left: Vector, right: Vector) => Result;
      readonly open: (left: Value, right: Value) => Value;
    },
  ): Value {
    if (!isKnown(left) || !isKnown(right)) return open(left, right);
    const results = left.vectors.flatMap((a) =>
      right.vectors.map((b) => {
        if (a === 'error' || b === 'error') return FAILS;
        this.spend((a.length + b.length + 1) * STEPS_OF_SAMPLE);
        return valueOfResult(plain(a, b));
      }),
    );
    return anyOf(results);
  }

  private withNumber({ op, left, right, bool }: Calculation, of: Value): Value {
    const number = left.op === 'number' ? left.value : right.op === 'number' ? right.value : 0;
    const test = (value: number | null) =>
      left.op === 'number' ? calculate(op, number, value) : calculate(op, value, number);
    if (isArithmetic(op) || bool) {
      return this.map(of, left.op === 'number' ? right : left, (value) => {
        const result = test(value);
        return result === null ? null : Number(result);
      });
    }
    const keptOf = (values: readonly number[] | null) =>
      op === '==' ? [number] : (values?.filter((value) => test(value) === true) ?? null);
    return this.each(
      of,
      (vector) => {
        const { kept, isClear } = filterValues(vector, test);
        return isClear ? known(kept) : openFilter(vector, kept, keptOf(null));
      },
      (open) => filterOpen(open, filterValues(open.must, test).kept, keptOf(open.values)),
    );
  }
}

function valueOfResult(result: Result): Value {
  if (result === 'error') return FAILS;
  return result === 'unclear' ? UNCLEAR : known(result);
}

/** The only series of an answer that there are none. */
function absent(of: Expression, value: Value): Value {
  const gone = known([aggregated(labelsOfAbsence(of), 1)]);
  if (isKnown(value)) {
    return anyOf(
      value.vectors.map((vector) => (vector === 'error' ? FAILS : vector.length > 0 ? EMPTY : gone)),
    );
  }
  const either = isNonEmpty(value) ? EMPTY : anyOf([EMPTY, gone]);
  return mayFail(value) ? withFailure(either) : either;
}

/** Those that the selector compares with a text, and once only. */
function labelsOfAbsence(of: Expression): Labels {
  if (of.op !== 'select') return {};
  const seen = new Set<string>();
  const labels = new Map<string, string>();
  for (const [label, op, text] of of.where) {
    if (op === '=' && !seen.has(label)) {
      seen.add(label);
      if (text !== '') labels.set(label, text);
    } else {
      labels.delete(label);
    }
  }
  return Object.fromEntries(labels);
}
