import type { ComponentChildren } from 'preact';
import { lazy } from '../ui/lazy.tsx';
import type { ActionsProps } from './actions.tsx';
import { Folded, Texts } from './folded.tsx';
import { HopItem } from './hop.tsx';
import { Steps } from './steps.tsx';
import { PlanSummary } from './summary.tsx';
import { TimelineFigure } from './timeline.tsx';
import { Warnings } from './warnings.tsx';

const Actions = lazy(async () => (await import('./actions.tsx')).Actions);
const ClusterLine = lazy(async () => (await import('./cluster-line.tsx')).ClusterLine);

export interface PlanPanelProps extends ActionsProps {
  /** Paths to choose from. */
  readonly children?: ComponentChildren;
}

/** The plan from top to bottom: whether, how much, what, when, and how to take it along. */
export function PlanPanel({ model, markdown, children }: PlanPanelProps) {
  const { hops, report, warnings, notes, workings } = model;
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
              <HopItem key={hop.number} hop={hop} workings={workings} />
            ))}
          </ol>
          <TimelineFigure model={model} />
          <div class="stack-small">
            <Folded title="Steps with commands" load={workings}>
              {({ steps }) => <Steps steps={steps} />}
            </Folded>
            {notes.length > 0 && (
              <details class="no-print">
                <summary>Good to know ({notes.length})</summary>
                <Texts texts={notes} />
              </details>
            )}
            <Folded title="What the minutes rest on" load={workings}>
              {({ assumptions }) => <Texts texts={assumptions} />}
            </Folded>
          </div>
          {children}
          <Actions model={model} markdown={markdown} />
        </>
      )}
    </aside>
  );
}
