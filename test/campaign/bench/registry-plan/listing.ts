import type { ManifestFacts } from '@cairn/shared/prune/images/registry/manifest';
import { storageRoot } from '@cairn/shared/prune/images/registry/storage-layout';

/** A registry of a million blobs, the same in every process, made up key by key: all its keys would take 400 MB. */
export const ROOT = storageRoot('');
export const BLOBS = 1_000_000;
export const MANIFESTS = 20_000;
/** When the listing was made. */
export const NOW = Date.UTC(2026, 0, 1);

const REPOSITORIES = 500;
const MANIFESTS_EACH = MANIFESTS / REPOSITORIES;
/** The manifest itself, its config and 48 layers. */
const BLOBS_EACH = BLOBS / MANIFESTS;
/** Layers that a repository mounted from the one before. */
const MOUNTED = 300;
/** Every tag was pushed twice; the former image is still there. */
const REVISIONS_EACH = 2;
const TAGS_EACH = MANIFESTS_EACH / REVISIONS_EACH;
const BLOB_BYTES = 1_000_000;
const LINK_BYTES = 71;
const DAY = 86_400_000;
/** Has no divisor in common with the number of blobs, so that those of an image are all over the bucket. */
const SPREAD = 611_953;

const SHA256 = 'sha256:';
const HEX_LENGTH = 64;
const DIGITS = '0123456789abcdef';
/** Keys are made of bytes, as an answer of S3 is: texts put together of pieces cost whoever looks at them first. */
const scratch = Buffer.alloc(1024);

/** `before`, the digits of a blob, after its first two ones where wanted, and `after`. */
function keyOf(before: string, number: number, after: string, isFolded = false): string {
  const at = scratch.write(before, 0, 'latin1');
  const hexAt = isFolded ? at + 3 : at;
  const end = writeHex(hexAt, number);
  if (isFolded) {
    scratch.copyWithin(at, hexAt, hexAt + 2);
    scratch[at + 2] = SLASH;
  }
  return scratch.toString('latin1', 0, end + scratch.write(after, end, 'latin1'));
}
const SLASH = 0x2f;

type Visit = (key: string, size: number, modified: number) => void;

/** Every key in the order in which S3 lists them. */
export function walkListing(visit: Visit): void {
  const time = NOW - 30 * DAY;
  for (let number = 0; number < BLOBS; number++) {
    visit(keyOf(`${ROOT}blobs/sha256/`, number, '/data', true), BLOB_BYTES, time);
  }
  for (let repository = 0; repository < REPOSITORIES; repository++) {
    const folder = `${ROOT}repositories/${repositoryName(repository)}/`;
    const layers = `${folder}_layers/sha256/`;
    const revisions = `${folder}_manifests/revisions/sha256/`;
    for (const number of layersInOrder(repository)) {
      visit(keyOf(layers, number, '/link'), LINK_BYTES, time);
    }
    for (const number of manifestsInOrder(repository)) {
      visit(keyOf(revisions, number, '/link'), LINK_BYTES, time);
    }
    for (let tag = 0; tag < TAGS_EACH; tag++) {
      const tagFolder = `${folder}_manifests/tags/${tagName(tag)}/`;
      visit(`${tagFolder}current/link`, LINK_BYTES, time);
      const [current, former] = revisionsOf(repository, tag);
      for (const number of [current!, former!].toSorted((a, b) => a - b)) {
        const pushed = number === current ? time : time - DAY;
        visit(keyOf(`${tagFolder}index/sha256/`, number, '/link'), LINK_BYTES, pushed);
      }
    }
  }
}

/** What each tag points at, by `repository:tag`. */
export function currentTags(): Map<string, string> {
  const tags = new Map<string, string>();
  for (let repository = 0; repository < REPOSITORIES; repository++) {
    for (let tag = 0; tag < TAGS_EACH; tag++) {
      const name = `${repositoryName(repository)}:${tagName(tag)}`;
      tags.set(name, `sha256:${hexOf(revisionsOf(repository, tag)[0]!)}`);
    }
  }
  return tags;
}

export function manifestDigests(): string[] {
  return Array.from({ length: MANIFESTS }, (_, manifest) => keyOf(SHA256, spread(manifest * BLOBS_EACH), ''));
}

/** What a manifest refers to; its number is in its digest. */
export function manifestOf(digest: string): ManifestFacts {
  const number = Math.round((Number.parseInt(digest.slice(7, 15), 16) * BLOBS) / 2 ** 32);
  const first = unspread(number);
  const references = Array.from({ length: BLOBS_EACH - 1 }, (_, index) => ({
    digest: keyOf(SHA256, spread(first + 1 + index), ''),
    size: BLOB_BYTES,
    kind: index === 0 ? ('config' as const) : ('layer' as const),
  }));
  return { mediaType: 'application/vnd.oci.image.manifest.v1+json', references, subject: null };
}

function repositoryName(repository: number): string {
  return `team-${String(Math.floor(repository / 25)).padStart(2, '0')}/service-${String(repository).padStart(4, '0')}`;
}

function tagName(tag: number): string {
  return `v4.${String(tag).padStart(2, '0')}`;
}

/** The blobs of manifest `m` are the numbers from `m × 50` on, spread over the bucket. */
function spread(number: number): number {
  return (number * SPREAD) % BLOBS;
}

const UNSPREAD = new Uint32Array(BLOBS);
for (let number = 0; number < BLOBS; number++) UNSPREAD[spread(number)] = number;

function unspread(number: number): number {
  return UNSPREAD[number]!;
}

function manifestNumber(repository: number, manifest: number): number {
  return spread((repository * MANIFESTS_EACH + manifest) * BLOBS_EACH);
}

/** Newest first. */
function revisionsOf(repository: number, tag: number): number[] {
  return Array.from({ length: REVISIONS_EACH }, (_, age) =>
    manifestNumber(repository, tag * REVISIONS_EACH + age),
  );
}

function manifestsInOrder(repository: number): Uint32Array {
  return Uint32Array.from({ length: MANIFESTS_EACH }, (_, manifest) =>
    manifestNumber(repository, manifest),
  ).sort();
}

function layersInOrder(repository: number): Uint32Array {
  const own = MANIFESTS_EACH * BLOBS_EACH;
  const layers: number[] = [];
  for (let index = 0; index < own; index++) {
    if (index % BLOBS_EACH !== 0) layers.push(spread(repository * own + index));
  }
  const before = ((repository + REPOSITORIES - 1) % REPOSITORIES) * own;
  for (let index = 0; layers.length < own - MANIFESTS_EACH + MOUNTED; index++) {
    if (index % BLOBS_EACH !== 0) layers.push(spread(before + index));
  }
  return Uint32Array.from(layers).sort();
}

/** Ascends with the number, as the first eight digits are its share of all; the others are as good as drawn. */
function hexOf(number: number): string {
  writeHex(0, number);
  return scratch.toString('latin1', 0, HEX_LENGTH);
}

function writeHex(at: number, number: number): number {
  let to = writeWord(at, Math.floor((number * 2 ** 32) / BLOBS));
  let state = number;
  for (let word = 1; word < HEX_LENGTH / 8; word++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b1;
    to = writeWord(to, state);
  }
  return to;
}

function writeWord(at: number, word: number): number {
  for (let digit = 0; digit < 8; digit++) {
    scratch[at + digit] = DIGITS.charCodeAt((word >>> (28 - 4 * digit)) & 0xf);
  }
  return at + 8;
}
