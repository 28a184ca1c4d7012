import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useReleases } from '../data/releases.ts';
import { useResource } from '../data/use-query.ts';
import { noteFreshness } from '../data/status.ts';
import { pressCopyConfig } from '../plan/actions.tsx';
import { PlanForm } from '../plan/form.tsx';
import { GraphArea } from '../plan/graph-area.tsx';
import { focusHop } from '../plan/hop.tsx';
import { PrintFooter, PlanSide, PlanSkeleton } from '../plan/panel.tsx';
import { pathMarks, resultInWords, shownPlan } from '../plan/plan-model.ts';
import { solve, solveKey, type Solved } from '../plan/solve.ts';
import { followInPage, linkTo, setState, type Place } from '../state/navigation.ts';
import { announce, useShortcuts } from '../ui/announce.ts';
import { ErrorNote } from '../ui/errors.tsx';
import { useRoomFor } from '../ui/lazy.tsx';

/** From a version to another: the form, the graph, and the plan beside it. */
export function PlanView({ place: { state } }: { readonly place: Place }) {
  const opening = useReleases(state.arch);
  const releases = opening.value;
  const solving = useResource(releases && solveKey(state), (signal) => solve(state, releases!, signal));
  const solved = useWhileLoading(solving.value, releases !== null && solving.isLoading);
  const plan = useMemo(
    () => solved && shownPlan(solved, state),
    [solved, state.alt, state.nodes, state.pause],
  );
  const path = useMemo(() => pathMarks(plan), [plan]);

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

  // Below the plan where there is one column, for the Tab key too.
  const hasColumns = useRoomFor('columns');
  const graphArea = ({ graph, ...rest }: Solved) => (
    <GraphArea
      key="graph"
      graph={graph}
      path={path}
      frontier={rest.kind === 'none' ? rest.frontier : null}
      state={state}
    />
  );
  const failed = opening.error ? opening : solving.error ? solving : null;
  return (
    <>
      <h1 class="visually-hidden">Plan an upgrade</h1>
      <PlanForm
        // A cluster says itself where it is.
        state={state.from || !plan ? state : { ...state, from: plan.model.from }}
        directory={releases?.directory ?? null}
      />
      {failed ? (
        <div class="page stack">
          <ErrorNote error={failed.error!} onRetry={failed.reload} />
          {state.cluster && (
            <p>
              <a href={linkTo('plan', { cluster: '' })} onClick={followInPage}>
                Plan without the cluster {state.cluster}
              </a>
            </p>
          )}
        </div>
      ) : solved && releases ? (
        <div class="page plan-grid" aria-busy={solving.isLoading}>
          {hasColumns && graphArea(solved)}
          <PlanSide key="plan" solved={solved} plan={plan} state={state} releases={releases} />
          {!hasColumns && graphArea(solved)}
          <PrintFooter syncedAt={releases.freshnessOf(solved.graph.channels).syncedAt} />
        </div>
      ) : (
        <PlanSkeleton />
      )}
    </>
  );
}

/** Who pressed a button that is gone with what it asked for goes on at the answer. */
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

/** What was shown before stays until the next is there: a page that blinks at every choice is hard to read. */
function useWhileLoading(value: Solved | null, isLoading: boolean): Solved | null {
  const former = useRef<Solved | null>(null);
  if (value !== null || !isLoading) former.current = value;
  return former.current;
}
