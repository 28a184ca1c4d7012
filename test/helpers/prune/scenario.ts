import type { InUse } from '@cairn/shared/prune/images/in-use/facts';
import { type PlanInput, planPruning, type PrunePlan } from '@cairn/shared/prune/images/plan/plan';
import type { PrunePolicy } from '@cairn/shared/prune/images/plan/retention';
import { Inventory } from '@cairn/shared/prune/images/registry/inventory';
import type { ManifestFacts, ManifestReference } from '@cairn/shared/prune/images/registry/manifest';
import {
  blobKey,
  layerLinkKey,
  parseStorageKey,
  revisionLinkKey,
  storageRoot,
  tagCurrentKey,
  tagIndexKey,
} from '@cairn/shared/prune/images/registry/storage-layout';
import { CondemnedBefore, type Tombstone } from '@cairn/shared/prune/images/registry/tombstones';

export const ROOT = storageRoot('');
export const NOW = Date.UTC(2026, 5, 1);
export const HOUR = 3_600_000;
/** Older than every limit of these tests. */
export const OLD = NOW - 1000 * HOUR;
export const KINDS = ['tag', 'revision', 'layer', 'blob', 'upload'] as const;

/** Deletes everything in one run; nothing is young. */
export const AT_ONCE: PrunePolicy = {
  keepTagRevisions: 1,
  keepYoungerThanMs: 0,
  graceMs: 0,
  protectedTags: [],
  protectedRepositories: [],
  maxDeletes: null,
  requireInUse: false,
  now: NOW,
};

export const NOTHING_IN_USE: InUse = {
  complete: true,
  collectedAt: NOW - HOUR,
  usedImages: new Set(),
  usedTags: new Set(),
  usedDigests: new Set(),
  protectedRepositories: new Set(),
  streams: null,
};

/** Readable in failures: `digest('a1')` is `sha256:a1000…`. */
export function digest(name: string): string {
  return `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0')}`;
}

/** A registry's storage: keys with their times, and what the manifests in it say. */
export class Scenario {
  readonly keys = new Map<string, { size: number; modified: number }>();
  readonly manifests = new Map<string, ManifestFacts | { unreadable: string }>();
  readonly tags = new Map<string, string>();

  put(key: string, modified = OLD, size = 100): this {
    this.keys.set(key, { size, modified });
    return this;
  }

  blob(name: string, modified = OLD): this {
    return this.put(blobKey(ROOT, digest(name)), modified, 1000);
  }

  layer(repository: string, name: string, modified = OLD): this {
    return this.blob(name).put(layerLinkKey(ROOT, repository, digest(name)), modified);
  }

  /** An image with all its layers and links. */
  image(repository: string, name: string, layers: readonly string[], modified = OLD, subject?: string): this {
    for (const layer of layers) this.layer(repository, layer);
    const references = layers.map((layer) => ({ digest: digest(layer), size: 1000, kind: 'layer' as const }));
    return this.manifest(repository, name, references, modified, subject);
  }

  /** An index. Push its manifests separately. */
  index(repository: string, name: string, children: readonly string[], modified = OLD): this {
    const references = children.map((child) => ({
      digest: digest(child),
      size: 100,
      kind: 'manifest' as const,
    }));
    return this.manifest(repository, name, references, modified);
  }

  manifest(
    repository: string,
    name: string,
    references: readonly ManifestReference[],
    modified = OLD,
    subject?: string,
  ): this {
    this.blob(name).put(revisionLinkKey(ROOT, repository, digest(name)), modified);
    this.manifests.set(digest(name), {
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      references,
      subject: subject === undefined ? null : digest(subject),
    });
    return this;
  }

  /** Moves a tag. Its former target stays in the tag index. */
  tag(repository: string, tag: string, name: string, modified = OLD): this {
    this.tags.set(`${repository}:${tag}`, digest(name));
    return this.put(tagCurrentKey(ROOT, repository, tag), modified).put(
      tagIndexKey(ROOT, repository, tag, digest(name)),
      modified,
    );
  }

  remove(key: string): this {
    this.keys.delete(key);
    const parsed = parseStorageKey(ROOT, key);
    if (parsed.kind === 'tag-current') this.tags.delete(`${parsed.repository}:${parsed.tag}`);
    return this;
  }

  has(key: string): boolean {
    return this.keys.has(key);
  }

  inventory(order: Iterable<string> = this.keys.keys()): Inventory {
    const inventory = new Inventory(ROOT);
    for (const key of order) inventory.add(key, this.keys.get(key)!.size, this.keys.get(key)!.modified);
    return inventory;
  }

  plan(
    policy: Partial<PrunePolicy> = {},
    {
      inventory = this.inventory(),
      before = [],
      ...more
    }: Partial<PlanInput> & { before?: Iterable<Tombstone> } = {},
  ): PrunePlan {
    return planPruning({
      inventory,
      tags: this.tags,
      manifests: (text) => (this.has(blobKey(ROOT, text)) ? this.manifests.get(text)! : 'absent'),
      inUse: null,
      policy: { ...AT_ONCE, ...policy },
      condemnedBefore: CondemnedBefore.of(inventory, before),
      ...more,
    });
  }

  /** Deletes the plan in order, up to a number of keys. */
  apply(plan: PrunePlan, most = Infinity): this {
    for (const { key } of deletionsOf(plan).slice(0, most)) this.remove(key);
    return this;
  }

  copy(): Scenario {
    const copy = new Scenario();
    for (const [key, facts] of this.keys) copy.keys.set(key, facts);
    for (const [key, facts] of this.manifests) copy.manifests.set(key, facts);
    for (const [key, target] of this.tags) copy.tags.set(key, target);
    return copy;
  }
}

export function deletionsOf(plan: PrunePlan): { kind: string; key: string; reason: string }[] {
  return KINDS.flatMap((kind) => [...plan.deletions(kind)]);
}

/** Short form: `revision a1`, `tag v1`, `blob l1`. */
export function shortDeletions(plan: PrunePlan): string[] {
  return deletionsOf(plan).map(({ key }) => shortKey(key));
}

export function shortKey(key: string): string {
  const parsed = parseStorageKey(ROOT, key);
  const name = 'digest' in parsed ? nameOf(parsed.digest) : '';
  switch (parsed.kind) {
    case 'blob':
      return `blob ${name}`;
    case 'layer-link':
      return `layer ${parsed.repository} ${name}`;
    case 'revision-link':
      return `revision ${parsed.repository} ${name}`;
    case 'tag-current':
      return `current ${parsed.repository}:${parsed.tag}`;
    case 'tag-index':
      return `index ${parsed.repository}:${parsed.tag} ${name}`;
    case 'upload':
      return `upload ${parsed.repository} ${parsed.upload} ${parsed.file}`;
    default:
      return `other ${key}`;
  }
}

export function nameOf(text: string): string {
  return Buffer.from(text.slice(7), 'hex').toString().replaceAll('\0', '');
}
