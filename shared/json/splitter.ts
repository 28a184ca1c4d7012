import type { Mistake } from '../input/input-value.ts';
import {
  type ArrayFrame,
  objectFrame,
  type ObjectFrame,
  pointerTo,
  asItemOf,
  HeldBytes,
  extentOf,
  isListMetadata,
  isListKind,
  type Place,
  type SourceObject,
  SPLIT_LIMITS,
  type SplitLimits,
  type SplitSink,
} from './frames.ts';
import {
  afterSpace,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  decode,
  decodeString,
  isPunctuation,
  isSpace,
  NAME_BYTES,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  endOfScalar,
  endOfString,
  NestedJson,
} from './scan.ts';

/**
 * Splits JSON documents into Kubernetes objects without parsing them. Documents follow each other with or without
 * whitespace; each is an object, a list with `items`, or an array of these. Accepts pieces of any size and keeps only
 * the bytes of the current object. The parser checks the inside of objects.
 */
export class DocumentSplitter {
  readonly #sink: SplitSink;
  readonly #limits: SplitLimits;
  readonly #parsed: SourceObject['parsed'];
  readonly #frames: (ObjectFrame | ArrayFrame)[] = [];
  readonly #held = new HeldBytes();
  readonly #nested = new NestedJson();
  /** Position: between tokens, or inside a string, a scalar, or a skipped member. */
  #inside: 'nothing' | 'string' | 'scalar' | 'nested' = 'nothing';
  /** Bytes of the next piece that belong to an escape at the end of the last one. */
  #ahead = 0;
  /** First bytes of the current string, if it is a name to read. */
  #name: number[] | null = null;
  #documents = 0;
  #objects = 0;
  /** Number of open lists. */
  #lists = 0;
  #piece: Uint8Array = new Uint8Array();
  /** Bytes before the piece. */
  #passed = 0;
  #fault: Mistake | null = null;

  constructor(sink: SplitSink, limits: SplitLimits = SPLIT_LIMITS) {
    this.#sink = sink;
    this.#limits = limits;
    this.#parsed = { values: 0, most: limits.values };
  }

  /** Complete documents so far. */
  get documents(): number {
    return this.#documents;
  }

  /** Ignores input after a fault. */
  push(piece: Uint8Array): Mistake | null {
    this.#piece = piece;
    this.#nested.use(piece);
    let at = 0;
    while (at < piece.length && this.#fault === null) {
      if (this.#inside === 'nested') at = this.#passNested(at);
      else if (this.#inside === 'string') at = this.#passString(at);
      else if (this.#inside === 'scalar') at = this.#passScalar(at);
      else if (isSpace(piece[at]!)) at = afterSpace(piece, at);
      else this.#readToken(piece[at]!, at++);
    }
    this.#checkSize(this.#held.carry(piece), piece.length);
    this.#passed += piece.length;
    return this.#fault;
  }

  /** Reports a truncated text. */
  end(): Mistake | null {
    const frame = this.#frames.at(-1);
    if (frame !== undefined) {
      const where = this.#inside === 'nothing' ? `before ${frame.expected}` : 'in the middle of a value';
      this.#refuse(0, `the text ends ${where}`);
    }
    return this.#fault;
  }

  #passNested(start: number): number {
    const frame = this.#frames.at(-1) as ObjectFrame;
    const { depth, objectValues } = this.#limits;
    const at = this.#nested.pass(start, depth - this.#frames.length, objectValues - frame.values);
    if (at < 0) {
      this.#refuseDepth(-at - 1);
    } else if (this.#checkValues(frame.values + this.#nested.values, at) && this.#nested.isOver) {
      frame.values += this.#nested.values;
      if (isListMetadata(frame)) {
        frame.extent = extentOf(this.#held.take(this.#piece, at), '{"metadata":', '}');
      }
      this.#endValue();
    }
    return at;
  }

  #passString(start: number): number {
    const { length } = this.#piece;
    const end = endOfString(this.#piece, start + this.#ahead);
    const name = this.#name;
    if (name !== null) {
      const most = Math.min(end, length, start + NAME_BYTES - name.length);
      for (let at = start; at < most; at++) name.push(this.#piece[at]!);
    }
    this.#ahead = Math.max(end - length, 0);
    if (end >= length) return length;
    this.#endString(end);
    return end + 1;
  }

  #passScalar(start: number): number {
    const end = endOfScalar(this.#piece, start);
    if (end < this.#piece.length) this.#endValue();
    return end;
  }

  #readToken(byte: number, at: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.#readDocumentStart(byte, at);
    else if (frame.isArray) this.#readInArray(frame, byte, at);
    else this.#readInObject(frame, byte, at);
  }

  #readDocumentStart(byte: number, at: number): void {
    // Skips the byte order mark that some shells write.
    if (byte === 0xef || byte === 0xbb || byte === 0xbf) return;
    if (byte === OPEN_BRACE) this.#openObject(at);
    else if (byte === OPEN_BRACKET) this.#openArray(at);
    else if (byte === 0 || byte >= 0xfe) this.#refuse(at, 'expected UTF-8, this looks like UTF-16');
    else this.#refuse(at, 'expected an object or an array, as `oc get … -o json` prints them');
  }

  #readInArray(frame: ArrayFrame, byte: number, at: number): void {
    if (byte === CLOSE_BRACKET && frame.expected !== 'an object') {
      this.#closeArray(frame);
    } else if (byte === COMMA && frame.expected === '"," or "]"') {
      frame.expected = 'an object';
    } else if (!isPunctuation(byte) && frame.expected !== '"," or "]"') {
      if (byte === OPEN_BRACE) this.#openObject(at);
      else if (byte === OPEN_BRACKET) this.#openArray(at);
      else this.#openStray(byte, at);
    } else {
      this.#refuse(at, `expected ${frame.expected}`);
    }
  }

  #readInObject(frame: ObjectFrame, byte: number, at: number): void {
    const { expected } = frame;
    if (byte === QUOTE && (expected === 'a key' || expected === 'a key or "}"')) {
      this.#openString(true);
    } else if (byte === COLON && expected === '":"') {
      frame.expected = 'a value';
    } else if (!isPunctuation(byte) && expected === 'a value') {
      this.#openMember(frame, byte, at);
    } else if (byte === COMMA && expected === '"," or "}"') {
      frame.expected = 'a key';
      this.#checkValues(++frame.values, at);
    } else if (byte === CLOSE_BRACE && (expected === '"," or "}"' || expected === 'a key or "}"')) {
      this.#closeObject(frame, at);
    } else {
      this.#refuse(at, `expected ${expected}`);
    }
  }

  #openMember(frame: ObjectFrame, byte: number, at: number): void {
    const mayBeList = frame.key === 'items' && (frame.kind === null || isListKind(frame.kind));
    if (byte === QUOTE) {
      this.#openString(frame.key === 'kind' || frame.key === 'apiVersion');
    } else if (byte === OPEN_BRACKET && mayBeList) {
      // The head of the list stands before its items or behind them.
      if (!frame.isList) frame.extent = extentOf(this.#held.take(this.#piece, at), '', '[]}');
      frame.isList = true;
      this.#openArray(at);
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      this.#checkDepth(at);
      if (isListMetadata(frame)) this.#held.start(at);
      this.#inside = 'nested';
      this.#nested.start();
    } else {
      this.#inside = 'scalar';
    }
  }

  #openString(isAskedFor: boolean): void {
    this.#inside = 'string';
    this.#name = isAskedFor ? [] : null;
  }

  #openObject(at: number): void {
    this.#checkDepth(at);
    this.#frames.push(objectFrame(this.#passed + at));
    this.#held.start(at);
  }

  #openArray(at: number): void {
    this.#checkDepth(at);
    this.#checkObjects(at);
    const { lists } = this.#limits;
    if (++this.#lists > lists) this.#refuse(at, `lists are nested deeper than ${lists} levels`);
    this.#frames.push({ isArray: true, expected: 'an object or "]"', items: 0 });
  }

  /** A non-object item matters only if the list turns out to contain Kubernetes objects. */
  #openStray(byte: number, at: number): void {
    this.#deliver({ kind: null, apiVersion: null, offset: this.#passed + at, bytes: null, values: 0 }, at);
    if (byte === QUOTE) this.#openString(false);
    else this.#inside = 'scalar';
  }

  #closeArray({ items }: ArrayFrame): void {
    this.#frames.pop();
    this.#lists--;
    const list = this.#frames.at(-1);
    if (list !== undefined && !list.isArray) list.items += items;
    else this.#sink.list({ ...this.#place(), kind: null, apiVersion: null, extent: 'whole' }, items);
    this.#endValue();
  }

  #closeObject(frame: ObjectFrame, at: number): void {
    this.#frames.pop();
    const { kind, apiVersion, offset, values, extent } = frame;
    if (frame.isList) {
      const place = this.#place();
      // Reports an object that only resembles a list as a list: its items are not Kubernetes objects.
      const isList = kind === null || isListKind(kind);
      if (isList) for (const item of frame.waiting) this.#sink.object(asItemOf(frame, item));
      this.#sink.list({ ...place, kind, apiVersion, extent }, frame.items);
    } else {
      const bytes = this.#held.take(this.#piece, at + 1);
      if (this.#checkSize(bytes.length, at)) this.#deliver({ kind, apiVersion, offset, bytes, values }, at);
    }
    this.#endValue();
  }

  #deliver(found: Omit<SourceObject, keyof Place | 'parsed'>, at: number): void {
    if (!this.#checkObjects(at)) return;
    const { values, valueBytes } = this.#limits;
    this.#parsed.most = values + Math.floor((this.#passed + at) / valueBytes);
    const object = { ...this.#place(), ...found, parsed: this.#parsed };
    const list = this.#frames.at(-2);
    if (object.kind !== null || list === undefined || list.isArray) {
      this.#sink.object(object);
    } else if (list.kind !== null && list.apiVersion !== null) {
      this.#sink.object(asItemOf(list, object));
    } else {
      // Not `slice`: on a Buffer it does not copy, and would keep the whole piece in memory.
      list.waiting.push({ ...object, bytes: object.bytes && new Uint8Array(object.bytes) });
    }
  }

  #endString(at: number): void {
    const frame = this.#frames.at(-1)!;
    const bytes = this.#name;
    if (frame.isArray || bytes === null) {
      this.#endValue();
      return;
    }
    // Keeps a truncated name undecoded: no relevant kind is that long.
    const name = bytes.length < NAME_BYTES ? decodeString(bytes) : decode(Uint8Array.from(bytes));
    if (name === null) {
      this.#refuse(at, 'expected a string with valid escapes before this quote');
    } else if (frame.expected === 'a value') {
      if (frame.key === 'kind') frame.kind = name;
      else frame.apiVersion = name;
      this.#endValue();
    } else {
      frame.key = name;
      frame.expected = '":"';
      this.#inside = 'nothing';
    }
  }

  #endValue(): void {
    this.#inside = 'nothing';
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.#documents++;
    } else if (frame.isArray) {
      frame.items++;
      frame.expected = '"," or "]"';
    } else {
      frame.key = null;
      frame.expected = '"," or "}"';
    }
  }

  #checkSize(bytes: number, at: number): boolean {
    const { objectBytes } = this.#limits;
    return bytes <= objectBytes || this.#refuseExcess(at, `an object is longer than ${objectBytes} bytes`);
  }

  #checkValues(values: number, at: number): boolean {
    const { objectValues } = this.#limits;
    return values <= objectValues || this.#refuseExcess(at, `an object has more than ${objectValues} values`);
  }

  #checkObjects(at: number): boolean {
    const { objects } = this.#limits;
    return (
      ++this.#objects <= objects || this.#refuseExcess(at, `there are more than ${objects} objects and lists`)
    );
  }

  #checkDepth(at: number): void {
    if (this.#frames.length >= this.#limits.depth) this.#refuseDepth(at);
  }

  #refuseDepth(at: number): void {
    this.#refuse(at, `nesting is deeper than ${this.#limits.depth} levels`);
  }

  #refuse(at: number, detail: string): void {
    this.#fault ??= { ...this.#place(), offset: this.#passed + at, detail };
  }

  #refuseExcess(at: number, detail: string): false {
    this.#fault ??= { ...this.#place(), offset: this.#passed + at, detail, isExcess: true };
    return false;
  }

  /** Position in the innermost frame, or the whole document without one. */
  #place(): Place {
    return { document: this.#documents, pointer: pointerTo(this.#frames) };
  }
}
