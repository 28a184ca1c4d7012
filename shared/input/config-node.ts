import { nearestName } from '../text/nearest.ts';
import { showValue } from '../text/quote.ts';

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
    this.refuse(`${showValue(this.value)} is not an array`, accepted);
    return [];
  }

  members(accepted: string): [string, ConfigNode][] {
    if (isObject(this.value)) {
      return Object.entries(this.value).map(([key, value]) => [key, this.#child(key, value)]);
    }
    this.refuse(`${showValue(this.value)} is not an object`, accepted);
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
      else node.refuse(`unknown key ${showValue(name)}${didYouMean(name, known)}`, accepted, name);
    }
    if (!isObject(this.value)) return fields;
    for (const key of required) {
      if (!fields.has(key)) this.#child(key, undefined).refuse(`${key} is missing`, accepted);
    }
    return fields;
  }

  text(accepted: string): string | null {
    if (typeof this.value === 'string') return this.value;
    return this.refuse(`${showValue(this.value)} is not a text`, accepted);
  }

  /** A text that `parse` understands: `node.parsed(parseMinor, 'a minor', 'a minor as text, such as "4.14"')`. */
  parsed<Value>(parse: (text: string) => Value | null, what: string, accepted: string): Value | null {
    const text = this.text(accepted);
    if (text === null) return null;
    return parse(text) ?? this.refuse(`${showValue(text)} is not ${what}`, accepted);
  }

  /** The same for a closed list of names, where the one that was meant can be told. */
  named<Value>(parse: (text: string) => Value | null, what: string, names: readonly string[]): Value | null {
    const accepted = `one of ${names.join(', ')}`;
    const text = this.text(accepted);
    if (text === null) return null;
    return (
      parse(text) ?? this.refuse(`${showValue(text)} is not ${what}${didYouMean(text, names)}`, accepted)
    );
  }

  #child(key: string | number, value: unknown): ConfigNode {
    const token = String(key).replaceAll('~', '~0').replaceAll('/', '~1');
    return new ConfigNode(value, this.#mistakes, this.#source, `${this.#pointer}/${token}`);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function didYouMean(word: string, names: readonly string[]): string {
  const nearest = nearestName(word, names);
  return nearest === null ? '' : `, did you mean "${nearest}"?`;
}
