import { type Mistake, pointerToken } from '../input/input-value.ts';

/** What comes next, in the words of a message. */
type ExpectedInObject = 'a key' | 'a key or "}"' | '":"' | 'a value' | '"," or "}"';
type ExpectedInArray = 'an object' | 'an object or "]"' | '"," or "]"';

/** An object of the cluster that is being read, or a list. */
export interface ObjectFrame {
  readonly isArray: false;
  readonly offset: number;
  expected: ExpectedInObject;
  /** Of the member being read. */
  key: string | null;
  kind: string | null;
  apiVersion: string | null;
  isList: boolean;
  items: number;
  /** Its own so far, without those of its items. */
  values: number;
  /** Items that do not say their kind, while the list has not said it either. */
  readonly waiting: SourceObject[];
}

export interface ArrayFrame {
  readonly isArray: true;
  expected: ExpectedInArray;
  items: number;
}

export function objectFrame(offset: number): ObjectFrame {
  return {
    isArray: false,
    offset,
    expected: 'a key or "}"',
    key: null,
    kind: null,
    apiVersion: null,
    isList: false,
    items: 0,
    values: 1,
    waiting: [],
  };
}

/** RFC 6901, to what is being read in the innermost frame. */
export function pointerTo(frames: readonly (ObjectFrame | ArrayFrame)[]): string {
  let pointer = '';
  for (const frame of frames) {
    if (frame.isArray) pointer += `/${frame.items}`;
    else if (frame.key !== null) pointer += `/${pointerToken(frame.key)}`;
  }
  return pointer;
}

/** Bytes that are kept while they arrive in pieces: from a position in one piece to a position in this or a later one. */
export class HeldBytes {
  #pieces: Uint8Array[] = [];
  #size = 0;
  /** Where they begin in the piece at hand; -1 when nothing is kept. */
  #from = -1;

  start(at: number): void {
    this.#pieces = [];
    this.#size = 0;
    this.#from = at;
  }

  drop(): void {
    this.start(-1);
  }

  /** The piece is over; returns how much is kept. */
  carry(piece: Uint8Array): number {
    if (this.#from < 0) return 0;
    // A copy: whoever fills the pieces may use their memory again.
    this.#pieces.push(piece.slice(this.#from));
    this.#size += piece.length - this.#from;
    this.#from = 0;
    return this.#size;
  }

  /** All that was kept, up to `end` in this piece; nothing is kept any longer. */
  take(piece: Uint8Array, end: number): Uint8Array {
    const last = piece.subarray(this.#from, end);
    const pieces = this.#pieces;
    const size = this.#size;
    this.drop();
    if (pieces.length === 0) return last;
    const whole = new Uint8Array(size + last.length);
    let at = 0;
    for (const part of [...pieces, last]) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}

const LIST = 'List';

/** `List` itself, and the list of one kind: `NodeList`. */
export function isListKind(kind: string): boolean {
  return kind.endsWith(LIST);
}

/** The kind that items of a list have when they do not say it themselves: `NodeList` → `Node`; null for `List`. */
export function itemKindOf(listKind: string | null): string | null {
  if (listKind === null || listKind === LIST || !isListKind(listKind)) return null;
  return listKind.slice(0, -LIST.length);
}

/** What one set of documents may hold. */
export interface SplitLimits {
  readonly depth: number;
  /** How deep lists may be nested in lists. */
  readonly lists: number;
  /** With the lists among them, so that empty ones count too. */
  readonly objects: number;
  readonly objectBytes: number;
  /** Of one object: its brackets and commas outside of strings. */
  readonly objectValues: number;
  /** Of all objects that are parsed; others cost no more than their bytes. */
  readonly values: number;
  /** Bytes of text for each of which one value more may be parsed. */
  readonly valueBytes: number;
}

/**
 * Custom resource definitions in a mixed list are nested deeply; lists in lists come from tools that gather documents in
 * an array. An object that a cluster can store has less than 2 MB. The densest kind, `APIRequestCount`, has 10 bytes for
 * each value, so that such an object has less than 200,000. How many values there are of all is limited by who takes
 * documents from others.
 */
export const SPLIT_LIMITS: SplitLimits = {
  depth: 1000,
  lists: 16,
  objects: 1_000_000,
  objectBytes: 16 * 1024 * 1024,
  objectValues: 200_000,
  values: Infinity,
  valueBytes: 1,
};

/** Where a part of the input is. */
export interface Place {
  /** Counted from 0. */
  readonly document: number;
  /** RFC 6901, inside the document: `/items/3`; empty for the whole of it. */
  readonly pointer: string;
}

/** An object of a cluster, or a list of them, by what it says of itself. */
export interface Header extends Place {
  /** For an item that does not say it, by its list; null when neither says. */
  readonly kind: string | null;
  readonly apiVersion: string | null;
}

/** An object as it stands in the text, not yet parsed. */
export interface SourceObject extends Header {
  /** Where it begins, in bytes from the beginning of the input. */
  readonly offset: number;
  /** Only to be read during the call that hands it over; null for an item that is no object. */
  readonly bytes: Uint8Array | null;
  /** How many parsing it makes, at most. */
  readonly values: number;
  /** Shared by all objects, with how many values there may be up to here: an object is counted before it is parsed. */
  readonly parsed: { values: number; most: number };
}

export interface SplitSink {
  object(object: SourceObject): void;
  /** A list has come to its end, after its items. */
  list(list: Header, items: number): void;
}

/** One that parses what it is handed. */
export interface ObjectSink extends SplitSink {
  /** An object is no JSON, so that nothing after it can be trusted either. */
  readonly fault: Mistake | null;
}
