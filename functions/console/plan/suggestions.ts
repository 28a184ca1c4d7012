import { nearestVersions } from '@cairn/shared/graph/channel-index';
import type { ChannelDirectory, ListedChannel } from '@cairn/shared/path/channel-directory';
import { labelledChannel } from '@cairn/shared/releases/channel';
import { compareMinors, minorOf, parseMinor, type Minor } from '@cairn/shared/version/minor';
import { compareVersions, mustParseVersion, parseVersion } from '@cairn/shared/version/release-version';
import type { Suggestion } from '../ui/combobox.tsx';

const MOST = 60;

/** Matching versions, newest first; before typing, the versions that most clusters run. */
export function fromSuggestions(directory: ChannelDirectory, typed: string): Suggestion[] {
  const { channels, versions } = directory;
  if (typed !== '') return withNotes(matching(versions, typed), newestNotes(channels));
  const notes = newestNotes(channels.filter(({ prefix }) => prefix === 'stable' || prefix === 'eus'));
  return withNotes(matching([...notes.keys()].toSorted(byVersion), ''), notes);
}

/** `latest`, then minors and versions newer than the start. */
export function toSuggestions(directory: ChannelDirectory, typed: string, from: string): Suggestion[] {
  const start = parseVersion(from);
  const versions = directory.versions.filter(
    (version) => start === null || compareVersions(mustParseVersion(version), start) > 0,
  );
  const newest = new Map<Minor, string>();
  for (const version of versions) newest.set(minorOf(mustParseVersion(version)), version);
  const minors = [...newest.keys()].filter((minor) => minor.startsWith(typed)).toReversed();
  const notes = newestNotes(directory.channels);
  return [
    ...('latest'.startsWith(typed) ? [{ value: 'latest', note: 'newest that the channel has' }] : []),
    ...minors.map((value) => ({ value, note: 'newest of the minor' })),
    ...(typed === '' ? [] : withNotes(matching(versions, typed), notes)),
  ].slice(0, MOST);
}

function withNotes(values: readonly string[], notes: ReadonlyMap<string, string>): Suggestion[] {
  return values.map((value) => {
    const note = notes.get(value);
    return note === undefined ? { value } : { value, note };
  });
}

function byVersion(a: string, b: string): number {
  return compareVersions(mustParseVersion(a), mustParseVersion(b));
}

/** Takes versions oldest first and returns them newest first; an exact match comes before longer ones. */
function matching(versions: readonly string[], typed: string): string[] {
  const begin = versions.filter((version) => version.startsWith(typed));
  const found = begin.length > 0 ? begin : versions.filter((version) => version.includes(typed));
  const whole = found.filter((version) => version === typed);
  return [...new Set([...whole, ...found.toReversed()])].slice(0, MOST);
}

/** `newest of stable-4.16`, from the first channel of that minor whose newest release it is. */
function newestNotes(channels: readonly ListedChannel[]): Map<string, string> {
  const notes = new Map<string, string>();
  for (const { name, minor, indexed } of channels) {
    const newest = indexed.newestPerMinor.find((each) => each.minor === minor)?.version;
    if (newest !== undefined && !notes.has(newest)) notes.set(newest, `newest of ${labelledChannel(name)}`);
  }
  return notes;
}

/** Returns the fault of the start version, or null. */
export function fromFault(directory: ChannelDirectory | null, from: string): string | null {
  if (from === '') return null;
  if (parseVersion(from) === null) return `${from} is not a version such as 4.14.30`;
  return unknownFault(directory, from);
}

/** Returns the fault of the target, or null. */
export function toFault(directory: ChannelDirectory | null, to: string): string | null {
  if (to === '' || to === 'latest') return null;
  const minor = parseMinor(to);
  if (minor === null && parseVersion(to) === null) {
    return `${to} is not a version such as 4.16.3, a minor such as 4.16, or latest`;
  }
  if (minor === null || directory === null) return unknownFault(directory, to);
  const minors = [...new Set(directory.versions.map((each) => minorOf(mustParseVersion(each))))];
  if (minors.includes(minor)) return null;
  const newest = minors.toSorted(compareMinors).at(-1);
  return `no release of ${minor} is known${newest === undefined ? '' : `; the newest minor is ${newest}`}`;
}

function unknownFault(directory: ChannelDirectory | null, text: string): string | null {
  if (directory === null || directory.holders(text).length > 0) return null;
  const near = nearestVersions(directory.versions, mustParseVersion(text));
  return `${text} is not a known version${near.length > 0 ? `; nearest: ${near.join(', ')}` : ''}`;
}
