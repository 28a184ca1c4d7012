/**
 * Label, operator and value; a list, because most of a stored query is matchers. A missing label is the empty text. Regular
 * expressions are anchored at both ends.
 */
export type Matcher = readonly [label: string, op: '=' | '!=' | '=~' | '!~', value: string];

export interface Selector {
  readonly op: 'select';
  readonly metric: string;
  readonly where: readonly Matcher[];
}

export const OVER_TIME = ['max_over_time', 'min_over_time', 'avg_over_time', 'last_over_time'] as const;
export const AGGREGATIONS = ['group', 'max', 'min', 'sum', 'count', 'avg'] as const;
export const CHOICES = ['topk', 'bottomk'] as const;
export const ARITHMETIC = ['+', '-', '*', '/'] as const;
export const COMPARISONS = ['==', '!=', '>', '<', '>=', '<='] as const;
export const SET_OPERATORS = ['or', 'and', 'unless'] as const;

export type Aggregation = (typeof AGGREGATIONS)[number];
export type Choice = (typeof CHOICES)[number];
export type Arithmetic = (typeof ARITHMETIC)[number];
export type Comparison = (typeof COMPARISONS)[number];
export type SetOperator = (typeof SET_OPERATORS)[number];

export interface LabelReplace {
  readonly op: 'label_replace';
  readonly of: Expression;
  readonly to: string;
  readonly text: string;
  readonly from: string;
  readonly pattern: string;
}

export interface Aggregate {
  readonly op: Aggregation;
  readonly by: readonly string[];
  readonly of: Expression;
}

export interface Choose {
  readonly op: Choice;
  readonly k: number;
  readonly by: readonly string[];
  readonly of: Expression;
}

export interface Calculation {
  readonly op: Arithmetic | Comparison;
  readonly left: Expression;
  readonly right: Expression;
  /** All labels without it. */
  readonly on?: readonly string[];
  /** The side that may have several samples of a key. */
  readonly many?: 'left' | 'right';
  /** Labels that the many side takes from the other. */
  readonly include?: readonly string[];
  /** A comparison gives 0 or 1 for each sample, and drops none. */
  readonly bool?: true;
}

export interface SetOperation {
  readonly op: SetOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly on?: readonly string[];
}

/** A checked query as plain data: it is stored, and read where no parser is. */
export type Expression =
  | { readonly op: 'number'; readonly value: number }
  | Selector
  | { readonly op: (typeof OVER_TIME)[number]; readonly of: Selector }
  | { readonly op: 'vector'; readonly value: number }
  | { readonly op: 'absent'; readonly of: Expression }
  | { readonly op: 'clamp_max' | 'clamp_min'; readonly of: Expression; readonly limit: number }
  | LabelReplace
  | Aggregate
  | Choose
  | Calculation
  | SetOperation;

/** What is not supported, and where it stands. */
export type CompiledQuery = { readonly expression: Expression } | { readonly unsupported: string };

export function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return (names as readonly string[]).includes(name);
}

/** Expressions directly below. */
export function partsOf(expression: Expression): readonly Expression[] {
  if ('of' in expression) return [expression.of];
  return 'left' in expression ? [expression.left, expression.right] : [];
}

export function selectorsOf(expression: Expression): readonly Selector[] {
  return expression.op === 'select' ? [expression] : partsOf(expression).flatMap(selectorsOf);
}
