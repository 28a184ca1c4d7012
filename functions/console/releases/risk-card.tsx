import type { Risk } from '@cairn/shared/graph/graph';
import { isAlways } from '@cairn/shared/path/question';
import { counted } from '../lanes/model.ts';
import { restOfMessage, titleOfRisk } from '../risks/exposure.ts';
import type { RiskChoice } from '../state/url-state.ts';
import { CopyButton, ExternalLink, Button, PageLink, Check } from '../ui/controls.tsx';
import { sentence } from '../ui/text.ts';
import type { RiskOverview, RiskRange } from './risk-ranges.ts';

const FIRST_RANGES = 5;

interface RiskCardProps {
  readonly risk: RiskOverview;
  /** Null if risks cannot be accepted one by one. */
  readonly isAccepted: boolean | null;
  readonly onAccept: (accepted: boolean) => void;
}

export function RiskCard({ risk, isAccepted, onAccept }: RiskCardProps) {
  const [variant, ...others] = risk.variants;
  return (
    <li class="card releases-risk">
      <RiskText risk={risk} />
      {isAccepted !== null && (
        <Check checked={isAccepted} aria-label={`I accept ${risk.name}`} onChange={onAccept}>
          I accept
        </Check>
      )}
      <dl class="releases-facts">
        <dt>Applies to</dt>
        <dd>
          <Rules risk={variant!} />
        </dd>
        <dt>Updates to</dt>
        <dd>
          <Ranges ranges={risk.ranges} />
        </dd>
      </dl>
      {others.length > 0 && (
        <details>
          <summary>It is worded differently for other releases</summary>
          <ul class="stack-small">
            {others.map(({ message }) => (
              <li key={message}>{sentence(message.trim())}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function Rules({ risk }: { readonly risk: Risk }) {
  if (isAlways(risk)) return <>Always: every cluster</>;
  const queries = risk.matchingRules.flatMap((rule) => (rule.type === 'PromQL' ? [rule.promql.promql] : []));
  return (
    <>
      Clusters for which a query of their metrics says so
      {queries.map((query) => (
        <details key={query}>
          <summary>The query in PromQL</summary>
          <pre>{query.trim()}</pre>
          <CopyButton kind="plain" text={() => query} what={`the query of ${risk.name}`}>
            Copy query
          </CopyButton>
        </details>
      ))}
    </>
  );
}

function Ranges({ ranges }: { readonly ranges: readonly RiskRange[] }) {
  const [first, others] = [ranges.slice(0, FIRST_RANGES), ranges.slice(FIRST_RANGES)];
  return (
    <>
      <RangeList ranges={first} />
      {others.length > 0 && (
        <details>
          <summary>{others.length} more</summary>
          <RangeList ranges={others} />
        </details>
      )}
    </>
  );
}

function RangeList({ ranges }: { readonly ranges: readonly RiskRange[] }) {
  return (
    <ul>
      {ranges.map(({ first, last, from }) => (
        <li key={`${first} ${last}`}>
          <span class="mono">{first === last ? first : `${first}–${last}`}</span>{' '}
          <span class="muted">from {from.join(' and ')}</span>
        </li>
      ))}
    </ul>
  );
}

export function RiskText({ risk: { name, variants, updates } }: { readonly risk: RiskOverview }) {
  const { message, url } = variants[0]!;
  const rest = restOfMessage({ name, message });
  return (
    <div class="releases-risk-text">
      <h3>{titleOfRisk({ name, message })}</h3>
      <p class="small muted">
        <span>{name}</span>, {counted(updates, 'update')}
      </p>
      <p>
        {rest !== '' && <span>{sentence(rest)} </span>}
        <ExternalLink href={url}>
          Read more<span class="visually-hidden"> on {name}</span>
        </ExternalLink>
      </p>
    </div>
  );
}

interface AcceptedBarProps {
  readonly choice: RiskChoice;
  readonly known: readonly string[];
  readonly channel: string;
  readonly onChoose: (choice: RiskChoice) => void;
}

export function AcceptedBar({ choice, known, channel, onChoose }: AcceptedBarProps) {
  if (choice === 'allow') {
    return (
      <div class="note info row spread">
        <span>Every risk is allowed where needed.</span>
        <Button onClick={() => onChoose('avoid')}>Choose by name instead</Button>
      </div>
    );
  }
  const accepted = choice === 'avoid' ? [] : choice;
  const elsewhere = accepted.filter((name) => !known.includes(name));
  if (accepted.length === 0) return <p class="note">No risk is accepted: a plan avoids them all.</p>;
  return (
    <div class="note info row spread releases-accepted">
      <span>
        <strong>{counted(accepted.length, 'risk')} accepted</strong>
        {elsewhere.length > 0 && `; not in ${channel}: ${elsewhere.join(', ')}`}
      </span>
      <span class="row">
        <Button onClick={() => onChoose('avoid')}>Accept none</Button>
        <PageLink class="button primary" to="plan" patch={{ open: '', find: '', alt: 0 }}>
          Plan with these
        </PageLink>
      </span>
    </div>
  );
}
