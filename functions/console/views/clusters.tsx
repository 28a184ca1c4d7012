import { countInWords } from '@cairn/shared/text/words';
import { parseMinor } from '@cairn/shared/version/minor';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClusterPageAnswer, ClusterSummary, FleetSummaryAnswer } from '../data/responses.ts';
import { getJson } from '../data/api.ts';
import { useResource } from '../data/use-query.ts';
import { AddCluster } from '../fleet/add-cluster.tsx';
import { FilterBar, clustersAddress, isFiltered } from '../fleet/filters.tsx';
import { fleetRows, type FleetOrder, type SortKey, isAwaited } from '../fleet/rows.ts';
import { FleetStrip } from '../fleet/summary-strip.tsx';
import { FleetTable } from '../fleet/fleet-table.tsx';
import { ShowMore, Skeleton } from '../fleet/parts.tsx';
import { UndeliveredNote } from '../fleet/report-summary.tsx';
import { useAwaited, usePages, withCursor, useSettled } from '../fleet/use-pages.ts';
import { followInPage, linkTo, setState, type Place } from '../state/navigation.ts';
import { WHOLE_LIST } from '../state/url-state.ts';
import { announce } from '../ui/announce.ts';
import { ErrorNote } from '../ui/errors.tsx';

const TYPING_MS = 250;

/** The next page that has a cluster in it: with filters one may be empty and not the last. */
async function loadClusters(address: string, signal: AbortSignal) {
  let page = await getJson<ClusterPageAnswer>(address, signal);
  while (page.clusters.length === 0 && page.nextCursor !== null) {
    page = await getJson<ClusterPageAnswer>(withCursor(address, page.nextCursor), signal);
  }
  return { items: page.clusters, nextCursor: page.nextCursor };
}

/** The fleet: what each cluster runs and what lies ahead of it; and where a cluster is looked at or added. */
export function ClustersView({ place }: { readonly place: Place }) {
  const { open, find, verdict, minor, overdue } = place.state;
  const filter = { find, verdict, minor, overdue };
  const name = useSettled(find, TYPING_MS);
  const { items, hasMore, error, isLoading, more, reload, refresh } = usePages<ClusterSummary>(
    clustersAddress({ ...filter, find: name }),
    loadClusters,
  );
  const summary = useResource('summary', (signal) =>
    getJson<FleetSummaryAnswer>('/v1/fleet/summary', signal),
  );
  const [order, setOrder] = useState<FleetOrder>({ by: 'id', descending: false });
  const isBusy = isLoading || name !== find;
  const found = items ? `${countInWords(items.length, 'cluster')}${hasMore ? ' and more' : ''}` : '';
  useEffect(() => {
    if (found !== '' && !isBusy && isFiltered(filter)) announce(found);
  }, [found, isBusy]);

  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(open);
  useEffect(() => {
    // What was pressed is gone with the cluster, and the focus with it.
    if (before.current !== open && document.activeElement === document.body) heading.current?.focus();
    before.current = open;
  }, [open]);

  const sort = (by: SortKey): void =>
    setOrder((former) => ({ by, descending: former.by === by && !former.descending }));
  const readAgain = (): void => {
    reload();
    summary.reload();
  };
  const forgotten = (): void => {
    setState({ open: '' }, { push: false });
    readAgain();
  };
  const fault = error ?? summary.error;
  // After a fault it is for the reader to try again.
  useAwaited(!fault && !isLoading && (items ?? []).some(isAwaited), () => {
    refresh();
    summary.reload();
  });
  const isEmpty = items?.length === 0 && (!isFiltered(filter) || summary.value?.clusters === 0);
  // What says that the first cluster was added must not be folded away by it.
  const wasEmpty = useRef(false);
  wasEmpty.current ||= isEmpty;

  return (
    <div class="page stack">
      <h1 ref={heading} tabIndex={-1}>
        Clusters
      </h1>
      <UndeliveredNote />
      {fault &&
        (fault.status === 404 ? (
          <p>This service keeps no clusters.</p>
        ) : (
          <ErrorNote error={fault} onRetry={readAgain} />
        ))}
      {isEmpty && (
        <p>
          There are no clusters here yet. Once one has reported, this page shows where it can go next and what
          stands in the way.
        </p>
      )}
      {summary.value && !isEmpty && <FleetStrip summary={summary.value} filter={filter} />}
      {items !== null && (
        <details class="card fold no-print" open={wasEmpty.current}>
          <summary>Add or look at a cluster</summary>
          <AddCluster onAdded={readAgain} />
        </details>
      )}
      {!isEmpty && (items !== null || isFiltered(filter)) && (
        <FilterBar
          filter={filter}
          minors={summary.value?.byMinor.flatMap((on) => parseMinor(on.minor ?? '') ?? []) ?? []}
          found={found}
        />
      )}
      {items === null && !error && <Skeleton />}
      {items?.length === 0 && !isEmpty && (
        <p class="row" aria-busy={isBusy}>
          No cluster is like that.
          <a href={linkTo('clusters', WHOLE_LIST)} onClick={followInPage}>
            Show all clusters
          </a>
        </p>
      )}
      {items && items.length > 0 && (
        <>
          <FleetTable
            rows={fleetRows(items, order)}
            order={order}
            open={open}
            isBusy={isBusy}
            onSort={sort}
            onForgotten={forgotten}
          />
          {hasMore && <ShowMore isLoading={isLoading} onMore={more} />}
        </>
      )}
    </div>
  );
}
