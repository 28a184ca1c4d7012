import { StoredByNewerRelease } from '../runtime/errors.ts';
import type { Attributes, Codec, Item } from './item.ts';

/** Pure, total and idempotent, and with a fixture of the former body. */
// oxlint-disable-next-line typescript/no-explicit-any -- the only place where a body has no type yet
type Migration = (body: any) => unknown;

/** Version 1 added only the attribute `v`. */
const unchanged: Migration = (body) => body;

/** For each kind, the migration from version 0 to 1, from 1 to 2 and so on. */
export const MIGRATIONS = {
  cluster: [unchanged],
  syncState: [unchanged],
  fleetState: [unchanged],
  assessment: [unchanged],
  clusterRisks: [unchanged],
  pruner: [unchanged],
  pruneProgress: [unchanged],
  switches: [unchanged],
  settings: [unchanged],
  webhook: [unchanged],
  acceptance: [unchanged],
} satisfies Readonly<Record<string, readonly Migration[]>>;

export type StoredKind = keyof typeof MIGRATIONS;

/** The version that this release writes, in attribute `v` of the item. */
export function storedVersion(kind: StoredKind): number {
  return MIGRATIONS[kind].length;
}

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
  if (Number(v ?? 0) <= storedVersion(kind)) return;
  throw new StoredByNewerRelease(
    `stored by a newer release (${kind} version ${String(v)}, known up to ${storedVersion(kind)}); deploy that release to change it`,
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
    pack: (value) => ({ ...form.write(value), v: storedVersion(kind) }),
    unpack: (item) => decode(item, refuseNewer),
    view: (item) => decode(item, () => {}),
  };
}
