import { isObject } from '../../../input/input-value.ts';
import { quoteValue } from '../../../text/quote.ts';
import { isDigest } from './storage-layout.ts';

export interface ManifestReference {
  readonly digest: string;
  readonly size: number;
  readonly kind: 'config' | 'layer' | 'manifest';
}

export interface ManifestFacts {
  readonly mediaType: string;
  readonly references: readonly ManifestReference[];
  /** Manifest that a signature or SBOM is about. */
  readonly subject: string | null;
}

export interface UnreadableManifest {
  readonly unreadable: string;
}

const IMAGES: ReadonlySet<string> = new Set([
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
]);
const INDEXES: ReadonlySet<string> = new Set([
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.index.v1+json',
]);
const ARTIFACTS: ReadonlySet<string> = new Set(['application/vnd.oci.artifact.manifest.v1+json']);
const SCHEMA_1 = 'application/vnd.docker.distribution.manifest.v1+prettyjws';
const SCHEMA_1_TYPES: ReadonlySet<string> = new Set([
  SCHEMA_1,
  'application/vnd.docker.distribution.manifest.v1+json',
]);

/**
 * Reads config and layers of an image, manifests of an index, layers of schema 1. The caller has verified the digest.
 * Anything unknown is unreadable, so that an overlooked reference never causes a deletion.
 */
export function readManifest(bytes: Uint8Array): ManifestFacts | UnreadableManifest {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { unreadable: 'it is no JSON' };
  }
  if (!isObject(document)) return { unreadable: 'it is no JSON object' };
  const mediaType = mediaTypeOf(document);
  if (mediaType === null) {
    return { unreadable: `its media type ${quoteValue(document['mediaType'])} is unknown` };
  }
  try {
    return {
      mediaType,
      references: referencesOf(document, mediaType),
      subject: subjectOf(document['subject']),
    };
  } catch (error) {
    if (error instanceof Misread) return { unreadable: error.message };
    throw error;
  }
}

/** Internal to this file. */
class Misread extends Error {}

/** An OCI manifest may omit its media type; then its fields decide. */
function mediaTypeOf(document: Readonly<Record<string, unknown>>): string | null {
  const { mediaType, schemaVersion } = document;
  if (typeof mediaType === 'string' && mediaType !== '') {
    const isKnown = [IMAGES, INDEXES, ARTIFACTS, SCHEMA_1_TYPES].some((types) => types.has(mediaType));
    return isKnown ? mediaType : null;
  }
  if (mediaType !== undefined && mediaType !== '') return null;
  if (schemaVersion === 1) return SCHEMA_1;
  if (schemaVersion !== 2) return null;
  const isImage = 'config' in document || 'layers' in document;
  const isIndex = 'manifests' in document;
  // Clients would interpret a manifest with both differently.
  if (isImage === isIndex) return null;
  return isIndex ? 'application/vnd.oci.image.index.v1+json' : 'application/vnd.oci.image.manifest.v1+json';
}

function referencesOf(document: Readonly<Record<string, unknown>>, mediaType: string): ManifestReference[] {
  if (INDEXES.has(mediaType)) return descriptors(document['manifests'], 'manifest', 'manifests');
  if (ARTIFACTS.has(mediaType)) return descriptors(document['blobs'], 'layer', 'blobs');
  if (SCHEMA_1_TYPES.has(mediaType)) return schema1Layers(document['fsLayers']);
  return [
    descriptor(document['config'], 'config', 'config'),
    ...descriptors(document['layers'], 'layer', 'layers'),
  ];
}

function descriptors(list: unknown, kind: ManifestReference['kind'], where: string): ManifestReference[] {
  // Go writes an empty list as null or omits it.
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new Misread(`its ${where} are no list`);
  return list.map((item: unknown, index) => descriptor(item, kind, `${where}[${index}]`));
}

function descriptor(value: unknown, kind: ManifestReference['kind'], where: string): ManifestReference {
  const digest = isObject(value) ? value['digest'] : undefined;
  if (typeof digest !== 'string' || !isDigest(digest)) {
    throw new Misread(`its ${where} has the digest ${quoteValue(digest)}`);
  }
  const size = isObject(value) ? value['size'] : undefined;
  return { digest, size: typeof size === 'number' && size >= 0 ? size : 0, kind };
}

function schema1Layers(list: unknown): ManifestReference[] {
  if (!Array.isArray(list)) throw new Misread('its fsLayers are no list');
  return list.map((item: unknown, index) => {
    const digest = isObject(item) ? item['blobSum'] : undefined;
    return descriptor({ digest }, 'layer', `fsLayers[${index}]`);
  });
}

function subjectOf(subject: unknown): string | null {
  return subject === undefined || subject === null ? null : descriptor(subject, 'manifest', 'subject').digest;
}
