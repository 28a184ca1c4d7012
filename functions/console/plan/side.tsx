import type { PageReleases } from '../data/releases.ts';
import type { UrlState } from '../state/url-state.ts';
import { OtherWays } from './other-paths.tsx';
import { PlanPanel } from './panel.tsx';
import type { ShownPlan } from './shown-plan.ts';
import type { Solved } from './solved.ts';
import { lazy } from '../ui/lazy.tsx';

const NoPath = lazy(async () => (await import('./no-path.tsx')).NoPath);
const Start = lazy(async () => (await import('./start.tsx')).Start);

export interface PlanSideProps {
  readonly solved: Solved;
  readonly plan: ShownPlan | null;
  readonly state: UrlState;
  readonly releases: PageReleases;
}

/** What stands beside the graph: how to begin, the plan, or why there is none. */
export function PlanSide({ solved, plan, state, releases }: PlanSideProps) {
  if (solved.kind === 'none')
    return <NoPath noPath={solved.noPath} state={state} directory={releases.directory} />;
  if (plan === null) return <Start releases={releases} />;
  return (
    <PlanPanel model={plan.model} markdown={plan.markdown}>
      {solved.kind === 'ways' && <OtherWays ways={solved.ways} shown={plan.way} />}
    </PlanPanel>
  );
}
