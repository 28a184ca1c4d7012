import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { shapePath, type Point, type Shape } from './curves.ts';
import { stackLabels, type WantedLabel } from './labels.tsx';
import type { LaneLayout } from './layout.ts';
import type { LanesProps } from './model.ts';
import { svgElement } from './svg-element.ts';

export const RADIUS = 4;
/** Of what stands out: the path, what is selected, the ends of a path that is not there. */
export const BIG_RADIUS = 6.5;
const RING_RADIUS = 9.5;
const CURSOR_RADIUS = 12;
const LABEL_HEIGHT = 15;
const LABEL_LETTER = 7.3;
const BADGE_LETTER = 6.8;

export interface Overlay {
  readonly elements: readonly SVGElement[];
  /** Where the large marks are. */
  readonly big: readonly Point[];
}

type Side = WantedLabel['side'];

/** What stands above the releases: large marks, rings, version labels and badges. There are few of them, ever. */
export function overlayOf(
  graph: PreparedGraph,
  layout: LaneLayout,
  { path, selected, frontier, clusters }: Pick<LanesProps, 'path' | 'selected' | 'frontier' | 'clusters'>,
  pointed: number | null,
  cursor: number | null,
): Overlay {
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

  // Badges first: they stay where they are when labels come and go.
  const badges = [...clusters].flatMap(([version, count]) => {
    const place = placeOf(version);
    if (place === undefined || !layout.rows[layout.row[place]!]!.isOpen || count === 0) return [];
    const text = String(count);
    const width = text.length * BADGE_LETTER + 10;
    return { ...pointAt(place), text, width, side: 0 as const, isFixed: true };
  });
  const names = [...labels].map(([place, side]) => {
    const text = graph.nodes[place]!.version;
    return { ...pointAt(place), text, width: text.length * LABEL_LETTER, side, isFixed: false };
  });
  const wanted = [...badges, ...names];
  const placed = stackLabels(wanted, layout.width);
  const texts = wanted.flatMap(({ x, y, text, width, isFixed }, at) => {
    const spot = { x: placed[at]!.x, y: y - 13 - placed[at]!.level * LABEL_HEIGHT };
    return isFixed
      ? badge({ x, y }, spot, width, text)
      : [svgElement('text', { class: 'lane-version', ...spot }, [text])];
  });
  return { elements: [...marks, ...texts], big };
}

/** A label stands beside the line that goes up from its release, on the side that the line leaves free. */
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
