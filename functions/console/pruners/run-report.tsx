import { bytesText, countInWords, listInWords } from '@cairn/shared/text/words';
import type { PrunerRunAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { Skeleton, Table } from '../fleet/parts.tsx';
import { CopyButton } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { breakerAdvice, kindTotals, reasonWords, type FinishedRun } from './pruner-words.ts';

const EXAMPLES = 20;

/** Loaded when opened. */
export function RunReport({ path }: { readonly path: string }) {
  const { value, error, reload } = useJson<PrunerRunAnswer>(`${path}?examples=${EXAMPLES}`);
  if (error) return <ErrorNote error={error} onRetry={reload} />;
  if (!value) return <Skeleton />;
  return value.state === 'finished' ? <Report run={value} /> : null;
}

function Report({ run }: { readonly run: FinishedRun }) {
  const { plan, cluster } = run;
  return (
    <div class="stack-small">
      {plan ? <Plan plan={plan} isDry={run.dryRun} /> : !cluster && <p>There is no plan.</p>}
      {cluster && (
        <div>
          <CopyButton text={() => cluster.commands.map(commandText).join('\n')} what="the commands">
            Copy the commands
          </CopyButton>
        </div>
      )}
    </div>
  );
}

const commandText = ({ command, about }: { readonly command: string; readonly about: string }): string =>
  `# ${about}\n${command}\n`;

type ReportedPlan = NonNullable<FinishedRun['plan']>;

function Plan({ plan, isDry }: { readonly plan: ReportedPlan; readonly isDry: boolean }) {
  const { breaker, planHash, frozenTotal, reasons, blobs } = plan;
  return (
    <>
      {breaker && <Breaker breaker={breaker} isDry={isDry} />}
      <p>
        Plan <code>{planHash}</code>: of {countInWords(blobs.all.count, 'blob')} ({bytesText(blobs.all.bytes)}
        ), {blobs.condemned.count} ({bytesText(blobs.condemned.bytes)}) would go, now or later.
      </p>
      {frozenTotal > 0 && (
        <p>
          Nothing is touched in {frozenTotal === 1 ? '1 repository' : `${frozenTotal} repositories`} with a
          manifest that cannot be read: {listInWords(plan.frozen.map(({ repository }) => repository))}.
        </p>
      )}
      <Table
        label="What stays and what goes"
        head={['Kind', 'Stay', 'Go later', isDry || breaker ? 'Would go now' : 'Went', 'Free']}
        rows={kindTotals(plan.totals).map(({ kind, stays, later, now, bytes }) => [
          kind,
          stays,
          later,
          now,
          bytesText(bytes),
        ])}
      />
      <ul>
        {reasons.map(({ kind, reason, count, bytes }) => (
          <li key={`${kind} ${reason}`}>
            {countInWords(count, kind)} ({bytesText(bytes)}): {reasonWords(reason)}
          </li>
        ))}
      </ul>
      <Examples plan={plan} />
    </>
  );
}

interface BreakerProps {
  readonly breaker: NonNullable<ReportedPlan['breaker']>;
  readonly isDry: boolean;
}

function Breaker({ breaker, isDry }: BreakerProps) {
  const advice = breakerAdvice(breaker.reason);
  return (
    <div class="note cond">
      <p>
        <strong>
          {isDry ? 'A real run would stop and delete nothing' : 'The run stopped and deleted nothing'}
        </strong>
      </p>
      <p>{breaker.message}.</p>
      {advice && <p>{advice}</p>}
    </div>
  );
}

function Examples({ plan: { examples, examplesTotal } }: { readonly plan: ReportedPlan }) {
  const shown = examples.slice(0, EXAMPLES);
  if (shown.length === 0) return null;
  return (
    <details class="fold">
      <summary>
        {examplesTotal > shown.length ? `The first ${shown.length} of ${examplesTotal}` : 'All'} that go
      </summary>
      <ul class="stack-small key-list">
        {shown.map(({ kind, key, bytes, reason, goes }) => (
          <li key={key}>
            <code>{key}</code>
            <span class="small muted">
              {' '}
              {kind}, {bytesText(bytes)}, {goes ? 'now' : 'later'}: {reasonWords(reason)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
