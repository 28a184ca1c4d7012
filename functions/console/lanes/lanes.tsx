import type { JSX, RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { areShortcutsOn } from '../ui/announce.ts';
import { gapsOf, lanesOf, layOutLanes, openMinors, type LaneLayout } from './layout.ts';
import { LaneLabels } from './labels.tsx';
import { plannedEnds, type LanesProps } from './model.ts';
import { Legend } from './legend.tsx';
import { firstPlace, moveBy } from './keyboard.ts';
import { LaneScene } from './scene.ts';

export type { Frontier, LanesProps, PathMark } from './model.ts';

const HOVER_MS = 120;
/** How near to the edge of what is visible a release may be before the lanes scroll. */
const EDGE = 40;

/**
 * The releases of a channel, a lane per minor. The whole is one list to assistive technology and one stop of the Tab
 * key; lines are drawn for what is selected or pointed at only.
 */
export function Lanes(props: LanesProps): JSX.Element {
  return props.graph.nodes.length > 0 ? <LaneList {...props} /> : <NoReleases />;
}

export function NoReleases(): JSX.Element {
  return <p class="card muted">There are no releases here.</p>;
}

function LaneList(props: LanesProps): JSX.Element {
  const { graph, path, selected, direction, frontier, clusters } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const picture = useRef<SVGSVGElement>(null);
  const scene = useRef<LaneScene | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const width = useWidth(scroller);

  const lanes = useMemo(() => lanesOf(graph), [graph]);
  const ends = plannedEnds(props);
  const open = openMinors(graph, lanes, props.open, ends);
  const openKey = [...open].join();
  const layout = useMemo(
    () => (width === 0 ? null : layOutLanes(graph, lanes, open, width)),
    [graph, lanes, openKey, width],
  );

  useLayoutEffect(() => {
    if (layout !== null) scene.current = new LaneScene(picture.current!, graph, layout, id);
  }, [layout]);
  useLayoutEffect(() => {
    if (layout !== null) scene.current!.show({ path, selected, direction, frontier, clusters });
  }, [layout, path, selected, direction, frontier, clusters]);

  const placeOf = (version: string | null | undefined) =>
    version === null || version === undefined ? undefined : graph.index.get(version);
  const cursorPlace = placeOf(cursor);
  const isCursorShown =
    layout !== null && cursorPlace !== undefined && layout.rows[layout.row[cursorPlace]!]!.isOpen;
  useLayoutEffect(() => {
    if (layout !== null) scene.current!.moveCursor(isCursorShown ? cursorPlace : null);
  }, [layout, cursorPlace, isCursorShown]);

  const endPlaces = ends.flatMap((end) => placeOf(end) ?? []);
  useLayoutEffect(() => {
    if (layout !== null) scrollToEnds(scroller.current!, layout, endPlaces);
  }, [graph, endPlaces.join(), layout === null]);
  useLayoutEffect(() => {
    const place = placeOf(selected);
    if (layout !== null && place !== undefined) reveal(scroller.current!, layout.x[place]!);
  }, [layout, selected]);

  const point = usePointing(scene);
  const select = (version: string) => {
    setCursor(version);
    props.onSelect(version === selected ? null : version);
  };

  function focus(): void {
    if (layout === null || isCursorShown) return;
    const place = firstPlace(layout, [placeOf(selected), endPlaces[0]]);
    setCursor(place === null ? null : graph.nodes[place]!.version);
    point(place);
  }

  function move(place: number): void {
    setCursor(graph.nodes[place]!.version);
    scene.current!.optionAt(place)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    reveal(scroller.current!, layout!.x[place]!);
    point(place);
  }

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || layout === null) return;
    if (event.key === 'Escape') {
      if (selected === null) return;
      props.onSelect(null);
    } else {
      const next = isCursorShown ? moveBy(event.key, layout, cursorPlace) : null;
      const letter = areShortcutsOn() ? event.key : '';
      if (next !== null) move(next);
      else if (letter === 'i') props.onDirection(direction === 'out' ? 'in' : 'out');
      else if (!isCursorShown) return;
      else if (event.key === 'Enter' || event.key === ' ') select(cursor!);
      else if (letter === 'f') props.onFrom(cursor!);
      else if (letter === 't') props.onTo(cursor!);
      else return;
    }
    event.preventDefault();
  }

  return (
    <div class="lanes">
      <Legend
        hasPath={path.length > 1}
        hasClusters={[...clusters.keys()].some((version) => graph.index.has(version))}
        hasGaps={layout !== null && frontier !== null && gapsOf(graph, layout, frontier).length > 0}
        frontier={frontier}
      />
      <div class="lanes-body">
        <LaneLabels lanes={lanes} open={open} support={props.support} onOpen={props.onOpen} />
        <div
          class="lanes-scroller"
          ref={scroller}
          role="listbox"
          tabIndex={0}
          aria-label={props.label}
          aria-describedby={`${id}-keys`}
          aria-activedescendant={isCursorShown ? `${id}-${cursorPlace}` : undefined}
          onFocus={focus}
          onBlur={() => point(null)}
          onKeyDown={press}
          onPointerOver={(event) => point(scene.current?.placeOf(event.target) ?? null)}
          onPointerLeave={() => point(null)}
          onClick={(event) => {
            const place = scene.current?.placeOf(event.target) ?? null;
            if (place !== null) select(graph.nodes[place]!.version);
          }}
        >
          <svg class="lanes-picture" ref={picture} role="none" />
        </div>
        <p class="lanes-keys" id={`${id}-keys`}>
          Arrow keys move, Enter selects, F starts here, T goes here, I turns the updates around, Esc clears.
        </p>
      </div>
    </div>
  );
}

/** Shows what is pointed at once the pointer rests there, so that crossing the lanes draws nothing. */
function usePointing(scene: RefObject<LaneScene | null>): (place: number | null) => void {
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (place) => {
    const shown = scene.current;
    clearTimeout(timer.current);
    // A picture that was drawn anew meanwhile may have another release at this place.
    timer.current = window.setTimeout(() => shown === scene.current && shown?.point(place), HOVER_MS);
  };
}

/** The width there is for the lanes; 0 until it is known, and while they are hidden. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const box = element.current!;
    const measure = () => setWidth(box.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return width;
}

function reveal(box: HTMLElement, x: number): void {
  const isVisible = x >= box.scrollLeft + EDGE && x <= box.scrollLeft + box.clientWidth - EDGE;
  if (!isVisible) box.scrollLeft = x - box.clientWidth / 2;
}

/** What is planned comes into the middle, or its oldest release to the left edge; without a plan the newest are shown. */
function scrollToEnds(box: HTMLElement, layout: LaneLayout, places: readonly number[]): void {
  const reach = places.map((place) => layout.x[place]!);
  const [first, last] = [Math.min(...reach), Math.max(...reach)];
  const room = box.clientWidth - 2 * EDGE;
  if (reach.length === 0) box.scrollLeft = layout.width;
  else box.scrollLeft = last - first > room ? first - EDGE : (first + last - box.clientWidth) / 2;
}
