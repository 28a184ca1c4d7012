import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { svgElement } from './background.ts';
import { stackLabels, type WantedLabel } from './labels.tsx';
import type { LaneLayout } from './layout.ts';
import type { LanesProps, Shape } from './model.ts';

export const RADIUS = 4;
/** For emphasis: path, selected release, ends of a missing path. */
export const BIG_RADIUS = 6.5;
const RING_RADIUS = 9.5;
const CURSOR_RADIUS = 12;
const LABEL_HEIGHT = 15;
const LABEL_LETTER = 7.3;
const BADGE_LETTER = 6.8;

type Side = WantedLabel['side'];

interface OverlayState extends Pick<LanesProps, 'path' | 'selected' | 'frontier' | 'clusters'> {
  readonly pointed: number | null;
  readonly cursor: number | null;
}

/** Large marks, rings, version labels and badges; always few. */
export function overlayOf(graph: PreparedGraph, layout: LaneLayout, state: OverlayState) {
  const { path, selected, frontier, clusters, pointed, cursor } = state;
  const placeOf = (version: string | null | undefined) =>
    version === null || version === undefined ? undefined : graph.index.get(version);
  const pointAt = (place: number): Point => ({ x: layout.x[place]!, y: layout.y[place]! });
  const marks: SVGElement[] = [];
  const labels = new Map<number, Side>();
  const label = (place: number, side: Side = 0) => labels.set(place, labels.get(place) ?? side);

  const selectedPlace = placeOf(selected);
  if (selectedPlace !== undefined) marks.push(ring(pointAt(selectedPlace), 'lane-ring', RING_RADIUS));
  for (const [at, { version }] of path.entries()) {
    const place = placeOf(version);
    if (place === undefined) continue;
    const next = placeOf(path[at + 1]?.version);
    marks.push(bigMark(pointAt(place), 'path'));
    label(place, next === undefined ? 0 : freeSide(pointAt(place), pointAt(next)));
  }
  for (const [end, shape] of [
    [frontier?.from, 'circle'],
    [frontier?.to, 'diamond'],
  ] as const) {
    const place = placeOf(end);
    if (place === undefined) continue;
    marks.push(bigMark(pointAt(place), 'path', shape));
    label(place);
  }
  if (selectedPlace !== undefined) {
    if (!labels.has(selectedPlace)) marks.push(bigMark(pointAt(selectedPlace), 'chosen'));
    label(selectedPlace);
  }
  const big = [...labels.keys()].map(pointAt);
  if (pointed !== null) label(pointed);
  if (cursor !== null) marks.push(ring(pointAt(cursor), 'lane-cursor', CURSOR_RADIUS));

  // Badges first: they stay in place while labels change.
  const badges = [...clusters].flatMap(([version, count]) => {
    const place = placeOf(version);
    if (place === undefined || !layout.rows[layout.row[place]!]!.isOpen || count === 0) return [];
    const text = String(count);
    return [
      { ...pointAt(place), text, width: text.length * BADGE_LETTER + 10, side: 0, isFixed: true } as const,
    ];
  });
  const names = [...labels].map(([place, side]) => {
    const text = graph.nodes[place]!.version;
    return { ...pointAt(place), text, width: text.length * LABEL_LETTER, side, isFixed: false };
  });
  return { elements: [...marks, ...textsOf([...badges, ...names], layout.width)], big };
}

interface WantedText extends WantedLabel {
  readonly text: string;
}

function textsOf(wanted: readonly WantedText[], width: number): SVGElement[] {
  const placed = stackLabels(wanted, width);
  return wanted.flatMap(({ x, y, text, width: own, isFixed }, at) => {
    const spot = { x: placed[at]!.x, y: y - 13 - placed[at]!.level * LABEL_HEIGHT };
    return isFixed
      ? badge({ x, y }, spot, own, text)
      : [svgElement('text', { class: 'lane-version', ...spot }, [text])];
  });
}

/** Side of a label that its upward line leaves free. */
function freeSide(from: Point, to: Point): Side {
  if (to.y >= from.y) return 0;
  return to.x > from.x ? -1 : 1;
}

function bigMark({ x, y }: Point, kind: string, shape: Shape = 'circle'): SVGElement {
  const d = shapePath(shape, BIG_RADIUS);
  return svgElement('path', { class: 'lane-mark', 'data-kind': kind, d, transform: `translate(${x} ${y})` });
}

function ring({ x, y }: Point, kind: string, r: number): SVGElement {
  return svgElement('circle', { class: kind, cx: x, cy: y, r });
}

function badge(from: Point, { x, y }: Point, width: number, text: string): SVGElement[] {
  return [
    svgElement('path', { class: 'lane-cluster-stem', d: `M${from.x} ${from.y - RADIUS}V${y + 2}` }),
    svgElement('rect', { class: 'lane-cluster', x: x - width / 2, y: y - 11, width, height: 14, rx: 7 }),
    svgElement('text', { class: 'lane-cluster-text', x, y }, [text]),
  ];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const STEEPEST = 38;

/** Arc within a lane, else a curve with vertical ends. Keeps `distance` to meet the edge of a mark. */
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

/** Outline around 0,0. Shapes look equally large at the same radius. */
export function shapePath(shape: Shape, radius: number): string {
  if (shape === 'circle') {
    const turn = `a${radius} ${radius} 0 1 0`;
    return `M${-radius} 0${turn} ${2 * radius} 0${turn} ${-2 * radius} 0z`;
  }
  if (shape === 'triangle') {
    return `M0 ${round(-1.3 * radius)}L${round(1.25 * radius)} ${round(0.95 * radius)}H${round(-1.25 * radius)}z`;
  }
  const reach = round(1.15 * radius);
  if (shape === 'cross')
    return `M${-radius} ${-radius}L${radius} ${radius}M${-radius} ${radius}L${radius} ${-radius}`;
  return `M0 ${-reach}L${reach} 0L0 ${reach}L${-reach} 0z`;
}
