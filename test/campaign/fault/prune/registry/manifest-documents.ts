const IMAGE = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';

/** A manifest and the digests that it refers to. */
export interface Manifest {
  readonly content: string;
  readonly layers: readonly string[];
  readonly children: readonly string[];
}

export function image(config: string, layers: readonly string[], subject: string | undefined): object {
  const part = (digest: string) => ({ mediaType: 'application/octet-stream', digest, size: 1 });
  return {
    schemaVersion: 2,
    mediaType: IMAGE,
    config: part(config),
    layers: layers.map(part),
    ...(subject !== undefined && { subject: { mediaType: IMAGE, digest: subject, size: 1 } }),
  };
}

export function index(children: readonly string[]): object {
  return {
    schemaVersion: 2,
    mediaType: INDEX,
    manifests: children.map((digest) => ({ mediaType: IMAGE, digest, size: 1 })),
  };
}

export function manifestOf(content: string): Manifest {
  const {
    config,
    layers = [],
    manifests = [],
  } = JSON.parse(content) as {
    config?: { digest: string };
    layers?: { digest: string }[];
    manifests?: { digest: string }[];
  };
  return {
    content,
    layers: [...(config ? [config] : []), ...layers].map(({ digest }) => digest),
    children: manifests.map(({ digest }) => digest),
  };
}
