import { gunzipSync } from 'node:zlib';

const TIMES = ['withdrawnAt', 'publishedAt', 'revision', 'firstSeenAt'];

/**
 * Table contents without times, revisions and the run log, which can differ for equal states. Tables with equal
 * contents give equal responses and have no other items.
 */
export function itemContents(items: readonly Record<string, unknown>[]): Record<string, unknown> {
  const contents: Record<string, unknown> = {};
  for (const item of items) {
    const pk = String(item['pk']);
    const sk = String(item['sk']);
    if (pk.startsWith('DOC#') && sk === '!HEAD') contents[pk] = documentOf(items, item);
    else if (pk.startsWith('DOC#')) continue;
    else if (pk === 'SYNC#STATE') contents[pk] = stateOf(item);
    else if (pk.startsWith('CHANGES#')) {
      const { at: _at, id: _id, ...change } = item['change'] as Record<string, unknown>;
      contents[pk] = [...((contents[pk] as unknown[] | undefined) ?? []), change];
    } else {
      const { firstSeenAt: _seen, withdrawnAt, ...row } = item;
      contents[`${pk} ${sk}`] = { ...row, isWithdrawn: withdrawnAt !== undefined };
    }
  }
  const strayBodies = items
    .filter((item) => isStray(items, item))
    .map((item) => `${String(item['pk'])} ${String(item['sk'])}`);
  return { ...contents, strayBodies };
}

function documentOf(items: readonly Record<string, unknown>[], head: Record<string, unknown>): unknown {
  const bodies = items.filter((item) => item['pk'] === head['pk'] && revisionIn(item) === head['revision']);
  const text = gunzipSync(Buffer.concat(bodies.map((item) => item['body'] as Uint8Array))).toString();
  const packed = gunzipSync(head['summary'] as Uint8Array).toString();
  const { change: _change, untold: _untold, ...summary } = JSON.parse(packed) as Record<string, unknown>;
  const value = JSON.parse(text) as Record<string, unknown>;
  if (head['pk'] !== 'DOC#risks') return { summary: withoutTimes(summary), value: withoutTimes(value) };
  // Its sources are revisions.
  const { sources: _hash, ...rest } = summary;
  const { sources = {}, ...risks } = value;
  return { summary: rest, value: withoutTimes({ ...risks, pairs: Object.keys(sources as object) }) };
}

function stateOf(item: Record<string, unknown>): unknown {
  const book = JSON.parse(gunzipSync(item['book'] as Uint8Array).toString()) as {
    pairs: Record<string, Record<string, unknown>>;
    retired: object;
  };
  const pairs = Object.entries(book.pairs).map(([name, pair]) => {
    const { nodes, edges, error, held, repairs, payloadConflicts, missing } = pair;
    return [
      name,
      { nodes, edges, error, held, repairs, payloadConflicts, missing: Object.keys(missing as object) },
    ];
  });
  return {
    pairs: Object.fromEntries(pairs),
    retired: Object.keys(book.retired),
    isLeased: 'leaseOwner' in item,
  };
}

/** A body must belong to the current or the previous revision of its publication. */
function isStray(items: readonly Record<string, unknown>[], item: Record<string, unknown>): boolean {
  if (!String(item['pk']).startsWith('DOC#') || item['sk'] === '!HEAD') return false;
  const head = items.find((other) => other['pk'] === item['pk'] && other['sk'] === '!HEAD');
  return revisionIn(item) !== head?.['revision'] && revisionIn(item) !== head?.['previous'];
}

function revisionIn(item: Record<string, unknown>): string | undefined {
  return String(item['sk']).split('#')[1];
}

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !TIMES.includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutTimes(inner)]));
}
