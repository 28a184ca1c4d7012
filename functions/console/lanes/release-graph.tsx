import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { PHASE_WORDS, type SupportCalendar } from '@cairn/shared/releases/lifecycle';
import type { Minor } from '@cairn/shared/version/minor';
import type { ComponentChildren } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { getJson } from '../data/api.ts';
import { readCalendar } from '../data/releases.ts';
import type { ClusterPageAnswer } from '../data/responses.ts';
import { useQuery } from '../data/use-query.ts';
import { setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { lazy, useRoomFor } from '../ui/lazy.tsx';
import { Lanes } from './lanes.tsx';
import { lanesOf } from './layout.ts';
import { isExcluded, type LanesProps, type SupportBadge } from './model.ts';

const ReleaseTable = lazy(async () => (await import('./release-table.tsx')).ReleaseTable);
const SelectedRelease = lazy(async () => (await import('./selected-release.tsx')).SelectedRelease);

interface ReleaseGraphProps extends Pick<LanesProps, 'path' | 'frontier' | 'onFrom' | 'onTo'> {
  readonly graph: PreparedGraph;
  readonly name: string;
  readonly state: UrlState;
  readonly children: ComponentChildren;
}

/** Lanes or table with the selected release; narrow screens always use the table. */
export function ReleaseGraph({ graph, name, state, children, ...rest }: ReleaseGraphProps) {
  const [direction, onDirection] = useState<LanesProps['direction']>('out');
  const isNarrow = !useRoomFor('lanes');
  const id = useId();
  const clusters = useClusterCounts();
  const support = useSupport(graph);
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
    onTo: (version) => {
      if (!isExcluded(graph, version)) rest.onTo(version);
    },
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
      {selected !== null && <SelectedRelease {...props} version={selected} />}
    </>
  );
}

const VIEWS = { lanes: 'Lanes', table: 'Table' } as const satisfies Record<UrlState['view'], string>;

/** A single tab stop; arrow keys switch. */
function ViewTabs({ view, controls }: { readonly view: UrlState['view']; readonly controls: string }) {
  const show = (shown: UrlState['view']): void => setState({ view: shown }, { push: false });
  return (
    <div
      class="tabs no-print"
      role="tablist"
      aria-label="How releases are shown"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        const other = view === 'lanes' ? 'table' : 'lanes';
        show(other);
        event.currentTarget.querySelector<HTMLElement>(`[data-view=${other}]`)?.focus();
      }}
    >
      {Object.entries(VIEWS).map(([name, label]) => (
        <button
          key={name}
          type="button"
          class="tab"
          role="tab"
          data-view={name}
          aria-selected={name === view}
          aria-controls={controls}
          tabIndex={name === view ? 0 : -1}
          onClick={() => show(name as UrlState['view'])}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

const NONE: ReadonlyMap<never, never> = new Map<never, never>();

/** Badge of every minor in the graph. */
export function supportBadges(graph: PreparedGraph, calendar: SupportCalendar): Map<Minor, SupportBadge> {
  return new Map(
    lanesOf(graph).map(({ minor, prereleases, places }) => {
      const { phase, supportedUntil } = calendar(minor);
      const words = prereleases === places.length ? 'beta' : PHASE_WORDS[phase];
      return [minor, { words, until: supportedUntil }];
    }),
  );
}

export function clustersByVersion({ clusters }: ClusterPageAnswer): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { version } of clusters) {
    if (version !== null) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  return counts;
}

/** Optional data: omitted if it cannot be read. */
function useSupport(graph: PreparedGraph): LanesProps['support'] {
  const calendar = useQuery('support', readCalendar).value;
  return useMemo(() => (calendar ? supportBadges(graph, calendar) : NONE), [graph, calendar]);
}

function useClusterCounts(): ReadonlyMap<string, number> {
  const load = async (signal: AbortSignal) =>
    clustersByVersion(await getJson<ClusterPageAnswer>('/v1/clusters?limit=1000', signal));
  return useQuery('clusters', load).value ?? NONE;
}
