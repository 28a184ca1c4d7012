import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type CensusCounts,
  type CensusRow,
  censusRow,
  countRows,
  toTheMinute,
} from '@cairn/shared/fleet/census';
import { type PackedRows, packRows, type RiskRow, unpackRows } from '@cairn/shared/risk/exposure';
import { listClusters } from '../clusters/store.ts';
import type { Census } from '../notifications/store.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { readItem, writeItem } from '../store/item.ts';
import { censusKey } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import type { AssessmentAttempt } from './assess-cluster.ts';
import { readClusterRisks, riskRowOf } from './risk-store.ts';
import { readAssessments } from './store.ts';

/** So many that a part of a large fleet fits into an item, and so few that all are quick to write. */
const PARTS = 16;
const CLUSTERS_PER_PAGE = 500;
/** Up to so many clusters are counted when someone asks, so that a report counts at once. */
const COUNTED_WHEN_ASKED = 200;
/** Several runs of the fleet job have failed, or it is stopped. */
const STALE_MS = 3600_000;

export function isUsable(census: Census, now: number): boolean {
  return clustersIn(census) > COUNTED_WHEN_ASKED && now - Date.parse(census.countedAt) <= STALE_MS;
}

function clustersIn({ parts }: Census): number {
  return parts.reduce((sum, part) => sum + part.clusters, 0);
}

export async function countAll(table: Table): Promise<CensusCounts> {
  return countParts(await readAll(table, async () => new Map()));
}

function countParts(part: ReadonlyMap<string, Counted>): CensusCounts {
  return countRows(Array.from(part.values(), ({ row }) => row));
}

/** A cluster in the census; without risks before its first assessment. */
interface Counted {
  readonly row: CensusRow;
  readonly risks: RiskRow | null;
}

/** Whether the risks of their channels apply to the clusters: of a small fleet as of now, else as of the last run. */
export async function readRiskRows(table: Table, census: Census | null): Promise<readonly PackedRows[]> {
  if (census !== null && clustersIn(census) > COUNTED_WHEN_ASKED) {
    const parts = Array.from({ length: PARTS }, (_, part) => readItem(table, censusKey(part)));
    // The census of an earlier version has none.
    return (await Promise.all(parts)).flatMap((item) =>
      item?.['risks'] ? [unzipped(item['risks']) as PackedRows] : [],
    );
  }
  return [packRows(risksIn(await readAll(table)))];
}

function risksIn(counted: ReadonlyMap<string, Counted>): ReadonlyMap<string, RiskRow> {
  return new Map(
    Array.from(counted).flatMap(([id, { risks }]): [string, RiskRow][] => (risks ? [[id, risks]] : [])),
  );
}

async function readAll(
  table: Table,
  readRisks: typeof readClusterRisks = readClusterRisks,
): Promise<Map<string, Counted>> {
  const counted = new Map<string, Counted>();
  let after: string | null = null;
  do {
    const page = await listClusters(table, { after, limit: CLUSTERS_PER_PAGE });
    const ids = page.clusters.map(({ id }) => id);
    const [assessments, risks] = await Promise.all([readAssessments(table, ids), readRisks(table, ids)]);
    for (const cluster of page.clusters) {
      const record = risks.get(cluster.id);
      counted.set(cluster.id, {
        row: censusRow(cluster, assessments.get(cluster.id)?.outlook ?? null),
        risks: record ? riskRowOf(record) : null,
      });
    }
    after = page.last;
  } while (after !== null);
  return counted;
}

/** Counts the reassessed clusters, and once a day all of them, so that an interrupted run leaves no lasting mistake. */
export async function takeCensus(
  table: Table,
  former: Census | null,
  { slot, attempts }: { readonly slot: string; readonly attempts: readonly AssessmentAttempt[] },
): Promise<Census> {
  const day = slot.slice(0, 'YYYY-MM-DD'.length);
  const isWhole = former?.day !== day || former.parts.length !== PARTS;
  const changed: ReadonlyMap<string, Counted | null> = isWhole
    ? await readAll(table)
    : new Map(
        attempts.flatMap((attempt) => (attempt.kind === 'failed' ? [] : [[attempt.id, countedIn(attempt)]])),
      );
  const ids = Map.groupBy(changed.keys(), partOf);
  const parts = Array.from({ length: PARTS }, async (_, part) => {
    const touched = ids.get(part) ?? [];
    if (!isWhole && touched.length === 0) return former.parts[part]!;
    const known = isWhole ? new Map<string, Counted>() : await readPart(table, part);
    for (const id of touched) {
      const counted = changed.get(id) ?? null;
      if (counted === null) known.delete(id);
      else known.set(id, { ...counted, row: toTheMinute(counted.row) });
    }
    await writePart(table, part, known);
    return countParts(known);
  });
  return { countedAt: slot, day, parts: await Promise.all(parts) };
}

function countedIn({ row, risks }: Exclude<AssessmentAttempt, { kind: 'failed' }>): Counted | null {
  return row && { row, risks };
}

function partOf(id: string): number {
  return Number.parseInt(sha256Hex(id).slice(0, 8), 16) % PARTS;
}

async function readPart(table: Table, part: number): Promise<Map<string, Counted>> {
  const { rows, risks } = (await readItem(table, censusKey(part))) ?? {};
  if (!rows) return new Map();
  const known = risks ? unpackRows(unzipped(risks) as PackedRows) : new Map<string, RiskRow>();
  const all = unzipped(rows) as readonly (readonly [string, CensusRow])[];
  return new Map(all.map(([id, row]) => [id, { row, risks: known.get(id) ?? null }]));
}

async function writePart(table: Table, part: number, counted: ReadonlyMap<string, Counted>): Promise<void> {
  const rows = Array.from(counted, ([id, { row }]) => [id, row]);
  await writeItem(table, {
    key: censusKey(part),
    write: {
      update: {
        expression: 'SET #rows = :rows, risks = :risks',
        names: { '#rows': 'rows' },
        values: { ':rows': zipped(rows), ':risks': zipped(packRows(risksIn(counted))) },
      },
    },
  });
}

function zipped(value: unknown): Uint8Array {
  return gzipSync(JSON.stringify(value));
}

function unzipped(bytes: unknown): unknown {
  return JSON.parse(gunzipSync(bytes as Uint8Array).toString('utf8'));
}
