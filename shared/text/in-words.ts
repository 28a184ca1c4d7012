const SHOWN = 10;

/** Items for a sentence, as they come, never more than ten: `a`, `a and b`, `a, b and c`, `a, …, j and 12 more`. */
export function listInWords(items: readonly string[]): string {
  const more = items.length - SHOWN;
  return joinInWords(more > 0 ? [...items.slice(0, SHOWN), `${more} more`] : items);
}

/** All of them, as they come: `a, b and c`. */
export function joinInWords(items: readonly string[], and = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`;
}

/** The same for names, sorted. */
export function namesInWords(names: readonly string[]): string {
  return listInWords(names.toSorted());
}

/** `1 node`, `3 nodes`. */
export function countInWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
