import { BAND, type LaneLayout, type LaneRow } from './layout.ts';
import { counted } from './model.ts';

const FOLDED_BAND = 12;
const PRERELEASE_BAND = 22;

export type Tick = ReturnType<typeof tick>;

/** Static part of a layout: bands, definitions for fills, and ticks at every tenth patch, drawn above the lines. */
export function backgroundOf(layout: LaneLayout, id: string) {
  const bands = layout.rows.flatMap((row) => bandOf(layout, row));
  return {
    elements: [
      svgElement('defs', {}, [arrowHead(id), hatch(id)]),
      svgElement('g', { 'aria-hidden': 'true' }, bands),
    ],
    ticks: layout.rows.flatMap(({ y, ticks, isOpen, prereleases, places }) => {
      const first = isOpen && prereleases > 0 ? [tick(layout.x[places[0]!]!, y, 'pre')] : [];
      return [...first, ...ticks.map(({ x, text }) => tick(x, y, text))];
    }),
  };
}

function bandOf(layout: LaneLayout, row: LaneRow): SVGElement[] {
  const { minor, isOpen, y, top, places, prereleases } = row;
  const heading = `${minor}: ${counted(places.length, 'release')}`;
  // Labels beside the lanes do not scale with the picture, so a print has its own.
  const at = { class: 'lane-print', x: 6, y: isOpen ? y - BAND / 2 - 6 : top + 12 };
  const printed = svgElement('text', at, [heading]);
  if (!isOpen) return [band(0, layout.width, y, FOLDED_BAND), printed];
  const start = layout.prereleaseEnd;
  const before = prereleases > 0 ? layout.x[places[0]!]! - PRERELEASE_BAND / 2 : 0;
  return [
    band(start, layout.width - start, y, BAND),
    ...(prereleases > 0 ? [band(before, start - 6 - before, y, PRERELEASE_BAND)] : []),
    printed,
  ];
}

function band(x: number, width: number, line: number, height: number): SVGElement {
  const rx = Math.min(10, height / 2);
  return svgElement('rect', { class: 'lane-band', x, y: line - height / 2, width, height, rx });
}

/** Sized in user space: otherwise it scales with the line width. */
function arrowHead(id: string): SVGElement {
  const size = { markerWidth: 11, markerHeight: 11, markerUnits: 'userSpaceOnUse', viewBox: '0 0 11 11' };
  const place = { refX: 8, refY: 5.5, orient: 'auto' };
  return svgElement('marker', { id: `${id}-arrow`, ...size, ...place }, [
    svgElement('path', { class: 'lane-arrow', d: 'M0 0.5L11 5.5L0 10.5z' }),
  ]);
}

function hatch(id: string): SVGElement {
  const size = { width: 8, height: 8, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' };
  return svgElement('pattern', { id: `${id}-hatch`, ...size }, [
    svgElement('path', { class: 'lane-hatch', d: 'M0 0V8' }),
  ]);
}

type Attributes = Readonly<Record<string, string | number>>;

/** Values become attributes and text, never markup. */
export function svgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  children: readonly (Node | string)[] = [],
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

function tick(x: number, y: number, text: string) {
  return { element: svgElement('text', { class: 'lane-tick', x, y: y + 19 }, [text]), x, y };
}
