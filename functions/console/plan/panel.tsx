import type { UpgradePath } from '@cairn/shared/path/solver/solve';
import type { PlanDetails } from '@cairn/shared/plan/plan';
import { countInWords } from '@cairn/shared/text/words';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageReleases } from '../data/releases.ts';
import { setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { Button, Command, Pill } from '../ui/controls.tsx';
import { BrokenNote } from '../ui/errors.tsx';
import { lazy } from '../ui/lazy.tsx';
import { localTime } from '../ui/text.ts';
import { HopItem } from './hop.tsx';
import { isBrokenAtTarget, type ShownPlan, type Solved } from './plan-model.ts';
import { PlanSummary, Warnings } from './summary.tsx';
import { TimelineFigure } from './timeline.tsx';

const Actions = lazy(async () => (await import('./actions.tsx')).Actions);
const ClusterLine = lazy(async () => (await import('./no-path.tsx')).ClusterLine);
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
      {solved.kind === 'paths' && <OtherPaths paths={solved.paths} shown={plan.index} />}
    </PlanPanel>
  );
}

function PlanPanel({ plan, children }: { readonly plan: ShownPlan; readonly children?: ComponentChildren }) {
  const { model } = plan;
  const { hops, report, warnings, notes, details, assumptions } = model;
  return (
    <aside class="card stack plan-panel" aria-labelledby="verdict">
      <div class="stack-small">
        {report && <ClusterLine report={report} from={model.from} />}
        <PlanSummary model={model} />
        <Warnings warnings={warnings} />
      </div>
      {isBrokenAtTarget(model) && <Steps load={details} />}
      {hops.length > 0 && (
        <>
          <ol class="hops" aria-label="Hops">
            {hops.map((hop) => (
              <HopItem key={hop.number} hop={hop} />
            ))}
          </ol>
          <TimelineFigure model={model} />
          <div class="stack-small">
            <Steps load={details} />
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

/** Loads the steps when the section opens. */
function Steps({ load }: { readonly load: () => Promise<PlanDetails> }) {
  const [isOpen, setOpen] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const [loaded, setLoaded] = useState<PlanDetails & { readonly from: typeof load }>();
  useEffect(() => {
    if (!isOpen) return;
    setFailed(false);
    load().then(
      ({ steps }) => setLoaded({ from: load, steps }),
      () => setFailed(true),
    );
  }, [isOpen, load]);
  // Hides steps of a former plan.
  const steps = loaded?.from === load ? loaded.steps : null;
  return (
    <details class="no-print" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Steps with commands</summary>
      {steps && (
        <ol class="stack-small steps">
          {steps.map(({ id, text, command, commands = command === undefined ? [] : [command] }) => (
            <li key={id}>
              {text}
              {commands.map((each) => (
                <Command key={each} command={each} />
              ))}
            </li>
          ))}
        </ol>
      )}
      {!steps && !isFailed && <div class="skeleton" aria-busy={isOpen} />}
      {isFailed && <BrokenNote what="This could not be loaded." />}
    </details>
  );
}

function Texts({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul class="plain-list small">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function OtherPaths({ paths, shown }: { readonly paths: readonly UpgradePath[]; readonly shown: number }) {
  if (paths.length < 2) return null;
  return (
    <section class="stack-small no-print" aria-labelledby="ways">
      <h3 id="ways">Other ways</h3>
      <ul>
        {paths.map((path, at) => (
          <li key={at}>
            <Button
              kind="plain way"
              aria-pressed={at === shown}
              onClick={() => setState({ alt: at, sel: '' }, { push: true })}
            >
              <span>{at === 0 ? `Best: ${pathInWords(path, null)}` : pathInWords(path, paths[0]!)}</span>
              {path.stats.riskyHops > 0 && <Pill tone="cond">{path.stats.riskyHops} conditional</Pill>}
              {at === shown && <span class="small muted">shown here</span>}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const MOST_NAMED = 4;

/** `3 hops by 4.14.66, 4.15.64`; of an alternative, only the versions that differ from the best path. */
function pathInWords({ path, stats }: UpgradePath, best: UpgradePath | null): string {
  const known = new Set(best?.path.map(({ version }) => version));
  const between = path
    .slice(1, -1)
    .map(({ version }) => version)
    .filter((version) => !known.has(version));
  const isNamed = between.length > 0 && between.length <= MOST_NAMED;
  return countInWords(stats.hops, 'hop') + (isNamed ? ` by ${between.join(', ')}` : '');
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
