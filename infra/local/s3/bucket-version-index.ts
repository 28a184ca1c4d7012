import { isDeleteMarker, type StoredObject, type StoredVersion } from './bucket-records.ts';
import { SortedIndex } from './sorted-index.ts';

/** What every key of a bucket holds, by byte name. A key with one object and nothing else costs one entry. */
export class VersionIndex {
  /** The objects that reads and listings without a version see. */
  readonly current = new SortedIndex<StoredObject>();
  /** All versions of the other keys: those with more than one, or with a delete marker. */
  readonly #histories = new SortedIndex<readonly StoredVersion[]>();

  latest(name: string): StoredVersion | undefined {
    return this.current.get(name) ?? this.#histories.get(name)?.[0];
  }

  /** Newest first. */
  all(name: string): readonly StoredVersion[] {
    const history = this.#histories.get(name);
    if (history !== undefined) return history;
    const only = this.current.get(name);
    return only === undefined ? [] : [only];
  }

  set(name: string, versions: readonly StoredVersion[]): void {
    const [latest] = versions;
    const isObject = latest !== undefined && !isDeleteMarker(latest);
    if (isObject) this.current.set(name, latest);
    else this.current.delete(name);
    if (versions.length > 1 || (latest !== undefined && !isObject)) this.#histories.set(name, versions);
    else this.#histories.delete(name);
  }

  /** The first name that is `name` or comes after it and holds any version, delete markers included. */
  ceiling(name: string): string | undefined {
    const object = this.current.ceiling(name)?.name;
    const history = this.#histories.ceiling(name)?.name;
    if (object === undefined || history === undefined) return object ?? history;
    return object < history ? object : history;
  }
}
