const NANOSECONDS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3600_000_000_000n],
]);
const MAX_NANOSECONDS = 2n ** 63n - 1n;

const DURATION = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const PART = /(\d*)(?:\.(\d*))?([^\d.]+)/g;

/**
 * Whole seconds of a duration as Go's `time.ParseDuration` reads it, the rest cut off, or null: `1h30m` and `1.5h` →
 * 5400, `90` and `1d` → null.
 */
export function goDurationInSeconds(text: string): number | null {
  if (/^[+-]?0$/.test(text)) return 0;
  if (text.length > 100 || !DURATION.test(text)) return null;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.replace(/^[+-]/, '').matchAll(PART)) {
    const length = NANOSECONDS.get(unit)!;
    total += BigInt(whole) * length + (BigInt(fraction) * length) / 10n ** BigInt(fraction.length);
  }
  if (total > MAX_NANOSECONDS) return null;
  const seconds = Number(total / NANOSECONDS.get('s')!);
  return text.startsWith('-') ? -seconds : seconds;
}
