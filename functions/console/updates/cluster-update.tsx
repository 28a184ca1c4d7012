import { useEffect } from 'preact/hooks';
import type { ClusterUpdatesAnswer, UpdateStatusView } from '../data/responses.ts';
import { useLive, useNow } from '../data/use-live.ts';
import { useJson } from '../data/use-query.ts';
import { Skeleton } from '../fleet/parts.tsx';
import { WHOLE_LIST } from '../state/url-state.ts';
import { announce } from '../ui/announce.ts';
import { Command, PageLink } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { ageInWords, localTime } from '../ui/text.ts';
import { HistoryTimeline } from './history-timeline.tsx';
import { InsightsPanel, OperatorsPanel } from './insights.tsx';
import { Glyph, Marked } from './marks.tsx';
import { PastUpdatesPanel } from './past-updates.tsx';
import { PoolsPanel, type PastUpdate } from './pools.tsx';
import { RunTimeline } from './run-chart.tsx';
import { factsOf, forecastInWords, reasonOf, verdictOf } from './status-words.ts';

const isMoving = ({ state }: UpdateStatusView): boolean => state !== 'none' && state !== 'completed';

/** The update of a stored cluster, read again while it runs. */
export function ClusterUpdate({ id }: { readonly id: string }) {
  const path = `/v1/clusters/${encodeURIComponent(id)}`;
  const { value: status, error, reload } = useLive<UpdateStatusView>(`${path}/update-status`, isMoving);
  const past = useJson<ClusterUpdatesAnswer>(status && `${path}/updates`, status?.collectedAt);
  const now = useNow();
  useEffect(() => {
    document.title = `${id} – Updates – Cairn`;
  }, [id]);
  const updates = past.value?.updates ?? [];
  return (
    <>
      <div class="upd-context">
        <nav aria-label="Breadcrumb">
          <PageLink class="upd-back" to="updates" patch={{ cluster: '' }}>
            Updates
          </PageLink>{' '}
          <span aria-hidden="true">/</span> <strong>{id}</strong>
        </nav>
        {status && <span class="muted push">Report {ageInWords(status.collectedAt, now)}</span>}
        <PageLink class="button no-print" to="plan" patch={{ ...WHOLE_LIST, cluster: id }}>
          Open plan
        </PageLink>
      </div>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {status === null && !error && <Skeleton />}
      {status && <UpdateDetails status={status} updates={updates} />}
      {past.error && <ErrorNote error={past.error} onRetry={past.reload} />}
      <PastUpdatesPanel updates={updates} />
      {status && <HistoryTimeline id={id} revision={status.collectedAt} />}
    </>
  );
}

interface DetailsProps {
  readonly status: UpdateStatusView;
  /** Null for documents, which are checked below the headline of the fleet. */
  readonly updates: readonly PastUpdate[] | null;
}

/** Panels of an update, of a cluster or of documents. */
export function UpdateDetails({ status, updates }: DetailsProps) {
  const [newest] = updates ?? [];
  const record = newest?.state === 'in-progress' ? newest : null;
  return (
    <>
      <VerdictPanel status={status} newest={newest ?? null} isPage={updates !== null} />
      {status.updating && (
        <>
          <RunTimeline status={status} />
          <div class="upd-columns">
            <PoolsPanel status={status} record={record} />
            <div class="upd-side">
              <InsightsPanel status={status} />
              <OperatorsPanel status={status} />
            </div>
          </div>
          <Regressed status={status} />
        </>
      )}
    </>
  );
}

interface VerdictProps {
  readonly status: UpdateStatusView;
  readonly newest: PastUpdate | null;
  readonly isPage: boolean;
}

function VerdictPanel({ status, newest, isPage }: VerdictProps) {
  const { glyph, title } = verdictOf(status, newest);
  const reason = reasonOf(status);
  const forecast = forecastInWords(status);
  useEffect(() => announce(title), [title]);
  return (
    <section class={`upd-panel upd-verdict ${glyph}`}>
      <Glyph name={glyph} size={36} />
      <div class="upd-verdict-text">
        {isPage ? <h1 data-verdict>{title}</h1> : <h2>{title}</h2>}
        <p>
          {reason !== null ? (
            <>
              <Marked text={reason.what} name={reason.subject} />. {reason.facts}
            </>
          ) : newest?.state === 'completed' && newest.completedAt !== null && !status.updating ? (
            `It ended ${localTime(newest.completedAt)}.`
          ) : (
            status.summary
          )}
        </p>
        {reason?.command && (
          <div class="upd-next">
            <strong>Next</strong>
            <div>
              {reason.lead}
              <Command command={reason.command} />
            </div>
          </div>
        )}
        {forecast !== '' && <p class="small muted">{forecast}</p>}
      </div>
      <dl class="upd-facts">
        {factsOf(status).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Regressed({ status: { run } }: { readonly status: UpdateStatusView }) {
  if (!run || run.regressed.length === 0) return null;
  const names = run.regressed.slice(0, 10).map(({ name }) => name);
  const more = run.regressed.length - names.length;
  return (
    <p class="note cond">
      Back in an earlier state: {names.join(', ')}
      {more > 0 && ` and ${more} more`}.
    </p>
  );
}
