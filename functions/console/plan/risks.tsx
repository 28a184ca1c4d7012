import type { RiskChoice } from '../state/url-state.ts';
import { PageLink, Check } from '../ui/controls.tsx';
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
