import type { ImageStreamFacts, InUse } from '../in-use/facts.ts';
import type { InventoryView } from '../registry/inventory-view.ts';
import { isCurrent, tagOfPlace } from '../registry/link-columns.ts';
import type { ManifestGraph } from '../registry/manifest-graph.ts';

/** In the order of their codes. The first reason that holds counts: `in-use` would be deleted if nothing used it. */
export const KEEP_REASONS = ['kept', 'in-use', 'protected', 'young', 'frozen'] as const;
export type KeepReason = (typeof KEEP_REASONS)[number];

/**
 * In the order of their codes. `untagged`: no tag references the manifest; `superseded`: its tag has moved; `unused`:
 * its tag is not in use; `subject-gone`: its subject is deleted; `dangling`: the link target is missing;
 * `unreferenced`: no kept manifest of the repository has the layer (for a blob: of any repository).
 */
const DELETE_REASONS = [
  'untagged',
  'superseded',
  'unused',
  'subject-gone',
  'dangling',
  'unreferenced',
] as const;
/** `abandoned`: an unfinished upload. */
export type DeleteReason = (typeof DELETE_REASONS)[number] | 'abandoned';

/** Retention codes in columns: 0 is undecided; of two reasons to keep, the lower code wins. */
export const KEPT = 1;
export const IN_USE = 2;
export const PROTECTED = 3;
export const YOUNG = 4;
export const FROZEN = 5;
export const UNTAGGED = 8;
export const SUPERSEDED = 9;
export const UNUSED = 10;
export const SUBJECT_GONE = 11;
export const DANGLING = 12;
export const UNREFERENCED = 13;

export function stays(fate: number): boolean {
  return fate < UNTAGGED;
}

export function keepReason(fate: number): KeepReason {
  return KEEP_REASONS[fate - KEPT]!;
}

export function deleteReason(fate: number): DeleteReason {
  return DELETE_REASONS[fate - UNTAGGED]!;
}

export interface PrunePolicy {
  /** Revisions to keep per tag, the current one included. */
  readonly keepTagRevisions: number;
  readonly keepYoungerThanMs: number;
  /** Time between condemning and deleting; 0 does both in one run. */
  readonly graceMs: number;
  /** Patterns of `tag` or `repository:tag`. */
  readonly protectedTags: readonly string[];
  readonly protectedRepositories: readonly string[];
  /** Keys deleted per run. */
  readonly maxDeletes: number | null;
  readonly requireInUse: boolean;
  /** Start of the run in milliseconds. */
  readonly now: number;
}

export interface RetentionContext {
  readonly view: InventoryView;
  readonly graph: ManifestGraph;
  /** Digest by `repository:tag`. */
  readonly tags: ReadonlyMap<string, string>;
  readonly inUse: InUse | null;
  readonly policy: PrunePolicy;
  /** Anything written at or after this time is young. */
  readonly cutoff: number;
  readonly mayRemoveTags: boolean;
  readonly used: UsedDigests;
}

/** Digests in use as numbers; digests missing from the inventory are ignored. */
export class UsedDigests {
  readonly anywhere = new Set<number>();
  readonly #byRepository = new Map<string, number[]>();

  constructor(view: InventoryView, inUse: InUse | null) {
    for (const digest of inUse?.usedDigests ?? []) this.anywhere.add(view.digests.find(digest));
    this.anywhere.delete(-1);
    for (const image of inUse?.usedImages ?? []) {
      const at = image.indexOf('@');
      const digest = view.digests.find(image.slice(at + 1));
      if (digest === -1) continue;
      const repository = image.slice(0, at);
      const known = this.#byRepository.get(repository);
      if (known === undefined) this.#byRepository.set(repository, [digest]);
      else known.push(digest);
    }
  }

  in(repository: string): readonly number[] {
    return this.#byRepository.get(repository) ?? [];
  }
}

interface Tag {
  readonly name: string;
  /** Node of the current revision; null for a deleted tag. */
  readonly current: number | null;
  /** Newest first, starting with the current one. */
  readonly revisions: readonly { readonly node: number; readonly isYoung: boolean }[];
}

/** Finds tagged, young, used and protected manifests of a repository. `isLinked`: the repository links the manifest. */
export function rootsOf(context: RetentionContext, rank: number, isLinked: (node: number) => boolean) {
  const { view, graph, inUse, used, cutoff, policy } = context;
  const repository = view.repositories[rank]!;
  const nodes = new Map<number, number[]>([KEPT, IN_USE, PROTECTED, YOUNG].map((reason) => [reason, []]));
  const tags: Tag[] = [];
  let frozen = null as string | null;
  const freeze = (why: string) => (frozen ??= why);
  const keep = (reason: number, node: number) => {
    // Only the cluster knows its layers.
    if (node === -1) freeze('an image of its ImageStream that stays has no manifest in storage');
    else nodes.get(reason)!.push(node);
  };

  for (let row = view.revisionStart[rank]!; row < view.tagStart[rank]!; row++) {
    const node = graph.nodeOf(view.digest[row]!);
    const why = graph.whyUnreadable(node);
    if (why !== null) freeze(`the manifest ${view.digests.text(view.digest[row]!)} cannot be read: ${why}`);
    if (view.modified[row]! >= cutoff) keep(YOUNG, node);
    if (used.anywhere.has(view.digest[row]!) || used.anywhere.has(graph.config(node))) keep(IN_USE, node);
  }
  for (const digest of used.in(repository)) {
    const node = graph.nodeOf(digest);
    if (node !== -1) keep(IN_USE, node);
  }
  tags.push(...storedTags(context, rank, isLinked, freeze));
  const stream = inUse?.streams?.get(repository);
  if (stream !== undefined) tags.push(...streamTags(context, stream, isLinked));

  const hasOtherTags = tags.some(({ name, current }) => current !== null && subjectOfTag(name) === null);
  /** Tags `sha256-<hex>…` of signatures; they stay with the manifest in their name. */
  const followers: { readonly subject: number; readonly nodes: readonly number[] }[] = [];
  for (const tag of tags) {
    const subject = subjectOfTag(tag.name);
    const { name, revisions } = tag;
    for (const { node, isYoung } of revisions) if (isYoung) keep(YOUNG, node);
    if (isProtectedTag(policy.protectedTags, repository, name)) {
      for (const { node } of revisions) keep(PROTECTED, node);
    }
    if (tag.current === null) continue;
    if (inUse?.usedTags.has(`${repository}:${name}`) === true) keep(IN_USE, tag.current);
    // A repository with only signatures holds those of images stored elsewhere.
    if (subject !== null && hasOtherTags) {
      followers.push({
        subject: view.digests.find(subject),
        nodes: revisions.slice(0, Math.max(1, policy.keepTagRevisions)).map(({ node }) => node),
      });
    } else {
      const count = Math.max(context.mayRemoveTags ? 0 : 1, policy.keepTagRevisions);
      for (const { node } of revisions.slice(0, count)) keep(KEPT, node);
    }
  }
  return { nodes, followers, frozen };
}

/** Subject in a tag name: `sha256-<64 digits>`, optionally with a suffix such as `.sig`. */
export function subjectOfTag(tag: string): string | null {
  const match = /^sha256-([0-9a-f]{64})(?![0-9A-Za-z])/.exec(tag);
  return match === null ? null : `sha256:${match[1]}`;
}

function storedTags(
  { view, graph, tags, cutoff }: RetentionContext,
  rank: number,
  isLinked: (node: number) => boolean,
  freeze: (why: string) => void,
): Tag[] {
  const { place, digest, modified, digests } = view;
  const repository = view.repositories[rank]!;
  const found: Tag[] = [];
  const end = view.linkEnd[rank]!;
  for (let row = view.tagStart[rank]!; row < end;) {
    const tag = tagOfPlace(place[row]!);
    const name = view.tagNames[tag]!;
    const revisions: { node: number; isYoung: boolean; modified: number; digest: number }[] = [];
    let current: number | null = null;
    let isCurrentYoung = false;
    for (; row < end && tagOfPlace(place[row]!) === tag; row++) {
      const isYoung = modified[row]! >= cutoff;
      if (isCurrent(place[row]!)) {
        const target = tags.get(`${repository}:${name}`);
        if (target === undefined) {
          freeze(`what the tag ${name} points at could not be read`);
          continue;
        }
        current = graph.nodeOf(digests.find(target));
        if (current === -1) current = graph.unlistedNode(target);
        isCurrentYoung = isYoung;
        const why = graph.whyUnreadable(current);
        if (why !== null) freeze(`the manifest of the tag ${name} cannot be read: ${why}`);
        continue;
      }
      const node = graph.nodeOf(digest[row]!);
      // Deleted revisions do not count toward the limit; a young one can be linked any moment.
      if (isLinked(node) || isYoung) {
        const why = graph.whyUnreadable(node);
        if (why !== null) freeze(`a manifest of the tag ${name} cannot be read: ${why}`);
        revisions.push({ node, isYoung, modified: modified[row]!, digest: digest[row]! });
      }
    }
    revisions.sort((a, b) => b.modified - a.modified || digests.compare(a.digest, b.digest));
    const before = revisions.filter(({ node }) => node !== current);
    const isYoung =
      isCurrentYoung || revisions.some((revision) => revision.node === current && revision.isYoung);
    found.push({
      name,
      current,
      revisions: current === null ? before : [{ node: current, isYoung }, ...before],
    });
  }
  return found;
}

/** Tags that the cluster keeps in an ImageStream. An image that is not in storage has node -1. */
function streamTags(
  { view, graph, cutoff }: RetentionContext,
  stream: ImageStreamFacts,
  isLinked: (node: number) => boolean,
): Tag[] {
  const isYoung = (created: number | null) => created === null || created >= cutoff;
  return Array.from(stream.tags, ([name, items]) => {
    const revisions = items.map(({ digest, created }) => {
      const node = graph.nodeOf(view.digests.find(digest));
      return { node: isLinked(node) ? node : -1, isYoung: isYoung(stream.created) || isYoung(created) };
    });
    return { name, current: revisions[0]?.node ?? null, revisions };
  });
}

/**
 * `*` matches any characters, slashes included, `?` any single one: `matchesGlob('v4.*', 'v4.18.3')`. Worst case is the
 * product of both lengths.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let starAt = -1;
  let retryAt = 0;
  while (inText < text.length) {
    const wanted = pattern[inPattern];
    if (wanted === '*') {
      starAt = inPattern++;
      retryAt = inText;
    } else if (wanted !== undefined && (wanted === '?' || wanted === text[inText])) {
      inPattern++;
      inText++;
    } else if (starAt !== -1) {
      // Extend the last star by one character; earlier stars need no retry.
      inPattern = starAt + 1;
      inText = ++retryAt;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

export function isProtectedTag(patterns: readonly string[], repository: string, tag: string): boolean {
  return patterns.some((pattern) =>
    // Tags contain no colon, so a pattern with one includes the repository.
    matchesGlob(pattern, pattern.includes(':') ? `${repository}:${tag}` : tag),
  );
}

export function isProtectedRepository(patterns: readonly string[], repository: string): boolean {
  return patterns.some((pattern) => matchesGlob(pattern, repository));
}
