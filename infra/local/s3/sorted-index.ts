/** Half of a split block stays below this, so that one insertion moves a few kilobytes at most. */
const BLOCK_LIMIT = 1024;

interface Block<Value> {
  readonly names: string[];
  readonly values: Value[];
}

/**
 * A map in the order of its names, kept as a list of short sorted blocks: look-up, insertion and removal cost two
 * binary searches and a small move, also with a million names.
 */
export class SortedIndex<Value> {
  readonly #blocks: Block<Value>[] = [{ names: [], values: [] }];

  get(name: string): Value | undefined {
    const block = this.#blocks[this.#blockFor(name)]!;
    const at = lowerBound(block.names, name);
    return block.names[at] === name ? block.values[at] : undefined;
  }

  /** The first entry whose name is `name` or comes after it. */
  ceiling(name: string): { readonly name: string; readonly value: Value } | undefined {
    let position = this.#blockFor(name);
    let at = lowerBound(this.#blocks[position]!.names, name);
    if (at === this.#blocks[position]!.names.length) {
      position++;
      at = 0;
    }
    const block = this.#blocks[position];
    const found = block?.names[at];
    return found === undefined ? undefined : { name: found, value: block!.values[at]! };
  }

  set(name: string, value: Value): void {
    const position = this.#blockFor(name);
    const block = this.#blocks[position]!;
    const at = lowerBound(block.names, name);
    if (block.names[at] === name) {
      block.values[at] = value;
      return;
    }
    block.names.splice(at, 0, name);
    block.values.splice(at, 0, value);
    if (block.names.length > BLOCK_LIMIT) {
      const half = BLOCK_LIMIT / 2;
      this.#blocks.splice(position + 1, 0, {
        names: block.names.splice(half),
        values: block.values.splice(half),
      });
    }
  }

  delete(name: string): boolean {
    const position = this.#blockFor(name);
    const block = this.#blocks[position]!;
    const at = lowerBound(block.names, name);
    if (block.names[at] !== name) return false;
    block.names.splice(at, 1);
    block.values.splice(at, 1);
    if (block.names.length === 0 && this.#blocks.length > 1) this.#blocks.splice(position, 1);
    return true;
  }

  /** The last block that starts at or before the name; the first one when none does. */
  #blockFor(name: string): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#blocks[middle]!.names[0]! <= name) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function lowerBound(names: readonly string[], name: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (names[middle]! < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
