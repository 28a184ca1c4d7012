import type { Risk } from '@cairn/shared/graph/graph';
import { isAlways } from '@cairn/shared/path/question';
import type { RiskChoice } from '../state/url-state.ts';
import { ExternalLink, PageLink, Check } from '../ui/controls.tsx';
import { askFor } from './question.ts';

/** Another view accepts risks by name. */
export function RiskChoices({ risks }: { readonly risks: RiskChoice }) {
  const choices = [
    ['avoid', 'Avoid'],
    ['allow', 'Allow if needed'],
  ] as const;
  return (
    <fieldset class="field risk-choices">
      <legend class="legend">Conditional updates</legend>
      <div class="row">
        {choices.map(([choice, label]) => (
          <Check
            key={choice}
            type="radio"
            name="risks"
            checked={risks === choice}
            onChange={() => askFor({ risks: choice })}
          >
            {label}
          </Check>
        ))}
        {typeof risks !== 'string' && (
          <span class="row">
            <Check type="radio" name="risks" checked readOnly>
              Accept listed ({risks.length})
            </Check>
            <PageLink to="risks" patch={{}}>
              Change
            </PageLink>
          </span>
        )}
      </div>
    </fieldset>
  );
}

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
