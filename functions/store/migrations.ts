import { StoredByNewerRelease } from '../runtime/errors.ts';
import type { Attributes, Codec, Item } from './item.ts';

/** Version of each stored body or state that this release writes, as attribute `v`. */
export const STORED = {
  cluster: 1,
  syncState: 1,
  fleetState: 1,
  assessment: 1,
  pruner: 1,
  pruneProgress: 1,
  switches: 1,
  settings: 1,
  webhook: 1,
} as const;

export type StoredKind = keyof typeof STORED;

/** Must be pure, total and idempotent, with a fixture of the former body. */
// oxlint-disable-next-line typescript/no-explicit-any -- the only place where a body has no type yet
type Migration = (body: any) => unknown;

const asBefore: Migration = (body) => body;

/** Migrations per kind: from version 0 to 1, from 1 to 2, and so on. */
export const MIGRATIONS: { readonly [Kind in StoredKind]: readonly Migration[] } = {
  cluster: [asBefore],
  syncState: [asBefore],
  fleetState: [asBefore],
  assessment: [asBefore],
  pruner: [asBefore],
  pruneProgress: [asBefore],
  switches: [asBefore],
  settings: [asBefore],
  webhook: [asBefore],
};

/** Migrates a body to this release. A missing `v` is 0. A newer body is returned as is. */
export function upgradeStored(
  kind: StoredKind,
  body: unknown,
  v: unknown,
  migrations: readonly Migration[] = MIGRATIONS[kind],
): unknown {
  return migrations.slice(Number(v ?? 0)).reduce((former, migrate) => migrate(former), body);
}

/** Throws for a version newer than this release: its body is readable, but never written back. */
export function refuseNewer(kind: StoredKind, v: unknown): void {
  if (Number(v ?? 0) <= STORED[kind]) return;
  throw new StoredByNewerRelease(
    `stored by a newer release (${kind} version ${String(v)}, known up to ${STORED[kind]}); deploy that release to change it`,
  );
}

/** `read` returns the raw body; undefined decodes to `none`. */
export function storedCodec<T>(
  kind: StoredKind,
  form: {
    readonly write: (value: T) => Attributes;
    readonly read: (item: Item) => unknown;
    readonly none?: T;
  },
): Codec<T> {
  const decode = (item: Item, check: typeof refuseNewer): T => {
    const body = form.read(item);
    if (body === undefined) return form.none as T;
    check(kind, item['v']);
    return upgradeStored(kind, body, item['v']) as T;
  };
  return {
    pack: (value) => ({ ...form.write(value), v: STORED[kind] }),
    unpack: (item) => decode(item, refuseNewer),
    view: (item) => decode(item, () => {}),
  };
}
