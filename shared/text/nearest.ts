/** Longer words are no typing mistakes, and comparing them costs time. */
const MAX_LENGTH = 64;

/**
 * Finds the likeliest candidate for a mistyped word, or null: with `port` and `host`, `prot` → `port`, `verbose` →
 * null. Ignores case; the first of equals wins.
 */
export function nearestName(word: string, candidates: readonly string[]): string | null {
  if (word.length > MAX_LENGTH) return null;
  let nearest: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    const allowed = Math.floor(Math.max(word.length, candidate.length) * 0.4);
    if (distance <= allowed && distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

/** Counts insertions, deletions, replacements and swaps of neighbors. O(a·b) time, three rows of memory. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = last[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      let cost = Math.min(replaced, last[column]! + 1, current[column - 1]! + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}
