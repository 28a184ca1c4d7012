import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { lazy } from '../ui/lazy.tsx';
import { useRoomFor } from '../ui/room.ts';
import { useClusterCounts, useSupport } from './side-data.ts';
import type { LanesProps } from './model.ts';
import { Lanes } from './lanes.tsx';
import { ViewTabs } from './view-tabs.tsx';

const ReleaseTable = lazy(async () => (await import('./release-table.tsx')).ReleaseTable);
const SelectedRelease = lazy(async () => (await import('./selected-release.tsx')).SelectedRelease);

export interface ReleaseGraphProps extends Pick<LanesProps, 'path' | 'frontier' | 'onFrom' | 'onTo'> {
  readonly graph: PreparedGraph;
  readonly name: string;
  readonly state: UrlState;
  /** The heading. */
  readonly children: ComponentChildren;
}

/** Releases as lanes or as a table, and the one that is looked at; where lanes have no room, always the table. */
export function ReleaseGraph({ graph, name, state, children, ...rest }: ReleaseGraphProps) {
  const [direction, onDirection] = useState<LanesProps['direction']>('out');
  const isNarrow = !useRoomFor('lanes');
  const id = useId();
  const clusters = useClusterCounts();
  const support = useSupport();
  const selected = graph.index.has(state.sel) ? state.sel : null;
  const props: LanesProps = {
    ...rest,
    graph,
    clusters,
    support,
    selected,
    direction,
    open: state.minors,
    label: `Releases of ${name}`,
    onSelect: (version) => setState({ sel: version ?? '' }, { push: false }),
    onDirection,
    onOpen: (minors) => setState({ minors }, { push: false }),
  };
  const view = isNarrow ? 'table' : state.view;
  return (
    <>
      <div class="row spread">
        {children}
        {!isNarrow && <ViewTabs view={view} controls={id} />}
      </div>
      <div id={id} role={isNarrow ? undefined : 'tabpanel'} aria-label={isNarrow ? undefined : view}>
        {view === 'lanes' ? <Lanes {...props} /> : <ReleaseTable {...props} />}
      </div>
      {selected !== null && (
        <SelectedRelease
          graph={graph}
          version={selected}
          direction={direction}
          onFrom={rest.onFrom}
          onTo={rest.onTo}
          onDirection={onDirection}
        />
      )}
    </>
  );
}
