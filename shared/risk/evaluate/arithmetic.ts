import { ARITHMETIC, type Calculation, isOneOf } from '../promql/expression.ts';

type Operator = Calculation['op'];

const CALCULATE: Readonly<Record<Operator, (a: number, b: number) => number | boolean>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

export function isArithmetic(op: Operator): boolean {
  return isOneOf(ARITHMETIC, op);
}

/** Null if it hangs on a value that is not known. Such values are finite. */
export function calculate(op: Operator, a: number | null, b: number | null): number | boolean | null {
  if (a !== null && b !== null) return CALCULATE[op](a, b);
  return op === '*' && (a === 0 || b === 0) ? 0 : null;
}
