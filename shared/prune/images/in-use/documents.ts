import { type InputSummary, type Kind, ObjectReader } from '../../../cluster/object-reader.ts';
import type { InputValue, Mistake } from '../../../input/input-value.ts';
import { isListKind } from '../../../json/frames.ts';
import { type ImageUser, InUseCollector, type UnreadReference } from './collector.ts';
import {
  type ImageFacts,
  Interned,
  readImage,
  readImageStream,
  type ImageStreamFacts,
  type InUse,
} from './facts.ts';
import { IMAGE_GROUPS, isOfGroups, USING_KINDS, type UsingKind, usingKindNamed } from './kinds.ts';

export interface InUseReadOptions {
  /** Milliseconds: ended Pods created earlier use nothing. */
  readonly youngerThan: number;
  /** Milliseconds. */
  readonly collectedAt: number;
  /** Kinds requested from `oc get`, by any of their names: a list of many kinds does not show an empty kind. */
  readonly asked: readonly string[];
  /** Kinds that could not be read completely, by any of their names; they make the report incomplete. */
  readonly unseen?: readonly string[];
  /** Keep Images; needed only to judge them. */
  readonly images: boolean;
}

export interface KindCount {
  readonly kind: string;
  readonly objects: number;
  /** Pods that ended earlier and use nothing. */
  readonly ended: number;
  /** References to images; for other kinds, digests. */
  readonly references: number;
}

export type InUseReading =
  | {
      readonly ok: true;
      readonly inUse: InUse;
      /** By `repository@digest`, `repository:tag` and digest. */
      readonly users: ReadonlyMap<string, ImageUser>;
      /** Up to 1,000. */
      readonly unread: readonly UnreadReference[];
      readonly unreadTotal: number;
      /** Kinds that use images, ImageStreams and Images, present or not. */
      readonly kinds: readonly KindCount[];
      readonly otherKinds: readonly KindCount[];
      /** Kinds that use images but are absent or unreadable. */
      readonly missing: readonly string[];
      /** By digest; null if none were sent. */
      readonly images: ReadonlyMap<string, ImageFacts> | null;
      readonly input: InputSummary;
    }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

/** Fits the memory of a Lambda function. */
const MOST_IMAGES = 150_000;
const MOST_OTHER_KINDS = 200;

/**
 * Reads the output of `oc get pods,rc,rs,deployments,…,imagestreams,images -A -o json` object by object. Searches other
 * kinds for digests.
 */
export class InUseReader {
  readonly objects: ObjectReader;
  readonly #options: InUseReadOptions;
  readonly #collector = new InUseCollector();
  readonly #interned = new Interned();
  readonly #kinds = new Map<string, CountedKind>();
  readonly #others = new Map<string, CountedKind>();
  readonly #streams = new Map<string, ImageStreamFacts>();
  readonly #streamIds = new Map<string, string>();
  readonly #images = new Map<string, ImageFacts>();
  /** Counts ImageStreams and Images, replaced ones too. */
  #taken = 0;

  constructor(options: InUseReadOptions) {
    this.#options = options;
    for (const using of USING_KINDS) this.#kinds.set(using.kind, this.#usingKind(using));
    this.#kinds.set(
      'ImageStream',
      new CountedKind('ImageStream', IMAGE_GROUPS, (...taken) => this.#takeStream(...taken)),
    );
    this.#kinds.set(
      'Image',
      new CountedKind('Image', IMAGE_GROUPS, (object, _, name) => this.#takeImage(object, name)),
    );
    this.objects = new ObjectReader((kind, apiVersion) => this.#find(kind, apiVersion));
  }

  /** Grows with every object that adds a fact. */
  get facts(): number {
    return this.#collector.facts + this.#taken;
  }

  /** `fault` explains why the text could not be read to its end. */
  finish(documents: number, fault: Mistake | null): InUseReading {
    const reading = this.objects.finish(documents, fault);
    if (!reading.ok) return reading;
    const unseen = (this.#options.unseen ?? []).map((name) => usingKindNamed(name)?.kind ?? name);
    const missing = [...new Set([...this.#missing(reading.input.emptyLists), ...unseen])];
    const { usedImages, usedTags, usedDigests, protectedRepositories, users, unread, unreadTotal } =
      this.#collector;
    return {
      ok: true,
      inUse: {
        complete: missing.length === 0,
        collectedAt: this.#options.collectedAt,
        usedImages,
        usedTags,
        usedDigests,
        protectedRepositories,
        streams: this.#kinds.get('ImageStream')!.isSupplied ? this.#streams : null,
      },
      users,
      unread,
      unreadTotal,
      kinds: Array.from(this.#kinds.values(), (kind) => kind.count()),
      otherKinds: Array.from(this.#others.values(), (kind) => kind.count()).toSorted(
        (a, b) => b.references - a.references || (a.kind < b.kind ? -1 : 1),
      ),
      missing,
      images: this.#options.images && this.#kinds.get('Image')!.isSupplied ? this.#images : null,
      input: reading.input,
    };
  }

  /**
   * An empty list does not name its kind, and a list of many kinds does not show an empty one. So a requested kind
   * counts as present, except Pods: every cluster has some.
   */
  #missing(emptyLists: number): string[] {
    const asked = new Set(this.#options.asked.map((name) => usingKindNamed(name)?.kind));
    const unseen = USING_KINDS.map(({ kind }) => kind).filter(
      (kind) => !this.#kinds.get(kind)!.isSupplied && (kind === 'Pod' || !asked.has(kind)),
    );
    return unseen.includes('Pod') || unseen.length > emptyLists ? unseen : [];
  }

  #find(name: string, apiVersion: string | null): Kind | null {
    if (isListKind(name)) return null;
    const known = this.#kinds.get(name);
    if (known?.isOfGroup(apiVersion) === true) return known;
    const other = this.#others.get(name);
    if (other !== undefined) return other;
    const counted = this.#others.size < MOST_OTHER_KINDS ? name : 'other kinds';
    const made = this.#others.get(counted) ?? this.#otherKind(counted);
    this.#others.set(counted, made);
    return made;
  }

  #usingKind({ kind, groups, read }: UsingKind): CountedKind {
    return new CountedKind(kind, groups, (object, namespace, name) => {
      const referrer = { object: objectText(kind, namespace, name), namespace, collector: this.#collector };
      return read(object, referrer, this.#options.youngerThan);
    });
  }

  /** Searches the text without parsing it, unless it contains escapes. */
  #otherKind(kind: string): CountedKind {
    const search = (text: string, object: string) => this.#collector.addDigestsIn(text, object);
    return new CountedKind(
      kind,
      [],
      (object, namespace, name) => search(JSON.stringify(object.value), objectText(kind, namespace, name)),
      (text) => !text.includes('sha256:') && !text.includes(String.raw`\u00`),
    );
  }

  #takeStream(object: InputValue, namespace: string, name: string): number {
    const repository = `${namespace}/${name}`;
    const id = object.at('metadata', 'uid').text();
    const known = this.#streamIds.get(repository);
    if (known !== undefined && known !== id) {
      object
        .at('metadata', 'uid')
        .mismatch(`the same as that of the ImageStream ${repository} before, send one cluster at a time`);
    }
    this.#streamIds.set(repository, id);
    this.#taken++;
    this.#streams.set(repository, readImageStream(object, this.#interned));
    return 0;
  }

  #takeImage(object: InputValue, name: string): number {
    if (!this.#options.images) return 0;
    if (this.#images.size === MOST_IMAGES && !this.#images.has(name)) {
      object.mismatch(`no more than ${MOST_IMAGES} Images`);
    } else {
      this.#images.set(name, readImage(object, name, this.#interned));
      this.#taken++;
    }
    return 0;
  }
}

type Take = (object: InputValue, namespace: string, name: string) => number | null;

class CountedKind implements Kind {
  readonly #kind: string;
  readonly #groups: readonly string[];
  readonly #take: Take;
  readonly #isEmpty: (text: string) => boolean;
  /** Searched kinds need no name. */
  readonly only?: string;
  isSupplied = false;
  #objects = 0;
  #ended = 0;
  #references = 0;

  constructor(
    kind: string,
    groups: readonly string[],
    take: Take,
    isEmpty: ((text: string) => boolean) | null = null,
  ) {
    this.#kind = kind;
    this.#groups = groups;
    this.#take = take;
    this.#isEmpty = isEmpty ?? (() => false);
    if (isEmpty !== null) this.only = '';
  }

  isOfGroup(apiVersion: string | null): boolean {
    return isOfGroups(apiVersion, this.#groups);
  }

  supply(): void {
    this.isSupplied = true;
  }

  isWorthParsing(text: string): boolean {
    if (!this.#isEmpty(text)) return true;
    this.#objects++;
    return false;
  }

  take(object: InputValue, namespace: string, name: string): boolean {
    this.isSupplied = true;
    this.#objects++;
    const references = this.#take(object, namespace, name);
    if (references === null) this.#ended++;
    else this.#references += references;
    return true;
  }

  count(): KindCount {
    return {
      kind: this.#kind,
      objects: this.#objects,
      ended: this.#ended,
      references: this.#references,
    };
  }
}

function objectText(kind: string, namespace: string, name: string): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
