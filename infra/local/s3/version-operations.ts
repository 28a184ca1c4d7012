import type { StoredVersion } from './bucket-records.ts';
import { sequenceOfId, versionIdOf } from './version-index.ts';
import type { VersionIndex } from './bucket-version-index.ts';

/** Names are byte names; the page begins behind the key marker, or behind one version of that key. */
export interface VersionPageRequest {
  readonly prefix: string;
  readonly keyMarker: string;
  readonly versionIdMarker: string | undefined;
  readonly limit: number;
}

export interface ListedVersion {
  readonly version: StoredVersion;
  readonly isLatest: boolean;
}

export interface VersionPage {
  readonly entries: readonly ListedVersion[];
  readonly isTruncated: boolean;
}

/** One page of all versions: keys in byte order, the newest version of each first. */
export function listVersionPage(index: VersionIndex, request: VersionPageRequest): VersionPage {
  const { prefix, keyMarker, versionIdMarker, limit } = request;
  const entries: ListedVersion[] = [];
  // S3 answers a page of none as the last one.
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

/** The marker may be gone since the last page: an undo removes what it has listed. */
function positionBehind(versions: readonly StoredVersion[], marker: string): number {
  const at = versions.findIndex((version) => versionIdOf(version) === marker);
  if (at !== -1) return at + 1;
  // The place of a `null` version is lost with it. Versions shown twice do less harm than versions left out.
  const sequence = sequenceOfId(marker);
  if (Number.isNaN(sequence)) return 0;
  const older = versions.findIndex((version) => (version.sequence ?? 0) < sequence);
  return older === -1 ? versions.length : older;
}
