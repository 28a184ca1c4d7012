import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { areShortcutsOn } from '../ui/announce.ts';
import { firstPlace, moveBy } from './keyboard.ts';
import { LaneLabels } from './labels.tsx';
import { gapsOf, lanesOf, layOutLanes, openMinors, type LaneLayout } from './layout.ts';
import { Legend } from './legend.tsx';
import { plannedEnds, type LanesProps } from './model.ts';
import { LaneScene } from './scene.ts';

const HOVER_MS = 120;
/** Pixels from the visible edge at which the lanes scroll. */
const EDGE = 40;

/** A single list and tab stop for assistive technology. Draws updates of the selected or hovered release only. */
export function Lanes(props: LanesProps) {
  return props.graph.nodes.length > 0 ? <LaneList {...props} /> : <NoReleases />;
}

export function NoReleases() {
  return <p class="card muted">There are no releases here.</p>;
}

function LaneList(props: LanesProps) {
  const { graph, path, frontier, clusters } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const picture = useRef<SVGSVGElement>(null);
  const laid = useLaneLayout(props, useWidth(scroller));
  const { lanes, open, layout } = laid;
  const scene = useScene(props, layout, picture, id);
  const { cursor, select, point, focus, press } = useCursor(props, laid, scene, scroller);
  useScrolling(props, laid, scroller);
  return (
    <div class="lanes">
      <Legend
        hasPath={path.length > 1}
        hasClusters={[...clusters.keys()].some((version) => graph.index.has(version))}
        hasGaps={layout !== null && frontier !== null && gapsOf(graph, layout, frontier).length > 0}
        hasExcluded={graph.isExcluded.includes(1)}
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
          aria-activedescendant={cursor === null ? undefined : `${id}-${cursor}`}
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

type LaidLanes = ReturnType<typeof useLaneLayout>;

/** The layout is null until the width is known. `endPlaces` are planned versions that the graph contains. */
function useLaneLayout(props: LanesProps, width: number) {
  const { graph } = props;
  const lanes = useMemo(() => lanesOf(graph), [graph]);
  const ends = plannedEnds(props);
  const open = openMinors(graph, lanes, props.open, ends);
  const openKey = [...open].join();
  const layout = useMemo(
    () => (width === 0 ? null : layOutLanes(graph, lanes, open, width)),
    [graph, lanes, openKey, width],
  );
  return { lanes, open, layout, endPlaces: ends.flatMap((end) => graph.index.get(end) ?? []) };
}

type SceneRef = RefObject<LaneScene | null>;

function useScene(
  { graph, path, selected, direction, frontier, clusters }: LanesProps,
  layout: LaneLayout | null,
  picture: RefObject<SVGSVGElement | null>,
  id: string,
): SceneRef {
  const scene = useRef<LaneScene | null>(null);
  useLayoutEffect(() => {
    if (layout !== null) scene.current = new LaneScene(picture.current!, graph, layout, id);
  }, [layout]);
  useLayoutEffect(() => {
    if (layout !== null) scene.current!.show({ path, selected, direction, frontier, clusters });
  }, [layout, path, selected, direction, frontier, clusters]);
  return scene;
}

/** Release with keyboard focus; null if none is visible. */
function useCursor(
  props: LanesProps,
  { layout, endPlaces }: LaidLanes,
  scene: SceneRef,
  scroller: RefObject<HTMLElement | null>,
) {
  const { graph, selected, direction } = props;
  const [version, setVersion] = useState<string | null>(null);
  const known = version === null ? undefined : graph.index.get(version);
  const isShown = layout !== null && known !== undefined && layout.rows[layout.row[known]!]!.isOpen;
  const cursor = isShown ? known : null;
  useLayoutEffect(() => {
    if (layout !== null) scene.current!.moveCursor(cursor);
  }, [layout, known, isShown]);
  const point = usePointing(scene);

  function select(chosen: string): void {
    setVersion(chosen);
    props.onSelect(chosen === selected ? null : chosen);
  }

  function focus(): void {
    if (layout === null || isShown) return;
    const chosen = selected === null ? undefined : graph.index.get(selected);
    const place = firstPlace(layout, [chosen, endPlaces[0]]);
    setVersion(place === null ? null : graph.nodes[place]!.version);
    point(place);
  }

  function move(place: number): void {
    setVersion(graph.nodes[place]!.version);
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
      const next = isShown ? moveBy(event.key, layout, known) : null;
      const letter = areShortcutsOn() ? event.key : '';
      if (next !== null) move(next);
      else if (letter === 'i') props.onDirection(direction === 'out' ? 'in' : 'out');
      else if (!isShown) return;
      else if (event.key === 'Enter' || event.key === ' ') select(version!);
      else if (letter === 'f') props.onFrom(version!);
      else if (letter === 't') props.onTo(version!);
      else return;
    }
    event.preventDefault();
  }

  return { cursor, select, point, focus, press };
}

function useScrolling(
  { graph, selected }: LanesProps,
  { layout, endPlaces }: LaidLanes,
  scroller: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    if (layout !== null) scrollToEnds(scroller.current!, layout, endPlaces);
  }, [graph, endPlaces.join(), layout === null]);
  useLayoutEffect(() => {
    const place = selected === null ? undefined : graph.index.get(selected);
    if (layout !== null && place !== undefined) reveal(scroller.current!, layout.x[place]!);
  }, [layout, selected]);
}

/** Waits until the pointer rests, so that crossing the lanes draws nothing. */
function usePointing(scene: SceneRef): (place: number | null) => void {
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (place) => {
    const shown = scene.current;
    clearTimeout(timer.current);
    // After a redraw this position can be another release.
    timer.current = window.setTimeout(() => shown === scene.current && shown?.point(place), HOVER_MS);
  };
}

/** 0 until measured, and while hidden. */
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

/** Centers the path, or puts its oldest release at the left edge; without a path shows the newest releases. */
function scrollToEnds(box: HTMLElement, layout: LaneLayout, places: readonly number[]): void {
  const reach = places.map((place) => layout.x[place]!);
  const [first, last] = [Math.min(...reach), Math.max(...reach)];
  const room = box.clientWidth - 2 * EDGE;
  if (reach.length === 0) box.scrollLeft = layout.width;
  else box.scrollLeft = last - first > room ? first - EDGE : (first + last - box.clientWidth) / 2;
}
