import { useState } from 'preact/hooks';
import { readJson } from '../data/api.ts';
import type { UpdateStatusView } from '../data/responses.ts';
import { sendDocuments } from '../fleet/add-cluster.tsx';
import { DocumentPicker, textFault, type Chosen } from '../fleet/document-picker.tsx';
import { Command, useAction } from '../fleet/parts.tsx';
import { Button } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { UpdateDetails } from './cluster-update.tsx';

const OC_COMMAND = [
  'oc get clusterversion,clusteroperators,nodes,machineconfigpools,machineconfigs -o json > update.json',
  'oc get deployment machine-config-operator -n openshift-machine-config-operator -o json >> update.json',
].join('\n');

const NOTHING: Chosen = { files: [], pasted: '' };

/** Shows the update of documents. Nothing is stored. */
export function CheckDocuments() {
  const [chosen, setChosen] = useState(NOTHING);
  const [status, setStatus] = useState<UpdateStatusView | null>(null);
  const { error, isBusy, run, forgetError } = useAction();
  const texts = [...chosen.files.map(({ text }) => text), chosen.pasted].filter((text) => text.trim() !== '');
  const isUnready = texts.length === 0 || texts.some(textFault) || isBusy;
  const check = (): Promise<void> =>
    run(async () => {
      setStatus(null);
      const response = await sendDocuments('POST', '/v1/update-status', texts);
      setStatus(await readJson<UpdateStatusView>(response));
    });
  return (
    <div class="stack" aria-busy={isBusy}>
      <p>Run this where oc is signed in to the cluster, then drop the file. Cairn stores nothing of it.</p>
      <Command text={OC_COMMAND} what="the oc command" />
      <DocumentPicker
        chosen={chosen}
        onChange={(change) => {
          setChosen(change);
          setStatus(null);
          forgetError();
        }}
      />
      <div>
        <Button kind="primary" disabled={isUnready} onClick={() => void check()}>
          Check update
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
      {status && <UpdateDetails status={status} updates={null} />}
    </div>
  );
}
