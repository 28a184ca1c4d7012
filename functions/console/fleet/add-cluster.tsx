import { useState } from 'preact/hooks';
import type { ClusterAnswer, PlanAnswer } from '../data/responses.ts';
import { ApiError, readJson, send } from '../data/api.ts';
import { announce } from '../ui/announce.ts';
import { ErrorNote } from '../ui/errors.tsx';
import { DocumentPicker, type Chosen } from './document-picker.tsx';
import { outlookOf } from './assessment.ts';
import { Command, useAction } from './parts.tsx';
import { ReportSummary } from './report-summary.tsx';
import { TextField } from '../ui/fields.tsx';
import { bytesText } from '@cairn/shared/text/words';

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

/** What to run where `oc` is signed in to the cluster: all that the checks look at, and what tells which operators to mirror. */
export const OC_COMMAND = [
  'oc get clusterversion,nodes,clusteroperators,machineconfigpools -o json > cluster.json',
  'oc get csv,subscriptions.operators.coreos.com -A -o json >> cluster.json',
  'oc get apirequestcounts -o json >> cluster.json',
  'oc get cm admin-gates -n openshift-config-managed -o json >> cluster.json',
  'oc get cm admin-acks -n openshift-config -o json >> cluster.json',
].join('\n');

/** As the service takes names of clusters; dots alone would lead elsewhere in an address. */
const CLUSTER_NAME = /^(?!\.{1,2}$)[\w.-]{1,100}$/;
const CLUSTER_ID = /"clusterID"\s*:\s*"([\w-]{1,100})"/;

/**
 * Why a text cannot be what `oc get … -o json` prints, by its ends only; null when it may be. Everything else is for the
 * service to say, which knows the place of each fault.
 */
export function textFault(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return 'There is nothing in it.';
  if (/^(---|apiVersion:|kind:|items:)/.test(trimmed)) return 'This is YAML. Ask oc for “-o json”.';
  if (!/^[[{]/.test(trimmed)) return `This is not JSON. It begins with “${trimmed.slice(0, 20)}”.`;
  return /[\]}]$/.test(trimmed) ? null : 'The end is missing. Copy all that oc prints.';
}

/** The first `clusterID` in documents, to propose a name by; null when none is found. Nothing else may rest on it. */
export function clusterIdIn(texts: readonly string[]): string | null {
  for (const text of texts) {
    const id = CLUSTER_ID.exec(text)?.[1];
    if (id !== undefined) return id;
  }
  return null;
}

export function nameFault(name: string): string | null {
  if (name === '') return 'Give it a name, such as prod-1.';
  return CLUSTER_NAME.test(name)
    ? null
    : 'Up to 100 letters, digits, dots, underscores and hyphens are accepted.';
}

/** Smaller ones are sent sooner than they are compressed. */
const COMPRESSED_FROM = 1024 * 1024;
/** What a request may hold, as sent. */
const MOST_BYTES = 4 * 1024 * 1024;
/** What the service takes inflated; a browser should not hold more either. */
export const MOST_FILE_BYTES = 64 * 1024 * 1024;

/** Sends documents in a row, as `oc` printed them. */
export async function sendDocuments(
  method: 'POST' | 'PUT',
  path: string,
  texts: readonly string[],
): Promise<Response> {
  const plain = new Blob(texts.map((text) => `${text}\n`));
  const isCompressed = plain.size > COMPRESSED_FROM;
  const body = isCompressed ? await compressed(plain) : plain;
  if (body.size > MOST_BYTES || plain.size > MOST_FILE_BYTES) {
    throw new ApiError(
      `${bytesText(body.size)} would be sent, 4 MiB may be. Leave kinds out, or use POST /v1/uploads with curl.`,
      { status: 413, code: 'body-too-large', title: 'This is too large' },
    );
  }
  return send(path, { method, body, type: isCompressed ? 'application/gzip' : 'application/json' });
}

function compressed(blob: Blob): Promise<Blob> {
  return new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}
