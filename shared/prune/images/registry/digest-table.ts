const WORDS = 8;
const SHA256 = 'sha256:';
export const SHA256_HEX_LENGTH = 64;

const NO_DIGIT = 0x80;
/** Hexadecimal value by UTF-16 code unit. */
const DIGITS = new Uint8Array(0x10000).fill(NO_DIGIT);
for (let value = 0; value < 16; value++) DIGITS[value.toString(16).charCodeAt(0)] = value;

/**
 * Numbers digests from 0 in order of arrival. A sha256 digest takes 32 bytes and a slot of an open hash table; digests
 * of other algorithms are rare and kept as texts.
 */
export class DigestTable {
  #count = 0;
  #words = new Uint32Array(1024 * WORDS);
  /** Digest number plus one; 0 is a free slot. */
  #slots = new Uint32Array(4096);
  readonly #wanted = new Uint32Array(WORDS);
  readonly #others = new Map<string, number>();
  readonly #otherTexts = new Map<number, string>();

  get count(): number {
    return this.#count;
  }

  /** Expects 64 hex digits at `at`; -1 if one is invalid. */
  internHex(text: string, at: number): number {
    return this.#readHex(text, at) ? this.#internWanted() : -1;
  }

  intern(digest: string): number {
    if (this.#isSha256(digest)) return this.#internWanted();
    const known = this.#others.get(digest);
    if (known !== undefined) return known;
    const id = this.#count++;
    // Words of other algorithms stay zero, so that every number has words.
    this.#words = withRoom(this.#words, id * WORDS + WORDS - 1);
    const text = ownText(digest);
    this.#others.set(text, id);
    this.#otherTexts.set(id, text);
    return id;
  }

  /** Interns a digest of a stored table. */
  internWords(words: Uint32Array, at: number): number {
    for (let word = 0; word < WORDS; word++) this.#wanted[word] = words[at + word]!;
    return this.#internWanted();
  }

  /** -1 if unknown. */
  find(digest: string): number {
    if (!this.#isSha256(digest)) return this.#others.get(digest) ?? -1;
    return this.#slots[this.#slotOfWanted()]! - 1;
  }

  text(id: number): string {
    const other = this.#otherTexts.get(id);
    if (other !== undefined) return other;
    let text = SHA256;
    for (let word = 0; word < WORDS; word++) {
      text += this.#words[id * WORDS + word]!.toString(16).padStart(8, '0');
    }
    return text;
  }

  /** Key order. */
  compare(a: number, b: number): number {
    if (this.#otherTexts.size > 0 && (this.#otherTexts.has(a) || this.#otherTexts.has(b))) {
      const [pathOfA, pathOfB] = [this.#path(a), this.#path(b)];
      return pathOfA < pathOfB ? -1 : pathOfA > pathOfB ? 1 : 0;
    }
    const words = this.#words;
    for (let word = 0; word < WORDS; word++) {
      const difference = words[a * WORDS + word]! - words[b * WORDS + word]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Sorts by key order, in place: a plan sorts hundreds of thousands. */
  sort(ids: Uint32Array): Uint32Array {
    if (isAscending(ids, (a, b) => this.compare(a, b))) return ids;
    if (this.#otherTexts.size > 0) return ids.sort((a, b) => this.compare(a, b));
    this.#sortByFirstWord(ids);
    for (let from = 0; from < ids.length;) {
      const first = this.word(ids[from]!, 0);
      let to = from + 1;
      while (to < ids.length && this.word(ids[to]!, 0) === first) to++;
      if (to > from + 1) ids.subarray(from, to).sort((a, b) => this.compare(a, b));
      from = to;
    }
    return ids;
  }

  /** One of eight words, zero for other algorithms; used for fingerprints. */
  word(id: number, index: number): number {
    return this.#words[id * WORDS + index]!;
  }

  isOther(id: number): boolean {
    return this.#otherTexts.has(id);
  }

  /** In order of the numbers, for storage. */
  allWords(): Uint32Array {
    return this.#words.subarray(0, this.#count * WORDS);
  }

  others(): ReadonlyMap<number, string> {
    return this.#otherTexts;
  }

  #path(id: number): string {
    return this.text(id).replace(':', '/');
  }

  #isSha256(digest: string): boolean {
    return (
      digest.length === SHA256.length + SHA256_HEX_LENGTH &&
      digest.startsWith(SHA256) &&
      this.#readHex(digest, SHA256.length)
    );
  }

  /** False if a character is not a hex digit. */
  #readHex(text: string, at: number): boolean {
    let faults = 0;
    for (let word = 0; word < WORDS; word++) {
      let value = 0;
      const from = at + word * 8;
      for (let index = from; index < from + 8; index++) {
        const digit = DIGITS[text.charCodeAt(index)]!;
        faults |= digit;
        value = (value << 4) | digit;
      }
      this.#wanted[word] = value;
    }
    return (faults & NO_DIGIT) === 0;
  }

  #internWanted(): number {
    const slot = this.#slotOfWanted();
    const taken = this.#slots[slot]!;
    if (taken !== 0) return taken - 1;
    const id = this.#count++;
    this.#words = withRoom(this.#words, id * WORDS + WORDS - 1);
    this.#words.set(this.#wanted, id * WORDS);
    this.#slots[slot] = id + 1;
    // Keep three of four slots free: the first probe usually hits, and each probe is a cache miss.
    if (this.#count * 4 > this.#slots.length) this.#growSlots();
    return id;
  }

  #slotOfWanted(): number {
    const [slots, words, wanted] = [this.#slots, this.#words, this.#wanted];
    const mask = slots.length - 1;
    let slot = hashOf(wanted, 0) & mask;
    for (;;) {
      const taken = slots[slot]!;
      if (taken === 0 || isEqualAt(words, (taken - 1) * WORDS, wanted)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#count; id++) {
      if (this.#otherTexts.size > 0 && this.#otherTexts.has(id)) continue;
      let slot = hashOf(this.#words, id * WORDS) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }

  /** Radix sort, least significant 16 bits first. */
  #sortByFirstWord(ids: Uint32Array): void {
    let from: Uint32Array = ids;
    let to: Uint32Array = new Uint32Array(ids.length);
    for (const shift of [0, 16]) {
      const ends = new Uint32Array(0x10001);
      for (const id of from) ends[((this.#words[id * WORDS]! >>> shift) & 0xffff) + 1]!++;
      for (let digit = 1; digit < ends.length; digit++) ends[digit]! += ends[digit - 1]!;
      for (const id of from) to[ends[(this.#words[id * WORDS]! >>> shift) & 0xffff]!++] = id;
      [from, to] = [to, from];
    }
  }
}

/** Real digests vary in every word; made-up ones differ only at the end. */
function hashOf(words: Uint32Array, at: number): number {
  return Math.imul(words[at]! ^ Math.imul(words[at + WORDS - 1]!, 0x9e3779b1), 0x85ebca6b) >>> 7;
}

function isEqualAt(words: Uint32Array, at: number, wanted: Uint32Array): boolean {
  for (let word = 0; word < WORDS; word++) if (words[at + word] !== wanted[word]) return false;
  return true;
}

function isAscending(ids: Uint32Array, compare: (a: number, b: number) => number): boolean {
  for (let index = 1; index < ids.length; index++) {
    if (compare(ids[index - 1]!, ids[index]!) > 0) return false;
  }
  return true;
}

/** Grows by a quarter if needed. */
export function withRoom<Column extends Uint32Array | Float64Array>(column: Column, index: number): Column {
  if (index < column.length) return column;
  const length = Math.max(1024, index + 1, Math.ceil(column.length * 1.25));
  const longer = column instanceof Uint32Array ? new Uint32Array(length) : new Float64Array(length);
  longer.set(column);
  return longer as Column;
}

/** Copies the text: a slice would keep its source, such as a listing page, in memory. */
export function ownText(text: string): string {
  return String.fromCharCode(...Array.from(text, (character) => character.charCodeAt(0)));
}
