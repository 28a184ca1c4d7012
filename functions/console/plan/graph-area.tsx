import { preferredChannel } from '@cairn/shared/graph/channel-index';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { minorOf } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import { useEffect, useRef } from 'preact/hooks';
import type { PageReleases } from '../data/releases.ts';
import type { Frontier, PathMark } from '../lanes/model.ts';
import { ReleaseGraph } from '../lanes/release-graph.tsx';
import type { UrlState } from '../state/url-state.ts';
import { defaultChannel } from './form.tsx';
import { askFor } from './question.ts';

interface GraphAreaProps {
  readonly graph: PreparedGraph;
  readonly path: readonly PathMark[];
  readonly frontier: Frontier | null;
  readonly state: UrlState;
}

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

/** Keeps the graph visible beside a longer plan; of a graph taller than the window, its lower end. */
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

/** Shows the searched channels, or else one with the start version, one of its minor, or the default channel. */
export async function shownGraph(
  channels: readonly string[],
  from: string,
  { directory, prepare }: PageReleases,
): Promise<PreparedGraph> {
  const holding = channels.filter((name) => (directory.get(name)?.versions.length ?? 0) > 0);
  if (holding.length > 0) return prepare(holding);
  const version = parseVersion(from);
  const holders = directory.holders(from).map((channel) => ({ channel, withdrawn: false }));
  const sibling = directory.channels.find(
    ({ minor, versions }) => version && minor === minorOf(version) && versions.length > 0,
  );
  const other =
    (version && preferredChannel(minorOf(version), holders)) ?? sibling?.name ?? defaultChannel(directory);
  return prepare(other === null ? [] : [other]);
}
