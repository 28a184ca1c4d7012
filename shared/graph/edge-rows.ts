/** Compressed rows: edges from node `i` are `targets[offsets[i]]` to `targets[offsets[i + 1] - 1]`. */
export interface EdgeRows {
  /** One entry more than nodes. */
  readonly offsets: Uint32Array;
  /** Ascending within a row. */
  readonly targets: Uint32Array;
}

/**
 * Stable counting sort by several integer keys, the last one most significant: linear, and without an object per edge.
 * `orderByKeys(3, [[[5, 9, 1], 10]])` is `[2, 0, 1]`.
 */
export function orderByKeys(
  length: number,
  keys: readonly (readonly [values: ArrayLike<number>, bound: number])[],
): Uint32Array {
  let order = new Uint32Array(length);
  for (let position = 0; position < length; position++) order[position] = position;
  // Edges of stored graphs are already in order.
  if (isOrdered(length, keys)) return order;
  for (const [values, bound] of keys) {
    const next = new Uint32Array(bound + 1);
    for (let position = 0; position < length; position++) next[values[position]! + 1]!++;
    for (let value = 0; value < bound; value++) next[value + 1]! += next[value]!;
    const sorted = new Uint32Array(length);
    for (let at = 0; at < length; at++) {
      const position = order[at]!;
      sorted[next[values[position]!]!++] = position;
    }
    order = sorted;
  }
  return order;
}

function isOrdered(length: number, keys: Parameters<typeof orderByKeys>[1]): boolean {
  for (let position = 1; position < length; position++) {
    for (let key = keys.length - 1; key >= 0; key--) {
      const values = keys[key]![0];
      const difference = values[position]! - values[position - 1]!;
      if (difference < 0) return false;
      if (difference > 0) break;
    }
  }
  return true;
}

/** Index in `targets`, or -1. */
export function findEdge(rows: EdgeRows, from: number, to: number): number {
  let low = rows.offsets[from]!;
  let high = rows.offsets[from + 1]! - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const target = rows.targets[middle]!;
    if (target === to) return middle;
    if (target < to) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Visits edges in canonical order: by source, then target. */
export function forEachEdge(
  rows: EdgeRows,
  visit: (from: number, to: number, position: number) => void,
): void {
  for (let from = 0; from + 1 < rows.offsets.length; from++) {
    const end = rows.offsets[from + 1]!;
    for (let position = rows.offsets[from]!; position < end; position++) {
      visit(from, rows.targets[position]!, position);
    }
  }
}
