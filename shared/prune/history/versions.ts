/** A version as far as histories compare it: equal texts are equal minors, or equal patches of one minor. */
export interface VersionParts {
  readonly minor: string;
  readonly patch: string;
}

/**
 * The second and the third piece between dots, each empty when it is not there, as the cluster version operator reads
 * versions: `4.12.0-rc.3` → `12` and `0-rc`, `v4.7` → `7` and nothing. The major does not count.
 */
export function readDottedVersion(version: string): VersionParts {
  const first = version.indexOf('.');
  if (first === -1) return NO_PARTS;
  const second = version.indexOf('.', first + 1);
  if (second === -1) return { minor: version.slice(first + 1), patch: '' };
  const third = version.indexOf('.', second + 1);
  return {
    minor: version.slice(first + 1, second),
    patch: version.slice(second + 1, third === -1 ? undefined : third),
  };
}

const NO_PARTS: VersionParts = { minor: '', patch: '' };

const SEMANTIC =
  /^v?((?:0|[1-9]\d*)\.(?:0|[1-9]\d*))\.((?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*)?)(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/;

/** No version is longer; semver has the same limit. */
const MAX_LENGTH = 256;

/**
 * Minor and patch by the rules of semver, without a leading v and build metadata: `v4.12.0-rc.3+amd64` → `4.12` and
 * `0-rc.3`. A text that is no version, as `4.12` or the empty one, is a minor of its own.
 */
export function readSemanticVersion(version: string): VersionParts {
  const parts = version.length > MAX_LENGTH ? null : SEMANTIC.exec(version);
  // No minor begins with a question mark, so this can't be taken for one: the text `4.12` is not the minor of 4.12.0.
  return parts === null ? { minor: `?${version}`, patch: '' } : { minor: parts[1]!, patch: parts[2]! };
}
