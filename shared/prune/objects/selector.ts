import { quoteValue } from '../../text/quote.ts';
import { describeResource, kindText, type Resource } from './resource.ts';

export interface StrategyContext<T> {
  readonly now: Date;
  readonly signal?: AbortSignal | undefined;
  /** Always set by a pruner. */
  readonly describe?: ((object: T) => Resource) | undefined;
}

/** Objects to delete, optionally with reasons. */
export type Selection<T> = readonly T[] | ReadonlyMap<T, string>;

/** Selects objects to delete. Must return the same references, and must not change them or the list. */
export type Strategy<T> = (
  objects: readonly T[],
  context: StrategyContext<T>,
) => Selection<T> | Promise<Selection<T>>;

export type AnyStrategy = <T>(
  objects: readonly T[],
  context: StrategyContext<T>,
) => Selection<T> | Promise<Selection<T>>;

/** Throws if the strategy returns anything but a selection of the objects. */
export async function selectBy<T>(
  strategy: Strategy<T>,
  objects: readonly T[],
  context: StrategyContext<T>,
): Promise<Map<T, string>> {
  // Pass a copy: a strategy that sorts in place must not change the caller's list.
  const selection: unknown = await strategy([...objects], context);
  if (!Array.isArray(selection) && !(selection instanceof Map)) {
    throw new TypeError(
      `${callerName(strategy)} returned ${quoteValue(selection)}; it must return a list of objects, or a Map of objects and reasons`,
    );
  }
  const given = new Set(objects);
  const reasons = new Map<T, string>();
  const entries: Iterable<readonly [T, unknown]> =
    selection instanceof Map ? selection : selection.map((object: T) => [object, undefined] as const);
  for (const [object, reason] of entries) {
    if (!given.has(object)) {
      throw new TypeError(
        `${callerName(strategy)} returned ${shortName(object)}, which is not one of the objects it was given; it must return the same objects, not copies`,
      );
    }
    reasons.set(
      object,
      typeof reason === 'string' && reason !== '' ? reason : `selected by ${callerName(strategy)}`,
    );
  }
  return reasons;
}

/** An inline function is named after its option. */
function callerName(strategy: { readonly name: string }): string {
  return strategy.name === '' || strategy.name === 'strategy' ? 'the strategy' : strategy.name;
}

function shortName(object: unknown): string {
  const { kind, namespace, name } = describeResource(object);
  if (name === '') return quoteValue(object);
  return [kindText(kind), namespace, name].filter((part) => part).join('/');
}

export interface LabelSelector {
  /** Kubernetes syntax, for the store. */
  readonly text: string;
  matches(labels: ReadonlyMap<string, string>): boolean;
}

type Requirement = (labels: ReadonlyMap<string, string>) => boolean;

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const TOKEN = /\s*(==|!=|[=!(),]|[^\s=!(),]+|$)/y;

/**
 * Parses the syntax of `kubectl -l`, or an object of required labels: `app=web,tier!=cache,env in (a, b)`, `!legacy`,
 * `{app: 'web'}`. Throws a RangeError with the position. As in Kubernetes, `!=` and `notin` match objects without the
 * label.
 */
export function parseSelector(selector: string | Readonly<Record<string, string>>): LabelSelector {
  return typeof selector === 'string' ? parseText(selector) : fromLabels(selector);
}

function fromLabels(labels: Readonly<Record<string, string>>): LabelSelector {
  const entries: [string, unknown][] = Object.entries(labels);
  for (const [key, value] of entries) {
    if (!isKey(key)) throw new RangeError(`${quoteValue(key)} is no label; ${KEY_RULE}`);
    if (typeof value !== 'string' || !isValue(value)) {
      throw new RangeError(`${quoteValue(value)} is no value of the label ${key}; ${VALUE_RULE}`);
    }
  }
  return {
    text: entries.map(([key, value]) => `${key}=${String(value)}`).join(','),
    matches: (has) => entries.every(([key, value]) => has.get(key) === value),
  };
}

function parseText(text: string): LabelSelector {
  const reader = new TokenReader(text);
  const requirements: Requirement[] = [];
  do requirements.push(readRequirement(reader));
  while (reader.take(','));
  if (reader.token !== '') throw reader.fault('"," or the end');
  return { text: text.trim(), matches: (labels) => requirements.every((holds) => holds(labels)) };
}

function readRequirement(reader: TokenReader): Requirement {
  const isAbsent = reader.take('!');
  const key = reader.word('a label', isKey, KEY_RULE);
  if (isAbsent) return (labels) => !labels.has(key);
  if (reader.take('=') || reader.take('==')) {
    const value = readValue(reader);
    return (labels) => labels.get(key) === value;
  }
  if (reader.take('!=')) {
    const value = readValue(reader);
    return (labels) => labels.get(key) !== value;
  }
  if (reader.take('in')) {
    const values = readValues(reader);
    return (labels) => values.has(labels.get(key));
  }
  if (reader.take('notin')) {
    const values = readValues(reader);
    return (labels) => !values.has(labels.get(key));
  }
  if (reader.token !== ',' && reader.token !== '') {
    throw reader.fault('"=", "==", "!=", "in", "notin", "," or the end');
  }
  return (labels) => labels.has(key);
}

/** The type allows undefined, so that a missing label matches no value. */
function readValues(reader: TokenReader): ReadonlySet<string | undefined> {
  if (!reader.take('(')) throw reader.fault('"("');
  if (reader.token === ')') throw reader.fault('a value');
  const values = new Set<string>();
  do values.add(readValue(reader));
  while (reader.take(','));
  if (!reader.take(')')) throw reader.fault('"," or ")"');
  return values;
}

/** A missing value is the empty value. */
function readValue(reader: TokenReader): string {
  const isEmpty = [',', ')', ''].includes(reader.token);
  return isEmpty ? '' : reader.word('a value', isValue, VALUE_RULE);
}

class TokenReader {
  /** Next token; empty at the end. */
  token = '';
  readonly #text: string;
  #start = 0;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
    this.#advance();
  }

  take(token: string): boolean {
    const isNext = this.token === token;
    if (isNext) this.#advance();
    return isNext;
  }

  word(expected: string, isAllowed: (word: string) => boolean, rule: string): string {
    const word = this.token;
    if (word === '' || /[=!(),]/.test(word)) throw this.fault(expected);
    if (!isAllowed(word)) throw this.fault(expected, `; ${rule}`);
    this.#advance();
    return word;
  }

  fault(expected: string, more = ''): RangeError {
    const found = this.token === '' ? 'the end' : quoteValue(this.token);
    return new RangeError(
      `${quoteValue(this.#text)} is no label selector: at character ${this.#start + 1} expected ${expected}, found ${found}${more}`,
    );
  }

  #advance(): void {
    TOKEN.lastIndex = this.#end;
    this.token = TOKEN.exec(this.#text)![1]!;
    this.#end = TOKEN.lastIndex;
    this.#start = this.#end - this.token.length;
  }
}

const KEY_RULE =
  'a label is up to 63 letters, digits, "-", "_" and ".", with a letter or a digit at both ends, after an optional "domain/"';
const VALUE_RULE =
  'a value is empty or up to 63 letters, digits, "-", "_" and ".", with a letter or a digit at both ends';

function isKey(text: string): boolean {
  const slash = text.indexOf('/');
  return NAME.test(text.slice(slash + 1)) && (slash === -1 || PREFIX.test(text.slice(0, slash)));
}

function isValue(text: string): boolean {
  return text === '' || NAME.test(text);
}
