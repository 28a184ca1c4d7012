import { acknowledgeCommands } from '@cairn/shared/safety/checks/admin-acks';
import { CopyButton } from '../ui/copy-button.tsx';
import { ExternalLink } from '../ui/external-link.tsx';
import { Arrow } from './arrow.tsx';
import { Command } from '../ui/copy.tsx';
import { lazy } from '../ui/lazy.tsx';
import { HopPills } from './hop-pills.tsx';
import { Folded } from './folded.tsx';
import type { HopModel, PlanModel } from './plan-model.ts';
import { RiskNote } from './risk-note.tsx';
import { shortDigest } from '../ui/words.ts';

/** Only a cluster has any. */
const Findings = lazy(async () => (await import('../ui/findings.tsx')).Findings);

const KINDS: Readonly<Record<HopModel['updateType'], string>> = {
  major: 'major',
  minor: 'minor',
  patch: 'z-stream',
  same: 'same',
  rollback: 'back',
};

export interface HopItemProps extends Pick<PlanModel, 'workings'> {
  readonly hop: HopModel;
}

/** One update of the way: what is known of it, what to do before it, and what it is made of. */
export function HopItem({ hop, workings }: HopItemProps) {
  const { number, from, to, risks, roll, gates, kubeFrom, kubeTo } = hop;
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
        {roll && (
          <div class="note block">
            <strong>Workers must be rolled here.</strong> {roll}.
          </div>
        )}
        {risks.map((risk) => (
          <RiskNote key={risk.name} risk={risk} />
        ))}
        {hop.report && <Findings findings={hop.report.findings} />}
        {gates.length > 0 && (
          <div class="note info">
            <p>
              <strong>Before it, acknowledge</strong>{' '}
              {gates.map(({ key, url }) => (
                <ExternalLink key={key} href={url}>
                  {key}
                </ExternalLink>
              ))}
            </p>
            {acknowledgeCommands(gates).map((command) => (
              <Command key={command} command={command} />
            ))}
          </div>
        )}
        {!hop.report && kubeFrom !== kubeTo && (
          <Folded title="APIs that go away" load={workings}>
            {({ removals }) => <Removals names={removals[number - 1] ?? []} />}
          </Folded>
        )}
        <Payload hop={hop} />
      </div>
    </li>
  );
}

function Removals({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <p class="small">None that are served by default.</p>;
  return (
    <ul class="mono small">
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
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
