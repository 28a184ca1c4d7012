import { useId, useState } from 'preact/hooks';
import { send, withQuery } from '../data/api.ts';
import type { RiskAcceptance, RiskAcceptancesAnswer, RiskCluster } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { Skeleton, useAction } from '../fleet/parts.tsx';
import { announce } from '../ui/announce.ts';
import { Button } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { AcceptanceForm } from './acceptance-form.tsx';
import { ACCEPTANCES, acceptancePath, type HeldAcceptance, readAsShown } from './acceptance.ts';
import { dayInWords } from './words.ts';

interface AcceptancesProps {
  readonly risk: string;
  /** Clusters that the page has loaded. */
  readonly exposed: readonly RiskCluster[];
  readonly onChange: () => void;
}

/** Acceptances of the risk, and a form for one more. */
export function Acceptances({ risk, exposed, onChange }: AcceptancesProps) {
  const id = useId();
  const { value, error, reload } = useJson<RiskAcceptancesAnswer>(
    withQuery(ACCEPTANCES, { risk, limit: '1000' }),
  );
  const [held, setHeld] = useState<HeldAcceptance | null>(null);
  const changing = useAction();
  const changed = (words: string): void => {
    announce(words);
    setHeld(null);
    reload();
    onChange();
  };
  const remove = async (shown: RiskAcceptance): Promise<void> => {
    const { tag } = await readAsShown(shown);
    await send(acceptancePath(shown.id), { method: 'DELETE', headers: { 'if-match': tag } });
    changed('The acceptance is deleted');
  };
  const run = (work: () => Promise<void>): void => void changing.run(work).then(reload);
  return (
    <section class="risk-padded risk-acceptances no-print" aria-labelledby={id}>
      <h3 id={id}>Acceptance</h3>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {value === null && !error && <Skeleton />}
      {value && value.acceptances.length > 0 && (
        <ul class="risk-lines">
          {value.acceptances.map((shown) => (
            <Line
              key={shown.id}
              acceptance={shown}
              isBusy={changing.isBusy}
              onChange={() => run(async () => setHeld(await readAsShown(shown)))}
              onDelete={() => run(() => remove(shown))}
            />
          ))}
        </ul>
      )}
      {changing.error && <ErrorNote error={changing.error} />}
      <AcceptanceForm
        key={held?.acceptance.id ?? ''}
        risk={risk}
        exposed={exposed}
        held={held}
        onSaved={changed}
        onCancel={() => setHeld(null)}
      />
    </section>
  );
}

interface LineProps {
  readonly acceptance: RiskAcceptance;
  readonly isBusy: boolean;
  readonly onChange: () => void;
  readonly onDelete: () => void;
}

function Line({ acceptance, isBusy, onChange, onDelete }: LineProps) {
  const { owner, until, reason, clusters, state } = acceptance;
  const isExpired = state === 'expired';
  const where = clusters === 'all' ? 'all clusters' : clusters.join(', ');
  const what = `the acceptance by ${owner} for ${where}`;
  return (
    <li class={isExpired ? 'risk-acceptance muted' : 'risk-acceptance'}>
      <div>
        <p>
          <strong>{owner}</strong>, {isExpired ? 'expired on' : 'until'} {dayInWords(until)}, for {where}
        </p>
        <p>{reason}</p>
      </div>
      <div class="row">
        <Button kind="plain" disabled={isBusy} onClick={onChange}>
          Change<span class="visually-hidden"> {what}</span>
        </Button>
        <Button kind="plain" disabled={isBusy} onClick={onDelete}>
          Delete<span class="visually-hidden"> {what}</span>
        </Button>
      </div>
    </li>
  );
}
