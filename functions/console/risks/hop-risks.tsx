import type { Risk } from '@cairn/shared/graph/graph';
import { isAlways } from '@cairn/shared/path/question';
import type { PlannedRisk } from '../data/responses.ts';
import { ExternalLink } from '../ui/controls.tsx';
import { sentence } from '../ui/text.ts';
import { EXPOSURES, exposureOf, restOfMessage, titleOfRisk } from './exposure.ts';
import { ExposureMark } from './marks.tsx';
import { answerInWords, basisInWords, hopInWords, reasonInWords } from './words.ts';

interface HopRisksProps {
  readonly risks: readonly PlannedRisk[];
  /** Subject for screen readers: `hop 1`. */
  readonly of: string;
}

/** Risks of a hop of a cluster: those that count, the others unfold. */
export function HopRisks({ risks, of }: HopRisksProps) {
  const ordered = risks.toSorted(
    (a, b) => EXPOSURES.indexOf(exposureOf(a)) - EXPOSURES.indexOf(exposureOf(b)),
  );
  const counting = ordered.filter(({ applies }) => applies !== 'no');
  const others = ordered.slice(counting.length);
  return (
    <section class="risk-hop stack-small" aria-label={`Known risks of ${of}`}>
      <p>
        <strong>{hopInWords(risks)}</strong>
      </p>
      {counting.length > 0 && <RiskLines risks={counting} />}
      {others.length > 0 && (
        <details class="no-print">
          <summary>
            {others.length} {others.length === 1 ? 'does' : 'do'} not apply
          </summary>
          <RiskLines risks={others} />
        </details>
      )}
    </section>
  );
}

function RiskLines({ risks }: Pick<HopRisksProps, 'risks'>) {
  return (
    <ul class="risk-lines">
      {risks.map((risk) => (
        <li key={risk.name}>
          <ExposureMark exposure={exposureOf(risk)} />
          <RiskLine risk={risk} />
        </li>
      ))}
    </ul>
  );
}

function RiskLine({ risk }: { readonly risk: PlannedRisk }) {
  const { name, url } = risk;
  const rest = restOfMessage(risk);
  const why = exposureOf(risk) === 'accepted' ? reasonInWords(risk) : '';
  const basis = basisInWords(risk);
  return (
    <div>
      <p class="risk-title">{titleOfRisk(risk)}</p>
      <p>{sentence(answerInWords(risk))}</p>
      {why !== '' && <p class="muted">{sentence(why)}</p>}
      {basis !== '' && <p class="small muted">{basis}</p>}
      {rest !== '' && (
        <details>
          <summary>Message</summary>
          <p class="risk-message">{rest}</p>
        </details>
      )}
      <p class="small muted">
        {name}{' '}
        <ExternalLink href={url}>
          Read more<span class="visually-hidden"> on {name}</span>
        </ExternalLink>
      </p>
    </div>
  );
}

/** For a plan without a cluster, where no answer is known. */
export function RiskNote({ risk }: { readonly risk: Risk }) {
  const { name, message, url } = risk;
  return (
    <div class="note cond risk">
      <p>
        <strong>{name}</strong> <span>{message}</span> <ExternalLink href={url}>{linkText(url)}</ExternalLink>
      </p>
      {isAlways(risk) ? (
        <p class="small">Applies to every cluster.</p>
      ) : (
        <details class="small">
          <summary>When it applies</summary>
          <p>Where this query gives 1 in the cluster’s monitoring:</p>
          {risk.matchingRules.map((rule) =>
            rule.type === 'PromQL' ? <pre key={rule.promql.promql}>{rule.promql.promql.trim()}</pre> : null,
          )}
        </details>
      )}
    </div>
  );
}

/** Last segment of the URL, such as an issue: shorter than the URL, clearer than “more”. */
function linkText(url: string): string {
  const end = url.split('/').findLast((part) => part !== '') ?? '';
  return end.length > 0 && end.length <= 40 ? end : 'Read more';
}
