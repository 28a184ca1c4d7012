import type { InputValue } from '../input/input-value.ts';

export type Labels = Readonly<Record<string, string>>;

export interface LabelSelector {
  readonly matchLabels: Labels;
  readonly matchExpressions: readonly LabelExpression[];
}

export interface LabelExpression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export function readSelector(selector: InputValue): LabelSelector {
  return {
    matchLabels: selector.at('matchLabels').labels(),
    matchExpressions: selector.at('matchExpressions').items().map(readExpression),
  };
}

function readExpression(expression: InputValue): LabelExpression {
  return {
    key: expression.at('key').text(),
    operator: expression.at('operator').text(),
    values: expression.at('values').texts(),
  };
}

export function isEmptySelector({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** An empty selector matches everything. */
export function matchesSelector({ matchLabels, matchExpressions }: LabelSelector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labelOf(labels, key) === value) &&
    matchExpressions.every((expression) => matches(expression, labelOf(labels, expression.key)))
  );
}

/** An unknown operator matches nothing. */
function matches({ operator, values }: LabelExpression, label: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return label !== undefined && values.includes(label);
    case 'NotIn':
      return label === undefined || !values.includes(label);
    case 'Exists':
      return label !== undefined;
    case 'DoesNotExist':
      return label === undefined;
    default:
      return false;
  }
}

/** Labels are untrusted: `constructor` is a label only if the object has it. */
function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
