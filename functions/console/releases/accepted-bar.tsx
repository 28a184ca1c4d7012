import { counted } from '../lanes/words.ts';
import { followInPage, linkTo } from '../state/navigation.ts';
import type { RiskChoice } from '../state/url-state.ts';

interface AcceptedBarProps {
  readonly choice: RiskChoice;
  /** Names of the risks of the channel. */
  readonly known: readonly string[];
  readonly channel: string;
  readonly onChoose: (choice: RiskChoice) => void;
}

/** What is accepted so far, and the way to a plan with it. */
export function AcceptedBar({ choice, known, channel, onChoose }: AcceptedBarProps) {
  if (choice === 'allow') {
    return (
      <div class="note info row spread">
        <span>Every risk is allowed where needed.</span>
        <button type="button" class="button" onClick={() => onChoose('avoid')}>
          Choose by name instead
        </button>
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
        <button type="button" class="button" onClick={() => onChoose('avoid')}>
          Accept none
        </button>
        <a
          class="button primary"
          href={linkTo('plan', { open: '', find: '', alt: 0 })}
          onClick={followInPage}
        >
          Plan with these
        </a>
      </span>
    </div>
  );
}
