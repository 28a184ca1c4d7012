import { type Mistake, pointerToken } from '../input/input-value.ts';

/** Expected token, as messages name it. */
type ExpectedInObject = 'a key' | 'a key or "}"' | '":"' | 'a value' | '"," or "}"';
type ExpectedInArray = 'an object' | 'an object or "]"' | '"," or "]"';

/** Kubernetes object or list that is being read. */
export interface ObjectFrame {
  readonly isArray: false;
  readonly offset: number;
  expected: ExpectedInObject;
  /** Key of the current member. */
  key: string | null;
  kind: string | null;
  apiVersion: string | null;
  isList: boolean;
  extent: ListExtent;
  items: number;
  /** Values without those of its items. */
  values: number;
  /** Items without a kind, kept until the list states its kind. */
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
    extent: 'whole',
    items: 0,
    values: 1,
    waiting: [],
  };
}

/** RFC 6901 pointer to the current position. */
export function pointerTo(frames: readonly (ObjectFrame | ArrayFrame)[]): string {
  let pointer = '';
  for (const frame of frames) {
    if (frame.isArray) pointer += `/${frame.items}`;
    else if (frame.key !== null) pointer += `/${pointerToken(frame.key)}`;
  }
  return pointer;
}

/** Bytes kept across pieces: from a position in one piece to a position in this or a later piece. */
export class HeldBytes {
  #pieces: Uint8Array[] = [];
  #size = 0;
  /** Start in the current piece; -1 if nothing is kept. */
  #from = -1;

  start(at: number): void {
    this.#pieces = [];
    this.#size = 0;
    this.#from = at;
  }

  drop(): void {
    this.start(-1);
  }

  /** Ends the piece; returns the number of bytes kept. */
  carry(piece: Uint8Array): number {
    if (this.#from < 0) return 0;
    // Copies, because the caller may reuse the memory of a piece.
    this.#pieces.push(piece.slice(this.#from));
    this.#size += piece.length - this.#from;
    this.#from = 0;
    return this.#size;
  }

  /** Returns all kept bytes up to `end` in this piece, and clears them. */
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

/** `List`, or the list of one kind such as `NodeList`. */
export function isListKind(kind: string): boolean {
  return kind.endsWith(LIST);
}

/** Default kind of the items: `NodeList` → `Node`; null for `List`. */
export function itemKindOf(listKind: string | null): string | null {
  if (listKind === null || listKind === LIST || !isListKind(listKind)) return null;
  return listKind.slice(0, -LIST.length);
}

/** The metadata of a list are small. */
const LONGEST_LIST_HEAD = 65_536;

/** `page`: the API of a cluster has more items in another page. `part`: Cairn left out that there may be others. */
export type ListExtent = 'whole' | 'page' | 'part';

/** Token of a list that Cairn wrote from some objects of a kind. */
export const PART = 'others';

export function extentOfToken(token: unknown): ListExtent {
  if (token === PART) return 'part';
  return token ? 'page' : 'whole';
}

/** Whether a list says that more items follow. One that can't be read is not known to be whole. */
export function extentOf(bytes: Uint8Array, before: string, after: string): ListExtent {
  if (bytes.length > LONGEST_LIST_HEAD) return 'part';
  try {
    const { metadata } = JSON.parse(`${before}${new TextDecoder().decode(bytes)}${after}`) as {
      readonly metadata?: { readonly continue?: unknown } | null;
    };
    return extentOfToken(metadata?.continue);
  } catch {
    return 'part';
  }
}

/**
 * Limits for one set of documents. Custom resource definitions in a mixed list are nested deeply; tools that gather documents in an array nest lists. A
 * cluster stores objects below 2 MB. `APIRequestCount`, the densest kind, has 10 bytes per value, so an object has
 * fewer than 200,000. Callers that accept foreign documents limit the total number of values.
 */
export const SPLIT_LIMITS = {
  depth: 1000,
  /** Maximum nesting of lists in lists. */
  lists: 16,
  /** Includes lists, so that empty lists count. */
  objects: 1_000_000,
  objectBytes: 16 * 1024 * 1024,
  /** Values of one object: brackets and commas outside strings. */
  objectValues: 200_000,
  /** Values of all parsed objects; skipped objects cost only their bytes. */
  values: Infinity,
  /** Adds one allowed value per this many bytes of text. */
  valueBytes: 1,
};
export type SplitLimits = Readonly<typeof SPLIT_LIMITS>;

export interface Place {
  /** Zero-based. */
  readonly document: number;
  /** RFC 6901 within the document: `/items/3`; empty for the whole document. */
  readonly pointer: string;
}

/** Identity of a Kubernetes object or list. */
export interface Header extends Place {
  /** Falls back to the item kind of the list; null if unknown. */
  readonly kind: string | null;
  readonly apiVersion: string | null;
}

export interface ListHeader extends Header {
  readonly extent: ListExtent;
}

/** Unparsed object. */
export interface SourceObject extends Header {
  /** Start, in bytes of the input. */
  readonly offset: number;
  /** Valid only during the callback; null for an item that is not an object. */
  readonly bytes: Uint8Array | null;
  /** Upper limit of the values that parsing creates. */
  readonly values: number;
  /** Shared counter with the limit up to this object: count an object before parsing it. */
  readonly parsed: { values: number; most: number };
}

export interface SplitSink {
  object(object: SourceObject): void;
  /** Called after the items of a list. */
  list(list: ListHeader, items: number): void;
}

export function isListMetadata({ isList, key }: ObjectFrame): boolean {
  return isList && key === 'metadata';
}

export function asItemOf(list: Pick<Header, 'kind' | 'apiVersion'>, item: SourceObject): SourceObject {
  return { ...item, kind: itemKindOf(list.kind), apiVersion: item.apiVersion ?? list.apiVersion };
}

/** Sink that parses the objects. */
export interface ObjectSink extends SplitSink {
  /** Invalid JSON in an object; everything after it is unreliable. */
  readonly fault: Mistake | null;
}
