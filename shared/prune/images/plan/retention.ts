import type { ImageStreamFacts, InUse } from '../in-use/facts.ts';
import type { InventoryView } from '../registry/inventory-view.ts';
import { isCurrent, tagOfPlace } from '../registry/link-columns.ts';
import type { ManifestGraph } from '../registry/manifest-graph.ts';

/** Why something stays. The first that holds counts, so that `in-use` is what would go if nobody used it. */
export type StayReason = 'kept' | 'in-use' | 'protected' | 'young' | 'frozen';

/**
 * Why something goes. `untagged`: no tag leads to the manifest; `superseded`: its tag has moved on; `unused`: its tag is
 * not in use; `subject-gone`: what it is about goes; `dangling`: the link leads to nothing; `unreferenced`: no kept
 * manifest of the repository has the layer, for a blob: of any; `abandoned`: an upload that nobody finished.
 */
export type GoReason =
  | 'untagged'
  | 'superseded'
  | 'unused'
  | 'subject-gone'
  | 'dangling'
  | 'unreferenced'
  | 'abandoned';

/** Fates as they are kept in columns: 0 is none yet, the lower of two reasons to stay is the stronger. */
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

const STAY_REASONS: readonly StayReason[] = ['kept', 'in-use', 'protected', 'young', 'frozen'];

const GO_REASONS: readonly GoReason[] = [
  'untagged',
  'superseded',
  'unused',
  'subject-gone',
  'dangling',
  'unreferenced',
];

export function stays(fate: number): boolean {
  return fate < UNTAGGED;
}

export function stayReason(fate: number): StayReason {
  return STAY_REASONS[fate - KEPT]!;
}

export function goReason(fate: number): GoReason {
  return GO_REASONS[fate - UNTAGGED]!;
}

/** What the rules of retention look at. */
export interface RetentionContext {
  readonly view: InventoryView;
  readonly graph: ManifestGraph;
  /** The digest that each tag points at, by `repository:tag`. */
  readonly tags: ReadonlyMap<string, string>;
  readonly inUse: InUse | null;
  readonly keepTagRevisions: number;
  readonly protectedTags: readonly string[];
  /** Whatever was written at this time or later is young. */
  readonly cutoff: number;
  /** Whether a tag may go that nobody uses. */
  readonly mayRemoveTags: boolean;
  /** The manifests that each repository has in use, and those that any has. */
  readonly used: UsedDigests;
}

/** A tag `sha256-<hex>…`, as signatures have it: it stays with the manifest that its name tells. */
export interface Follower {
  readonly subject: number;
  readonly nodes: readonly number[];
}

/** The manifests of a repository that stay by themselves. */
export interface RepositoryRoots {
  /** By the reason for which they stay. */
  readonly nodes: ReadonlyMap<number, readonly number[]>;
  readonly followers: readonly Follower[];
  /** Why nothing in this repository may be touched. */
  readonly frozen: string | null;
}

/** The digests in use as numbers; those that the inventory does not have do not matter. */
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

/** A tag with what it points at and pointed at. */
interface Tag {
  readonly name: string;
  /** The node it points at; null for a tag that was removed. */
  readonly current: number | null;
  /** Newest first, the current one first of all. */
  readonly revisions: readonly { readonly node: number; readonly isYoung: boolean }[];
}

/**
 * The manifests of one repository that stay by themselves: those of its tags, young ones, those in use, protected ones.
 * `isLinked` tells whether the repository links a manifest.
 */
export function rootsOf(
  context: RetentionContext,
  rank: number,
  isLinked: (node: number) => boolean,
): RepositoryRoots {
  const { view, graph, inUse, used, cutoff } = context;
  const repository = view.repositories[rank]!;
  const nodes = new Map<number, number[]>([KEPT, IN_USE, PROTECTED, YOUNG].map((reason) => [reason, []]));
  const tags: Tag[] = [];
  let frozen: string | null = null;
  const freeze = (why: string) => (frozen ??= why);
  const keep = (reason: number, node: number) => {
    // Its layers are known to the cluster alone.
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
  const followers: Follower[] = [];
  for (const tag of tags) {
    const subject = subjectOfTag(tag.name);
    const { name, revisions } = tag;
    for (const { node, isYoung } of revisions) if (isYoung) keep(YOUNG, node);
    if (isProtectedTag(context.protectedTags, repository, name)) {
      for (const { node } of revisions) keep(PROTECTED, node);
    }
    if (tag.current === null) continue;
    if (inUse?.usedTags.has(`${repository}:${name}`) === true) keep(IN_USE, tag.current);
    // A repository of nothing but signatures holds those of images that are elsewhere.
    if (subject !== null && hasOtherTags) {
      followers.push({
        subject: view.digests.find(subject),
        nodes: revisions.slice(0, Math.max(1, context.keepTagRevisions)).map(({ node }) => node),
      });
    } else {
      const count = Math.max(context.mayRemoveTags ? 0 : 1, context.keepTagRevisions);
      for (const { node } of revisions.slice(0, count)) keep(KEPT, node);
    }
  }
  return { nodes, followers, frozen };
}

/** The manifest that a tag's name is about: `sha256-<64 digits>`, alone or with an ending such as `.sig`. */
export function subjectOfTag(tag: string): string | null {
  const match = /^sha256-([0-9a-f]{64})(?![0-9A-Za-z])/.exec(tag);
  return match === null ? null : `sha256:${match[1]}`;
}

/** The tags that the storage has. */
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
      // What was deleted takes no place among the revisions that stay; what is young may be linked in a moment.
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

/** The tags that a cluster keeps in an ImageStream instead. An image that is not in storage has the node -1. */
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
 * Whether a text matches a pattern in which `*` stands for any characters, slashes included, and `?` for any one;
 * nothing else is special: `matchesGlob('v4.*', 'v4.18.3')`. At worst it takes the product of both lengths.
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
      // The last star takes one character more; earlier stars need not be tried again.
      inPattern = starAt + 1;
      inText = ++retryAt;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/** Whether a pattern of protected tags names this one, by `tag` or by `repository:tag`. */
export function isProtectedTag(patterns: readonly string[], repository: string, tag: string): boolean {
  return patterns.some((pattern) =>
    // A tag has no colon, so that a pattern with one is about a repository too.
    matchesGlob(pattern, pattern.includes(':') ? `${repository}:${tag}` : tag),
  );
}

export function isProtectedRepository(patterns: readonly string[], repository: string): boolean {
  return patterns.some((pattern) => matchesGlob(pattern, repository));
}
