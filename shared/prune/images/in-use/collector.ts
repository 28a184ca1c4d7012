import type { ParsedReference } from '../registry/image-reference.ts';

/** Who uses an image or a tag. */
export interface ImageUser {
  /** The first that was seen: `Pod shop/web-1`. */
  readonly object: string;
  /** How many references there are, in this object and in others. */
  readonly references: number;
}

/** A reference that cannot be read, which may hide a use. */
export interface UnreadReference {
  /** `Pod shop/web-1` */
  readonly object: string;
  /** `container main` */
  readonly place: string;
  readonly reference: string;
  readonly why: string;
  /** Repositories that it seems to name. */
  readonly protects: readonly string[];
}

/** More would not help anybody; all are counted. */
const MOST_UNREAD = 1000;
const MOST_SHOWN = 300;
/** No part of a word. In a text of JSON a line that begins with one has the letter of an escape before it. */
const DIGEST = /(?:\b|(?<=\\[bfnrt]))sha256:([0-9a-f]{64})(?![0-9a-f])/g;

/** Every digest in a text of any form, as often as it is there. */
export function digestsIn(text: string): string[] {
  if (!text.includes('sha256:')) return [];
  // Letter by letter, as a part of a text keeps all of it in memory.
  return Array.from(text.matchAll(DIGEST), ([, hex]) => `sha256:${hex!.split('').join('')}`);
}

/** Gathers what is in use, and by whom. */
export class InUseCollector {
  readonly usedImages = new Set<string>();
  readonly usedTags = new Set<string>();
  readonly usedDigests = new Set<string>();
  readonly protectedRepositories = new Set<string>();
  /** By `repository@digest`, `repository:tag` and digest. */
  readonly users = new Map<string, ImageUser>();
  readonly unread: UnreadReference[] = [];
  #unreadTotal = 0;

  get unreadTotal(): number {
    return this.#unreadTotal;
  }

  /** Grows with everything that nobody said before. */
  get told(): number {
    return this.usedImages.size + this.usedTags.size + this.usedDigests.size + this.#unreadTotal;
  }

  /** Whether there was a reference at all. */
  add(parsed: ParsedReference, text: string, object: string, place: string): boolean {
    if (parsed.kind === 'blank') return false;
    if (parsed.kind === 'invalid') {
      this.#addUnread({
        object,
        place,
        reference: text.slice(0, MOST_SHOWN),
        why: parsed.why,
        protects: parsed.repositories,
      });
      return true;
    }
    const { repositories, tag, digest } = parsed;
    for (const repository of repositories) {
      if (tag !== null) this.#use(this.usedTags, `${repository}:${tag}`, object);
      else this.#use(this.usedImages, `${repository}@${digest}`, object);
    }
    // A mirror has the same image in a repository of another name, and nodes pull it from there.
    if (digest !== null) this.addDigest(digest, object);
    return true;
  }

  addDigest(digest: string, object: string): void {
    this.#use(this.usedDigests, digest, object);
  }

  /** Every digest in a text of any form; how many there are. */
  addDigestsIn(text: string, object: string): number {
    const found = digestsIn(text);
    for (const digest of found) this.addDigest(digest, object);
    return found.length;
  }

  #use(used: Set<string>, key: string, object: string): void {
    used.add(key);
    const user = this.users.get(key);
    this.users.set(key, { object: user?.object ?? object, references: (user?.references ?? 0) + 1 });
  }

  #addUnread(unread: UnreadReference): void {
    this.#unreadTotal++;
    for (const repository of unread.protects) this.protectedRepositories.add(repository);
    if (this.unread.length < MOST_UNREAD) this.unread.push(unread);
  }
}
