import { type Answer, bucketOf, type Call, countParameter, nameEncoder } from './conditions.ts';
import { S3Error } from './errors.ts';
import {
  afterMarker,
  byteName,
  keyOfByteName,
  listPage,
  markerOf,
  type NameFilter,
  type Page,
} from './listing.ts';
import { isDeleteMarker, type StoredObject, type StoredVersion } from './records.ts';
import { readVersionId, sequenceOfId, versionIdOf, type VersionIndex } from './version-index.ts';
import { branch, leaf, xmlDocument } from './xml.ts';

const MAX_KEYS = 1000;
/** Of every bucket and every object: there is one key pair. */
export const OWNER = branch('Owner', leaf('ID', 'local'), leaf('DisplayName', 'local'));

/** Version 2: the position is a token, `start-after` is only for the first page. */
export function listObjectsV2(call: Call): Answer {
  const { query } = call;
  if (query.get('list-type') !== '2') {
    throw new S3Error(
      'InvalidArgument',
      `list-type is "${query.get('list-type')}", expected 2 or no list-type`,
    );
  }
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after');
  return listedPage(call, {
    hasOwner: query.get('fetch-owner') === 'true',
    after: () => (token === undefined ? byteName(startAfter ?? '') : parseToken(token)),
    place: ({ entries, commonPrefixes, next }, encode) => [
      leaf('KeyCount', entries.length + commonPrefixes.length),
      token === undefined ? '' : leaf('ContinuationToken', token),
      next === null ? '' : leaf('NextContinuationToken', formatToken(next)),
      startAfter === undefined ? '' : leaf('StartAfter', encode(startAfter)),
    ],
  });
}

/** Version 1: the position is a name. Without a delimiter the last key is the next marker, and S3 leaves it out. */
export function listObjects(call: Call): Answer {
  const marker = call.query.get('marker') ?? '';
  return listedPage(call, {
    hasOwner: true,
    after: (filter) => afterMarker(byteName(marker), filter),
    place: ({ next }, encode, { delimiter }) => [
      leaf('Marker', encode(marker)),
      next === null || delimiter === '' ? '' : leaf('NextMarker', encode(keyOfByteName(markerOf(next)))),
    ],
  });
}

type Encode = (name: string) => string;

interface ListingVersion {
  readonly hasOwner: boolean;
  readonly after: (filter: NameFilter) => string;
  /** Elements that say where the page is. */
  readonly place: (page: Page<StoredObject>, encode: Encode, filter: NameFilter) => readonly string[];
}

function listedPage(call: Call, version: ListingVersion): Answer {
  const { query } = call;
  const encode = nameEncoder(call);
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const limit = countParameter(call, 'max-keys', MAX_KEYS);
  const filter = { prefix: byteName(prefix), delimiter: byteName(delimiter) };
  const index = bucketOf(call).versions.current;
  const page = listPage(index, { ...filter, after: version.after(filter), limit });
  return {
    status: 200,
    body: xmlDocument(
      'ListBucketResult',
      leaf('Name', call.bucketName),
      leaf('Prefix', encode(prefix)),
      delimiter === '' ? '' : leaf('Delimiter', encode(delimiter)),
      leaf('MaxKeys', limit),
      query.get('encoding-type') === 'url' ? leaf('EncodingType', 'url') : '',
      leaf('IsTruncated', page.next !== null),
      ...version.place(page, encode, filter),
      ...page.entries.map((object) => contents(object, encode, version.hasOwner)),
      ...page.commonPrefixes.map((name) =>
        branch('CommonPrefixes', leaf('Prefix', encode(keyOfByteName(name)))),
      ),
    ),
  };
}

function contents(object: StoredObject, encode: Encode, hasOwner: boolean): string {
  return branch(
    'Contents',
    leaf('Key', encode(object.key)),
    leaf('LastModified', new Date(object.modifiedAt).toISOString()),
    leaf('ETag', `"${object.etag}"`),
    leaf('Size', object.size),
    hasOwner ? OWNER : '',
    leaf('StorageClass', 'STANDARD'),
  );
}

/** `continuation-token` of the page after this byte name. */
export function formatToken(after: string): string {
  return Buffer.from(`1${after}`, 'latin1').toString('base64url');
}

// The leading 1 identifies our own tokens.
export function parseToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString('latin1');
  if (!text.startsWith('1') || formatToken(text.slice(1)) !== token) {
    throw new S3Error('InvalidArgument', `the continuation-token "${token}" was not given out here`);
  }
  return text.slice(1);
}

export function listObjectVersions(call: Call): Answer {
  const { query } = call;
  if ((query.get('delimiter') ?? '') !== '') {
    throw new S3Error('NotImplemented', 'versions are listed without a delimiter here');
  }
  const encode = nameEncoder(call);
  const prefix = query.get('prefix') ?? '';
  const keyMarker = query.get('key-marker') ?? '';
  const versionIdMarker = readVersionId(query.get('version-id-marker'));
  if (versionIdMarker !== undefined && keyMarker === '') {
    throw new S3Error('InvalidArgument', 'version-id-marker was sent without key-marker, expected both');
  }
  const limit = countParameter(call, 'max-keys', MAX_KEYS);
  const { entries, isTruncated } = listVersionPage(bucketOf(call).versions, {
    prefix: byteName(prefix),
    keyMarker: byteName(keyMarker),
    versionIdMarker,
    limit,
  });
  const last = isTruncated ? entries.at(-1)?.version : undefined;
  return {
    status: 200,
    body: xmlDocument(
      'ListVersionsResult',
      leaf('Name', call.bucketName),
      leaf('Prefix', encode(prefix)),
      leaf('KeyMarker', encode(keyMarker)),
      leaf('VersionIdMarker', versionIdMarker ?? ''),
      last === undefined ? '' : leaf('NextKeyMarker', encode(last.key)),
      last === undefined ? '' : leaf('NextVersionIdMarker', versionIdOf(last)),
      leaf('MaxKeys', limit),
      query.get('encoding-type') === 'url' ? leaf('EncodingType', 'url') : '',
      leaf('IsTruncated', isTruncated),
      ...entries.map((entry) => listedVersion(entry, encode)),
    ),
  };
}

function listedVersion({ version, isLatest }: ListedVersion, encode: Encode): string {
  const common = [
    leaf('Key', encode(version.key)),
    leaf('VersionId', versionIdOf(version)),
    leaf('IsLatest', isLatest),
    leaf('LastModified', new Date(version.modifiedAt).toISOString()),
  ];
  if (isDeleteMarker(version)) return branch('DeleteMarker', ...common);
  return branch(
    'Version',
    ...common,
    leaf('ETag', `"${version.etag}"`),
    leaf('Size', version.size),
    leaf('StorageClass', 'STANDARD'),
  );
}

/** Byte names; the page starts after the key marker, or after one version of that key. */
interface VersionPageRequest {
  readonly prefix: string;
  readonly keyMarker: string;
  readonly versionIdMarker: string | undefined;
  readonly limit: number;
}

export interface ListedVersion {
  readonly version: StoredVersion;
  readonly isLatest: boolean;
}

/** Keys in byte order, the newest version of each first. */
export function listVersionPage(index: VersionIndex, request: VersionPageRequest) {
  const { prefix, keyMarker, versionIdMarker, limit } = request;
  const entries: ListedVersion[] = [];
  // S3 returns a page of size 0 as the last one.
  if (limit === 0) return { entries, isTruncated: false };
  // The smallest name after `x` is `x` with a zero byte.
  const start = versionIdMarker === undefined ? `${keyMarker}\0` : keyMarker;
  let name = index.ceiling(keyMarker >= prefix ? start : prefix);
  while (name?.startsWith(prefix) === true) {
    const versions = index.all(name);
    const isResumed = name === keyMarker && versionIdMarker !== undefined;
    const first = isResumed ? positionBehind(versions, versionIdMarker) : 0;
    for (let at = first; at < versions.length; at++) {
      if (entries.length === limit) return { entries, isTruncated: true };
      entries.push({ version: versions[at]!, isLatest: at === 0 });
    }
    name = index.ceiling(`${name}\0`);
  }
  return { entries, isTruncated: false };
}

/** The marker can be deleted since the last page: an undo deletes what it lists. */
function positionBehind(versions: readonly StoredVersion[], marker: string): number {
  const at = versions.findIndex((version) => versionIdOf(version) === marker);
  if (at !== -1) return at + 1;
  // A deleted `null` version leaves no position. Listing versions twice is better than omitting some.
  const sequence = sequenceOfId(marker);
  if (Number.isNaN(sequence)) return 0;
  const older = versions.findIndex((version) => (version.sequence ?? 0) < sequence);
  return older === -1 ? versions.length : older;
}
