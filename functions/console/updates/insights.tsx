import type { UpdateStatusView } from '../data/responses.ts';
import { Command, ExternalLink } from '../ui/controls.tsx';
import { sentence } from '../ui/text.ts';
import { Glyph } from './marks.tsx';
import { adviceIn, clock, spanInWords } from './words.ts';

export type Insight = UpdateStatusView['insights'][number];

/** `ProceedingWell` says nothing once there is another insight, and is not known of a silent cluster. */
export function shownInsights({ insights, state }: Pick<UpdateStatusView, 'insights' | 'state'>): Insight[] {
  const others = insights.filter(({ type }) => type !== 'ProceedingWell');
  return others.length > 0 || state === 'silent' ? others : [...insights];
}

const AT_FIRST = 20;

export function InsightsPanel({ status }: { readonly status: UpdateStatusView }) {
  const insights = shownInsights(status);
  const at = Date.parse(status.at);
  const rest = insights.slice(AT_FIRST);
  return (
    <section class="upd-panel" aria-labelledby="upd-insights">
      <div class="upd-panel-head">
        <h2 id="upd-insights">Insights</h2>
        <span class="muted">{insights.length}</span>
      </div>
      <InsightList insights={insights.slice(0, AT_FIRST)} at={at} />
      {insights.length === 0 && (
        <p class="upd-row muted">{status.state === 'silent' ? 'None at the last report.' : 'None.'}</p>
      )}
      {rest.length > 0 && (
        <details class="upd-more">
          <summary>{rest.length} more</summary>
          <InsightList insights={rest} at={at} />
        </details>
      )}
    </section>
  );
}

function InsightList({ insights, at }: { readonly insights: readonly Insight[]; readonly at: number }) {
  return (
    <ul>
      {insights.map((insight, index) => (
        <li key={`${index} ${insight.type}`} class="upd-row upd-insight">
          <InsightItem insight={insight} at={at} />
        </li>
      ))}
    </ul>
  );
}

function InsightItem({ insight, at }: { readonly insight: Insight; readonly at: number }) {
  const { level, message, impact, since, reference, description, type } = insight;
  const advice = adviceIn(description).filter(({ text }) => text !== message);
  const age = since === null ? null : Math.max(0, at - Date.parse(since));
  return (
    <>
      <Glyph name={level} />
      <div class="stack-small">
        <p title={type}>
          <span class="visually-hidden">{level}: </span>
          <strong>{sentence(message)}</strong>
        </p>
        {advice.map(({ text, command }) => (
          <div key={text}>
            <p class="upd-lines">{text}</p>
            {command !== null && <Command command={command} />}
          </div>
        ))}
        <p class="small muted">
          {level}
          {impact !== 'None' && impact !== 'Unknown' && `, impact: ${impact}`}
          {age !== null && since !== null && `, since ${clock(since, at)} (${spanInWords(age)})`}
          {/* A page of the repository has no address here. */}
          {reference?.startsWith('https://') && (
            <>
              {', '}
              <ExternalLink href={reference}>documentation</ExternalLink>
            </>
          )}
        </p>
      </div>
    </>
  );
}

export function OperatorsPanel({ status }: { readonly status: UpdateStatusView }) {
  const { controlPlane } = status;
  if (controlPlane === null) return null;
  const { completion, updatingOperators, waitingOperators, degradedOperators, unavailableOperators } =
    controlPlane;
  const { updated, total, updating, waiting } = completion;
  const at = Date.parse(status.at);
  const named: readonly (readonly [string, readonly string[]])[] = [
    ['Unavailable', unavailableOperators],
    ['Degraded', degradedOperators],
    ['Waiting', waitingOperators],
  ];
  return (
    <section class="upd-panel" aria-labelledby="upd-operators">
      <div class="upd-panel-head">
        <h2 id="upd-operators">Operators</h2>
        <span class="muted">
          {updated} of {total} updated, {updating} updating, {waiting} waiting
        </span>
      </div>
      {updatingOperators.map(({ name, since, message, reason }) => (
        <div key={name} class="upd-row upd-insight">
          <Glyph name="on-track" />
          <p>
            <strong>{name}</strong>
            {since !== null && (
              <span class="muted">
                {' '}
                since {clock(since, at)} ({spanInWords(at - Date.parse(since))})
              </span>
            )}
            {(message !== '' || reason !== null) && <span class="upd-lines">{message || reason}</span>}
          </p>
        </div>
      ))}
      {named
        .filter(([, names]) => names.length > 0)
        .map(([word, names]) => (
          <p key={word} class="upd-row upd-names">
            <span class="muted">{word}</span> {names.join(', ')}
          </p>
        ))}
      {updated === total && <p class="upd-row muted">All operators are updated.</p>}
    </section>
  );
}
