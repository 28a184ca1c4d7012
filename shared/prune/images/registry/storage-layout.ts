/**
 * `unknown`: below `repositories/` with another layout, can reference any blob. `other`: references no blob. Neither is
 * ever touched.
 */
export type StorageKey =
  | { readonly kind: 'blob'; readonly digest: string }
  | { readonly kind: 'layer-link' | 'revision-link'; readonly repository: string; readonly digest: string }
  | { readonly kind: 'tag-current'; readonly repository: string; readonly tag: string }
  | {
      readonly kind: 'tag-index';
      readonly repository: string;
      readonly tag: string;
      readonly digest: string;
    }
  | { readonly kind: 'upload'; readonly repository: string; readonly upload: string; readonly file: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'other' };

const UNKNOWN: StorageKey = { kind: 'unknown' };
const OTHER: StorageKey = { kind: 'other' };

export const BLOBS = 'blobs/';
export const REPOSITORIES = 'repositories/';
export const LAYERS = '_layers/';
export const REVISIONS = '_manifests/revisions/';
export const TAGS = '_manifests/tags/';
export const UPLOADS = '_uploads/';
export const LINK = '/link';
export const DATA = '/data';
const CURRENT_LINK = '/current/link';
export const INDEX = '/index/';
const SIGNATURES = '/signatures/';

/** `storageRoot('/mirror')` is `mirror/docker/registry/v2/`, `storageRoot('')` is `docker/registry/v2/`. */
export function storageRoot(prefix: string): string {
  const parts = prefix.split('/').filter((part) => part !== '');
  return [...parts, 'docker', 'registry', 'v2', ''].join('/');
}

/**
 * Exact inverse of the key functions, so that only listed keys can be deleted.
 * `repositories/a/b/_layers/sha256/<hex>/link` below the root is a layer link of repository `a/b`.
 */
export function parseStorageKey(root: string, key: string): StorageKey {
  if (!key.startsWith(root)) return OTHER;
  if (key.startsWith(BLOBS, root.length)) return parseBlob(key, root.length + BLOBS.length);
  if (!key.startsWith(REPOSITORIES, root.length)) return OTHER;
  const nameAt = root.length + REPOSITORIES.length;
  return parseInRepository(key, nameAt) ?? (refersToNothing(key, nameAt) ? OTHER : UNKNOWN);
}

function parseInRepository(key: string, nameAt: number): StorageKey | null {
  // No part of a repository name starts with an underscore.
  const nameEnd = key.indexOf('/_', nameAt - 1);
  if (nameEnd <= nameAt) return null;
  const repository = key.slice(nameAt, nameEnd);
  if (!isPlainPath(repository)) return null;
  const restAt = nameEnd + 1;
  if (key.startsWith(LAYERS, restAt)) {
    const digest = digestBetween(key, restAt + LAYERS.length, LINK);
    return digest === null ? null : { kind: 'layer-link', repository, digest };
  }
  if (key.startsWith(REVISIONS, restAt)) return parseRevision(key, restAt + REVISIONS.length, repository);
  if (key.startsWith(TAGS, restAt)) return parseTag(key, restAt + TAGS.length, repository);
  if (key.startsWith(UPLOADS, restAt)) return parseUpload(key, restAt + UPLOADS.length, repository);
  return null;
}

/** Folders, and files of an upload in any repository. */
function refersToNothing(key: string, nameAt: number): boolean {
  const last = key.lastIndexOf('/_') + 1;
  return key.endsWith('/') || (last >= nameAt && key.startsWith(UPLOADS, last));
}

function parseBlob(key: string, at: number): StorageKey {
  const algorithmEnd = key.indexOf('/', at);
  const hexAt = algorithmEnd + 4;
  if (algorithmEnd === -1 || key[hexAt - 1] !== '/' || !key.endsWith(DATA)) return OTHER;
  const hex = key.slice(hexAt, -DATA.length);
  if (!hex.startsWith(key.slice(algorithmEnd + 1, hexAt - 1))) return OTHER;
  const digest = `${key.slice(at, algorithmEnd)}:${hex}`;
  return isDigest(digest) ? { kind: 'blob', digest } : OTHER;
}

function parseRevision(key: string, at: number, repository: string): StorageKey | null {
  const signaturesAt = key.indexOf(SIGNATURES, at);
  if (signaturesAt === -1) {
    const digest = digestBetween(key, at, LINK);
    return digest === null ? null : { kind: 'revision-link', repository, digest };
  }
  const revision = digestBetween(key.slice(0, signaturesAt), at, '');
  const signature = digestBetween(key, signaturesAt + SIGNATURES.length, LINK);
  // Schema 1 signatures: registries since 2.5 create them on demand and read none.
  return revision === null || signature === null ? null : OTHER;
}

function parseTag(key: string, at: number, repository: string): StorageKey | null {
  const tagEnd = key.indexOf('/', at);
  if (tagEnd <= at) return null;
  const tag = key.slice(at, tagEnd);
  if (!isPlainPath(tag)) return null;
  if (key.length === tagEnd + CURRENT_LINK.length && key.endsWith(CURRENT_LINK)) {
    return { kind: 'tag-current', repository, tag };
  }
  if (!key.startsWith(INDEX, tagEnd)) return null;
  const digest = digestBetween(key, tagEnd + INDEX.length, LINK);
  return digest === null ? null : { kind: 'tag-index', repository, tag, digest };
}

function parseUpload(key: string, at: number, repository: string): StorageKey | null {
  const uploadEnd = key.indexOf('/', at);
  // Another underscore means a repository with `_uploads` in its name.
  if (uploadEnd <= at || key.lastIndexOf('/_') >= at - 1) return null;
  const upload = key.slice(at, uploadEnd);
  const file = key.slice(uploadEnd + 1);
  return isPlainPath(upload) && isPlainPath(file) ? { kind: 'upload', repository, upload, file } : null;
}

/** Reads `<algorithm>/<hex>` before the suffix as a digest. */
function digestBetween(key: string, at: number, suffix: string): string | null {
  const slash = key.indexOf('/', at);
  if (slash === -1 || !key.endsWith(suffix) || key.length - suffix.length <= slash) return null;
  const digest = `${key.slice(at, slash)}:${key.slice(slash + 1, key.length - suffix.length)}`;
  return isDigest(digest) ? digest : null;
}

const HEX_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/** `sha256:` and 64 lower-case hexadecimal digits. */
export function isDigest(text: string): boolean {
  const match = /^([a-z0-9]+(?:[+._-][a-z0-9]+)*):([0-9a-f]{32,256})$/.exec(text);
  if (match === null) return false;
  const length = HEX_LENGTHS.get(match[1]!);
  return length === undefined || match[2]!.length === length;
}

/** `sha256:0123456789ab` */
export function shortDigest(digest: string): string {
  return digest.slice(0, 'sha256:'.length + 12);
}

/** Registry names are printable ASCII. Rejects folders, which end with a slash. */
function isPlainPath(path: string): boolean {
  return /^[!-.0-~]+(?:\/[!-.0-~]+)*$/.test(path);
}

export function blobKey(root: string, digest: string): string {
  const { algorithm, hex } = digestParts(digest);
  return `${root}${BLOBS}${algorithm}/${hex.slice(0, 2)}/${hex}${DATA}`;
}

export function layerLinkKey(root: string, repository: string, digest: string): string {
  return `${repositoryKey(root, repository)}${LAYERS}${digestPath(digest)}${LINK}`;
}

export function revisionLinkKey(root: string, repository: string, digest: string): string {
  return `${repositoryKey(root, repository)}${REVISIONS}${digestPath(digest)}${LINK}`;
}

export function tagCurrentKey(root: string, repository: string, tag: string): string {
  return `${repositoryKey(root, repository)}${TAGS}${tag}${CURRENT_LINK}`;
}

export function tagIndexKey(root: string, repository: string, tag: string, digest: string): string {
  return `${repositoryKey(root, repository)}${TAGS}${tag}${INDEX}${digestPath(digest)}${LINK}`;
}

export function uploadKey(root: string, repository: string, upload: string, file: string): string {
  return `${repositoryKey(root, repository)}${UPLOADS}${upload}/${file}`;
}

/** With a trailing slash. */
function repositoryKey(root: string, repository: string): string {
  return `${root}${REPOSITORIES}${repository}/`;
}

function digestPath(digest: string): string {
  const { algorithm, hex } = digestParts(digest);
  return `${algorithm}/${hex}`;
}

function digestParts(digest: string): { algorithm: string; hex: string } {
  const colon = digest.indexOf(':');
  return { algorithm: digest.slice(0, colon), hex: digest.slice(colon + 1) };
}
