import { DeleteObjectsCommand, type S3Client } from '@aws-sdk/client-s3';
import {
  blobKey,
  layerLinkKey,
  revisionLinkKey,
  tagCurrentKey,
  tagIndexKey,
} from '@cairn/shared/prune/images/registry/storage-layout';
import type { Random } from '../../../../helpers/random.ts';
import { digestOf, TestRegistry } from '../../../../helpers/registry/test-registry.ts';
import { image, index, type Manifest, manifestOf } from './manifest-documents.ts';

const REPOSITORIES = ['app', 'team/web'];
const TAGS = ['latest', 'v1', 'v2'];
const LAYERS = Array.from({ length: 10 }, (_, layer) => `layer ${layer}`);

interface Tag {
  readonly current: string;
  /** What it points at and pointed at, newest first. */
  readonly history: readonly string[];
}

interface Repository {
  readonly tags: Map<string, Tag>;
  readonly manifests: Set<string>;
  /** Manifests about another one. */
  readonly referrers: Map<string, string>;
}

/** What must be there at a moment. */
export interface Promised {
  /** By `repository:tag`, the digest. */
  readonly tags: ReadonlyMap<string, string>;
  /** `repository@digest`: earlier revisions within the limit, and what is about kept ones. */
  readonly manifests: ReadonlySet<string>;
}

/** Something a client does, call by call. */
export type Deed = AsyncGenerator<undefined, void, undefined>;

/**
 * A registry at which clients push, mount, retag, untag and delete, one deed at a time and each call of it by itself, as
 * distribution does it: what is there is not written again, and a manifest is taken only with all that it refers to.
 */
export class RegistryModel {
  readonly registry: TestRegistry;
  /** The keys that are there; what the pruner does must be told. */
  readonly present = new Set<string>();
  /** When each key was last written, by the clock of the campaign. */
  readonly written = new Map<string, number>();
  /** A manifest was found whole, and is not noted yet: a registry is done with that within one request. */
  isNoting = false;
  readonly manifests = new Map<string, Manifest>();
  readonly #repositories = new Map<string, Repository>();
  readonly #s3: S3Client;
  readonly #bucket: string;
  readonly #random: Random;
  readonly #note: (step: string) => void;
  readonly #tick: () => void;
  #count = 0;

  constructor(
    s3: S3Client,
    where: { readonly bucket: string; readonly prefix: string },
    random: Random,
    hooks: { readonly note: (step: string) => void; readonly tick: () => void },
  ) {
    this.registry = new TestRegistry(s3, where.bucket, where.prefix);
    this.#s3 = s3;
    this.#bucket = where.bucket;
    this.#random = random;
    this.#note = hooks.note;
    this.#tick = hooks.tick;
    for (const name of REPOSITORIES) {
      this.#repositories.set(name, { tags: new Map(), manifests: new Set(), referrers: new Map() });
    }
  }

  /** An image of many layers, beside which what goes is a small part. */
  async ballast(layers: number): Promise<void> {
    const contents = Array.from({ length: layers }, (_, layer) => `ballast ${layer} `.repeat(20));
    await Promise.all(contents.map((content) => finish(this.#upload('ballast', content))));
    this.#repositories.set('ballast', { tags: new Map(), manifests: new Set(), referrers: new Map() });
    const [config, ...rest] = contents.map(digestOf);
    await finish(this.#putManifest('ballast', 'stays', image(config!, rest, undefined)));
  }

  /** Any deed that makes sense by now. */
  anyDeed(): Deed {
    const repository = this.#random.pick(REPOSITORIES);
    const { tags, manifests } = this.#repositories.get(repository)!;
    const tag = this.#random.pick(TAGS);
    const known = [...manifests];
    const current = [...tags.values()].map((found) => found.current);
    const kind = this.#random.below(20);
    if (known.length === 0 || kind < 9) return this.#push(repository, this.#random.chance(0.9) ? tag : null);
    if (kind < 12) return this.#again(repository, tag, this.#random.pick(known));
    if (kind === 12 && tags.has(tag)) return this.#untag(repository, tag);
    if (kind === 13) return this.#deleteManifest(repository, this.#random.pick(known));
    if (current.length === 0) return this.#push(repository, tag);
    const subject = this.#random.pick(current);
    if (kind < 16) return this.#pushIndex(repository, tag, [subject, this.#random.pick(current)]);
    if (kind < 18) return this.#push(repository, null, subject);
    return this.#push(repository, `${subject.replace(':', '-')}.sig`);
  }

  /** What stays whatever a pruner with this limit does. */
  promised(keepTagRevisions: number): Promised {
    const tags = new Map<string, string>();
    const manifests = new Set<string>();
    for (const [name, repository] of this.#repositories) {
      const kept = new Set<string>();
      for (const [tag, { current, history }] of repository.tags) {
        if (tag.startsWith('sha256-')) continue;
        tags.set(`${name}:${tag}`, current);
        kept.add(current);
        for (const digest of history.slice(0, keepTagRevisions)) manifests.add(`${name}@${digest}`);
      }
      for (const [tag, { current }] of repository.tags) {
        if (kept.has(tag.replace(/^sha256-(.*)\.sig$/, 'sha256:$1'))) tags.set(`${name}:${tag}`, current);
      }
      for (const [digest, subject] of repository.referrers) {
        if (kept.has(subject)) manifests.add(`${name}@${digest}`);
      }
      for (const digest of manifests) {
        const [of, hash] = digest.split('@');
        // Somebody deleted it.
        if (of === name && !repository.manifests.has(hash!)) manifests.delete(digest);
      }
    }
    return { tags, manifests };
  }

  /** The keys that a pull of a manifest reads. */
  neededFor(repository: string, digest: string): readonly string[] {
    const { root } = this.registry;
    const { layers, children } = this.manifests.get(digest)!;
    return [
      revisionLinkKey(root, repository, digest),
      blobKey(root, digest),
      ...layers.flatMap((layer) => [layerLinkKey(root, repository, layer), blobKey(root, layer)]),
      ...children.flatMap((child) => this.neededFor(repository, child)),
    ];
  }

  /** What a pruner was free to take, and took, is nobody's any more. */
  forget(keys: ReadonlySet<string>, keepTagRevisions: number): void {
    const { root } = this.registry;
    for (const [name, model] of this.#repositories) {
      for (const digest of model.manifests) {
        if (keys.has(revisionLinkKey(root, name, digest))) continue;
        model.manifests.delete(digest);
        model.referrers.delete(digest);
        this.#dropRevision(model, digest);
      }
      for (const [tag, { current, history }] of model.tags) {
        if (!keys.has(tagCurrentKey(root, name, tag))) model.tags.delete(tag);
        else {
          const left = history.filter(
            (digest, rank) =>
              rank < Math.max(1, keepTagRevisions) || keys.has(tagIndexKey(root, name, tag, digest)),
          );
          model.tags.set(tag, { current, history: left });
        }
      }
    }
  }

  #dropRevision({ tags }: Repository, digest: string): void {
    for (const [tag, { current, history }] of tags) {
      tags.set(tag, { current, history: history.filter((other) => other !== digest) });
    }
  }

  async *#push(repository: string, tag: string | null, subject?: string): Deed {
    const layers = Array.from({ length: 1 + this.#random.below(3) }, () => this.#random.pick(LAYERS));
    const config = `config ${this.#random.chance(0.3) ? 'shared' : this.#count++} of ${layers.join()}`;
    this.#note(
      `push ${repository}:${tag ?? ''} of ${layers.join()}${subject === undefined ? '' : ` about ${short(subject)}`}`,
    );
    for (const content of [config, ...layers]) yield* this.#upload(repository, content);
    const document = image(digestOf(config), layers.map(digestOf), subject);
    yield* this.#putManifest(repository, tag, document, subject);
  }

  async *#pushIndex(repository: string, tag: string, children: readonly string[]): Deed {
    this.#note(`push index ${repository}:${tag} of ${children.map(short).join()}`);
    yield* this.#putManifest(repository, tag, index(children));
  }

  /** Puts a manifest that was pushed before, perhaps long ago, under a tag. */
  async *#again(repository: string, tag: string, digest: string): Deed {
    this.#note(`tag ${repository}:${tag} as ${short(digest)}`);
    yield* this.#putManifest(repository, tag, JSON.parse(this.manifests.get(digest)!.content) as object);
  }

  /** A blob that any repository has is not uploaded again, and a link that is there is not written again. */
  async *#upload(repository: string, content: string): Deed {
    const { root } = this.registry;
    const digest = digestOf(content);
    if (!this.present.has(blobKey(root, digest))) await this.#write(blobKey(root, digest), content);
    yield;
    const link = layerLinkKey(root, repository, digest);
    if (!this.present.has(link)) await this.#write(link, digest);
    yield;
  }

  async *#putManifest(repository: string, tag: string | null, document: object, subject?: string): Deed {
    const { root } = this.registry;
    const content = JSON.stringify(document);
    const digest = digestOf(content);
    const manifest = manifestOf(content);
    const needed = [
      ...manifest.layers.flatMap((layer) => [layerLinkKey(root, repository, layer), blobKey(root, layer)]),
      ...manifest.children.flatMap((child) => [
        revisionLinkKey(root, repository, child),
        blobKey(root, child),
      ]),
    ];
    this.isNoting = true;
    try {
      for (const key of needed) {
        if (this.present.has(key)) continue;
        this.#note(`refused ${short(digest)}: ${key} is not there`);
        return;
      }
      yield;
      if (!this.present.has(blobKey(root, digest))) await this.#write(blobKey(root, digest), content);
      yield;
      await this.#write(revisionLinkKey(root, repository, digest), digest);
      this.manifests.set(digest, manifest);
      const model = this.#repositories.get(repository)!;
      model.manifests.add(digest);
      if (subject !== undefined) model.referrers.set(digest, subject);
      if (tag !== null) {
        yield;
        await this.#write(tagIndexKey(root, repository, tag, digest), digest);
        yield;
        await this.#write(tagCurrentKey(root, repository, tag), digest);
        const before = (model.tags.get(tag)?.history ?? []).filter((other) => other !== digest);
        model.tags.set(tag, { current: digest, history: [digest, ...before] });
      }
      this.#note(`noted ${repository}:${tag ?? ''} as ${short(digest)}`);
    } finally {
      this.isNoting = false;
    }
  }

  async *#untag(repository: string, tag: string): Deed {
    this.#note(`untag ${repository}:${tag}`);
    this.#repositories.get(repository)!.tags.delete(tag);
    yield;
    await this.#removeTag(repository, tag);
  }

  async *#deleteManifest(repository: string, digest: string): Deed {
    const model = this.#repositories.get(repository)!;
    const isChild = [...model.manifests].some((other) =>
      this.manifests.get(other)!.children.includes(digest),
    );
    if (isChild) return;
    this.#note(`delete ${repository}@${short(digest)}`);
    model.manifests.delete(digest);
    model.referrers.delete(digest);
    this.#dropRevision(model, digest);
    const tags = [...model.tags].filter(([, { current }]) => current === digest);
    for (const [tag] of tags) model.tags.delete(tag);
    yield;
    for (const [tag] of tags) await this.#removeTag(repository, tag);
    await this.#remove([revisionLinkKey(this.registry.root, repository, digest)]);
  }

  async #removeTag(repository: string, tag: string): Promise<void> {
    const folder = tagCurrentKey(this.registry.root, repository, tag).slice(0, -'current/link'.length);
    await this.#remove([...this.present].filter((key) => key.startsWith(folder)));
  }

  async #remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    for (const key of keys) this.present.delete(key);
    const Objects = keys.map((Key) => ({ Key }));
    await this.#s3.send(new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects } }));
  }

  async #write(key: string, content: string): Promise<void> {
    // No two in one second, which is as exact as S3 is: the order of revisions is that of their times.
    this.#tick();
    await this.registry.write(key, content);
    this.present.add(key);
    this.written.set(key, Date.now());
  }
}

export async function finish(deed: Deed): Promise<void> {
  while (!(await deed.next()).done);
}

export function short(digest: string): string {
  return digest.slice(7, 15);
}
