/** Bytes that are kept while they arrive in pieces: from a position in one piece to a position in this or a later one. */
export class HeldBytes {
  #pieces: Uint8Array[] = [];
  #size = 0;
  /** Where they begin in the piece at hand; -1 when nothing is kept. */
  #from = -1;

  start(at: number): void {
    this.#pieces = [];
    this.#size = 0;
    this.#from = at;
  }

  drop(): void {
    this.start(-1);
  }

  /** The piece is over; returns how much is kept. */
  carry(piece: Uint8Array): number {
    if (this.#from < 0) return 0;
    // A copy: whoever fills the pieces may use their memory again.
    this.#pieces.push(piece.slice(this.#from));
    this.#size += piece.length - this.#from;
    this.#from = 0;
    return this.#size;
  }

  /** All that was kept, up to `end` in this piece; nothing is kept any longer. */
  take(piece: Uint8Array, end: number): Uint8Array {
    const last = piece.subarray(this.#from, end);
    const pieces = this.#pieces;
    const size = this.#size;
    this.drop();
    if (pieces.length === 0) return last;
    const whole = new Uint8Array(size + last.length);
    let at = 0;
    for (const part of [...pieces, last]) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}
