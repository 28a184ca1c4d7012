import { countInWords } from '@cairn/shared/text/words';
import { parseMinor } from '@cairn/shared/version/minor';
import { useEffect, useRef, useState } from 'preact/hooks';
import { getJson } from '../data/api.ts';
import type { ClusterPageAnswer, ClusterSummary, FleetSummaryAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { AddCluster } from '../fleet/add-cluster.tsx';
import { UndeliveredNote } from '../fleet/assessment.tsx';
import { clustersAddress, FilterBar, isFiltered, type FleetFilter } from '../fleet/filters.tsx';
import { FleetTable } from '../fleet/fleet-table.tsx';
import { ShowMore, Skeleton } from '../fleet/parts.tsx';
import { fleetRows, isAwaited, type FleetOrder, type SortKey } from '../fleet/rows.ts';
import { FleetStrip } from '../fleet/summary-strip.tsx';
import { useAwaited, usePages, useSettled, withCursor } from '../fleet/use-pages.ts';
import { setState, type Place } from '../state/navigation.ts';
import { WHOLE_LIST } from '../state/url-state.ts';
import { announce } from '../ui/announce.ts';
import { PageLink } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';

const TYPING_MS = 250;

/** Skips empty pages: a filtered page can be empty without being the last. */
async function loadClusters(address: string, signal: AbortSignal) {
  let page = await getJson<ClusterPageAnswer>(address, signal);
  while (page.clusters.length === 0 && page.nextCursor !== null) {
    page = await getJson<ClusterPageAnswer>(withCursor(address, page.nextCursor), signal);
  }
  return { items: page.clusters, nextCursor: page.nextCursor };
}

export function ClustersView({ place }: { readonly place: Place }) {
  const { open, find, verdict, minor, overdue } = place.state;
  const filter = { find, verdict, minor, overdue };
  const fleet = useFleet(filter);
  const { items, summary, isBusy, found, fault, readAgain } = fleet;
  const heading = useFocusWhenGone(open);
  const [order, setOrder] = useState<FleetOrder>({ by: 'id', descending: false });
  const isEmpty = items?.length === 0 && (!isFiltered(filter) || summary?.clusters === 0);
  // Keep the form open after the first cluster, so that its confirmation stays visible.
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
      {summary && !isEmpty && <FleetStrip summary={summary} filter={filter} />}
      {items !== null && (
        <details class="card fold no-print" open={wasEmpty.current}>
          <summary>Add or look at a cluster</summary>
          <AddCluster onAdded={readAgain} />
        </details>
      )}
      {!isEmpty && (items !== null || isFiltered(filter)) && (
        <FilterBar
          filter={filter}
          minors={summary?.byMinor.flatMap((on) => parseMinor(on.minor ?? '') ?? []) ?? []}
          found={found}
        />
      )}
      {items === null && !fleet.error && <Skeleton />}
      {items?.length === 0 && !isEmpty && (
        <p class="row" aria-busy={isBusy}>
          No cluster is like that.
          <PageLink to="clusters" patch={WHOLE_LIST}>
            Show all clusters
          </PageLink>
        </p>
      )}
      {items && items.length > 0 && (
        <Listed fleet={fleet} items={items} open={open} order={order} onOrder={setOrder} />
      )}
    </div>
  );
}

type Fleet = ReturnType<typeof useFleet>;

/** Polls while a cluster is pending. */
function useFleet(filter: FleetFilter) {
  const name = useSettled(filter.find, TYPING_MS);
  const pages = usePages<ClusterSummary>(clustersAddress({ ...filter, find: name }), loadClusters);
  const { items, hasMore, error, isLoading, more, reload, refresh } = pages;
  const summary = useJson<FleetSummaryAnswer>('/v1/fleet/summary');
  const isBusy = isLoading || name !== filter.find;
  const found = items ? `${countInWords(items.length, 'cluster')}${hasMore ? ' and more' : ''}` : '';
  useEffect(() => {
    if (found !== '' && !isBusy && isFiltered(filter)) announce(found);
  }, [found, isBusy]);
  const fault = error ?? summary.error;
  // After an error the user retries.
  useAwaited(!fault && !isLoading && (items ?? []).some(isAwaited), () => {
    refresh();
    summary.reload();
  });
  const readAgain = (): void => {
    reload();
    summary.reload();
  };
  return { items, hasMore, error, isLoading, more, summary: summary.value, isBusy, found, fault, readAgain };
}

/** Moves the focus to the heading if the focused element was removed with its cluster. */
function useFocusWhenGone(open: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(open);
  useEffect(() => {
    if (before.current !== open && document.activeElement === document.body) heading.current?.focus();
    before.current = open;
  }, [open]);
  return heading;
}

interface ListedProps {
  readonly fleet: Fleet;
  readonly items: readonly ClusterSummary[];
  readonly open: string;
  readonly order: FleetOrder;
  readonly onOrder: (change: (former: FleetOrder) => FleetOrder) => void;
}

function Listed({ fleet, items, open, order, onOrder }: ListedProps) {
  const { hasMore, isLoading, isBusy, more, readAgain } = fleet;
  const sort = (by: SortKey): void =>
    onOrder((former) => ({ by, descending: former.by === by && !former.descending }));
  const forgotten = (): void => {
    setState({ open: '' }, { push: false });
    readAgain();
  };
  return (
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
  );
}
