import type { ImageFacts } from '../in-use/facts.ts';
import type { ImageUser } from '../in-use/collector.ts';

/** What a verdict on the objects of a cluster needs beside what is in use. */
export interface ClusterImages {
  /** By digest. */
  readonly images: ReadonlyMap<string, ImageFacts>;
  /** By `repository@digest`, `repository:tag` and digest. */
  readonly users: ReadonlyMap<string, ImageUser>;
}

interface StoredImages {
  readonly images: readonly (readonly [
    digest: string,
    created: number | null,
    isManaged: boolean,
    children: readonly string[],
  ])[];
  readonly users: readonly (readonly [key: string, object: string, references: number])[];
}

/** As they are stored. Layers are not: they are the greater part, and only the storage of a registry has them. */
export function clusterImagesToJson({ images, users }: ClusterImages): string {
  const stored: StoredImages = {
    images: Array.from(images.values(), ({ digest, created, isManaged, children }) => [
      digest,
      created,
      isManaged,
      children,
    ]),
    users: Array.from(users, ([key, { object, references }]) => [key, object, references]),
  };
  return JSON.stringify(stored);
}

export function clusterImagesFromJson(text: string): ClusterImages {
  const { images, users } = JSON.parse(text) as StoredImages;
  return {
    images: new Map(
      images.map(([digest, created, isManaged, children]) => [
        digest,
        { digest, created, isManaged, blobs: [], children },
      ]),
    ),
    users: new Map(users.map(([key, object, references]) => [key, { object, references }])),
  };
}
