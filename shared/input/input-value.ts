import { nearestName } from '../text/nearest.ts';
import { cut, quoteValue } from '../text/quote.ts';
import { joinInWords } from '../text/words.ts';

export interface Mistake {
  /** Origin: `file`, or the name of an environment variable. */
  readonly source?: string;
  /** Index of the document that the pointer refers to. */
  readonly document?: number;
  /** RFC 6901: `/release_sources/0/openshift_version`; empty for the whole input. */
  readonly pointer: string;
  /** Name of a query parameter. */
  readonly parameter?: string;
  /** Invalid value or key; undefined if something is missing. */
  readonly value?: unknown;
  readonly detail: string;
  readonly accepted?: string;
  /** Likely intended names, nearest first. */
  readonly nearest?: readonly string[];
  /** Bytes before the fault, in unparsable text. */
  readonly offset?: number;
  /** The input exceeds a limit, and the rest was not read. */
  readonly isExcess?: boolean;
}

/** `file /confirm_removal/0: "4" is not a minor (accepted: a minor as text, such as "4.14")`. */
export function describeMistake({ source = '', pointer, detail, accepted = '' }: Mistake): string {
  return `${source}${pointer === '' ? '' : ` ${pointer}`}: ${detail} (accepted: ${accepted})`;
}

/** Reading rules and error texts for one kind of input. */
export interface Wording {
  /** True for Kubernetes objects, which omit empty fields or set them to null. */
  readonly nullIsMissing: boolean;
  /** Name for a string in messages. */
  readonly text: string;
  /** Words a type mismatch; `why` is the reason of a limit. */
  mismatch(
    value: unknown,
    expected: { readonly what: string; readonly accepted: string; readonly why: string },
  ): Pick<Mistake, 'value' | 'detail' | 'accepted'>;
}

export const KUBERNETES: Wording = {
  nullIsMissing: true,
  text: 'a string',
  mismatch: (value, { accepted }) => ({
    detail: `expected ${accepted}${value === undefined || value === null ? '' : `, found ${quoteValue(value)}`}`,
  }),
};

export const SPEC: Wording = {
  nullIsMissing: true,
  text: 'a text',
  mismatch: (value, { accepted, why }) => ({
    detail: `is ${quoteValue(value)}, ${accepted} is accepted${why}`,
  }),
};

export const CONFIGURATION: Wording = {
  nullIsMissing: false,
  text: 'a text',
  mismatch: (value, { what, accepted }) => ({
    value,
    detail: `${quoteValue(value)} is not ${what}`,
    accepted,
  }),
};

export interface Notes {
  readonly wording: Wording;
  mistake(mistake: Mistake): void;
  /** Called for each time in the input, in milliseconds since 1970. */
  time?(moment: number): void;
}

export function notesIn(mistakes: Mistake[], wording: Wording): Notes {
  return { wording, mistake: (mistake) => mistakes.push(mistake) };
}

type Place = Partial<Pick<Mistake, 'source' | 'document' | 'pointer'>>;

interface IntegerRange {
  readonly least: number;
  /** @default any number */
  readonly most?: number;
  /** Unit of the number. */
  readonly unit?: string;
  /** Reason of the limits, added to the accepted values. */
  readonly why?: string;
}

/** Rejects longer names, versions and labels; Kubernetes itself stops at 253. */
const NAME_LENGTH = 4096;
/** Longer reasons and messages are truncated. */
const MESSAGE_LENGTH = 4096;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A value with its position. Missing values read as empty. A wrong type is noted and reads as empty, so one pass finds
 * all mistakes. Use a result only if no mistake was noted.
 */
export class InputValue {
  readonly value: unknown;
  readonly #notes: Notes;
  /** A member stores its key: only a mistake needs the whole pointer. */
  readonly #place: Place | string;
  readonly #parent: InputValue | null;

  constructor(value: unknown, notes: Notes, place: Place | string = {}, parent: InputValue | null = null) {
    this.value = value;
    this.#notes = notes;
    this.#place = place;
    this.#parent = parent;
  }

  get isMissing(): boolean {
    return this.value === undefined || (this.value === null && this.#notes.wording.nullIsMissing);
  }

  get place(): Place & Pick<Mistake, 'pointer'> {
    if (this.#parent === null) return { pointer: '', ...(this.#place as Place) };
    const around = this.#parent.place;
    return { ...around, pointer: `${around.pointer}/${pointerToken(this.#place as string)}` };
  }

  /** Nested member: `object.at('status', 'nodeInfo')`. */
  at(...keys: readonly string[]): InputValue {
    return keys.reduce<InputValue>((value, key) => value.#member(key), this);
  }

  /** Replaces a non-object by an empty value, so it is noted once for all its members. */
  object(): InputValue {
    if (this.isMissing || isObject(this.value)) return this;
    this.mismatch('an object');
    return new InputValue(undefined, this.#notes, this.#place, this.#parent);
  }

  /** Members of an object with fixed keys, in the given order; unknown and missing keys are mistakes. */
  fields<Key extends string>({
    required = [],
    optional = [],
  }: {
    readonly required?: readonly Key[];
    readonly optional?: readonly Key[];
  }): ReadonlyMap<Key, InputValue> {
    const known = [...required, ...optional];
    const accepted = `the keys ${known.join(', ')}`;
    const fields = new Map<Key, InputValue>();
    if (!isObject(this.value)) {
      this.mismatch(`an object with ${accepted}`, 'an object');
      return fields;
    }
    for (const [name, field] of this.entries()) {
      const key = known.find((candidate) => candidate === name);
      if (key !== undefined) fields.set(key, field);
      else field.refuse(`unknown key ${quoteValue(name)}${didYouMean(name, known)}`, accepted, name);
    }
    for (const key of required) {
      if (!fields.has(key)) this.#child(key, undefined).refuse(`${key} is missing`, accepted);
    }
    return fields;
  }

  otherKeys(known: readonly string[]): string[] {
    return isObject(this.value) ? Object.keys(this.value).filter((name) => !known.includes(name)) : [];
  }

  items(accepted = 'an array'): InputValue[] {
    if (Array.isArray(this.value)) {
      return this.value.map((item: unknown, index) => this.#child(String(index), item));
    }
    if (!this.isMissing) this.mismatch(accepted, 'an array');
    return [];
  }

  /** In the order of the object. */
  entries(accepted = 'an object'): [string, InputValue][] {
    if (isObject(this.value)) {
      return Object.entries(this.value).map(([key, value]) => [key, this.#child(key, value)]);
    }
    if (!this.isMissing) this.mismatch(accepted, 'an object');
    return [];
  }

  sortedEntries(): [string, InputValue][] {
    return this.entries().toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Any length; null if missing or not a string. */
  string(accepted = this.#notes.wording.text): string | null {
    if (typeof this.value === 'string') return this.value;
    return this.isMissing ? null : this.mismatch(accepted, this.#notes.wording.text);
  }

  text(longest = NAME_LENGTH): string {
    const text = this.string() ?? '';
    return text.length <= longest ? text : (this.mismatch(`at most ${longest} characters`) ?? '');
  }

  textOrNull(): string | null {
    return this.text() || null;
  }

  /** Text for people, truncated. */
  message(): string {
    // Drops a surrogate that lost its second half.
    return cut(this.string() ?? '', MESSAGE_LENGTH);
  }

  texts(): string[] {
    return this.items().map((item) => item.text());
  }

  /** Without a prototype, because the keys are untrusted. */
  labels(): Record<string, string> {
    const labels = Object.create(null) as Record<string, string>;
    for (const [key, value] of this.sortedEntries()) labels[key] = value.text();
    return labels;
  }

  time(): string | null {
    const text = this.textOrNull();
    if (text === null) return null;
    const moment = momentOf(text);
    if (Number.isNaN(moment)) return this.mismatch('a time such as 2026-06-01T12:00:00Z');
    this.#notes.time?.(moment);
    return text;
  }

  /** Null for anything else than a time: for a time that is not worth rejecting its object. */
  timeIfValid(): string | null {
    return typeof this.value === 'string' && !Number.isNaN(momentOf(this.value)) ? this.time() : null;
  }

  flag(otherwise = false): boolean {
    return this.parsed((value) => (typeof value === 'boolean' ? value : null), 'true or false') ?? otherwise;
  }

  count(): number {
    return this.integer({ least: 0 }) ?? 0;
  }

  integer({ least, most = Infinity, unit, why }: IntegerRange): number | null {
    if (this.isMissing) return null;
    const { value } = this;
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) {
      return value as number;
    }
    const what = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
    const range = most === Infinity ? `from ${least} on` : `from ${least} to ${most}`;
    return this.mismatch(`${what} ${range}`, 'accepted here', why);
  }

  oneOf<Choice extends string>(
    choices: readonly Choice[],
    accepted = joinInWords(choices, 'or'),
  ): Choice | null {
    return this.parsed((value) => choices.find((choice) => choice === value) ?? null, accepted);
  }

  /** A null result of `parse` is a mistake. */
  parsed<Value>(parse: (value: unknown) => Value | null, accepted: string, what = accepted): Value | null {
    return this.isMissing ? null : (parse(this.value) ?? this.mismatch(accepted, what));
  }

  /**
   * Parses text: `value.parsedText(parseMinor, 'a minor', 'a minor as text, such as "4.14"')`. With a list of accepted
   * names, the mistake suggests the nearest.
   */
  parsedText<Value>(
    parse: (text: string) => Value | null,
    what: string,
    accepted: string | readonly string[],
  ): Value | null {
    const names = typeof accepted === 'string' ? [] : accepted;
    const said = typeof accepted === 'string' ? accepted : `one of ${names.join(', ')}`;
    const text = this.string(said);
    if (text === null) return null;
    return parse(text) ?? this.mismatch(said, `${what}${didYouMean(text, names)}`);
  }

  /** Notes a type mismatch in the wording of the input. */
  mismatch(accepted: string, what = accepted, why = ''): null {
    return this.#note(this.#notes.wording.mismatch(this.value, { what, accepted, why }));
  }

  /** Notes a mistake in the caller's words. */
  refuse(detail: string, accepted?: string, value: unknown = this.value): null {
    return this.#note(accepted === undefined ? { detail } : { value, detail, accepted });
  }

  #note(said: Pick<Mistake, 'value' | 'detail' | 'accepted'>): null {
    this.#notes.mistake({ ...this.place, ...said });
    return null;
  }

  #member(key: string): InputValue {
    if (isObject(this.value)) {
      return this.#child(key, Object.hasOwn(this.value, key) ? this.value[key] : undefined);
    }
    if (!this.isMissing) this.mismatch('an object');
    return this.#child(key, undefined);
  }

  #child(key: string, value: unknown): InputValue {
    return new InputValue(value, this.#notes, key, this);
  }
}

function momentOf(text: string): number {
  return TIME.test(text) ? Date.parse(text) : Number.NaN;
}

function didYouMean(word: string, names: readonly string[]): string {
  const nearest = nearestName(word, names);
  return nearest === null ? '' : `, did you mean "${nearest}"?`;
}

/** Excludes Infinity, the value of 1e400. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Escapes a key for a JSON pointer (RFC 6901): `a/b` → `a~1b`. */
export function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
