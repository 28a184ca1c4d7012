import { nearestName } from '../text/nearest.ts';
import { quoteValue } from '../text/quote.ts';

/** What reading an object brings up besides its facts. */
export interface ReadingNotes {
  /** Something stands where something else was expected. */
  mistake(pointer: string, detail: string): void;
  /** A moment that the cluster tells, in milliseconds since 1970. */
  time(moment: number): void;
}

/** Longer names, versions and labels are none; Kubernetes itself stops at 253. */
const NAME_LENGTH = 4096;
/** What is kept of a reason or a message. */
const MESSAGE_LENGTH = 4096;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A value in an object of the cluster that knows its place. What is missing or null reads as empty, as Kubernetes leaves
 * out what is empty; what is of another type is noted as a mistake and reads as empty, so that reading goes on.
 */
export class Field {
  readonly #value: unknown;
  /** Its key, without a parent its pointer: that of a member is put together only for a mistake. */
  readonly #place: string;
  readonly #notes: ReadingNotes;
  readonly #parent: Field | null;

  constructor(value: unknown, place: string, notes: ReadingNotes, parent: Field | null = null) {
    this.#value = value;
    this.#place = place;
    this.#notes = notes;
    this.#parent = parent;
  }

  get isMissing(): boolean {
    return this.#value === undefined || this.#value === null;
  }

  /** The member below these keys: `object.at('status', 'nodeInfo')`. */
  at(...keys: readonly string[]): Field {
    return keys.reduce<Field>((field, key) => field.#member(key), this);
  }

  /** Empty when it is missing. */
  text(longest = NAME_LENGTH): string {
    if (this.isMissing) return '';
    const value = this.#value;
    if (typeof value !== 'string') return this.refuse('a string', '');
    return value.length <= longest ? value : this.refuse(`at most ${longest} characters`, '');
  }

  textOrNull(): string | null {
    return this.text() || null;
  }

  /** Text for people, of which a beginning is kept. */
  message(): string {
    if (this.isMissing) return '';
    if (typeof this.#value !== 'string') return this.refuse('a string', '');
    // A character of two halves that would be cut in the middle is left out.
    return this.#value.slice(0, MESSAGE_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  }

  time(): string | null {
    const text = this.textOrNull();
    if (text === null) return null;
    const moment = TIME.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(moment)) return this.refuse('a time such as 2026-06-01T12:00:00Z', null);
    this.#notes.time(moment);
    return text;
  }

  flag(): boolean {
    return this.parsed((value) => (typeof value === 'boolean' ? value : null), 'true or false', false);
  }

  count(): number {
    return this.parsed((value) => (isCount(value) ? value : null), 'a whole number from 0 on', 0);
  }

  /** What `parse` makes of the value; when that is null it is a mistake. */
  parsed<Value>(parse: (value: unknown) => Value | null, expected: string, whenMissing: Value): Value {
    return this.isMissing ? whenMissing : (parse(this.#value) ?? this.refuse(expected, whenMissing));
  }

  items(): Field[] {
    if (this.isMissing) return [];
    if (!Array.isArray(this.#value)) return this.refuse('an array', []);
    return this.#value.map((item: unknown, index) => this.#child(String(index), item));
  }

  texts(): string[] {
    return this.items().map((item) => item.text());
  }

  /** Of an object, in the order of their keys. */
  entries(): [string, Field][] {
    if (this.isMissing) return [];
    if (!isObject(this.#value)) return this.refuse('an object', []);
    return Object.entries(this.#value)
      .map(([key, value]): [string, Field] => [key, this.#child(key, value)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Names and texts, such as labels; without a prototype, as the names come from outside. */
  labels(): Record<string, string> {
    const labels = Object.create(null) as Record<string, string>;
    for (const [key, value] of this.entries()) labels[key] = value.text();
    return labels;
  }

  /** Notes the mistake and gives back what to go on with. */
  refuse<Instead>(expected: string, instead: Instead): Instead {
    this.#notes.mistake(
      this.#pointer(),
      `expected ${expected}${this.isMissing ? '' : `, found ${quoteValue(this.#value)}`}`,
    );
    return instead;
  }

  #member(key: string): Field {
    if (this.isMissing) return this.#child(key, undefined);
    if (!isObject(this.#value)) return this.refuse('an object', this.#child(key, undefined));
    return this.#child(key, Object.hasOwn(this.#value, key) ? this.#value[key] : undefined);
  }

  #child(key: string, value: unknown): Field {
    return new Field(value, key, this.#notes, this);
  }

  #pointer(): string {
    if (this.#parent === null) return this.#place;
    return `${this.#parent.#pointer()}/${pointerToken(this.#place)}`;
  }
}

/** One thing wrong in the configuration: where it is, what stands there and what could stand there instead. */
export interface ConfigMistake {
  /** `file`, or the name of the environment variable the value came in. */
  readonly source: string;
  /** RFC 6901, inside that document: `/release_sources/0/openshift_version`; empty for the whole of it. */
  readonly pointer: string;
  /** The bad value, or the bad key; undefined when something is missing. */
  readonly value: unknown;
  readonly message: string;
  readonly accepted: string;
}

/** One line for a person: `file /confirm_removal/0: "4" is not a minor (accepted: a minor as text, such as "4.14")`. */
export function describeMistake({ source, pointer, message, accepted }: ConfigMistake): string {
  return `${source}${pointer === '' ? '' : ` ${pointer}`}: ${message} (accepted: ${accepted})`;
}

/**
 * A value of the configuration that knows its place. Every read method reports what is wrong to one common list and
 * returns an empty value, so that a reader goes on to the next mistake; its result counts only when the list is empty.
 */
export class ConfigNode {
  readonly value: unknown;
  readonly #mistakes: ConfigMistake[];
  readonly #source: string;
  readonly #pointer: string;

  constructor(value: unknown, mistakes: ConfigMistake[], source: string, pointer = '') {
    this.value = value;
    this.#mistakes = mistakes;
    this.#source = source;
    this.#pointer = pointer;
  }

  refuse(message: string, accepted: string, value: unknown = this.value): null {
    this.#mistakes.push({ source: this.#source, pointer: this.#pointer, value, message, accepted });
    return null;
  }

  items(accepted: string): ConfigNode[] {
    if (Array.isArray(this.value)) return this.value.map((item: unknown, index) => this.#child(index, item));
    this.refuse(`${quoteValue(this.value)} is not an array`, accepted);
    return [];
  }

  members(accepted: string): [string, ConfigNode][] {
    if (isObject(this.value)) {
      return Object.entries(this.value).map(([key, value]) => [key, this.#child(key, value)]);
    }
    this.refuse(`${quoteValue(this.value)} is not an object`, accepted);
    return [];
  }

  /** The members of an object with known keys; unknown and missing ones are mistakes. */
  fields<Key extends string>(
    required: readonly Key[],
    optional: readonly Key[],
  ): ReadonlyMap<Key, ConfigNode> {
    const known = [...required, ...optional];
    const accepted = `the keys ${known.join(', ')}`;
    const fields = new Map<Key, ConfigNode>();
    for (const [name, node] of this.members(`an object with ${accepted}`)) {
      const key = known.find((candidate) => candidate === name);
      if (key !== undefined) fields.set(key, node);
      else node.refuse(`unknown key ${quoteValue(name)}${didYouMean(name, known)}`, accepted, name);
    }
    if (!isObject(this.value)) return fields;
    for (const key of required) {
      if (!fields.has(key)) this.#child(key, undefined).refuse(`${key} is missing`, accepted);
    }
    return fields;
  }

  text(accepted: string): string | null {
    if (typeof this.value === 'string') return this.value;
    return this.refuse(`${quoteValue(this.value)} is not a text`, accepted);
  }

  /** A text that `parse` understands: `node.parsed(parseMinor, 'a minor', 'a minor as text, such as "4.14"')`. */
  parsed<Value>(parse: (text: string) => Value | null, what: string, accepted: string): Value | null {
    const text = this.text(accepted);
    if (text === null) return null;
    return parse(text) ?? this.refuse(`${quoteValue(text)} is not ${what}`, accepted);
  }

  /** The same for a closed list of names, where the one that was meant can be told. */
  named<Value>(parse: (text: string) => Value | null, what: string, names: readonly string[]): Value | null {
    const accepted = `one of ${names.join(', ')}`;
    const text = this.text(accepted);
    if (text === null) return null;
    return (
      parse(text) ?? this.refuse(`${quoteValue(text)} is not ${what}${didYouMean(text, names)}`, accepted)
    );
  }

  #child(key: string | number, value: unknown): ConfigNode {
    const pointer = `${this.#pointer}/${pointerToken(String(key))}`;
    return new ConfigNode(value, this.#mistakes, this.#source, pointer);
  }
}

function didYouMean(word: string, names: readonly string[]): string {
  const nearest = nearestName(word, names);
  return nearest === null ? '' : `, did you mean "${nearest}"?`;
}

/** Infinity is what 1e400 becomes. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A key as a part of a JSON pointer, RFC 6901: `a/b` → `a~1b`. */
export function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
