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

/** Why the text cannot be read on. */
export interface TextFault extends Place {
  readonly offset: number;
  readonly detail: string;
  /** The text may be right, but there is more of it than is accepted. */
  readonly isExcess?: boolean;
}

export interface SplitSink {
  object(object: SourceObject): void;
  /** A list has come to its end, after its items. */
  list(list: Header, items: number): void;
}

/** One that parses what it is handed. */
export interface ObjectSink extends SplitSink {
  /** An object is no JSON, so that nothing after it can be trusted either. */
  readonly fault: TextFault | null;
}
