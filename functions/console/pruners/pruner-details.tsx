import { listInWords } from '@cairn/shared/text/words';
import { useState, useEffect } from 'preact/hooks';
import { getJson, readJson, send } from '../data/api.ts';
import {
  type PrunerAnswer,
  type PrunerRunsAnswer,
  type RunAcceptedAnswer,
  ApiError,
  type PrunerRunAnswer,
} from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { Command, Facts, Section, Skeleton, Table, Unfold, useAction, When } from '../fleet/parts.tsx';
import { announce } from '../ui/announce.ts';
import { Pill, Button } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import {
  progressWords,
  realRunCommand,
  runMark,
  settingText,
  type Mark,
  type ActiveRun,
} from './pruner-words.ts';
import { RunReport } from './run-report.tsx';

export function PrunerDetails({ name, onChange }: { readonly name: string; readonly onChange: () => void }) {
  const path = `/v1/image-pruners/${encodeURIComponent(name)}`;
  const { pruner, runs, following, progress, openRun, setOpenRun, setStarted } = useRuns(path, onChange);
  if (pruner.error && !pruner.value) return <ErrorNote error={pruner.error} onRetry={pruner.reload} />;
  if (!pruner.value) return <Skeleton />;
  const { status, spec } = pruner.value;
  return (
    <div class="stack unfolded">
      <DryRun path={path} isRunning={following !== null} progress={progress} onStart={setStarted} />
      <Runs path={path} runs={runs.value} openRun={openRun} onOpen={setOpenRun} />
      {runs.error && <ErrorNote error={runs.error} onRetry={runs.reload} />}
      <Section title="How it stands">
        <Table
          label="Conditions"
          head={['Condition', 'Status', 'Reason', 'Since', 'Message']}
          rows={status.conditions.map(({ type, status: is, reason, lastTransitionTime, message }) => [
            type,
            is,
            reason,
            <When at={lastTransitionTime} />,
            message,
          ])}
        />
      </Section>
      <div class="fleet-columns">
        <NextRuns at={status.nextRuns} />
        <InUse inUse={status.inUse} />
      </div>
      <Settings spec={spec} />
      <details class="fold">
        <summary>Delete for real</summary>
        <div class="stack-small">
          <p>This page starts dry runs only. Read the last report, then run:</p>
          <Command text={realRunCommand(location.origin + path)} what="the commands" />
          <p>
            Where the report says that a real run would stop, agree to its plan in the last line:{' '}
            <code>{'{"agree": "…"}'}</code>
          </p>
        </div>
      </details>
    </div>
  );
}

/** Reloads when a run ends, and opens the report of a run started here. */
function useRuns(path: string, onChange: () => void) {
  const pruner = useJson<PrunerAnswer>(path);
  const runs = useJson<PrunerRunsAnswer>(`${path}/runs`);
  const [started, setStarted] = useState<string | null>(null);
  const [openRun, setOpenRun] = useState<string | null>(null);
  const following = started ?? pruner.value?.status.activeRun?.id ?? null;
  const progress = useRunProgress(following && `${path}/runs/${following}`, () => {
    if (started) setOpenRun(started);
    setStarted(null);
    pruner.reload();
    runs.reload();
    onChange();
  });
  return { pruner, runs, following, progress, openRun, setOpenRun, setStarted };
}

const FIRST_MS = 1000;
const EVERY_MS = 5000;

type RunProgress = ActiveRun | Extract<PrunerRunAnswer, { state: 'waiting' }>;

/** Polls a run every five seconds until it ends; null polls nothing. Announces only the end. */
function useRunProgress(path: string | null, onEnd: () => void): RunProgress | null {
  const [progress, setProgress] = useState<RunProgress | null>(null);
  useEffect(() => {
    setProgress(null);
    if (path === null) return undefined;
    const abort = new AbortController();
    let timer = 0;
    const poll = async (): Promise<void> => {
      let run: PrunerRunAnswer | null = null;
      try {
        run = await getJson<PrunerRunAnswer>(path, abort.signal);
      } catch (error) {
        if (abort.signal.aborted) return;
        // Retry transient errors; an unknown run has ended.
        if (!(error instanceof ApiError)) throw error;
        if (!error.isPassing) return end('The run cannot be followed any more');
      }
      if (run?.state === 'finished') return end(`The run has ended: ${run.message}`);
      if (run?.state === 'skipped') return end(`The run was skipped: ${run.message}`);
      if (run) setProgress(run);
      timer = window.setTimeout(() => void poll(), EVERY_MS);
    };
    const end = (words: string): void => {
      announce(words);
      setProgress(null);
      onEnd();
    };
    timer = window.setTimeout(() => void poll(), FIRST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [path]);
  return progress;
}

interface DryRunProps {
  readonly path: string;
  readonly isRunning: boolean;
  readonly progress: RunProgress | null;
  readonly onStart: (run: string) => void;
}

function DryRun({ path, isRunning, progress, onStart }: DryRunProps) {
  const { error: refusal, isBusy, run } = useAction();
  const runDry = async (): Promise<void> => {
    const body = JSON.stringify({ dryRun: true });
    const response = await send(`${path}/runs`, { method: 'POST', body, type: 'application/json' });
    onStart((await readJson<RunAcceptedAnswer>(response)).id);
    announce('A dry run was asked for');
  };
  return (
    <div class="stack-small">
      <div class="row">
        <Button kind="primary" disabled={isBusy || isRunning} onClick={() => void run(runDry)}>
          Run dry now
        </Button>
        <span class="muted">It reports what would go and deletes nothing.</span>
      </div>
      {isRunning && (
        <div class="note info" aria-busy="true">
          <p>
            {progress && progress.state !== 'waiting'
              ? progressWords(progress)
              : 'Asked for; it begins within a minute or two'}
          </p>
          {progress && progress.state !== 'waiting' && progress.percent !== null && (
            <progress max={100} value={progress.percent} aria-label="Deleted" />
          )}
        </div>
      )}
      {refusal && <ErrorNote error={refusal} />}
    </div>
  );
}

function NextRuns({ at }: { readonly at: readonly string[] }) {
  return (
    <Section title="Next runs">
      {at.length === 0 ? (
        <p>None: the pruner is suspended.</p>
      ) : (
        <ol>
          {at.map((time) => (
            <li key={time}>
              <When at={time} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

interface RunsProps {
  readonly path: string;
  readonly runs: PrunerRunsAnswer | null;
  readonly openRun: string | null;
  readonly onOpen: (id: string | null) => void;
}

function Runs({ path, runs, openRun, onOpen }: RunsProps) {
  return (
    <Section title="Last runs">
      {runs?.runs.length === 0 && <p>It has not run yet.</p>}
      <ul class="stack-small">
        {runs?.runs.map((run) => (
          <li key={run.id} class="indented stack-small">
            <div class="row">
              <Marks of={[runMark(run)]} />
              <When at={run.id} />
              <span class="muted">{run.trigger === 'manual' ? 'by hand' : 'by schedule'}</span>
              {run.state === 'finished' && (
                <>
                  <span class="muted">took {Math.ceil(run.durationMs / 1000)} s</span>
                  <Unfold
                    what="Report"
                    of={run.id}
                    isOpen={run.id === openRun}
                    onToggle={() => onOpen(run.id === openRun ? null : run.id)}
                  />
                </>
              )}
            </div>
            {'message' in run && <p>{run.message}</p>}
            {run.id === openRun && <RunReport path={`${path}/runs/${run.id}`} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function InUse({ inUse }: { readonly inUse: PrunerAnswer['status']['inUse'] }) {
  return (
    <Section title="Images in use">
      {inUse ? (
        <Facts
          of={[
            ['Images', inUse.images],
            ['Collected', <When at={inUse.collectedAt} />],
            ['Complete', inUse.complete ? 'yes' : `no, missing: ${listInWords(inUse.missing)}`],
          ]}
        />
      ) : (
        <p>Nobody has told what is in use: only tags protect images.</p>
      )}
    </Section>
  );
}

/** Uses the field names of the API, as in users' files. */
function Settings({ spec }: { readonly spec: PrunerAnswer['spec'] }) {
  return (
    <Section title="Settings">
      <Facts isWide of={Object.entries(spec).map(([name, value]) => [name, settingText(value)])} />
    </Section>
  );
}

export function Marks({ of }: { readonly of: readonly Mark[] }) {
  return (
    <span class="pills">
      {of.map(({ tone, sign, words }) => (
        <Pill key={words} tone={tone}>
          {sign && <span aria-hidden="true">{sign} </span>}
          {words}
        </Pill>
      ))}
    </span>
  );
}
