const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Bytes for a person: 0 is `0 B`, 1,536 is `1.5 KiB`, 5,368,709,120 is `5.0 GiB`. */
export function bytesText(bytes: number): string {
  let unit = 0;
  let rest = bytes;
  // What would be rounded to 1024.0 is one of the next unit.
  while (rest >= 1023.95 && unit < UNITS.length - 1) {
    rest /= 1024;
    unit++;
  }
  return `${unit === 0 ? rest : rest.toFixed(1)} ${UNITS[unit]}`;
}
