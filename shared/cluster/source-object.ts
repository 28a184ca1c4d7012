/** What one set of documents may hold. */
export interface SplitLimits {
  readonly depth: number;
  readonly objects: number;
  readonly objectBytes: number;
}

/** Custom resource definitions in a mixed list are nested deeply; an object that a cluster can store has less than 2 MB. */
export const SPLIT_LIMITS: SplitLimits = { depth: 1000, objects: 1_000_000, objectBytes: 16 * 1024 * 1024 };

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
}

/** Why the text cannot be read on. */
export interface TextFault extends Place {
  readonly offset: number;
  readonly detail: string;
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
