import { bytesText } from '@cairn/shared/text/words';
import { useState } from 'preact/hooks';
import { readJson, send } from '../data/api.ts';
import { ApiError, type ClusterAnswer, type PlanAnswer } from '../data/responses.ts';
import { announce } from '../ui/announce.ts';
import { Button } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { TextField } from '../ui/fields.tsx';
import { assessedUpgradeOf, ReportSummary } from './assessment.tsx';
import { DocumentPicker, MOST_FILE_BYTES, textFault, type Chosen } from './document-picker.tsx';
import { Command, useAction } from './parts.tsx';

/**
 * Every kind that a plan reads, without workloads. Unlike `oc get -o json`, the API names the kind of a list without objects.
 */
const OC_COMMAND = `for path in \\
  /apis/config.openshift.io/v1/clusterversions/version \\
  /apis/config.openshift.io/v1/clusteroperators \\
  /api/v1/nodes \\
  /apis/machineconfiguration.openshift.io/v1/machineconfigpools \\
  '/apis/operators.coreos.com/v1alpha1/clusterserviceversions?labelSelector=%21olm.copiedFrom' \\
  /apis/operators.coreos.com/v1alpha1/subscriptions \\
  /apis/olm.operatorframework.io/v1/clusterextensions \\
  /apis/olm.operatorframework.io/v1/clustercatalogs \\
  /apis/olm.operatorframework.io/v1/clusterobjectsets \\
  /apis/apiserver.openshift.io/v1/apirequestcounts \\
  /api/v1/namespaces/openshift-config-managed/configmaps/admin-gates \\
  /api/v1/namespaces/openshift-config/configmaps/admin-acks \\
  /api/v1/namespaces/openshift-config/configmaps/selinux-conflicts \\
  /api/v1/namespaces/openshift-config/configmaps/unsupported-cert-rotation-config \\
  /apis/config.openshift.io/v1/infrastructures/cluster \\
  /apis/config.openshift.io/v1/networks/cluster \\
  /apis/operator.openshift.io/v1/networks/cluster \\
  /apis/config.openshift.io/v1/nodes/cluster \\
  /apis/config.openshift.io/v1/featuregates/cluster \\
  /apis/operator.openshift.io/v1/cloudcredentials/cluster \\
  /apis/operator.openshift.io/v1/machineconfigurations/cluster \\
  /apis/operator.openshift.io/v1/authentications/cluster \\
  /apis/operator.openshift.io/v1/consoles/cluster \\
  /apis/operator.openshift.io/v1/etcds/cluster \\
  /apis/operator.openshift.io/v1/kubeapiservers/cluster \\
  /apis/operator.openshift.io/v1/kubecontrollermanagers/cluster \\
  /apis/operator.openshift.io/v1/kubeschedulers/cluster \\
  /apis/operator.openshift.io/v1/openshiftapiservers/cluster \\
  /apis/operator.openshift.io/v1/openshiftcontrollermanagers/cluster \\
  /apis/config.openshift.io/v1/imagedigestmirrorsets \\
  /apis/config.openshift.io/v1/imagetagmirrorsets \\
  /apis/operator.openshift.io/v1alpha1/imagecontentsourcepolicies \\
  /apis/config.openshift.io/v1/clusterimagepolicies \\
  /apis/machineconfiguration.openshift.io/v1/containerruntimeconfigs \\
  /apis/apiextensions.k8s.io/v1/customresourcedefinitions \\
  /apis/policy/v1/poddisruptionbudgets \\
  /apis/certificates.k8s.io/v1/certificatesigningrequests \\
  /apis/machine.openshift.io/v1beta1/machinehealthchecks \\
  /api/v1/namespaces/openshift-config/configmaps/openshift-install \\
  /api/v1/namespaces/openshift-config/configmaps/openshift-install-manifests \\
  /apis/config.openshift.io/v1/proxies/cluster \\
  /apis/apps/v1/namespaces/openshift-image-registry/deployments/image-registry \\
  /apis/remediation.medik8s.io/v1alpha1/nodehealthchecks
do oc get --raw "$path"; done > cluster.json`;

const NOTHING: Chosen = { files: [], pasted: '' };

/** Checks `oc` output once, or adds it to the fleet. */
export function AddCluster({ onAdded }: { readonly onAdded: () => void }) {
  const report = useReport(onAdded);
  const { chosen, choose, isBusy, plan, added, error } = report;
  return (
    <div class="stack">
      <ol class="stack numbered">
        <li class="stack-small">
          <p>Run this where oc is signed in to the cluster. It changes nothing there.</p>
          <Command text={OC_COMMAND} what="the oc command" />
        </li>
        <li class="stack-small">
          <p>Give the file to this page. Several files are one report.</p>
          <DocumentPicker chosen={chosen} onChange={choose} />
        </li>
        <li class="stack-small">
          <p>Look at it once, or keep what it says. The file is never kept.</p>
          <NameForm {...report} />
        </li>
      </ol>
      {isBusy && <p aria-busy="true">Reading it…</p>}
      {plan && <ReportSummary plan={plan} />}
      {added && <p class="note ok">{added} is in the fleet now.</p>}
      {error && <ErrorNote error={error} />}
    </div>
  );
}

function useReport(onAdded: () => void) {
  const [chosen, setChosen] = useState(NOTHING);
  const [typedName, setTypedName] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [plan, setPlan] = useState<PlanAnswer | null>(null);
  const [added, setAdded] = useState('');
  const { error, isBusy, run, forgetError } = useAction();

  const texts = [...chosen.files.map(({ text }) => text), chosen.pasted].filter((text) => text.trim() !== '');
  const name = typedName ?? clusterIdIn(texts) ?? '';
  const refusal = error && nameRefusal(error);

  const begin = (): void => {
    setPlan(null);
    setAdded('');
    forgetError();
  };
  const sendToCheck = async (): Promise<void> => {
    const answer = await readJson<PlanAnswer>(await sendDocuments('POST', '/v1/upgrade-plans', texts));
    announce(`${assessedUpgradeOf(answer).verdict}. ${answer.nextStep}`);
    setPlan(answer);
  };
  const sendToKeep = async (): Promise<void> => {
    const { id } = await readJson<ClusterAnswer>(await sendDocuments('PUT', `/v1/clusters/${name}`, texts));
    announce(`${id} is in the fleet`);
    setAdded(id);
    setChosen(NOTHING);
    setTypedName(null);
    setAdding(false);
    onAdded();
  };
  return {
    chosen,
    name,
    nameFault: refusal ?? (isAdding || name !== '' ? nameFault(name) : null),
    isUnready: texts.length === 0 || texts.some(textFault) || isBusy,
    isBusy,
    plan,
    added,
    error: refusal ? null : error,
    choose: (change: (former: Chosen) => Chosen): void => {
      setChosen(change);
      begin();
    },
    typeName: (typed: string): void => {
      setTypedName(typed);
      forgetError();
    },
    check: (): void => {
      begin();
      void run(sendToCheck);
    },
    add: (): void => {
      begin();
      setAdding(true);
      if (nameFault(name)) document.getElementById(NAME_ID)?.focus();
      else void run(sendToKeep);
    },
  };
}

const NAME_ID = 'cluster-name';

function NameForm({ name, nameFault: fault, isUnready, typeName, add, check }: ReturnType<typeof useReport>) {
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <TextField
        id={NAME_ID}
        label="Name in the fleet"
        placeholder="prod-1"
        value={name}
        fault={fault}
        onInput={typeName}
      />
      <Button type="submit" disabled={isUnready}>
        Add to the fleet
      </Button>
      <Button kind="primary" disabled={isUnready} onClick={check}>
        Check it, keep nothing
      </Button>
    </form>
  );
}

/** Shows a rejected name at its field. */
function nameRefusal({ code, faults }: ApiError): string | null {
  if (code === 'cluster-mismatch') {
    return 'Another cluster has this name. Choose one that is free, or forget the other cluster first.';
  }
  return faults.find(({ parameter }) => parameter === 'id')?.detail ?? null;
}

/** Format of the service. Dots alone would change the URL path. */
const CLUSTER_NAME = /^(?!\.{1,2}$)[\w.-]{1,100}$/;
const CLUSTER_ID = /"clusterID"\s*:\s*"([\w-]{1,100})"/;

/** First `clusterID` in the documents; used only to suggest a name. */
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

/** Bytes; sending smaller documents takes less time than compressing them. */
const COMPRESSED_FROM = 1024 * 1024;
/** Limit of a request body as sent. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Sends the documents concatenated, as `oc` printed them. */
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
