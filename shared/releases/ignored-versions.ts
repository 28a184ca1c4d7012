import Range from 'semver/classes/range.js';
import { parseMinor, type Minor } from '../version/minor.ts';
import { parseVersion } from '../version/release-version.ts';
import type { ConfigNode } from '../input/input-value.ts';
import { isMultiVersion } from './multi-version.ts';

const ACCEPTED =
  'a version such as "4.14.3", a minor such as "4.14", or a range that begins with an operator, such as ">=4.14.0 <4.14.5"';

const MAX_LENGTH = 128;

/** Reads `ignored_openshift_versions`; each entry hides a version on every architecture, multi included. */
export function readIgnoredVersions(node: ConfigNode): readonly string[] {
  const entries = node
    .items(`an array of ${ACCEPTED}`)
    .map((item) => item.parsed(parseIgnored, 'a version, a minor or a range', ACCEPTED));
  return [...new Set(entries.filter((entry) => entry !== null))].toSorted();
}

/**
 * Compiles the entries into one test: with `['4.11', '4.12.1', '>=4.14.0 <4.14.5']` it is true for 4.11.9, 4.12.1
 * and 4.14.3. Ranges include pre-releases that lie between their ends, as semver orders them.
 */
export function ignoredTest(
  entries: readonly string[],
): (release: { readonly upstreamVersion: string; readonly minor: Minor }) => boolean {
  const exact = new Set(entries);
  const ranges = entries.map(parseRange).filter((range) => range !== null);
  return ({ upstreamVersion, minor }) =>
    exact.has(upstreamVersion) || exact.has(minor) || ranges.some((range) => range.test(upstreamVersion));
}

function parseIgnored(text: string): string | null {
  if (parseMinor(text) !== null) return text;
  // The entry would look as if it hid the multi release alone.
  if (parseVersion(text) !== null) return isMultiVersion(text) ? null : text;
  return parseRange(text) && text;
}

/** Without a leading operator `4`, `*` or an empty text would be ranges, and hide nearly everything. */
function parseRange(text: string): Range | null {
  if (!/^[<>=~^]/.test(text) || text.length > MAX_LENGTH) return null;
  try {
    return new Range(text, { includePrerelease: true });
  } catch {
    return null;
  }
}
