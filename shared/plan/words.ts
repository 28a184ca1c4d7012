/** How long something takes: at best, most likely, and when much goes wrong. */
export interface Minutes {
  readonly min: number;
  readonly expected: number;
  readonly max: number;
}

export function eachMinutes(calculate: (bound: keyof Minutes) => number): Minutes {
  return { min: calculate('min'), expected: calculate('expected'), max: calculate('max') };
}

/** No estimate is more precise than this: 12.4 → 12, 41.7 → 40, 88.5 → 90. */
export function roundMinutes(minutes: number): number {
  return minutes > 30 ? Math.round(minutes / 5) * 5 : Math.round(minutes);
}
