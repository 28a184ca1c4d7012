import { HOP_VERDICT_WORDS } from '@cairn/shared/plan/words';
import type { Condition } from '@cairn/shared/safety/condition';
import { countInWords, joinInWords } from '@cairn/shared/text/words';
import type { NotificationsAnswer, PlanAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { Pill, type Tone } from '../ui/controls.tsx';
import { Findings } from '../ui/findings.tsx';
import { lazy } from '../ui/lazy.tsx';
import { When } from './parts.tsx';
import { atTargetInWords, VERDICT_MARKS } from './rows.ts';

const HopRisks = lazy(async () => (await import('../risks/hop-risks.tsx')).HopRisks);

export function ReportSummary({ plan }: { readonly plan: PlanAnswer }) {
  const { current, target, hops, pathExists, conditions = [], input } = plan;
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
      {hops.length === 0 && <Findings findings={findingsOf([pathExists, ...conditions])} />}
      <ol class="stack-small">
        {hops.map(({ index, from, to, verdict: hopVerdict, conditions, risks, duration }) => {
          return (
            <li key={index} class="indented stack-small">
              <div class="row">
                <span class="mono">
                  {index + 1}. {from} → {to}
                </span>
                <Pill tone={HOP_TONES[hopVerdict]}>{HOP_VERDICT_WORDS[hopVerdict]}</Pill>
                {duration && (
                  <span class="small muted">
                    {duration.min}–{duration.max} min
                  </span>
                )}
              </div>
              <Findings findings={findingsOf(conditions)} />
              {risks.length > 0 && <HopRisks risks={risks} of={`hop ${index + 1}`} />}
            </li>
          );
        })}
      </ol>
      {input.missing.length > 0 && (
        <details class="small">
          <summary>Missing documents ({input.missing.length})</summary>
          <ul>
            {input.missing.map(({ command, decides }) => (
              <li key={command}>
                <code>{command}</code> decides {joinInWords(decides)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {input.documents !== undefined && (
        <p class="small muted">
          Read {countInWords(input.objects ?? 0, 'object')} in {countInWords(input.documents, 'document')}.
          Nothing of it was kept.
        </p>
      )}
    </section>
  );
}

/** Renders nothing if all messages were delivered, or if the user cannot read that. */
export function UndeliveredNote() {
  const { value } = useJson<NotificationsAnswer>('/v1/notifications');
  const [oldest] = value?.undelivered.map(({ at }) => at).toSorted() ?? [];
  if (!value || oldest === undefined) return null;
  return (
    <p class="note cond">
      Undelivered: {countInWords(value.undelivered.length, 'message')}, the oldest of <When at={oldest} />.
      Not taken yet by {missingTakers(value)}; tried again for a day.
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

export type PlannedHop = PlanAnswer['hops'][number];

export const HOP_TONES: Readonly<Record<PlannedHop['verdict'], Tone>> = {
  blocked: 'block',
  'will-block': 'cond',
  unknown: 'cond',
  'allowed-with-warnings': 'cond',
  allowed: 'ok',
};

const EFFECTS: readonly Condition['effect'][] = ['block', 'inform', 'warn'];

/** Most severe first. */
export function findingsOf(conditions: readonly Condition[]): Condition[] {
  return EFFECTS.flatMap((effect) =>
    conditions.filter((condition) => condition.effect === effect && condition.accepted !== true),
  );
}

export function assessedUpgradeOf(plan: PlanAnswer) {
  const { verdict, pathExists, hops, conditions = [] } = plan;
  const [tone, words] = VERDICT_MARKS[verdict];
  const hasNoPath = pathExists.effect === 'block';
  const isThere = hops.length === 0 && !hasNoPath;
  // Shows equal findings of several hops once, at the first hop.
  const findings = new Map<string, Condition>();
  for (const finding of findingsOf([pathExists, ...conditions, ...hops.flatMap((hop) => hop.conditions)])) {
    const key = `${finding.type} ${finding.reason}`;
    if (!findings.has(key)) findings.set(key, finding);
  }
  return {
    tone,
    verdict: hasNoPath ? 'No path' : isThere ? atTargetInWords(verdict) : words,
    skew: skewOf(hops),
    findings: [...findings.values()],
    nextStep: plan.nextStep,
  };
}

/** Kubelet skew on the path and its limit: `1 of 2`. */
function skewOf(hops: readonly PlannedHop[]): { readonly tone: Tone; readonly words: string } | null {
  let worst: { readonly lag: number; readonly limit: number } | null = null;
  for (const { lag, limit } of hops.flatMap((hop) => hop.pools)) {
    if (lag === null || limit === null) continue;
    const nearer = worst === null ? 1 : lag - limit - (worst.lag - worst.limit) || lag - worst.lag;
    if (nearer > 0) worst = { lag, limit };
  }
  return (
    worst && {
      tone: worst.lag > worst.limit ? 'block' : 'ok',
      words: `${Math.max(worst.lag, 0)} of ${worst.limit}`,
    }
  );
}
