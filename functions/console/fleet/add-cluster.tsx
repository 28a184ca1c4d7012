import { useState } from 'preact/hooks';
import type { ClusterAnswer, PlanAnswer } from '../data/responses.ts';
import type { ApiError } from '../data/api-error.ts';
import { readJson } from '../data/api.ts';
import { announce } from '../ui/announce.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { DocumentPicker, type Chosen } from './document-picker.tsx';
import { clusterIdIn, nameFault, OC_COMMAND, textFault } from './documents.ts';
import { outlookOf } from './assessment.ts';
import { Command, useAction } from './parts.tsx';
import { ReportSummary } from './report-summary.tsx';
import { sendDocuments } from './send-documents.ts';
import { TextField } from '../ui/fields.tsx';

const NOTHING: Chosen = { files: [], pasted: '' };

/** Takes what `oc` prints of a cluster: to look at it once, or to keep it in the fleet. */
export function AddCluster({ onAdded }: { readonly onAdded: () => void }) {
  const [chosen, setChosen] = useState(NOTHING);
  const [typedName, setTypedName] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [plan, setPlan] = useState<PlanAnswer | null>(null);
  const [added, setAdded] = useState('');
  const { error, isBusy, run, forgetError } = useAction();

  const texts = [...chosen.files.map(({ text }) => text), chosen.pasted].filter((text) => text.trim() !== '');
  const name = typedName ?? clusterIdIn(texts) ?? '';
  const refusal = error && nameRefusal(error);
  const isUnready = texts.length === 0 || texts.some(textFault) || isBusy;

  const begin = (): void => {
    setPlan(null);
    setAdded('');
    forgetError();
  };
  const check = async (): Promise<void> => {
    const response = await sendDocuments('POST', '/v1/upgrade-plans', texts);
    const answer = await readJson<PlanAnswer>(response);
    announce(`${outlookOf(answer).verdict}. ${answer.nextStep}`);
    setPlan(answer);
  };
  const add = async (): Promise<void> => {
    const response = await sendDocuments('PUT', `/v1/clusters/${name}`, texts);
    const { id } = await readJson<ClusterAnswer>(response);
    announce(`${id} is in the fleet`);
    setAdded(id);
    setChosen(NOTHING);
    setTypedName(null);
    setAdding(false);
    onAdded();
  };

  return (
    <div class="stack">
      <ol class="stack numbered">
        <li class="stack-small">
          <p>Run this where oc is signed in to the cluster. It changes nothing there.</p>
          <Command text={OC_COMMAND} what="the oc command" />
        </li>
        <li class="stack-small">
          <p>Give the file to this page. Several files are one report.</p>
          <DocumentPicker
            chosen={chosen}
            onChange={(change) => {
              setChosen(change);
              begin();
            }}
          />
        </li>
        <li class="stack-small">
          <p>Look at it once, or keep what it says. The file is never kept.</p>
          <form
            class="row"
            onSubmit={(event) => {
              event.preventDefault();
              begin();
              setAdding(true);
              if (nameFault(name)) document.getElementById('cluster-name')?.focus();
              else void run(add);
            }}
          >
            <TextField
              id="cluster-name"
              label="Name in the fleet"
              placeholder="prod-1"
              value={name}
              fault={refusal ?? (isAdding || name !== '' ? nameFault(name) : null)}
              onInput={(typed) => {
                setTypedName(typed);
                forgetError();
              }}
            />
            <button type="submit" class="button" disabled={isUnready}>
              Add to the fleet
            </button>
            <button
              type="button"
              class="button primary"
              disabled={isUnready}
              onClick={() => {
                begin();
                void run(check);
              }}
            >
              Check it, keep nothing
            </button>
          </form>
        </li>
      </ol>
      {isBusy && <p aria-busy="true">Reading it…</p>}
      {plan && <ReportSummary plan={plan} />}
      {added && <p class="note ok">{added} is in the fleet now.</p>}
      {error && !refusal && <ErrorNote error={error} />}
    </div>
  );
}

/** What the service has against the name, said where it can be mended. */
function nameRefusal({ code, faults }: ApiError): string | null {
  if (code === 'cluster-mismatch') {
    return 'Another cluster has this name. Choose one that is free, or forget the other cluster first.';
  }
  return faults.find(({ parameter }) => parameter === 'id')?.detail ?? null;
}
