import type { LaneLayout, LaneRow } from './layout.ts';

const PAGE = 10;

/**
 * Null if the key does not move. Left and right stay in the lane; up and down go to the nearest release of the next
 * open lane. Stops at the ends.
 */
export function moveBy(key: string, layout: LaneLayout, place: number): number | null {
  const row = layout.rows[layout.row[place]!]!;
  const at = row.places.indexOf(place);
  switch (key) {
    case 'ArrowLeft':
      return row.places[Math.max(0, at - 1)]!;
    case 'ArrowRight':
      return row.places[Math.min(row.places.length - 1, at + 1)]!;
    case 'Home':
      return row.places[0]!;
    case 'End':
      return row.places.at(-1)!;
    case 'PageUp':
      return nearest(layout, row, layout.x[place]! - PAGE * layout.pitch);
    case 'PageDown':
      return nearest(layout, row, layout.x[place]! + PAGE * layout.pitch);
    case 'ArrowUp':
    case 'ArrowDown': {
      const next = nextRow(layout, layout.row[place]!, key === 'ArrowUp' ? -1 : 1);
      return next === null ? place : nearest(layout, next, layout.x[place]!);
    }
    default:
      return null;
  }
}

/** Initial focus: the selected release, else the start of the path, else the newest release. */
export function firstPlace(layout: LaneLayout, wanted: readonly (number | undefined)[]): number | null {
  const isShown = (place: number) => layout.rows[layout.row[place]!]!.isOpen;
  const found = wanted.find((place) => place !== undefined && isShown(place));
  return found ?? layout.rows.find(({ isOpen }) => isOpen)?.places.at(-1) ?? null;
}

function nextRow(layout: LaneLayout, from: number, step: -1 | 1): LaneRow | null {
  for (let at = from + step; at >= 0 && at < layout.rows.length; at += step) {
    if (layout.rows[at]!.isOpen) return layout.rows[at]!;
  }
  return null;
}

function nearest(layout: LaneLayout, row: LaneRow, x: number): number {
  const distance = (place: number) => Math.abs(layout.x[place]! - x);
  return row.places.reduce((best, place) => (distance(place) < distance(best) ? place : best));
}
