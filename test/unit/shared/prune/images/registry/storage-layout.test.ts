import {
  blobKey,
  layerLinkKey,
  parseStorageKey,
  revisionLinkKey,
  type StorageKey,
  storageRoot,
  tagCurrentKey,
  tagIndexKey,
  uploadKey,
} from '@cairn/shared/prune/images/registry/storage-layout';
import { describe, expect, it } from 'vitest';

const ROOT = 'docker/registry/v2/';
const HEX = 'ab'.repeat(32);
const HEX_512 = 'cd'.repeat(64);
const DIGEST = `sha256:${HEX}`;

describe('where a registry keeps its storage', () => {
  it.each([
    ['', 'docker/registry/v2/'],
    ['/', 'docker/registry/v2/'],
    ['mirror', 'mirror/docker/registry/v2/'],
    ['/mirror/', 'mirror/docker/registry/v2/'],
    ['a/b', 'a/b/docker/registry/v2/'],
  ])('%j', (prefix, root) => {
    expect(storageRoot(prefix)).toBe(root);
  });
});

const KEYS: readonly (readonly [key: string, parsed: StorageKey])[] = [
  [`blobs/sha256/ab/${HEX}/data`, { kind: 'blob', digest: DIGEST }],
  [`blobs/sha512/cd/${HEX_512}/data`, { kind: 'blob', digest: `sha512:${HEX_512}` }],
  [`repositories/a/_layers/sha256/${HEX}/link`, { kind: 'layer-link', repository: 'a', digest: DIGEST }],
  [
    `repositories/a/b-c/_manifests/revisions/sha256/${HEX}/link`,
    { kind: 'revision-link', repository: 'a/b-c', digest: DIGEST },
  ],
  ['repositories/a/_manifests/tags/v1.2/current/link', { kind: 'tag-current', repository: 'a', tag: 'v1.2' }],
  [
    `repositories/a/_manifests/tags/v1/index/sha256/${HEX}/link`,
    { kind: 'tag-index', repository: 'a', tag: 'v1', digest: DIGEST },
  ],
  ['repositories/a/_uploads/1-2/data', { kind: 'upload', repository: 'a', upload: '1-2', file: 'data' }],
  [
    'repositories/a/_uploads/1-2/hashstates/sha256/0',
    { kind: 'upload', repository: 'a', upload: '1-2', file: 'hashstates/sha256/0' },
  ],
];

const OTHERS = [
  '',
  'blobs/',
  'blobs/sha256/ab/',
  `blobs/sha256/ab/${HEX}/`,
  `blobs/sha256/ab/${HEX}`,
  `blobs/sha256/cd/${HEX}/data`,
  `blobs/sha256/a/${HEX}/data`,
  `blobs/sha256/ab/${HEX.toUpperCase()}/data`,
  `blobs/sha256/ab/${HEX}ab/data`,
  `blobs/sha256/ab/${HEX}/data/more`,
  `blobs/sha256/ab/${HEX.replace('b', 'ı')}/data`,
  `blobs/SHA256/ab/${HEX}/data`,
  'repositories/',
  'repositories/a/_manifests/tags/v1/current/',
  `repositories/a/_layers/sha256/${HEX}/link/`,
  'repositories/a b/_layers/',
  'repositories/a/_uploads/1-2/',
  'repositories/a/_uploads/',
  'repositories/a b/_uploads/1-2/data',
  'repositories/é/_uploads/1-2/hashstates/sha256/0',
  'repositories/a/_b/_uploads/1-2/startedat',
  `repositories/a/_manifests/revisions/sha256/${HEX}/signatures/sha256/${HEX}/link`,
  'else',
];

/** Any of them may be the link of a blob, as far as the pruner knows. */
const UNKNOWN = [
  `repositories/_layers/sha256/${HEX}/link`,
  `repositories//_layers/sha256/${HEX}/link`,
  `repositories/a//_layers/sha256/${HEX}/link`,
  `repositories/a\nb/_layers/sha256/${HEX}/link`,
  `repositories/a b/_layers/sha256/${HEX}/link`,
  `repositories/é/_manifests/revisions/sha256/${HEX}/link`,
  'repositories/a b/_manifests/tags/v1/current/link',
  `repositories/_a/_layers/sha256/${HEX}/link`,
  `repositories/a/_b/_layers/sha256/${HEX}/link`,
  `repositories/a/_layers/_layers/sha256/${HEX}/link`,
  `repositories/a/_uploads/_layers/sha256/${HEX}/link`,
  `repositories/a/_uploads/b/_layers/sha256/${HEX}/link`,
  'repositories/a/_uploads/_manifests/tags/v1/current/link',
  `repositories/a/_layers/sha256/${HEX}/data`,
  `repositories/a/_layers/sha256/${HEX.slice(1)}/link`,
  `repositories/a/_layers/sha256/${HEX.toUpperCase()}/link`,
  `repositories/a/_layers/SHA256/${HEX}/link`,
  `repositories/a/_layers/tarsum/v1/sha256/${HEX}/link`,
  `repositories/a/_layers/${HEX}/link`,
  `repositories/a/_manifests/revisions/sha256/${HEX.slice(1)}/link`,
  `repositories/a/_manifests/revisions/sha256/${HEX}/signatures/sha256/${HEX.slice(1)}/link`,
  `repositories/a/_manifests/revisions/sha256/${HEX.slice(1)}/signatures/sha256/${HEX}/link`,
  `repositories/a b/_manifests/revisions/sha256/${HEX}/signatures/sha256/${HEX}/link`,
  'repositories/a/_manifests/tags/v1/current/link2',
  'repositories/a/_manifests/tags//current/link',
  'repositories/a/_manifests/tags/v1\n/current/link',
  'repositories/a/_manifests/tags/v 1/current/link',
  `repositories/a/_manifests/tags/v1/index/sha256/${HEX.slice(1)}/link`,
  `repositories/a/_else/sha256/${HEX}/link`,
  'repositories/a/else',
  'repositories/else',
];

describe('keys', () => {
  it.each(KEYS)('%s', (key, parsed) => {
    expect(parseStorageKey(ROOT, ROOT + key)).toEqual(parsed);
  });

  it.each(KEYS)('%s is made of what it means', (key, parsed) => {
    expect(keyOf(parsed)).toBe(ROOT + key);
  });

  it.each(OTHERS)('%j refers to no blob', (key) => {
    expect(parseStorageKey(ROOT, ROOT + key)).toEqual({ kind: 'other' });
  });

  it.each(UNKNOWN)('%j may refer to any blob', (key) => {
    expect(parseStorageKey(ROOT, ROOT + key)).toEqual({ kind: 'unknown' });
  });

  it('do not depend on an underscore in the prefix of the storage', () => {
    const root = storageRoot('a/_uploads');
    expect(parseStorageKey(root, `${root}repositories/a/else`)).toEqual({ kind: 'unknown' });
    expect(parseStorageKey(root, `${root}repositories/a/_uploads/1/data`)).toMatchObject({ kind: 'upload' });
  });

  it('of another root are nothing of this registry', () => {
    expect(parseStorageKey('mirror/', `${ROOT}blobs/sha256/ab/${HEX}/data`)).toEqual({ kind: 'other' });
  });
});

function keyOf(parsed: StorageKey): string {
  switch (parsed.kind) {
    case 'blob':
      return blobKey(ROOT, parsed.digest);
    case 'layer-link':
      return layerLinkKey(ROOT, parsed.repository, parsed.digest);
    case 'revision-link':
      return revisionLinkKey(ROOT, parsed.repository, parsed.digest);
    case 'tag-current':
      return tagCurrentKey(ROOT, parsed.repository, parsed.tag);
    case 'tag-index':
      return tagIndexKey(ROOT, parsed.repository, parsed.tag, parsed.digest);
    case 'upload':
      return uploadKey(ROOT, parsed.repository, parsed.upload, parsed.file);
    default:
      return '';
  }
}
