import type { Field } from '../../../input/input-value.ts';
import type { ImageStreamFacts, StreamTagItem } from './in-use-facts.ts';

/** An Image, as OpenShift keeps it beside what is in the registry. */
export interface ImageFacts {
  readonly digest: string;
  /** Milliseconds; null when the document did not tell, which counts as new. */
  readonly created: number | null;
  /** Whether it was pushed to the registry of the cluster, rather than imported. */
  readonly isManaged: boolean;
  /** Layers and configuration, each once; none of an index. */
  readonly blobs: readonly string[];
  /** Manifests of an index. */
  readonly children: readonly string[];
}

/** Manifests that name their configuration, which is a blob as well. */
const WITH_CONFIG: ReadonlySet<string> = new Set([
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
]);

/** Keeps one of equal texts: layers are shared by most images. */
export class Interned {
  readonly #texts = new Map<string, string>();

  of(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

export function readImage(object: Field, name: string, interned: Interned): ImageFacts {
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

export function readImageStream(object: Field, interned: Interned): ImageStreamFacts {
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

/** Milliseconds; null when it is not told. */
export function readTime(field: Field): number | null {
  const text = field.time();
  return text === null ? null : Date.parse(text);
}
