import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useReleases, type PageReleases } from '../data/releases.ts';
import type { ApiError } from '../data/responses.ts';
import { noteFreshness } from '../data/status.ts';
import { useQuery } from '../data/use-query.ts';
import { PlanForm } from '../plan/form.tsx';
import { GraphArea } from '../plan/graph-area.tsx';
import { focusHop } from '../plan/hop.tsx';
import { PlanSide, PlanSkeleton, pressCopyConfig, PrintFooter } from '../plan/panel.tsx';
import { pathMarks, resultInWords, shownPlan, type ShownPlan, type Solved } from '../plan/plan-model.ts';
import { solve, solveKey } from '../plan/solve.ts';
import { setState, type Place } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { announce, useShortcuts } from '../ui/announce.ts';
import { PageLink } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { useRoomFor } from '../ui/lazy.tsx';

export function PlanView({ place: { state } }: { readonly place: Place }) {
  const opening = useReleases(state.arch);
  const releases = opening.value;
  const solving = useQuery(releases && solveKey(state), (signal) => solve(state, releases!, signal));
  const solved = useWhileLoading(solving.value, releases !== null && solving.isLoading);
  const plan = useMemo(
    () => solved && shownPlan(solved, state),
    [solved, state.alt, state.nodes, state.pause],
  );

  useEffect(() => {
    if (solving.value === null) return;
    noteFreshness(releases!.freshnessOf(solving.value.graph.channels));
    const result = resultInWords(solving.value, plan);
    if (result !== null) announce(result);
  }, [solving.value, plan]);
  useFocusOnResult(solving.value);
  useShortcuts({
    '[': () => focusHop(-1),
    ']': () => focusHop(1),
    p: () => print(),
    c: pressCopyConfig,
    Escape: () => setState({ sel: '' }, { push: false }),
  });

  const failed = opening.error ? opening : solving.error ? solving : null;
  return (
    <>
      <h1 class="visually-hidden">Plan an upgrade</h1>
      <PlanForm
        // A cluster's report defines the start.
        state={state.from || !plan ? state : { ...state, from: plan.model.from }}
        directory={releases?.directory ?? null}
      />
      {failed ? (
        <Failed error={failed.error!} onRetry={failed.reload} cluster={state.cluster} />
      ) : solved && releases ? (
        <PlanGrid solved={solved} plan={plan} state={state} releases={releases} isBusy={solving.isLoading} />
      ) : (
        <PlanSkeleton />
      )}
    </>
  );
}

interface PlanGridProps {
  readonly solved: Solved;
  readonly plan: ShownPlan | null;
  readonly state: UrlState;
  readonly releases: PageReleases;
  readonly isBusy: boolean;
}

/** Beside the plan; below it in one column, for the tab order too. */
function PlanGrid({ solved, plan, state, releases, isBusy }: PlanGridProps) {
  const hasColumns = useRoomFor('columns');
  const path = useMemo(() => pathMarks(plan), [plan]);
  const graphArea = (
    <GraphArea
      key="graph"
      graph={solved.graph}
      path={path}
      frontier={solved.kind === 'none' ? solved.frontier : null}
      state={state}
    />
  );
  return (
    <div class="page plan-grid" aria-busy={isBusy}>
      {hasColumns && graphArea}
      <PlanSide key="plan" solved={solved} plan={plan} state={state} releases={releases} />
      {!hasColumns && graphArea}
      <PrintFooter syncedAt={releases.freshnessOf(solved.graph.channels).syncedAt} />
    </div>
  );
}

interface FailedProps {
  readonly error: ApiError;
  readonly onRetry: () => void;
  readonly cluster: string;
}

function Failed({ error, onRetry, cluster }: FailedProps) {
  return (
    <div class="page stack">
      <ErrorNote error={error} onRetry={onRetry} />
      {cluster && (
        <p>
          <PageLink to="plan" patch={{ cluster: '' }}>
            Plan without the cluster {cluster}
          </PageLink>
        </p>
      )}
    </div>
  );
}

/** Moves the focus to the result if the pressed button was removed. */
function useFocusOnResult(solved: Solved | null): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (solved === null) return;
    if (!isFirst.current && document.activeElement === document.body) {
      document.getElementById('verdict')?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [solved]);
}

/** Keeps the old plan until the next is loaded, to avoid flicker. */
function useWhileLoading(value: Solved | null, isLoading: boolean): Solved | null {
  const former = useRef<Solved | null>(null);
  if (value !== null || !isLoading) former.current = value;
  return former.current;
}
