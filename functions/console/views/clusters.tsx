import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClusterPageAnswer } from '../data/answers.ts';
import { getJson } from '../data/api.ts';
import { AddCluster } from '../fleet/add-cluster.tsx';
import { fleetRows, fleetSummary, type FleetOrder, type SortKey } from '../fleet/fleet-rows.ts';
import { FleetTable } from '../fleet/fleet-table.tsx';
import { ShowMore, Skeleton } from '../fleet/parts.tsx';
import { useOutlooks } from '../fleet/use-outlooks.ts';
import { usePages } from '../fleet/use-pages.ts';
import { setState, type Place } from '../state/navigation.ts';
import { ErrorNote } from '../ui/error-note.tsx';

async function loadClusters(query: string, signal: AbortSignal) {
  const { clusters, nextCursor } = await getJson<ClusterPageAnswer>(`/v1/clusters${query}`, signal);
  return { items: clusters, nextCursor };
}

/** The fleet: what each cluster runs and what its plan says; and where a cluster is looked at or added. */
export function ClustersView({ place }: { readonly place: Place }) {
  const { items, hasMore, error, isLoading, more, reload } = usePages(loadClusters);
  const { outlooks, ask } = useOutlooks();
  const [order, setOrder] = useState<FleetOrder>({ by: 'id', descending: false });
  const { find, open } = place.state;
  const isByVerdict = order.by === 'verdict';
  // The order by verdict needs the plans of all, in sight or not.
  useEffect(() => {
    if (isByVerdict) items?.forEach(ask);
  }, [items, isByVerdict]);

  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(open);
  useEffect(() => {
    // What was pressed is gone with the cluster, and the focus with it.
    if (before.current !== open && document.activeElement === document.body) heading.current?.focus();
    before.current = open;
  }, [open]);

  const sort = (by: SortKey): void =>
    setOrder((former) => ({ by, descending: former.by === by && !former.descending }));
  const forgotten = (): void => {
    setState({ open: '' }, { push: false });
    reload();
  };
  const rows = items && fleetRows(items, outlooks, find, order);
  const isEmpty = items?.length === 0;
  // What says that the first cluster was added must not be folded away by it.
  const wasEmpty = useRef(false);
  wasEmpty.current ||= isEmpty;

  return (
    <div class="page stack">
      <div class="row spread">
        <h1 ref={heading} tabIndex={-1}>
          Clusters
        </h1>
        {items && !isEmpty && <p class="muted">{fleetSummary(items, outlooks, hasMore)}</p>}
      </div>
      {error &&
        (error.status === 404 ? (
          <p>This service keeps no clusters.</p>
        ) : (
          <ErrorNote error={error} onRetry={reload} />
        ))}
      {isEmpty && (
        <p>
          There are no clusters here yet. Once one has reported, this page shows where it can go next and what
          stands in the way.
        </p>
      )}
      {items !== null && (
        <details class="card fold" open={wasEmpty.current}>
          <summary>Add or look at a cluster</summary>
          <AddCluster onAdded={reload} />
        </details>
      )}
      {items === null && !error && <Skeleton />}
      {rows && !isEmpty && (
        <>
          <div class="field fleet-find">
            <label for="find">Find by name, version, channel or architecture</label>
            <input
              id="find"
              class="input"
              type="search"
              autocomplete="off"
              value={find}
              onInput={(event) =>
                setState({ find: event.currentTarget.value.slice(0, 100) }, { push: false })
              }
            />
          </div>
          {rows.length === 0 ? (
            <p>No cluster has “{find}”.</p>
          ) : (
            <FleetTable
              rows={rows}
              outlooks={outlooks}
              order={order}
              open={open}
              onSort={sort}
              onSeen={ask}
              onForgotten={forgotten}
            />
          )}
          {hasMore && <ShowMore isLoading={isLoading} onMore={more} />}
        </>
      )}
    </div>
  );
}
