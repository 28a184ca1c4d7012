import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { backgroundOf, svgElement, type Tick } from './background.ts';
import { gapsOf, type LaneLayout } from './layout.ts';
import {
  counted,
  countUpdates,
  MARK_SHAPES,
  marksOf,
  neighboursOf,
  releaseLabel,
  type LanesProps,
  type Mark,
  type UpdateCounts,
} from './model.ts';
import { BIG_RADIUS, overlayOf, RADIUS, shapePath, updateCurve } from './overlay.ts';

type SceneState = Pick<LanesProps, 'path' | 'selected' | 'direction' | 'frontier' | 'clusters'>;

const HIT_HEIGHT = 24;
/** Minimum distance of a large mark to a patch label; closer labels are hidden. */
const TICK_ROOM = 20;

interface Option {
  readonly group: SVGGElement;
  readonly shape: SVGPathElement;
  readonly counts: UpdateCounts;
}

/** Built once per layout. Changes update few attributes: diffing every node would take several frames. */
export class LaneScene {
  readonly #graph: PreparedGraph;
  readonly #layout: LaneLayout;
  readonly #svg: SVGSVGElement;
  readonly #id: string;
  /** By node; empty in folded lanes. */
  readonly #options: (Option | undefined)[] = [];
  readonly #marks: Mark[] = [];
  readonly #labels: string[] = [];
  readonly #gaps = svgElement('g', { class: 'lane-gaps' });
  readonly #pointedLines = linePair('lane-pointed');
  readonly #selectedLines = linePair('lane-pinned');
  readonly #hops = svgElement('g', { class: 'lane-hops' });
  readonly #overlay = svgElement('g', { class: 'lane-overlay', 'aria-hidden': 'true' });
  readonly #ticks: readonly Tick[];
  #state: SceneState | null = null;
  #pointed: number | null = null;
  #cursor: number | null = null;

  constructor(svg: SVGSVGElement, graph: PreparedGraph, layout: LaneLayout, id: string) {
    this.#svg = svg;
    this.#graph = graph;
    this.#layout = layout;
    this.#id = id;
    svg.setAttribute('width', String(layout.width));
    svg.setAttribute('height', String(layout.height));
    svg.setAttribute('viewBox', `0 0 ${layout.width} ${layout.height}`);
    const lines = [this.#gaps, ...this.#pointedLines, ...this.#selectedLines, this.#hops];
    const background = backgroundOf(layout, id);
    this.#ticks = background.ticks;
    svg.replaceChildren(
      ...background.elements,
      svgElement('g', { 'aria-hidden': 'true' }, [
        ...lines,
        ...background.ticks.map(({ element }) => element),
      ]),
      ...layout.rows.filter(({ isOpen }) => isOpen).map((row) => this.#lane(row)),
      this.#overlay,
    );
  }

  optionId(place: number): string {
    return `${this.#id}-${place}`;
  }

  optionAt(place: number): SVGGElement | null {
    return this.#options[place]?.group ?? null;
  }

  placeOf(target: EventTarget | null): number | null {
    const group = target instanceof Element ? target.closest('[data-place]') : null;
    return group === null ? null : Number(group.getAttribute('data-place'));
  }

  show(state: SceneState): void {
    const before = this.#state;
    this.#state = state;
    const { path, selected, direction, frontier, clusters } = state;
    const graph = this.#graph;
    const marks = marksOf(graph, selected, direction, frontier);
    const onPath = new Set(path.map(({ version }) => version));
    for (const [place, option] of this.#options.entries()) {
      if (option === undefined) continue;
      const { version } = graph.nodes[place]!;
      const mark = marks[place]!;
      if (mark !== this.#marks[place]) {
        this.#marks[place] = mark;
        option.group.setAttribute('data-mark', mark);
        option.shape.setAttribute('d', shapePath(MARK_SHAPES[mark], this.#radius(place)));
      }
      const isOnPath = onPath.has(version);
      const notes = { isOnPath, mark, selected, direction, frontier, clusters: clusters.get(version) ?? 0 };
      const label = releaseLabel(version, option.counts, notes);
      if (label !== this.#labels[place]) {
        this.#labels[place] = label;
        option.group.setAttribute('aria-label', label);
      }
    }
    this.#optionOf(before?.selected)?.removeAttribute('aria-selected');
    this.#optionOf(selected)?.setAttribute('aria-selected', 'true');
    this.#svg.classList.toggle('has-selected-release', this.#placeOfVersion(selected) !== undefined);
    this.#drawLines(this.#selectedLines, this.#placeOfVersion(selected) ?? null);
    this.#drawHops();
    this.#drawGaps();
    this.#drawOverlay();
  }

  /** Thin lines and a label for the hovered or focused release. */
  point(place: number | null): void {
    if (place === this.#pointed) return;
    this.#pointed = place;
    const isSelected = place !== null && place === this.#placeOfVersion(this.#state?.selected);
    this.#drawLines(this.#pointedLines, isSelected ? null : place);
    this.#drawOverlay();
  }

  moveCursor(place: number | null): void {
    this.#cursor = place;
    this.#drawOverlay();
  }

  #lane(row: LaneLayout['rows'][number]): SVGGElement {
    const options = row.places.map((place) => this.#option(place));
    const label = `${row.minor}, ${counted(row.places.length, 'release')}`;
    return svgElement('g', { role: 'group', 'aria-label': label }, options);
  }

  #option(place: number): SVGGElement {
    const { x, y, pitch } = this.#layout;
    const width = this.#graph.isPrerelease[place] === 1 ? Math.min(pitch, 9) : pitch;
    const shape = svgElement('path', { class: 'lane-shape' });
    const box = { x: -width / 2, y: -HIT_HEIGHT / 2, width, height: HIT_HEIGHT, fill: 'transparent' };
    const group = svgElement(
      'g',
      {
        role: 'option',
        id: this.optionId(place),
        class: 'lane-release',
        transform: `translate(${x[place]} ${y[place]})`,
        'data-place': place,
        'data-version': this.#graph.nodes[place]!.version,
      },
      [svgElement('rect', box), shape],
    );
    this.#options[place] = { group, shape, counts: countUpdates(this.#graph, place, 'out') };
    return group;
  }

  #radius(place: number): number {
    return this.#graph.isPrerelease[place] === 1 ? 3 : Math.min(RADIUS, this.#layout.pitch * 0.37);
  }

  #placeOfVersion(version: string | null | undefined): number | undefined {
    return version === null || version === undefined ? undefined : this.#graph.index.get(version);
  }

  #optionOf(version: string | null | undefined): SVGGElement | undefined {
    const place = this.#placeOfVersion(version);
    return place === undefined ? undefined : this.#options[place]?.group;
  }

  #point(place: number): { readonly x: number; readonly y: number } {
    return { x: this.#layout.x[place]!, y: this.#layout.y[place]! };
  }

  #drawLines([recommended, conditional]: LinePair, place: number | null): void {
    const curves: [string[], string[]] = [[], []];
    const direction = this.#state?.direction ?? 'out';
    for (const neighbour of place === null ? [] : neighboursOf(this.#graph, place, direction)) {
      const [from, to] = direction === 'out' ? [place!, neighbour.place] : [neighbour.place, place!];
      curves[neighbour.conditional ? 1 : 0].push(updateCurve(this.#point(from), this.#point(to), RADIUS + 1));
    }
    recommended.setAttribute('d', curves[0].join(''));
    conditional.setAttribute('d', curves[1].join(''));
  }

  #drawHops(): void {
    const { path } = this.#state!;
    const hops = path.slice(1).flatMap(({ version, conditional }, at) => {
      const [from, to] = [this.#placeOfVersion(path[at]!.version), this.#placeOfVersion(version)];
      if (from === undefined || to === undefined) return [];
      return svgElement('path', {
        class: 'lane-hop',
        'data-kind': conditional ? 'conditional' : 'recommended',
        d: updateCurve(this.#point(from), this.#point(to), BIG_RADIUS + 3),
        'marker-end': `url(#${this.#id}-arrow)`,
      });
    });
    this.#hops.replaceChildren(...hops);
  }

  #drawGaps(): void {
    const { frontier } = this.#state!;
    const gaps = frontier === null ? [] : gapsOf(this.#graph, this.#layout, frontier);
    this.#gaps.replaceChildren(
      ...gaps.flatMap(({ kind, ...area }) => {
        const shade = svgElement('rect', { class: 'lane-gap', ...area, fill: `url(#${this.#id}-hatch)` });
        if (kind === 'within') return [shade];
        const place = { class: 'lane-gap-text', x: 18, y: area.y + area.height / 2 + 4 };
        return [shade, svgElement('text', place, [`No way across from ${frontier!.from}`])];
      }),
    );
  }

  #drawOverlay(): void {
    const shown = overlayOf(this.#graph, this.#layout, {
      ...this.#state!,
      pointed: this.#pointed,
      cursor: this.#cursor,
    });
    this.#overlay.replaceChildren(...shown.elements);
    for (const { element, x, y } of this.#ticks) {
      const isCovered = shown.big.some((mark) => mark.y === y && Math.abs(mark.x - x) < TICK_ROOM);
      element.classList.toggle('covered', isCovered);
    }
  }
}

type LinePair = readonly [recommended: SVGPathElement, conditional: SVGPathElement];

function linePair(kind: string): LinePair {
  return [
    svgElement('path', { class: `lane-line ${kind}`, 'data-kind': 'recommended' }),
    svgElement('path', { class: `lane-line ${kind}`, 'data-kind': 'conditional' }),
  ];
}
