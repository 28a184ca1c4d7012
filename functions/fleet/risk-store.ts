import { gunzipSync, gzipSync } from 'node:zlib';
import type { Risk } from '@cairn/shared/graph/graph';
import type { ToldRisk } from '@cairn/shared/notifications/risk-topics';
import type { RiskAnswer } from '@cairn/shared/risk/cluster-risks';
import type { RiskRow } from '@cairn/shared/risk/exposure';
import { sha256Hex } from '../runtime/hash.ts';
import { readItems } from '../store/batch.ts';
import { type Item, type RevisedItem, writeRevision } from '../store/item.ts';
import { clusterRisksKey } from '../store/keys.ts';
import { storedCodec } from '../store/migrations.ts';
import type { Table } from '../store/table.ts';

/** Which risks apply to a cluster, as of its last assessment. */
export interface ClusterRiskRecord {
  /** Identifies the cluster: a new one under the same name starts over. */
  readonly firstSeenAt: string;
  readonly version: string;
  /** Channels whose risks were evaluated, as `stable-4.14/amd64`. */
  readonly pairs: readonly string[];
  /** By digest of the definition. */
  readonly verdicts: Readonly<Record<string, RiskAnswer>>;
  /** Names of the risks on the planned path. */
  readonly onPath: readonly string[];
  /** Names that its settings accept. */
  readonly accepted: readonly string[];
  /** Risks that a notification named, by name. */
  readonly told: Readonly<Record<string, ToldRisk>>;
}

export interface StoredRisks extends ClusterRiskRecord, RevisedItem {}

/** Below the 400 KB of an item; only hostile rules take as much. */
const MOST_BYTES = 350 * 1024;

const codec = storedCodec<ClusterRiskRecord>('clusterRisks', {
  write(record) {
    const risks = zipped(record);
    return { risks: risks.length <= MOST_BYTES ? risks : zipped(withoutEvidence(record)) };
  },
  read: ({ risks }) => JSON.parse(gunzipSync(risks as Uint8Array).toString('utf8')),
});

function zipped(record: ClusterRiskRecord): Uint8Array {
  return gzipSync(JSON.stringify(record));
}

function withoutEvidence(record: ClusterRiskRecord): ClusterRiskRecord {
  const bare = Object.entries(record.verdicts).map(([digest, { applies, source, asOf }]) => [
    digest,
    { applies, decidedBy: [], source, asOf } satisfies RiskAnswer,
  ]);
  return { ...record, verdicts: Object.fromEntries(bare) };
}

export function storedRisks(item: Item): StoredRisks {
  return { ...codec.unpack(item), revision: String(item['revision']) };
}

/** Omits clusters that are not assessed yet. */
export async function readClusterRisks(
  table: Table,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ClusterRiskRecord>> {
  const items = await readItems(table, ids.map(clusterRisksKey));
  return new Map(items.map((item) => [String(item['id']), codec.view(item)]));
}

/** Writes nothing if nothing changed. False if another run wrote meanwhile. */
export async function writeClusterRisks(
  table: Table,
  id: string,
  record: ClusterRiskRecord,
  former: StoredRisks | null,
): Promise<boolean> {
  if (former !== null) {
    const { revision: _revision, ...stored } = former;
    if (JSON.stringify(stored) === JSON.stringify(record)) return true;
  }
  const attributes = { id, ...codec.pack(record) };
  return (await writeRevision(table, clusterRisksKey(id), former, attributes)) !== null;
}

export function riskRowOf({ verdicts, accepted }: ClusterRiskRecord): RiskRow {
  const applies = Object.entries(verdicts).map(([digest, answer]) => [digest, answer.applies]);
  return { verdicts: Object.fromEntries(applies), accepted };
}

const DIGEST_CHARACTERS = 16;

/** The same for definitions that differ only in message or link. The cluster itself decides by name. */
export function definitionDigest({ name, matchingRules }: Pick<Risk, 'name' | 'matchingRules'>): string {
  return sha256Hex(JSON.stringify([name, matchingRules])).slice(0, DIGEST_CHARACTERS);
}
