import { type Expression, isOneOf, partsOf, SET_OPERATORS } from '../promql/expression.ts';
import { isArithmetic } from './arithmetic.ts';
import type { Needed } from './choose.ts';

/**
 * Labels of a part that its result depends on, given those of the whole that matter. All labels where two samples may
 * become the same, which is an error.
 */
export function neededOf(expression: Expression, part: Expression, needed: Needed): Needed {
  switch (expression.op) {
    case 'group':
    case 'max':
    case 'min':
    case 'sum':
    case 'count':
    case 'avg':
      return expression.by;
    case 'topk':
    case 'bottomk':
      return union(expression.by, needed);
    case 'absent':
      return [];
    case 'clamp_max':
    case 'clamp_min':
      return namesOf(part).size > 1 ? 'all' : needed;
    default:
      return 'left' in expression ? neededOfSide(expression, part, needed) : 'all';
  }
}

type Binary = Extract<Expression, { left: Expression }>;

function neededOfSide(expression: Binary, side: Expression, needed: Needed): Needed {
  const { on } = expression;
  if (isOneOf(SET_OPERATORS, expression.op)) {
    if (on === undefined) return 'all';
    return expression.op !== 'or' && side === expression.right ? on : union(on, needed);
  }
  const calculation = expression as Extract<Binary, { many?: unknown }>;
  if (expression.left.op === 'number' || expression.right.op === 'number') {
    return namesOf(side).size > 1 ? 'all' : needed;
  }
  if (on === undefined) return 'all';
  if (calculation.many === undefined) return on;
  const include = calculation.include ?? [];
  const many = calculation.many === 'left' ? expression.left : expression.right;
  if (side !== many)
    return union(on, needed === 'all' ? include : include.filter((label) => needed.includes(label)));
  // One sample for each key stays the only one, whatever its labels are.
  return isOnePer(many, on) ? union(on, needed) : 'all';
}

function union(labels: readonly string[], needed: Needed): Needed {
  return needed === 'all' ? needed : [...new Set([...labels, ...needed])];
}

/** Whether a result has at most one sample for each text of these labels. */
function isOnePer(expression: Expression, labels: readonly string[]): boolean {
  if (expression.op === 'vector' || expression.op === 'absent') return true;
  if (!('by' in expression) || ('k' in expression && expression.k >= 2)) return false;
  return expression.by.every((label) => labels.includes(label));
}

/** Names of metrics that samples of the result may have. */
export function namesOf(expression: Expression): ReadonlySet<string> {
  if (expression.op === 'select') return new Set([expression.metric]);
  const isKept =
    ['last_over_time', 'label_replace', 'topk', 'bottomk', ...SET_OPERATORS].includes(expression.op) ||
    ('left' in expression && isComparisonThatKeeps(expression));
  return isKept ? new Set(partsOf(expression).flatMap((part) => [...namesOf(part)])) : new Set(['']);
}

function isComparisonThatKeeps(expression: Binary): boolean {
  return !isOneOf(SET_OPERATORS, expression.op) && !isArithmetic(expression.op) && !('bool' in expression);
}
