export interface Point {
  readonly x: number;
  readonly y: number;
}

const STEEPEST = 38;

/**
 * The line of an update: an arc above the lane within it, else a curve that leaves and arrives upright. It keeps a
 * distance from both ends, so that it meets the rim of a release.
 */
export function updateCurve(from: Point, to: Point, distance: number): string {
  if (from.y === to.y) return arc(from, to, distance);
  const up = Math.sign(to.y - from.y);
  const [start, end] = [from.y + up * distance, to.y - up * distance];
  const middle = (start + end) / 2;
  return `M${round(from.x)} ${round(start)}C${round(from.x)} ${round(middle)} ${round(to.x)} ${round(middle)} ${round(to.x)} ${round(end)}`;
}

function arc(from: Point, to: Point, distance: number): string {
  const half = (to.x - from.x) / 2;
  const height = Math.min(STEEPEST, 0.7 * Math.abs(half) + 6) * 1.6;
  const length = Math.hypot(half, height);
  const [dx, dy] = [(half / length) * distance, (height / length) * distance];
  return `M${round(from.x + dx)} ${round(from.y - dy)}Q${round(from.x + half)} ${round(from.y - height)} ${round(to.x - dx)} ${round(to.y - dy)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export type Shape = 'circle' | 'triangle' | 'diamond';

/** The outline of a mark around 0,0. All shapes look equally large at the same radius. */
export function shapePath(shape: Shape, radius: number): string {
  if (shape === 'circle') {
    const turn = `a${radius} ${radius} 0 1 0`;
    return `M${-radius} 0${turn} ${2 * radius} 0${turn} ${-2 * radius} 0z`;
  }
  if (shape === 'triangle') {
    return `M0 ${round(-1.3 * radius)}L${round(1.25 * radius)} ${round(0.95 * radius)}H${round(-1.25 * radius)}z`;
  }
  const reach = round(1.15 * radius);
  return `M0 ${-reach}L${reach} 0L0 ${reach}L${-reach} 0z`;
}
