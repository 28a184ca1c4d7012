import { followInPage, linkTo } from '../state/navigation.ts';
import type { RiskChoice } from '../state/url-state.ts';
import { askFor } from './ask.ts';

/** Which conditional updates may be taken. Risks are accepted by name in their own view. */
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
          <label key={choice} class="check">
            <input
              type="radio"
              name="risks"
              checked={risks === choice}
              onChange={() => askFor({ risks: choice })}
            />
            {label}
          </label>
        ))}
        {typeof risks !== 'string' && (
          <span class="row">
            <label class="check">
              <input type="radio" name="risks" checked readOnly />
              Accept listed ({risks.length})
            </label>
            <a href={linkTo('risks', {})} onClick={followInPage}>
              Change
            </a>
          </span>
        )}
      </div>
    </fieldset>
  );
}
