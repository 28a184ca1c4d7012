import { InputValue, KUBERNETES, type Mistake, type Notes } from '../input/input-value.ts';
import { faultIn } from '../json/errors.ts';
import {
  isListKind,
  itemKindOf,
  type Header,
  type ListHeader,
  type ObjectSink,
  type Place,
  type SourceObject,
  extentOfToken,
} from '../json/frames.ts';
import type { DocumentKind } from './document-kinds.ts';
import { isAlerts } from './workloads.ts';

export interface InputSummary {
  readonly documents: number;
  readonly objects: number;
  /** Lists without items and kind: `oc get` prints them for a kind without objects. */
  readonly emptyLists: number;
  /** Most frequent first. */
  readonly ignored: readonly { readonly kind: string; readonly count: number }[];
}

export interface Kind {
  /** Name of an object without one, for kinds with a single object. */
  readonly only?: string | undefined;
  /** Called for a list of the kind. */
  supply(): void;
  /** Called for a list with all objects of the kind, of one namespace at least or of all. */
  complete?(scope: ListScope): void;
  /** Returns false for an object that is not read. */
  take(object: InputValue, namespace: string, name: string): boolean;
  /** Decides by the text whether to parse an object. */
  isWorthParsing?(text: string): boolean;
}

/** `oc get` prints a `List`, which can be of one namespace. */
export type ListScope = 'a namespace' | 'the cluster';

/** Null for kinds to ignore. */
type FindKind = (kind: string, apiVersion: string | null) => Kind | null;

/** `newestTime` is the newest time in the objects, in milliseconds since 1970. */
type ObjectReading =
  | { readonly ok: true; readonly input: InputSummary; readonly newestTime: number | null }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

/** Collects the facts of one kind while documents are read. */
export interface Collector<Value> {
  /** Called for a list of the kind, which may be empty. */
  supply(kind: string): void;
  /** Called for a list of all objects. */
  complete?(): void;
  take(object: InputValue, namespace: string, name: string, row: DocumentKind): void;
  /** Null if the kind was not sent. */
  value(): Value | null;
  /** Decides by the text whether to parse an object. */
  readonly isWorthParsing?: (text: string) => boolean;
}

type ObjectOrder = 'name' | 'document';

type ReadObject<Facts> = (object: InputValue, kind: string) => Facts | null;

/** Objects by kind, namespace and name; the last duplicate wins. */
export class Collection<Facts> {
  readonly #read: ReadObject<Facts>;
  readonly #facts = new Map<string, Facts | null>();
  #isSupplied = false;

  /** `read` returns null for an object without facts; it still replaces an earlier one. */
  constructor(read: ReadObject<Facts>) {
    this.#read = read;
  }

  supply(): void {
    this.#isSupplied = true;
  }

  take(object: InputValue, namespace: string, name: string, row: DocumentKind): void {
    this.supply();
    const key = keyOf(row.kind, row.name === undefined ? namespace : '', name);
    // The last duplicate also decides the position.
    this.#facts.delete(key);
    this.#facts.set(key, this.#read(object, row.kind));
  }

  has(kind: string, name: string): boolean {
    return this.#facts.has(keyOf(kind, '', name));
  }

  inOrder(order: ObjectOrder = 'name'): Facts[] | null {
    if (!this.#isSupplied) return null;
    const facts = Array.from(this.#facts);
    return (order === 'document' ? facts : facts.toSorted(([a], [b]) => (a < b ? -1 : 1))).flatMap(
      ([, facts]) => (facts === null ? [] : [facts]),
    );
  }
}

/** Sorts by kind, namespace, then name: no character precedes NUL. */
function keyOf(kind: string, namespace: string, name: string): string {
  return `${kind}\0${namespace}\0${name}`;
}

export function list<Facts>(read: ReadObject<Facts>, order?: ObjectOrder): Collector<readonly Facts[]> {
  const collection = new Collection(read);
  return {
    supply: () => collection.supply(),
    take: (...taken) => collection.take(...taken),
    value: () => collection.inOrder(order),
  };
}

/** `none` is the value for a list without the object. */
export function single<Facts>(read: ReadObject<Facts>, none: Facts | null = null): Collector<Facts> {
  const collection = new Collection(read);
  return {
    supply: () => collection.supply(),
    take: (...taken) => collection.take(...taken),
    value: () => {
      const found = collection.inOrder();
      return found && (found[0] ?? none);
    },
  };
}

/** Mistakes reported per request. */
const MOST_MISTAKES = 20;
const MOST_KINDS = 50;

export class ObjectReader implements ObjectSink {
  readonly #findKind: FindKind;
  readonly #takeAlerts: (response: InputValue) => void;
  /** A page of a list is accepted without the others. */
  readonly #acceptsPages: boolean;
  /** By position, so that each mistake is reported once. */
  readonly #mistakes = new Map<string, Mistake>();
  readonly #ignored = new Map<string, number>();
  /** Kinds of the objects in each list that is being read, by its place. */
  readonly #kindsIn = new Map<string, Set<Kind>>();
  /** A page of each kind of list, and the kinds of which the end was sent. */
  readonly #pages = new Map<string, Place>();
  readonly #ended = new Set<string>();
  readonly #notes: Notes = {
    wording: KUBERNETES,
    mistake: (mistake) => this.#note(mistake),
    time: (moment) => {
      this.#newestTime = Math.max(this.#newestTime, moment);
    },
  };
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #objects = 0;
  #emptyLists = 0;
  #newestTime = -Infinity;
  #fault: Mistake | null = null;

  constructor(
    findKind: FindKind,
    takeAlerts: (response: InputValue) => void = () => {},
    acceptsPages = false,
  ) {
    this.#findKind = findKind;
    this.#takeAlerts = takeAlerts;
    this.#acceptsPages = acceptsPages;
  }

  get fault(): Mistake | null {
    return this.#fault;
  }

  object(source: SourceObject): void {
    // With this many mistakes the request is rejected anyway.
    if (this.#fault !== null || this.#mistakes.size === MOST_MISTAKES) return;
    const kind = this.#kindOf(source);
    const isRead = kind !== null || source.kind === null || isListKind(source.kind);
    if (source.bytes === null || !isRead) {
      this.value(source, null);
      return;
    }
    const text = this.#decode(source, source.bytes);
    if (text === null) return;
    if (kind?.isWorthParsing?.(text) === false) {
      this.#objects++;
      kind.supply();
      return;
    }
    const { parsed, offset } = source;
    parsed.values += source.values;
    if (parsed.values > parsed.most) {
      this.#fail(source, offset, `the objects up to this one have more than ${parsed.most} values`, true);
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      const { bytesBefore, problem } = faultIn(text);
      this.#fail(source, offset + bytesBefore, problem);
      return;
    }
    this.value(source, value);
  }

  value(header: Header, value: unknown): void {
    this.#objects++;
    const kind = this.#kindOf(header);
    if (header.kind !== null && kind === null && !this.#isListOfRead(header)) {
      this.#ignore(header);
      return;
    }
    const { document, pointer } = header;
    const object = new InputValue(value, this.#notes, { document, pointer });
    if (value === null || typeof value !== 'object') {
      object.mismatch('an object');
    } else if (header.kind === null && isAlerts(value)) {
      this.#takeAlerts(object);
    } else if (header.kind === null) {
      object.at('kind').mismatch('the kind of the object, which neither it nor its list says');
    } else if (kind === null) {
      this.#takeListWithoutItems(header, object);
    } else {
      this.#take(header, kind, object);
    }
  }

  list(list: ListHeader, items: number): void {
    if (list.kind !== null && !isListKind(list.kind)) {
      this.#objects++;
      if (this.#kindOf(list) === null) this.#ignore(list);
      else {
        const { document, pointer, kind } = list;
        this.#note({ document, pointer: `${pointer}/items`, detail: `expected no items in a ${kind}` });
      }
      return;
    }
    this.#notePage(list);
    const kind = this.#itemKindOf(list);
    kind?.supply();
    this.#completeBy(list, kind);
    if (items === 0 && itemKindOf(list.kind) === null) this.#emptyLists++;
  }

  /** Returns the result after the last object. `fault` explains why the text could not be read to its end. */
  finish(documents: number, fault: Mistake | null): ObjectReading {
    for (const [kind, { document, pointer }] of this.#pages) {
      if (this.#acceptsPages || this.#ended.has(kind)) continue;
      const detail = `expected the other pages of this ${kind} too: its token says that it goes on`;
      this.#note({ document, pointer: `${pointer}/metadata/continue`, detail });
    }
    const mistakes = [...this.#mistakes.values(), ...(fault === null ? [] : [fault])];
    if (mistakes.length > 0) return { ok: false, mistakes };
    return {
      ok: true,
      newestTime: Number.isFinite(this.#newestTime) ? this.#newestTime : null,
      input: {
        documents,
        objects: this.#objects,
        emptyLists: this.#emptyLists,
        ignored: mostFrequent(this.#ignored),
      },
    };
  }

  #completeBy(list: ListHeader, kind: Kind | null): void {
    const place = placeOf(list, list.pointer);
    const kinds = this.#kindsIn.get(place) ?? [];
    this.#kindsIn.delete(place);
    if (list.extent !== 'whole') return;
    kind?.complete?.('the cluster');
    if (list.kind === 'List') for (const each of kinds) each.complete?.('a namespace');
  }

  #take(header: Header, kind: Kind, object: InputValue): void {
    const item = header.pointer.lastIndexOf('/items/');
    if (item >= 0) {
      const place = placeOf(header, header.pointer.slice(0, item));
      const kinds = this.#kindsIn.get(place) ?? new Set();
      this.#kindsIn.set(place, kinds.add(kind));
    }
    const metadata = object.at('metadata');
    const namespace = metadata.at('namespace').text();
    const given = metadata.at('name');
    const name = given.text() || (kind.only ?? given.mismatch('the name of the object') ?? '');
    if (!kind.take(object, namespace, name)) this.#ignore(header);
  }

  /** The objects of a list that is cut off would count as all there are. */
  #notePage(list: ListHeader): void {
    const { kind, extent } = list;
    if (kind === null || !this.#isListOfRead(list)) return;
    if (extent === 'page') this.#pages.set(kind, list);
    // A `List` has objects of any kinds, so another one is not its end.
    else if (kind !== 'List') this.#ended.add(kind);
  }

  /** Some programs omit an empty list or write null. */
  #takeListWithoutItems(header: Header, object: InputValue): void {
    this.#objects--;
    const extent = extentOfToken(object.at('metadata', 'continue').text());
    if (object.at('items').isMissing) this.list({ ...header, extent }, 0);
    else object.at('items').mismatch('an array');
  }

  #kindOf({ kind, apiVersion }: Header): Kind | null {
    return kind === null ? null : this.#findKind(kind, apiVersion);
  }

  #itemKindOf(list: Header): Kind | null {
    return this.#kindOf({ ...list, kind: itemKindOf(list.kind) });
  }

  #isListOfRead(header: Header): boolean {
    return header.kind === 'List' || this.#itemKindOf(header) !== null;
  }

  #ignore({ kind }: Header): void {
    this.#ignored.set(kind!, (this.#ignored.get(kind!) ?? 0) + 1);
  }

  #decode(source: SourceObject, bytes: Uint8Array): string | null {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      this.#fail(source, source.offset, 'expected UTF-8 in the object that begins here');
      return null;
    }
  }

  #fail({ document, pointer }: Place, offset: number, detail: string, isExcess = false): void {
    this.#fault = { document, pointer, offset, detail, ...(isExcess && { isExcess }) };
  }

  #note(mistake: Mistake): void {
    const place = `${mistake.document}${mistake.pointer}`;
    if (this.#mistakes.size < MOST_MISTAKES && !this.#mistakes.has(place)) this.#mistakes.set(place, mistake);
  }
}

function placeOf({ document }: Place, pointer: string): string {
  return `${document}${pointer}`;
}

function mostFrequent(counts: ReadonlyMap<string, number>): { kind: string; count: number }[] {
  const all = Array.from(counts, ([kind, count]) => ({ kind, count }));
  const sorted = all.toSorted((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
  const rest = sorted.slice(MOST_KINDS).reduce((sum, { count }) => sum + count, 0);
  return [...sorted.slice(0, MOST_KINDS), ...(rest === 0 ? [] : [{ kind: 'other kinds', count: rest }])];
}
