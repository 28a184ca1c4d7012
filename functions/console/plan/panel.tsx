import type { ComponentChildren } from 'preact';
import type { PageReleases } from '../data/releases.ts';
import type { UrlState } from '../state/url-state.ts';
import { lazy } from '../ui/lazy.tsx';
import { localTime } from '../ui/text.ts';
import { HopItem } from './hop.tsx';
import { OtherWays } from './other-paths.tsx';
import type { ShownPlan, Solved } from './plan-model.ts';
import { Folded, Steps, Texts } from './steps.tsx';
import { PlanSummary, Warnings } from './summary.tsx';
import { TimelineFigure } from './timeline.tsx';

const Actions = lazy(async () => (await import('./actions.tsx')).Actions);
const ClusterLine = lazy(async () => (await import('./cluster-line.tsx')).ClusterLine);
const NoPath = lazy(async () => (await import('./no-path.tsx')).NoPath);
const Start = lazy(async () => (await import('./start.tsx')).Start);

const COPY_CONFIG_ID = 'copy-config';

/** Action of the key `c`. */
export function pressCopyConfig(): void {
  document.getElementById(COPY_CONFIG_ID)?.click();
}

interface PlanSideProps {
  readonly solved: Solved;
  readonly plan: ShownPlan | null;
  readonly state: UrlState;
  readonly releases: PageReleases;
}

/** Panel beside the graph: start page, plan, or explanation. */
export function PlanSide({ solved, plan, state, releases }: PlanSideProps) {
  if (solved.kind === 'none')
    return <NoPath noPath={solved.noPath} state={state} directory={releases.directory} />;
  if (plan === null) return <Start releases={releases} />;
  return (
    <PlanPanel plan={plan}>
      {solved.kind === 'ways' && <OtherWays paths={solved.paths} shown={plan.way} />}
    </PlanPanel>
  );
}

interface PlanPanelProps {
  readonly plan: ShownPlan;
  readonly children?: ComponentChildren;
}

function PlanPanel({ plan, children }: PlanPanelProps) {
  const { model } = plan;
  const { hops, report, warnings, notes, details, assumptions } = model;
  return (
    <aside class="card stack plan-panel" aria-labelledby="verdict">
      <div class="stack-small">
        {report && <ClusterLine report={report} from={model.from} />}
        <PlanSummary model={model} />
        <Warnings warnings={warnings} />
      </div>
      {hops.length > 0 && (
        <>
          <ol class="hops" aria-label="Hops">
            {hops.map((hop) => (
              <HopItem key={hop.number} hop={hop} />
            ))}
          </ol>
          <TimelineFigure model={model} />
          <div class="stack-small">
            <Folded title="Steps with commands" load={details}>
              {({ steps }) => <Steps steps={steps} />}
            </Folded>
            {notes.length > 0 && (
              <details class="no-print">
                <summary>Good to know ({notes.length})</summary>
                <Texts texts={notes} />
              </details>
            )}
            <details class="no-print">
              <summary>What the minutes rest on</summary>
              <Texts texts={assumptions} />
            </details>
          </div>
          {children}
          <Actions plan={plan} copyConfigId={COPY_CONFIG_ID} />
        </>
      )}
    </aside>
  );
}

/** Origin and data age of a printed page. */
export function PrintFooter({ syncedAt }: { readonly syncedAt: string | null }) {
  return (
    <footer class="print-only print-footer small">
      {syncedAt !== null && <p>Update data of {localTime(syncedAt)}</p>}
      <p>{location.href}</p>
    </footer>
  );
}

export function PlanSkeleton() {
  return (
    <div class="page plan-grid" aria-busy="true" aria-label="Loading">
      <div class="card stack skeleton-lanes">
        <div class="skeleton" />
        <div class="skeleton" />
        <div class="skeleton" />
      </div>
      <div class="card stack plan-panel">
        <div class="skeleton" />
        <div class="skeleton" />
      </div>
    </div>
  );
}
