import { nearestName } from '../text/nearest.ts';
import { quoteValue } from '../text/quote.ts';
import { joinInWords } from '../text/words.ts';
import { isObject, pointerToken } from './input-value.ts';

/** One thing to mend in what was sent. */
export interface Mistake {
  /** JSON pointer into it, RFC 6901. */
  readonly pointer: string;
  readonly detail: string;
}

/** More would not help anybody. */
const MOST_UNKNOWN = 20;
const LONGEST_NAME = 100;

/**
 * The fields of one object that was sent by somebody. Each is asked for by name; one that is wrong is noted and comes out
 * as its default, so that all mistakes are found at once. Null counts as left out, as it does in Kubernetes.
 */
export class SpecFields {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #pointer: string;
  readonly #mistakes: Mistake[];

  /** `object` may be anything: what is no object is a mistake, and then has no fields. */
  constructor(object: unknown, pointer: string, mistakes: Mistake[]) {
    this.#pointer = pointer;
    this.#mistakes = mistakes;
    this.#values = new Map(isObject(object) ? Object.entries(object) : []);
    if (!isObject(object)) this.#note(pointer, `is ${quoteValue(object)}, an object is accepted`);
  }

  /** Notes every field by another name; `below` names an object in this one and the fields that belong there. */
  refuseOthers(
    known: readonly string[],
    below?: { readonly object: string; readonly fields: readonly string[] },
  ): void {
    const unknown = [...this.#values.keys()].filter((name) => !known.includes(name));
    for (const name of unknown.slice(0, MOST_UNKNOWN)) {
      const detail = below?.fields.includes(name)
        ? `belongs into ${below.object}`
        : `is not known, ${accepted(name, known)}`;
      this.mistake(name.slice(0, LONGEST_NAME), detail);
    }
  }

  mistake(name: string, detail: string): void {
    this.#note(this.pointerTo(name), detail);
  }

  pointerTo(name: string): string {
    return `${this.#pointer}/${pointerToken(name)}`;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /** Undefined when it was left out. */
  value(name: string): unknown {
    return this.#values.get(name) ?? undefined;
  }

  boolean(name: string, otherwise: boolean): boolean {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value ?? otherwise;
    this.mistake(name, `is ${quoteValue(value)}, true or false is accepted`);
    return otherwise;
  }

  /** `why` goes with what is accepted, where the limits need a reason. */
  integer<Otherwise extends number | null>(
    name: string,
    { least, most, why = '' }: { readonly least: number; readonly most: number; readonly why?: string },
    otherwise: Otherwise,
  ): number | Otherwise {
    const value = this.value(name);
    if (value === undefined) return otherwise;
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) {
      return value as number;
    }
    this.mistake(name, `is ${quoteValue(value)}, a whole number from ${least} to ${most} is accepted${why}`);
    return otherwise;
  }

  text(name: string, otherwise: string): string {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value ?? otherwise;
    this.mistake(name, `is ${quoteValue(value)}, a text is accepted`);
    return otherwise;
  }

  oneOf<Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice {
    const value = this.value(name);
    const choice = choices.find((candidate) => candidate === value);
    if (value === undefined || choice !== undefined) return choice ?? otherwise;
    this.mistake(name, `is ${quoteValue(value)}, ${joinInWords(choices, 'or')} is accepted`);
    return otherwise;
  }

  /** Texts of which each is accepted by `problemIn`, which gives what is wrong with one or null. Twice counts once. */
  texts(
    name: string,
    { most, problemIn }: { readonly most: number; readonly problemIn: (text: string) => string | null },
  ): string[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.mistake(name, `is ${quoteValue(value)}, a list of texts is accepted`);
      return [];
    }
    if (value.length > most) {
      this.mistake(name, `has ${value.length} entries, at most ${most} are accepted`);
      return [];
    }
    const texts = new Set<string>();
    for (const [index, item] of (value as unknown[]).entries()) {
      const problem = typeof item === 'string' ? problemIn(item) : 'a text is accepted';
      if (problem === null) texts.add(item as string);
      else this.#note(`${this.pointerTo(name)}/${index}`, `is ${quoteValue(item)}, ${problem}`);
    }
    return [...texts];
  }

  /** The fields of an object in a field; those of an empty one when it was left out. */
  object(name: string): SpecFields {
    return new SpecFields(this.value(name) ?? {}, this.pointerTo(name), this.#mistakes);
  }

  #note(pointer: string, detail: string): void {
    this.#mistakes.push({ pointer, detail });
  }
}

function accepted(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === null ? `accepted are ${joinInWords(known)}` : `did you mean ${nearest}?`;
}
