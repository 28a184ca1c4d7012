import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ReleaseRow } from '@cairn/shared/releases/catalogue';
import type { Arch } from '@cairn/shared/version/arch';
import { parseVersion, type ReleaseVersion, versionSortKey } from '@cairn/shared/version/release-version';
import { NOT_FENCED, writeItem } from '../store/item.ts';
import { releaseKey, releasePartition } from '../store/keys.ts';
import { queryPartition } from '../store/query.ts';
import type { Table } from '../store/table.ts';

type StoredRelease = Omit<ReleaseRow, 'arch' | 'channels'> & { readonly channels: ReadonlySet<string> };

/** Oldest version first. */
export async function listReleases(table: Table, arch: Arch): Promise<ReleaseRow[]> {
  const items = await queryPartition(table, releasePartition(arch));
  return items.map((item) => {
    const { version, channels, payload, firstSeenAt, withdrawnAt } = item as unknown as StoredRelease;
    return {
      version,
      arch,
      channels: [...channels].toSorted(),
      payload,
      firstSeenAt,
      ...(withdrawnAt !== undefined && { withdrawnAt }),
    };
  });
}

/**
 * Adds a release, or channels to an existing one. Writes commute and are idempotent: channels are a set
 * union, payload and first sighting keep their first value.
 */
export async function addRelease(
  table: Table,
  release: {
    readonly version: ReleaseVersion;
    readonly arch: Arch;
    readonly channels: ReadonlySet<string>;
    readonly payload: string;
    readonly seenAt: string;
  },
): Promise<void> {
  const { version, arch, channels, payload, seenAt } = release;
  await writeItem(table, {
    key: releaseKey(arch, versionSortKey(version)),
    write: {
      update: {
        expression:
          'SET #version = :version, payload = if_not_exists(payload, :payload), firstSeenAt = if_not_exists(firstSeenAt, :seenAt) ADD channels :channels',
        names: { '#version': 'version' },
        values: {
          ':version': version.raw,
          ':payload': payload,
          ':seenAt': seenAt,
          ':channels': new Set(channels),
        },
      },
    },
  });
}

/** Marks a release that no followed channel lists any more; null removes the mark. */
export async function setWithdrawn(
  table: Table,
  release: Pick<ReleaseRow, 'version' | 'arch'>,
  at: string | null,
): Promise<void> {
  await table.client.send(
    new UpdateItemCommand({
      TableName: table.name,
      Key: marshall(keyOf(release)),
      ConditionExpression: 'attribute_exists(payload)',
      UpdateExpression: at === null ? 'REMOVE withdrawnAt' : 'SET withdrawnAt = :at',
      ...(at !== null && { ExpressionAttributeValues: marshall({ ':at': at }) }),
    }),
  );
}

/**
 * Fences a release against earlier runs that could still delete it because its minor was gone then. Writes
 * the whole item, because one of them may have deleted it.
 */
export async function claimRelease(table: Table, release: ReleaseRow, token: number): Promise<void> {
  const { version, arch, channels, payload, firstSeenAt, withdrawnAt } = release;
  await writeItem(table, {
    key: keyOf({ version, arch }),
    write: {
      update: {
        expression: `SET fence = :token, #version = :version, payload = if_not_exists(payload, :payload), firstSeenAt = if_not_exists(firstSeenAt, :seenAt)${withdrawnAt === undefined ? '' : ', withdrawnAt = :withdrawnAt'} ADD channels :channels`,
        names: { '#version': 'version' },
        values: {
          ':version': version,
          ':payload': payload,
          ':seenAt': firstSeenAt,
          ':channels': new Set(channels),
          ...(withdrawnAt !== undefined && { ':withdrawnAt': withdrawnAt }),
        },
      },
    },
    condition: { expression: NOT_FENCED, values: { ':token': token } },
  });
}

/**
 * Deletes a release as it was read. False if a later run has claimed it or it was replaced; a missing one is
 * not an error.
 */
export async function deleteRelease(table: Table, release: ReleaseRow, token: number): Promise<boolean> {
  const { applied } = await writeItem(table, {
    key: keyOf(release),
    write: { remove: true },
    condition: {
      expression: `attribute_not_exists(payload) OR (firstSeenAt = :seenAt AND ${NOT_FENCED})`,
      values: { ':seenAt': release.firstSeenAt, ':token': token },
    },
  });
  return applied;
}

function keyOf(release: Pick<ReleaseRow, 'version' | 'arch'>) {
  const version = parseVersion(release.version);
  if (!version) throw new Error(`stored release has the malformed version ${release.version}`);
  return releaseKey(release.arch, versionSortKey(version));
}
