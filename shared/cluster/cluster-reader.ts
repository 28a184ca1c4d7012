import { clusterKinds, type ClusterKinds, type Kind, type ReadOptions } from './cluster-kinds.ts';
import type { ClusterFacts } from './facts.ts';
import { Field, type ReadingNotes } from './field.ts';
import { faultIn } from './json-fault.ts';
import { isListKind, itemKindOf } from './list-kind.ts';
import type { Header, Place, SourceObject, SplitSink, TextFault } from './source-object.ts';

/** Something that is not as it has to be. */
export interface DocumentMistake extends Place {
  readonly detail: string;
}

/** What was in the input besides the facts. */
export interface InputSummary {
  readonly documents: number;
  readonly objects: number;
  /** Lists that hold nothing and do not say of what: `oc get` prints them for a kind that the cluster has none of. */
  readonly emptyLists: number;
  /** The most frequent first. */
  readonly ignored: readonly { readonly kind: string; readonly count: number }[];
}

export type DocumentReading =
  | { readonly ok: true; readonly facts: ClusterFacts; readonly input: InputSummary }
  | { readonly ok: false; readonly mistakes: readonly DocumentMistake[] };

/** More would not help anybody. */
const MOST_MISTAKES = 20;
const MOST_KINDS = 50;

/** Takes in the objects of a cluster one by one, as text or parsed, and says in the end what is known of it. */
export class ClusterReader implements SplitSink {
  readonly #options: ReadOptions;
  readonly #read: ClusterKinds;
  /** By place, so that each is told once. */
  readonly #mistakes = new Map<string, DocumentMistake>();
  readonly #ignored = new Map<string, number>();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #objects = 0;
  #emptyLists = 0;
  #newestTime = -Infinity;
  #fault: TextFault | null = null;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#read = clusterKinds(options);
  }

  /** An object is no JSON, so that nothing after it can be trusted either. */
  get fault(): TextFault | null {
    return this.#fault;
  }

  /** One that stands in a text. */
  object(source: SourceObject): void {
    if (this.#fault !== null) return;
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
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      const { bytesBefore, problem } = faultIn(text);
      this.#fail(source, source.offset + bytesBefore, problem);
      return;
    }
    this.value(source, value);
  }

  /** One that is parsed. */
  value(header: Header, value: unknown): void {
    this.#objects++;
    const kind = this.#kindOf(header);
    if (header.kind !== null && kind === null && !this.#isListOfRead(header)) {
      this.#ignore(header);
      return;
    }
    const object = new Field(value, header.pointer, this.#notesOn(header));
    if (value === null || typeof value !== 'object') {
      object.refuse('an object', null);
    } else if (header.kind === null) {
      object.at('kind').refuse('the kind of the object, which neither it nor its list says', null);
    } else if (kind === null) {
      this.#takeListWithoutItems(header, object);
    } else {
      this.#take(header, kind, object);
    }
  }

  list(list: Header, items: number): void {
    if (list.kind !== null && !isListKind(list.kind)) {
      // Something else that has items.
      this.#objects++;
      if (this.#kindOf(list) === null) this.#ignore(list);
      else this.#notesOn(list).mistake(`${list.pointer}/items`, `expected no items in a ${list.kind}`);
      return;
    }
    this.#itemKindOf(list)?.supply();
    if (items === 0 && itemKindOf(list.kind) === null) this.#emptyLists++;
  }

  /** What is known after the last of them. `fault` says why the text could not be read to its end. */
  finish(documents: number, fault: DocumentMistake | null): DocumentReading {
    const mistakes = [...this.#mistakes.values(), ...(fault === null ? [] : [fault])];
    if (mistakes.length > 0) return { ok: false, mistakes };
    const newest = Number.isFinite(this.#newestTime) ? new Date(this.#newestTime).toISOString() : null;
    return {
      ok: true,
      facts: { collectedAt: this.#options.collectedAt ?? newest, ...this.#read.facts() },
      input: {
        documents,
        objects: this.#objects,
        emptyLists: this.#emptyLists,
        ignored: mostFrequent(this.#ignored),
      },
    };
  }

  #take(header: Header, kind: Kind, object: Field): void {
    const metadata = object.at('metadata');
    const namespace = metadata.at('namespace').text();
    const name =
      metadata.at('name').text() || kind.only || metadata.at('name').refuse('the name of the object', '');
    if (!kind.take(object, namespace, name)) this.#ignore(header);
  }

  /** What a program writes that leaves out an empty list, or writes null for it. */
  #takeListWithoutItems(header: Header, object: Field): void {
    this.#objects--;
    if (object.at('items').isMissing) this.list(header, 0);
    else object.at('items').refuse('an array', null);
  }

  #kindOf({ kind, apiVersion }: Header): Kind | null {
    const found = this.#read.kinds.get(kind ?? '');
    return found !== undefined && isOfGroup(apiVersion, found.group) ? found : null;
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

  #fail({ document, pointer }: Place, offset: number, detail: string): void {
    this.#fault = { document, pointer, offset, detail };
  }

  #notesOn({ document }: Place): ReadingNotes {
    return {
      mistake: (pointer, detail) => {
        const place = `${document}${pointer}`;
        if (this.#mistakes.size < MOST_MISTAKES && !this.#mistakes.has(place)) {
          this.#mistakes.set(place, { document, pointer, detail });
        }
      },
      time: (moment) => {
        this.#newestTime = Math.max(this.#newestTime, moment);
      },
    };
  }
}

/** `config.openshift.io/v1` is of the group before the slash, `v1` of none; what does not say it may be of any. */
function isOfGroup(apiVersion: string | null, group: string): boolean {
  if (apiVersion === null || apiVersion === '') return true;
  const slash = apiVersion.indexOf('/');
  return apiVersion.slice(0, Math.max(slash, 0)) === group;
}

function mostFrequent(counts: ReadonlyMap<string, number>): { kind: string; count: number }[] {
  const sorted = Array.from(counts, ([kind, count]) => ({ kind, count })).toSorted(
    (a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1),
  );
  const rest = sorted.slice(MOST_KINDS).reduce((sum, { count }) => sum + count, 0);
  return [...sorted.slice(0, MOST_KINDS), ...(rest === 0 ? [] : [{ kind: 'other kinds', count: rest }])];
}
