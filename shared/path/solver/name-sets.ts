/** Numbers sets of risk names, so that joining two of them again costs one look-up. 0 is the empty set. */
export class NameSets {
  readonly #masks: bigint[] = [0n];
  readonly #sizes: number[] = [0];
  /** By text, because a map hashes a large integer by its lowest bits only. */
  readonly #numbers = new Map<string, number>([['0', 0]]);
  readonly #joined = new Map<number, number>();

  idOf(mask: bigint): number {
    const text = mask.toString(32);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#masks.length);
    this.#sizes.push(countBits(mask));
    return this.#masks.push(mask) - 1;
  }

  sizeOf(set: number): number {
    return this.#sizes[set]!;
  }

  join(a: number, b: number): number {
    if (a === b || b === 0) return a;
    if (a === 0) return b;
    // Numbers of sets stay far below 2²⁶, as each was made by a step that the search has to pay for.
    const key = a < b ? a * 2 ** 26 + b : b * 2 ** 26 + a;
    const known = this.#joined.get(key);
    if (known !== undefined) return known;
    const joined = this.idOf(this.#masks[a]! | this.#masks[b]!);
    this.#joined.set(key, joined);
    return joined;
  }

  isWithin(inner: number, outer: number): boolean {
    const mask = this.#masks[inner]!;
    return (mask & this.#masks[outer]!) === mask;
  }
}

export function countBits(mask: bigint): number {
  let count = 0;
  for (let rest = mask; rest > 0n; rest &= rest - 1n) count++;
  return count;
}
