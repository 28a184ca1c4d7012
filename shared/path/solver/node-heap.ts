/** A binary heap of nodes by key, each node in it at most once. Holds its memory from the start. */
export class NodeHeap {
  readonly #keys: Float64Array;
  readonly #heap: Uint32Array;
  /** Where each node is in the heap, plus one; 0 is nowhere. */
  readonly #places: Uint32Array;
  #size = 0;

  constructor(nodes: number) {
    this.#keys = new Float64Array(nodes);
    this.#heap = new Uint32Array(nodes);
    this.#places = new Uint32Array(nodes);
  }

  /** Puts the node in, or moves it to a smaller key. */
  put(node: number, key: number): void {
    let place = this.#places[node]! - 1;
    if (place < 0) place = this.#size++;
    this.#keys[node] = key;
    while (place > 0) {
      const parent = (place - 1) >>> 1;
      const above = this.#heap[parent]!;
      if (this.#keys[above]! <= key) break;
      this.#set(place, above);
      place = parent;
    }
    this.#set(place, node);
  }

  /** Takes the node with the smallest key out; -1 when there is none. */
  take(): number {
    if (this.#size === 0) return -1;
    const first = this.#heap[0]!;
    this.#places[first] = 0;
    this.#size--;
    if (this.#size > 0) this.#sink(this.#heap[this.#size]!);
    return first;
  }

  #sink(node: number): void {
    const key = this.#keys[node]!;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      const right = child + 1;
      if (right < this.#size && this.#keys[this.#heap[right]!]! < this.#keys[this.#heap[child]!]!)
        child = right;
      const below = this.#heap[child]!;
      if (this.#keys[below]! >= key) break;
      this.#set(place, below);
      place = child;
    }
    this.#set(place, node);
  }

  #set(place: number, node: number): void {
    this.#heap[place] = node;
    this.#places[node] = place + 1;
  }
}
