import { countInWords, joinInWords } from '@cairn/shared/text/words';
import { getJson } from '../data/api.ts';
import type { NotificationsAnswer, PlanAnswer } from '../data/responses.ts';
import { useQuery } from '../data/use-query.ts';
import { Findings } from '../ui/findings.tsx';
import { Pill } from '../ui/pill.tsx';
import { findingsOf, HOP_VERDICTS, assessedUpgradeOf } from './assessment.ts';
import { When } from './parts.tsx';

export function ReportSummary({ plan }: { readonly plan: PlanAnswer }) {
  const { current, target, hops, pathExists, input } = plan;
  const { tone, verdict, nextStep } = assessedUpgradeOf(plan);
  return (
    <section class="stack-small" aria-label="What the check says">
      <div class="row">
        <Pill tone={tone}>{verdict}</Pill>
        <strong class="mono">
          {current ?? '?'}
          {target !== null && target !== current && ` → ${target}`}
        </strong>
        {plan.cluster.channel && <span class="muted">in {plan.cluster.channel}</span>}
      </div>
      <p>{nextStep}</p>
      {hops.length === 0 && <Findings findings={findingsOf([pathExists])} />}
      <ol class="stack-small">
        {hops.map(({ index, from, to, verdict: hopVerdict, conditions, duration }) => {
          const [hopTone, words] = HOP_VERDICTS[hopVerdict];
          return (
            <li key={index} class="indented stack-small">
              <div class="row">
                <span class="mono">
                  {index + 1}. {from} → {to}
                </span>
                <Pill tone={hopTone}>{words}</Pill>
                {duration && (
                  <span class="small muted">
                    {duration.min}–{duration.max} min
                  </span>
                )}
              </div>
              <Findings findings={findingsOf(conditions)} />
            </li>
          );
        })}
      </ol>
      {input && (
        <p class="small muted">
          Read {countInWords(input.objects, 'object')} in {countInWords(input.documents, 'document')}. Nothing
          of it was kept.
        </p>
      )}
    </section>
  );
}

/** Renders nothing if all messages were delivered, or if the user cannot read that. */
export function UndeliveredNote() {
  const news = useQuery('news', (signal) => getJson<NotificationsAnswer>('/v1/notifications', signal)).value;
  const [oldest] = news?.undelivered.map(({ at }) => at).toSorted() ?? [];
  if (!news || oldest === undefined) return null;
  return (
    <p class="note cond">
      Undelivered: {countInWords(news.undelivered.length, 'message')}, the oldest of <When at={oldest} />. Not
      taken yet by {missingTakers(news)}; tried again for a day.
    </p>
  );
}

/** Pending destinations: `the webhook at hooks.example.com and the event bus`. */
export function missingTakers({
  webhook,
  undelivered,
}: Pick<NotificationsAnswer, 'webhook' | 'undelivered'>): string {
  const left = new Set(undelivered.flatMap((message) => message.left));
  return joinInWords([
    ...(left.has('webhook') ? [webhook ? `the webhook at ${webhook.host}` : 'the webhook'] : []),
    ...(left.has('events') ? ['the event bus'] : []),
  ]);
}
