const SHOWN = 10;

/** Lists up to ten items in the given order: `a`, `a and b`, `a, b and c`, `a, …, j and 12 more`. */
export function listInWords(items: readonly string[]): string {
  const more = items.length - SHOWN;
  return joinInWords(more > 0 ? [...items.slice(0, SHOWN), `${more} more`] : items);
}

/** Lists all items in the given order: `a, b and c`. */
export function joinInWords(items: readonly string[], and = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`;
}

export function namesInWords(names: readonly string[]): string {
  return listInWords(names.toSorted());
}

/** `1 node`, `3 nodes`. */
export function countInWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** 0 is `0 B`, 1,536 is `1.5 KiB`, 5,368,709,120 is `5.0 GiB`. */
export function bytesText(bytes: number): string {
  let unit = 0;
  let rest = bytes;
  // Values that would round to 1024.0 use the next unit.
  while (rest >= 1023.95 && unit < UNITS.length - 1) {
    rest /= 1024;
    unit++;
  }
  return `${unit === 0 ? rest : rest.toFixed(1)} ${UNITS[unit]}`;
}
