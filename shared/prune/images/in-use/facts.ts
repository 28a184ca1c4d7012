import type { InputValue } from '../../../input/input-value.ts';

export interface ImageFacts {
  readonly digest: string;
  /** Milliseconds; null if unknown, which counts as young. */
  readonly created: number | null;
  /** Pushed to the registry of the cluster, not imported. */
  readonly isManaged: boolean;
  /** Layers and configuration without duplicates; empty for an index. */
  readonly blobs: readonly string[];
  readonly children: readonly string[];
}

/** Manifests with a configuration, which is a blob too. */
const WITH_CONFIG: ReadonlySet<string> = new Set([
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
]);

/** Shares equal texts: most images share layers. */
export class Interned {
  readonly #texts = new Map<string, string>();

  of(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

export function readImage(object: InputValue, name: string, interned: Interned): ImageFacts {
  const layers = object
    .at('dockerImageLayers')
    .items()
    .map((layer) => layer.at('name').text());
  const hasConfig = WITH_CONFIG.has(object.at('dockerImageManifestMediaType').text());
  const config = hasConfig ? object.at('dockerImageMetadata', 'Id').text() : '';
  const children = object
    .at('dockerImageManifests')
    .items()
    .map((child) => interned.of(child.at('digest').text()));
  const annotations = object.at('metadata', 'annotations');
  return {
    digest: interned.of(name),
    created: readTime(object.at('metadata', 'creationTimestamp')),
    isManaged: annotations.at('openshift.io/image.managed').text(Infinity) === 'true',
    blobs: [...new Set([...layers, config])].filter((blob) => blob !== '').map((blob) => interned.of(blob)),
    children,
  };
}

export function readImageStream(object: InputValue, interned: Interned): ImageStreamFacts {
  const tags = new Map<string, StreamTagItem[]>();
  for (const tag of object.at('status', 'tags').items()) {
    const items = tag
      .at('items')
      .items()
      .map((item) => ({
        digest: interned.of(item.at('image').text()),
        created: readTime(item.at('created')),
      }));
    tags.set(tag.at('tag').text(), items);
  }
  return { created: readTime(object.at('metadata', 'creationTimestamp')), tags };
}

/** Milliseconds; null if missing. */
export function readTime(field: InputValue): number | null {
  const text = field.time();
  return text === null ? null : Date.parse(text);
}

/** Revision of an ImageStream tag, newest first. */
export interface StreamTagItem {
  readonly digest: string;
  /** Milliseconds; null if unknown, which counts as young. */
  readonly created: number | null;
}

export interface ImageStreamFacts {
  /** Milliseconds; null if unknown, which counts as young. */
  readonly created: number | null;
  readonly tags: ReadonlyMap<string, readonly StreamTagItem[]>;
}

/** Images in use according to the documents sent. */
export interface InUse {
  /** The documents cover every kind that protects images. */
  readonly complete: boolean;
  /** Milliseconds. */
  readonly collectedAt: number;
  /** The time is in the future because of a wrong clock, so the age is unknown. */
  readonly isFromFuture?: true;
  /** `namespace/name@sha256:…` */
  readonly usedImages: ReadonlySet<string>;
  /** `namespace/name:tag` */
  readonly usedTags: ReadonlySet<string>;
  /** Digests found in other documents; they protect in every repository. */
  readonly usedDigests: ReadonlySet<string>;
  /** Repositories that an unreadable reference appears to name. */
  readonly protectedRepositories: ReadonlySet<string>;
  /** By repository, `namespace/name`; null if no ImageStreams were sent. */
  readonly streams: ReadonlyMap<string, ImageStreamFacts> | null;
}

interface StoredInUse {
  readonly complete: boolean;
  readonly collectedAt: number;
  readonly usedImages: readonly string[];
  readonly usedTags: readonly string[];
  readonly usedDigests: readonly string[];
  readonly protectedRepositories: readonly string[];
  readonly streams:
    | readonly (readonly [
        repository: string,
        created: number | null,
        tags: readonly (readonly [
          tag: string,
          items: ImageStreamFacts['tags'] extends ReadonlyMap<string, infer Items> ? Items : never,
        ])[],
      ])[]
    | null;
}

export function inUseToJson(inUse: InUse): string {
  const stored: StoredInUse = {
    complete: inUse.complete,
    collectedAt: inUse.collectedAt,
    usedImages: [...inUse.usedImages],
    usedTags: [...inUse.usedTags],
    usedDigests: [...inUse.usedDigests],
    protectedRepositories: [...inUse.protectedRepositories],
    streams:
      inUse.streams &&
      Array.from(inUse.streams, ([name, { created, tags }]) => [name, created, [...tags]] as const),
  };
  return JSON.stringify(stored);
}

/** Inverse of `inUseToJson`. */
export function inUseFromJson(json: string): InUse {
  const stored = JSON.parse(json) as StoredInUse;
  return {
    complete: stored.complete,
    collectedAt: stored.collectedAt,
    usedImages: new Set(stored.usedImages),
    usedTags: new Set(stored.usedTags),
    usedDigests: new Set(stored.usedDigests),
    protectedRepositories: new Set(stored.protectedRepositories),
    streams:
      stored.streams &&
      new Map(stored.streams.map(([name, created, tags]) => [name, { created, tags: new Map(tags) }])),
  };
}
