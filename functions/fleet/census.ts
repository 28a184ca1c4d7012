import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type CensusCounts,
  type CensusRow,
  censusRow,
  countRows,
  toTheMinute,
} from '@cairn/shared/fleet/census';
import { listClusters } from '../clusters/store.ts';
import type { Census } from '../notifications/store.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { readItem, writeItem } from '../store/item.ts';
import { censusKey } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import type { AssessmentAttempt } from './assess-cluster.ts';
import { readAssessments } from './store.ts';

/** So many that a part of a large fleet fits into an item, and so few that all are quick to write. */
const PARTS = 16;
const CLUSTERS_PER_PAGE = 500;
/** Up to so many clusters are counted when someone asks, so that a report counts at once. */
const COUNTED_WHEN_ASKED = 200;
/** Several runs of the fleet job have failed, or it is stopped. */
const STALE_MS = 3600_000;

export function isUsable({ countedAt, parts }: Census, now: number): boolean {
  const clusters = parts.reduce((sum, part) => sum + part.clusters, 0);
  return clusters > COUNTED_WHEN_ASKED && now - Date.parse(countedAt) <= STALE_MS;
}

export async function countAll(table: Table): Promise<CensusCounts> {
  const rows = await readAll(table);
  return countRows([...rows.values()]);
}

async function readAll(table: Table): Promise<Map<string, CensusRow>> {
  const rows = new Map<string, CensusRow>();
  let after: string | null = null;
  do {
    const page = await listClusters(table, { after, limit: CLUSTERS_PER_PAGE });
    const ids = page.clusters.map(({ id }) => id);
    const assessments = await readAssessments(table, ids);
    for (const cluster of page.clusters) {
      rows.set(cluster.id, censusRow(cluster, assessments.get(cluster.id)?.outlook ?? null));
    }
    after = page.last;
  } while (after !== null);
  return rows;
}

/** Counts the reassessed clusters, and once a day all of them, so that an interrupted run leaves no lasting mistake. */
export async function takeCensus(
  table: Table,
  former: Census | null,
  { slot, attempts }: { readonly slot: string; readonly attempts: readonly AssessmentAttempt[] },
): Promise<Census> {
  const day = slot.slice(0, 'YYYY-MM-DD'.length);
  const isWhole = former?.day !== day || former.parts.length !== PARTS;
  const changed: ReadonlyMap<string, CensusRow | null> = isWhole
    ? await readAll(table)
    : new Map(attempts.flatMap((attempt) => (attempt.kind === 'failed' ? [] : [[attempt.id, attempt.row]])));
  const ids = Map.groupBy(changed.keys(), partOf);
  const parts = Array.from({ length: PARTS }, async (_, part) => {
    const touched = ids.get(part) ?? [];
    if (!isWhole && touched.length === 0) return former.parts[part]!;
    const rows = isWhole ? new Map<string, CensusRow>() : await readPart(table, part);
    for (const id of touched) {
      const row = changed.get(id) ?? null;
      if (row === null) rows.delete(id);
      else rows.set(id, toTheMinute(row));
    }
    await writePart(table, part, rows);
    return countRows([...rows.values()]);
  });
  return { countedAt: slot, day, parts: await Promise.all(parts) };
}

function partOf(id: string): number {
  return Number.parseInt(sha256Hex(id).slice(0, 8), 16) % PARTS;
}

async function readPart(table: Table, part: number): Promise<Map<string, CensusRow>> {
  const rows = (await readItem(table, censusKey(part)))?.['rows'] as Uint8Array | undefined;
  return new Map(rows ? (JSON.parse(gunzipSync(rows).toString('utf8')) as [string, CensusRow][]) : []);
}

async function writePart(table: Table, part: number, rows: ReadonlyMap<string, CensusRow>): Promise<void> {
  await writeItem(table, {
    key: censusKey(part),
    write: {
      update: {
        expression: 'SET #rows = :rows',
        names: { '#rows': 'rows' },
        values: { ':rows': gzipSync(JSON.stringify([...rows])) },
      },
    },
  });
}
