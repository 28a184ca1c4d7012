import { gunzipSync, gzipSync } from 'node:zlib';
import { deleteItems, readItems } from './batch.ts';
import {
  type Attributes,
  type Condition,
  isAtRevision,
  type Item,
  type ItemWrite,
  NOT_FENCED,
  readItem,
  writeItem,
} from './item.ts';
import {
  bodyKey,
  fenceOf,
  headKey,
  isHeadKey,
  type Key,
  KEY_ATTRIBUTES,
  keyOf,
  lastRevisionOf,
  publicationPartition,
  revisionOfBodyKey,
} from './keys.ts';
import { queryPartition } from './query.ts';
import type { Table } from './table.ts';

/** Small item that names the current body. Readers see one complete body, the current or the former. */
export interface Head {
  readonly name: string;
  readonly revision: string;
  /** Previous revision. */
  readonly previous: string | null;
  /** Items of the body; 0 if it was removed. */
  readonly chunks: number;
}

/** Differences between the things stored as a head and a body. */
export interface PublishedKind<H extends Head> {
  /** Noun for error messages. */
  readonly noun: string;
  readonly partition: (name: string) => string;
  readonly pack: (head: H) => Attributes;
  readonly unpack: (item: Item) => H;
  readonly readAttempts: number;
  /** Whether a writer with this revision is too late. */
  readonly isOvertaken: (current: H, revision: string) => boolean;
  /** Condition of the write that makes `next` current. */
  readonly flip: (next: H) => Condition;
  /** Whether the head found after a failed condition shows that `next` was current. */
  readonly isApplied: (found: H, next: H) => boolean;
  /** @default GetItem */
  readonly readAgain?: NonNullable<ItemWrite['readAgain']>;
  /** Selects former body items that no reader can need once `next` is current. */
  readonly bodiesToDrop: (keys: readonly Key[], next: H) => readonly Key[];
}

export interface Stored<H extends Head> {
  readonly head: H | null;
  /** gzip; null if there is none. */
  readonly body: Uint8Array | null;
  /** Keys of all body items, including leftovers of a crash. */
  readonly bodyKeys: readonly Key[];
}

export type Draft<H extends Head> = Omit<H, 'previous' | 'chunks'> & {
  /** gzip; null removes the body. */
  readonly body: Uint8Array | null;
  /** Runs after the body is written, before the head names it. */
  readonly beforeFlip?: () => Promise<void>;
};

export type PublishOutcome<H extends Head> =
  | { readonly published: true; readonly head: H }
  /** The head changed since it was read, or this writer is fenced off. `written` are the keys of its body. */
  | { readonly published: false; readonly head: H | null; readonly written: readonly Key[] };

/** Reads head and body with one Query, again if a flip between its pages tore it. */
export async function readPublished<H extends Head>(
  table: Table,
  kind: PublishedKind<H>,
  name: string,
): Promise<Stored<H>> {
  for (let attempt = 1; ; attempt++) {
    const items = await queryPartition(table, kind.partition(name));
    const headItem = items.find((item) => isHeadKey(keyOf(item)));
    const bodies = items.filter((item) => !isHeadKey(keyOf(item)));
    const bodyKeys = bodies.map(keyOf);
    const head = headItem ? kind.unpack(headItem) : null;
    if (head === null || head.chunks === 0) return { head, body: null, bodyKeys };
    const chunks = bodies.filter((item) => revisionOfBodyKey(keyOf(item)) === head.revision);
    if (chunks.length === head.chunks) {
      return { head, body: Buffer.concat(chunks.map((item) => item['body'] as Uint8Array)), bodyKeys };
    }
    if (attempt === kind.readAttempts) {
      throw new Error(
        `${kind.noun} ${name} has ${chunks.length} of ${head.chunks} chunks of revision ${head.revision}`,
      );
    }
  }
}

/**
 * Writes the body under new keys, flips the head with one conditional write, then deletes unreachable bodies.
 * Nothing is flipped if the head changed since `current` was read, so a stalled writer never flips it back.
 */
export async function publish<H extends Head>(
  table: Table,
  kind: PublishedKind<H>,
  draft: Draft<H>,
  current: Stored<H>,
): Promise<PublishOutcome<H>> {
  const { body, beforeFlip, ...named } = draft;
  if (current.head && kind.isOvertaken(current.head, draft.revision)) {
    return { published: false, head: current.head, written: [] };
  }
  const written =
    body === null ? [] : await writeBody(table, kind.partition(draft.name), draft.revision, body);
  await beforeFlip?.();
  const previous = current.head?.revision ?? null;
  const next = { ...named, previous, chunks: written.length } as unknown as H;
  const outcome = await writeItem(table, {
    key: headKey(kind.partition(draft.name)),
    write: { put: kind.pack(next) },
    condition: kind.flip(next),
    isApplied: (found) => found !== null && kind.isApplied(kind.unpack(found), next),
    ...(kind.readAgain && { readAgain: kind.readAgain }),
  });
  if (!outcome.applied) {
    return { published: false, head: outcome.found && kind.unpack(outcome.found), written };
  }
  await deleteItems(table, kind.bodiesToDrop(current.bodyKeys, next));
  return { published: true, head: next };
}

/** Below the 400 KB limit of an item, with room for its other attributes. */
const CHUNK_BYTES = 350 * 1024;

/** Writes at least one item, even for an empty body. */
async function writeBody(
  table: Table,
  partition: string,
  revision: string,
  body: Uint8Array,
): Promise<readonly Key[]> {
  const count = Math.max(1, Math.ceil(body.length / CHUNK_BYTES));
  const keys = Array.from({ length: count }, (_, chunk) => bodyKey(partition, revision, chunk));
  for (const [chunk, key] of keys.entries()) {
    const part = body.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
    await writeItem(table, { key, write: { put: { body: part } } });
  }
  return keys;
}

/** Head of a graph, the catalogue, a channel index or the configuration. */
export interface PublicationHead extends Head {
  readonly etag: string;
  readonly publishedAt: string;
  /** Facts that readers need without the body. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** Token of a run that found it unchanged and fences off earlier runs. */
  readonly fence?: number;
}

export type StoredPublication = Stored<PublicationHead>;
export type PublicationDraft = Draft<Omit<PublicationHead, 'fence'>>;

/** Revisions consist of the run's token and a sequence, and sort by time as text. */
export const PUBLICATION: PublishedKind<PublicationHead> = {
  noun: 'publication',
  partition: publicationPartition,
  pack: (head) => ({ ...head, summary: gzipSync(JSON.stringify(head.summary)) }),
  unpack(item) {
    const { name, revision, previous, etag, chunks, publishedAt, fence } = item as unknown as PublicationHead;
    const summary = JSON.parse(gunzipSync(item['summary'] as Uint8Array).toString('utf8'));
    const head = { name, revision, previous, etag, chunks, publishedAt, summary };
    return fence === undefined ? head : { ...head, fence };
  },
  readAttempts: 4,
  isOvertaken: (current, revision) => current.revision >= revision,
  flip: ({ previous, revision }) =>
    previous === null ? isAtRevision(null) : isOpen(previous, fenceOf(revision)),
  isApplied: (found, next) => found.revision === next.revision,
  // Keep the previous body for readers that still have the former head.
  bodiesToDrop: (keys, { revision, previous }) =>
    keys.filter((key) => revisionOfBodyKey(key) < revision && revisionOfBodyKey(key) !== previous),
};

/** It is still at this revision, and no run later than the one with this token has claimed it. */
function isOpen(revision: string, token: number): Condition {
  const { expression, values } = isAtRevision(revision);
  return { expression: `${expression} AND ${NOT_FENCED}`, values: { ...values, ':token': token } };
}

const publicationHeadKey = (name: string): Key => headKey(publicationPartition(name));

export async function readHeads(
  table: Table,
  names: readonly string[],
): Promise<Map<string, PublicationHead>> {
  const items = await readItems(table, names.map(publicationHeadKey));
  return new Map(items.map(PUBLICATION.unpack).map((head) => [head.name, head]));
}

export async function readHead(
  table: Table,
  name: string,
  options: { readonly consistent: boolean },
): Promise<PublicationHead | null> {
  const item = await readItem(table, publicationHeadKey(name), options);
  return item && PUBLICATION.unpack(item);
}

/**
 * Fences a publication against earlier runs that could still replace or delete it. False if its revision
 * changed or a later run has claimed it.
 */
export async function claim(
  table: Table,
  { name, revision }: Pick<PublicationHead, 'name' | 'revision'>,
  token: number,
): Promise<boolean> {
  const { applied } = await writeItem(table, {
    key: publicationHeadKey(name),
    write: { update: { expression: 'SET fence = :token' } },
    condition: isOpen(revision, token),
  });
  return applied;
}

/**
 * Deletes what runs up to this token published, head first, so that no reader finds a head without a body.
 * False if a later run has published or claimed it.
 */
export async function remove(table: Table, name: string, token: number): Promise<boolean> {
  const items = await queryPartition(table, publicationPartition(name), { attributes: KEY_ATTRIBUTES });
  const keys = items.map(keyOf);
  if (keys.some(isHeadKey) && !(await removeHead(table, name, token))) return false;
  // Keep the body of a later run that is about to publish.
  const own = keys.filter((key) => !isHeadKey(key) && revisionOfBodyKey(key) <= lastRevisionOf(token));
  await deleteItems(table, own);
  return true;
}

async function removeHead(table: Table, name: string, token: number): Promise<boolean> {
  const { applied } = await writeItem(table, {
    key: publicationHeadKey(name),
    write: { remove: true },
    condition: {
      // An already deleted head is fine.
      expression: `attribute_not_exists(revision) OR (revision <= :last AND ${NOT_FENCED})`,
      values: { ':last': lastRevisionOf(token), ':token': token },
    },
  });
  return applied;
}

/** Whether a run later than this token has published or claimed it. */
export function isOfLaterRun({ revision, fence = 0 }: PublicationHead, token: number): boolean {
  return fenceOf(revision) > token || fence > token;
}
