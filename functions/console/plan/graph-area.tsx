import { useEffect, useRef } from 'preact/hooks';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import type { Frontier, PathMark } from '../lanes/model.ts';
import { ReleaseGraph } from '../lanes/release-graph.tsx';
import type { UrlState } from '../state/url-state.ts';
import { askFor } from './ask.ts';

export interface GraphAreaProps {
  readonly graph: PreparedGraph;
  readonly path: readonly PathMark[];
  readonly frontier: Frontier | null;
  readonly state: UrlState;
}

/** The releases that a plan goes through. */
export function GraphArea({ graph, path, frontier, state }: GraphAreaProps) {
  const area = useStaying();
  const name = graph.channels.join(' + ') || 'no channel yet';
  return (
    <section class="graph-area stack-small" aria-label="Releases" ref={area}>
      <ReleaseGraph
        graph={graph}
        path={path}
        frontier={frontier}
        name={name}
        state={state}
        onFrom={(from) => askFor({ from })}
        onTo={(to) => askFor({ to })}
      >
        <div class="row">
          <h2>{name}</h2>
          <span class="muted">
            {graph.nodes.length.toLocaleString('en')} releases,{' '}
            {graph.leaving.targets.length.toLocaleString('en')} updates
          </span>
        </div>
      </ReleaseGraph>
    </section>
  );
}

const MARGIN = 12;

/** Stays in sight beside a plan that is longer; of a graph taller than the window, its lower end. */
function useStaying() {
  const area = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = area.current!;
    const place = (): void =>
      element.style.setProperty('top', `${Math.min(MARGIN, innerHeight - element.offsetHeight - MARGIN)}px`);
    const observer = new ResizeObserver(place);
    observer.observe(element);
    addEventListener('resize', place);
    return () => {
      observer.disconnect();
      removeEventListener('resize', place);
    };
  }, []);
  return area;
}
