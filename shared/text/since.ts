const UNITS = { m: 60_000, h: 3600_000, d: 24 * 3600_000, w: 7 * 24 * 3600_000 } as const;
const DURATION = /^([0-9]{1,5})([mhdw])$/;
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * The time that a text means, in ISO 8601, UTC: a time or a day itself, or so long before `now`. Null when it is neither.
 * At noon `36h` is midnight of the day before; `2026-11-01` is its midnight.
 */
export function parseSince(text: string, now: number): string | null {
  const [, count, unit] = DURATION.exec(text) ?? [];
  const time =
    count !== undefined
      ? now - Number(count) * UNITS[unit as keyof typeof UNITS]
      : TIME.test(text)
        ? Date.parse(text)
        : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
