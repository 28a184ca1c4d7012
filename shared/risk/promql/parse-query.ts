import { parser } from '@prometheus-io/lezer-promql';
import {
  AGGREGATIONS,
  ARITHMETIC,
  type Calculation,
  CHOICES,
  COMPARISONS,
  type CompiledQuery,
  type Expression,
  isOneOf,
  type Matcher,
  OVER_TIME,
  type Selector,
  SET_OPERATORS,
} from './expression.ts';
import { unquoteGo } from './go-string.ts';
import { parsePattern } from './pattern.ts';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

const LONGEST_QUERY = 16 * 1024;
const DEEPEST = 64;
const MOST_NODES = 500;
/** Snapshots stand for what was scraped: a shorter range may hold no scrape at all. */
const SHORTEST_RANGE_SECONDS = 300;

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  y: 31_536_000,
  w: 604_800,
  d: 86_400,
  h: 3600,
  m: 60,
  s: 1,
  ms: 0.001,
};
const METRIC = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
/** After an operator the parser takes a sign for a part of the number. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

class NotSupported extends Error {
  readonly at: SyntaxNode | null;

  constructor(what: string, at: SyntaxNode | null) {
    super(what);
    this.at = at;
  }
}

/** A query as an expression, or what facts cannot answer in it. */
export function compileQuery(promql: string): CompiledQuery {
  // Before the parser sees it: what is too long is not read at all.
  if (promql.length > LONGEST_QUERY) return { unsupported: 'a query of more than 16 KB' };
  try {
    return { expression: new QueryReader(promql).read() };
  } catch (error) {
    if (error instanceof NotSupported) return { unsupported: error.message + placeOf(promql, error.at) };
    throw error;
  }
}

function placeOf(promql: string, at: SyntaxNode | null): string {
  if (at === null) return '';
  const before = promql.slice(0, at.from).split('\n');
  const text = promql.slice(at.from, at.to).replaceAll(/\s+/g, ' ');
  const quoted = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  const place = ` at line ${before.length}, column ${before.at(-1)!.length + 1}`;
  return quoted === '' ? place : `${place}: ${quoted}`;
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'LineComment') children.push(child);
  }
  return children;
}

class QueryReader {
  private readonly promql: string;
  private nodes = 0;
  private depth = 0;

  constructor(promql: string) {
    this.promql = promql;
  }

  read(): Expression {
    const tree = parser.parse(this.promql);
    tree.iterate({
      enter: ({ type, node }) => {
        if (type.isError) throw new NotSupported('a syntax error', node);
      },
    });
    const [root, ...others] = childrenOf(tree.topNode);
    if (root === undefined || others.length > 0) throw new NotSupported('no expression', null);
    return this.readExpression(root);
  }

  private textOf(node: SyntaxNode): string {
    return this.promql.slice(node.from, node.to);
  }

  private readExpression(node: SyntaxNode): Expression {
    if (++this.nodes > MOST_NODES) throw new NotSupported('a query of more than 500 parts', null);
    if (++this.depth > DEEPEST) throw new NotSupported('an expression of that depth', null);
    const expression = this.readNode(node);
    this.depth--;
    return expression;
  }

  private readNode(node: SyntaxNode): Expression {
    switch (node.name) {
      case 'ParenExpr':
        return this.readExpression(childrenOf(node)[0]!);
      case 'NumberDurationLiteral':
        return { op: 'number', value: this.readNumber(node) };
      case 'UnaryExpr':
        return this.readUnary(node);
      case 'VectorSelector':
        return this.readSelector(node);
      case 'AggregateExpr':
        return this.readAggregate(node);
      case 'FunctionCall':
        return this.readCall(node);
      case 'BinaryExpr':
        return this.readBinary(node);
      default:
        throw new NotSupported(nameOfNode(node), node);
    }
  }

  private readNumber(node: SyntaxNode): number {
    const text = this.textOf(node).replace(/^([+-])\s+/, '$1');
    return finite(NUMBER.test(text) ? Number(text) : Number.NaN, node);
  }

  private readUnary(node: SyntaxNode): Expression {
    const [sign, operand] = childrenOf(node);
    const of = this.readExpression(operand!);
    if (this.textOf(sign!) === '+') return of;
    if (of.op === 'number') return { op: 'number', value: -of.value };
    return { op: '*', left: { op: 'number', value: -1 }, right: of };
  }

  private readSelector(node: SyntaxNode): Selector {
    const [name, matchers] = childrenOf(node);
    const metric = name?.name === 'Identifier' ? this.textOf(name) : '';
    if (!METRIC.test(metric)) throw new NotSupported('a selector without the name of a metric', node);
    const where = matchers === undefined ? [] : childrenOf(matchers).map((of) => this.readMatcher(of));
    return { op: 'select', metric, where };
  }

  private readMatcher(node: SyntaxNode): Matcher {
    const [name, op, value] = childrenOf(node);
    if (node.name !== 'UnquotedLabelMatcher') throw new NotSupported('a quoted label', node);
    const text = this.readString(value!);
    const operator = this.textOf(op!) as Matcher[1];
    if (operator === '=~' || operator === '!~') checkPattern(text, value!);
    return [this.readLabel(name!), operator, text];
  }

  /** The name of the metric is no label here. */
  private readLabel(node: SyntaxNode): string {
    const label = this.textOf(node);
    if (!LABEL.test(label) || label === '__name__') throw new NotSupported('the label', node);
    return label;
  }

  private readString(node: SyntaxNode): string {
    const text = node.name === 'StringLiteral' ? unquoteGo(this.textOf(node)) : null;
    if (text === null) throw new NotSupported('the text', node);
    return text;
  }

  private readLabels(node: SyntaxNode | undefined): readonly string[] {
    return node === undefined ? [] : childrenOf(node).map((label) => this.readLabel(label));
  }

  private readAggregate(node: SyntaxNode): Expression {
    const children = childrenOf(node);
    const op = this.textOf(children[0]!).toLowerCase();
    const modifiers = children.filter(({ name }) => name === 'AggregateModifier');
    const [modifier] = modifiers.map(childrenOf);
    if (modifiers.length > 1) throw new NotSupported('a second grouping', modifiers[1]!);
    if (modifier !== undefined && modifier[0]?.name !== 'By')
      throw new NotSupported('without', modifiers[0]!);
    const by = this.readLabels(modifier?.[1]);
    const parameters = childrenOf(children.find(({ name }) => name === 'FunctionCallBody')!);
    if (isOneOf(AGGREGATIONS, op)) {
      if (parameters.length !== 1) throw new NotSupported('the parameters', node);
      return { op, by, of: this.readVector(parameters[0]!) };
    }
    if (!isOneOf(CHOICES, op)) throw new NotSupported(`the aggregation ${op}`, node);
    if (parameters.length !== 2) throw new NotSupported('the parameters', node);
    return { op, k: this.readScalar(parameters[0]!), by, of: this.readVector(parameters[1]!) };
  }

  private readVector(node: SyntaxNode): Expression {
    const expression = this.readExpression(node);
    if (expression.op === 'number') throw new NotSupported('a number instead of a vector', node);
    return expression;
  }

  private readScalar(node: SyntaxNode): number {
    const expression = this.readExpression(node);
    if (expression.op !== 'number') throw new NotSupported('a vector instead of a number', node);
    return expression.value;
  }

  private readCall(node: SyntaxNode): Expression {
    const [called, body] = childrenOf(node);
    const op = this.textOf(called!);
    const parameters = childrenOf(body!);
    const expect = (count: number) => {
      if (parameters.length !== count) throw new NotSupported('the parameters', node);
    };
    if (op === 'vector' || op === 'absent' || isOneOf(OVER_TIME, op)) expect(1);
    if (op === 'vector') return { op, value: this.readScalar(parameters[0]!) };
    if (op === 'absent') return { op, of: this.readVector(parameters[0]!) };
    if (isOneOf(OVER_TIME, op)) return { op, of: this.readRange(parameters[0]!) };
    if (op === 'clamp_max' || op === 'clamp_min') {
      expect(2);
      return { op, of: this.readVector(parameters[0]!), limit: this.readScalar(parameters[1]!) };
    }
    if (op !== 'label_replace') throw new NotSupported(`the function ${op}`, node);
    expect(5);
    const [to, text, from, pattern] = parameters.slice(1).map((parameter) => this.readString(parameter));
    if (!LABEL.test(to!) || to === '__name__') throw new NotSupported('the label', parameters[1]!);
    if (from === '__name__') throw new NotSupported('the label', parameters[3]!);
    checkPattern(pattern!, parameters[4]!);
    return { op, of: this.readVector(parameters[0]!), to: to!, text: text!, from: from!, pattern: pattern! };
  }

  private readRange(node: SyntaxNode): Selector {
    if (node.name === 'ParenExpr' && ++this.depth <= DEEPEST) return this.readRange(childrenOf(node)[0]!);
    if (node.name !== 'MatrixSelector') throw new NotSupported(nameOfNode(node), node);
    const [selector, duration] = childrenOf(node);
    if (secondsOf(this.textOf(duration!)) < SHORTEST_RANGE_SECONDS) throw new NotSupported('the range', node);
    return this.readSelector(selector!);
  }

  private readBinary(node: SyntaxNode): Expression {
    const [first, operator, ...rest] = childrenOf(node);
    const op = this.textOf(operator!).toLowerCase();
    const left = this.readExpression(first!);
    const right = this.readExpression(rest.at(-1)!);
    const modifiers = rest.slice(0, -1);
    const matching = modifiers.find(({ name }) => name === 'MatchingModifierClause');
    const isBool = modifiers.some(({ name }) => name === 'BoolModifier');
    const by = matching === undefined ? {} : this.readMatching(matching);
    const areNumbers = [left, right].map((side) => side.op === 'number');
    if (matching !== undefined && areNumbers.includes(true))
      throw new NotSupported('matching of a number', node);
    if (isOneOf(SET_OPERATORS, op)) {
      if (areNumbers.includes(true) || isBool || 'many' in by)
        throw new NotSupported(`this use of ${op}`, node);
      return { op, left, right, ...by };
    }
    const isComparison = isOneOf(COMPARISONS, op);
    if (!isComparison && !isOneOf(ARITHMETIC, op)) throw new NotSupported(`the operator ${op}`, operator!);
    if (isBool && !isComparison) throw new NotSupported('bool', node);
    if (left.op !== 'number' || right.op !== 'number') {
      return { op, left, right, ...by, ...(isBool && { bool: true }) };
    }
    if (isComparison) throw new NotSupported('a comparison of numbers', node);
    const values = { '+': left.value + right.value, '-': left.value - right.value };
    const value = { ...values, '*': left.value * right.value, '/': left.value / right.value }[op];
    return { op: 'number', value: finite(value, node) };
  }

  private readMatching(node: SyntaxNode): Pick<Calculation, 'on' | 'many' | 'include'> {
    const [kind, labels, side, included] = childrenOf(node);
    if (kind?.name !== 'On') throw new NotSupported(this.textOf(kind!), node);
    const on = this.readLabels(labels);
    if (side === undefined) return { on };
    const include = this.readLabels(included);
    if (include.some((label) => on.includes(label))) throw new NotSupported('a label in both lists', node);
    return { on, many: side.name === 'GroupLeft' ? 'left' : 'right', include };
  }
}

function nameOfNode(node: SyntaxNode): string {
  const names: Readonly<Record<string, string>> = {
    OffsetExpr: 'offset',
    StepInvariantExpr: '@',
    SubqueryExpr: 'a subquery',
    MatrixSelector: 'a range',
    StringLiteral: 'a text',
  };
  return names[node.name] ?? node.name;
}

function checkPattern(text: string, at: SyntaxNode): void {
  const pattern = parsePattern(text);
  if ('unsupported' in pattern) throw new NotSupported(`${pattern.unsupported} in a pattern`, at);
}

function finite(value: number, at: SyntaxNode): number {
  if (!Number.isFinite(value)) throw new NotSupported('the number', at);
  return value;
}

/** NaN, which is no range, if a unit is missing or out of order. */
function secondsOf(duration: string): number {
  const isDuration = /^(\d+y)?(\d+w)?(\d+d)?(\d+h)?(\d+m)?(\d+s)?(\d+ms)?$/.test(duration);
  const parts = isDuration ? [...duration.matchAll(/(\d+)([a-z]+)/g)] : [];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_SECONDS[unit!]!, 0);
}
