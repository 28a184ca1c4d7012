import { useState } from 'preact/hooks';
import { announce } from '../ui/announce.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { changeTarget, type HeldSettings } from './cluster-settings.ts';
import { useAction } from './parts.tsx';
import { TextField } from '../ui/fields.tsx';

interface TargetProps {
  readonly id: string;
  /** The release that it came to when the cluster was last looked at. */
  readonly target: string | null;
  readonly held: HeldSettings;
  /** The settings are others than those that were read. */
  readonly onChange: () => void;
}

/** Where a cluster is going, whose choice that is, and a way to choose otherwise. */
export function ClusterTarget({ id, target, held, onChange }: TargetProps) {
  const [typed, setTyped] = useState('');
  const [saved, setSaved] = useState('');
  const { error, isBusy, run, forgetError } = useAction();
  const chosen = held.settings.target;
  const fault = error?.faults.find(({ pointer }) => pointer === '/target')?.detail;

  const save = (wanted: string | null): Promise<void> =>
    run(async () => {
      setSaved('');
      try {
        await changeTarget(id, held, wanted);
      } finally {
        // Refused or not: what is there now is what the next try is about.
        onChange();
      }
      const words = wanted === null ? `${id} goes where it usually would` : `${id} goes to ${wanted}`;
      announce(words);
      setSaved(`${words} now. The list follows within minutes.`);
      setTyped('');
    });

  return (
    <section class="stack-small">
      <h2>Target</h2>
      <p>
        {chosen === undefined ? (
          <>
            {target === null ? 'Not known yet' : <span class="mono">{target}</span>}, as usual: to the minor
            of its channel, or to the next one.
          </>
        ) : (
          <>
            <span class="mono">{chosen}</span>, chosen for this cluster
            {target !== null && target !== chosen && (
              <>
                . When it was last looked at that was <span class="mono">{target}</span>
              </>
            )}
            .
          </>
        )}
      </p>
      <form
        class="row target-form no-print"
        onSubmit={(event) => {
          event.preventDefault();
          void save(typed);
        }}
      >
        <TextField
          id="cluster-target"
          label="Choose a target"
          placeholder="4.16, 4.16.20 or latest"
          value={typed}
          fault={fault ?? null}
          onInput={(text) => {
            setTyped(text);
            forgetError();
          }}
        />
        <button type="submit" class="button" disabled={isBusy || typed === ''}>
          Set target
        </button>
        {chosen !== undefined && (
          <button type="button" class="button" disabled={isBusy} onClick={() => void save(null)}>
            Back to the usual
          </button>
        )}
      </form>
      {saved && <p class="note ok">{saved}</p>}
      {error && !fault && <ErrorNote error={error} />}
    </section>
  );
}
