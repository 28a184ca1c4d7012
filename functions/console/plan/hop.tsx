import { HOP_VERDICT_WORDS, minutesInWords } from '@cairn/shared/plan/words';
import type { HopVerdict } from '@cairn/shared/safety/verdict';
import { CopyButton, ExternalLink, Pill, type Tone } from '../ui/controls.tsx';
import { lazy } from '../ui/lazy.tsx';
import { shortDigest } from '../ui/text.ts';
import type { HopModel } from './plan-model.ts';

const HopRisks = lazy(async () => (await import('../risks/hop-risks.tsx')).HopRisks);
const RiskNote = lazy(async () => (await import('../risks/hop-risks.tsx')).RiskNote);
const Findings = lazy(async () => (await import('../ui/findings.tsx')).Findings);

const KINDS: Readonly<Record<HopModel['updateType'], string>> = {
  major: 'major',
  minor: 'minor',
  patch: 'z-stream',
  same: 'same',
  rollback: 'back',
};

export function HopItem({ hop }: { readonly hop: HopModel }) {
  const { number, from, to, risks, rollout, findings, removals } = hop;
  return (
    <li class={`hop ${risks.length > 0 ? 'conditional' : ''}`} tabIndex={-1}>
      <span class="hop-number" aria-hidden="true">
        {number}
      </span>
      <div class="hop-body">
        <div class="row spread">
          <h3 class="mono">
            <span class="visually-hidden">Hop {number}: </span>
            {from}
            <Arrow />
            <strong>{to}</strong>
          </h3>
          <span class="small muted">{KINDS[hop.updateType]}</span>
        </div>
        <HopPills hop={hop} />
        {rollout && (
          <div class="note block">
            <strong>Workers must be rolled here.</strong> {rollout}.
          </div>
        )}
        {hop.answers
          ? hop.answers.length > 0 && <HopRisks risks={hop.answers} of={`hop ${number}`} />
          : risks.map((risk) => <RiskNote key={risk.name} risk={risk} />)}
        {findings.length > 0 && <Findings findings={findings} />}
        {removals.length > 0 && (
          <details class="no-print">
            <summary>APIs that go away ({removals.length})</summary>
            <ul class="mono small">
              {removals.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </details>
        )}
        <Payload hop={hop} />
      </div>
    </li>
  );
}

const TONES: Readonly<Record<HopVerdict, Tone>> = {
  allowed: 'ok',
  'allowed-with-warnings': 'cond',
  blocked: 'block',
  'will-block': 'block',
  unknown: 'plain',
};

function HopPills({ hop }: { readonly hop: HopModel }) {
  const { risks, answers, skew, minutes, kubeFrom, kubeTo, verdict } = hop;
  return (
    <p class="pills">
      {verdict && <Pill tone={TONES[verdict]}>{HOP_VERDICT_WORDS[verdict]}</Pill>}
      {(answers ?? risks).length === 0 ? (
        <Pill tone="ok">Recommended</Pill>
      ) : (
        !answers && (
          <Pill tone="cond">
            {risks.length === 1 ? '1 conditional risk' : `${risks.length} conditional risks`}
          </Pill>
        )
      )}
      {skew && (
        <Pill tone={skewTone(skew)}>
          {skew.lag === 0 ? 'kubelets up to date' : `kubelets ${skew.lag} behind, ${skew.limit} allowed`}
        </Pill>
      )}
      {kubeFrom !== kubeTo && (
        <Pill tone="plain">
          Kubernetes {kubeFrom} → {kubeTo}
        </Pill>
      )}
      {minutes && (
        <Pill tone="plain">
          ~{minutesInWords(minutes.expected)}, at most {minutesInWords(minutes.max)}
        </Pill>
      )}
    </p>
  );
}

function skewTone({ lag, limit, isWithinLimit }: NonNullable<HopModel['skew']>): Tone {
  if (!isWithinLimit) return 'block';
  return lag === limit && lag > 0 ? 'info' : 'ok';
}

function Payload({ hop: { to, payload, errata } }: { readonly hop: HopModel }) {
  const digest = payload.slice(payload.indexOf('@') + 1);
  return (
    <p class="row payload">
      <code class="screen-only" title={payload}>
        {shortDigest(digest)}
      </code>
      <code class="print-only">{payload}</code>
      <CopyButton kind="plain" text={() => digest} what={`the digest of ${to}`}>
        Copy<span class="visually-hidden"> the digest of {to}</span>
      </CopyButton>
      {errata && <ExternalLink href={errata}>{errata.split('/').at(-1) || 'Errata'}</ExternalLink>}
    </p>
  );
}

/** Screen readers read it as “to”. */
export function Arrow() {
  return (
    <>
      <span aria-hidden="true"> → </span>
      <span class="visually-hidden"> to </span>
    </>
  );
}

/** Focuses the previous or next hop; without a focused hop, the last or first. */
export function focusHop(by: 1 | -1): void {
  const hops = [...document.querySelectorAll<HTMLElement>('.hop')];
  const at = hops.findIndex((hop) => hop.contains(document.activeElement));
  const next = at === -1 ? (by === 1 ? 0 : hops.length - 1) : at + by;
  hops[next]?.focus();
}
