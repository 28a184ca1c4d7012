import type { CertificateRequestFacts } from '../../../cluster/workloads.ts';
import { shellWord } from '../../../text/quote.ts';
import { countInWords, namesInWords } from '../../../text/words.ts';
import { type Check, type Finding, asExpected, finding, notChecked } from '../../condition.ts';

const TYPE = 'CertificateRequestsApproved';
const NODE_SIGNERS: ReadonlySet<string> = new Set([
  'kubernetes.io/kubelet-serving',
  'kubernetes.io/kube-apiserver-client-kubelet',
]);
/** More names are listed by a command first. */
const NAMES_IN_COMMAND = 20;

/** A node without a certificate cannot rejoin the cluster after its reboot. Only the first hop is checked. */
export const certificateRequestsApproved: Check = ({ facts: { certificateRequests }, hop }) => {
  if (hop.index > 0) return [];
  if (certificateRequests === null) {
    return [notChecked(TYPE, 'CertificateSigningRequests were', ['certificateRequests'])];
  }
  const ofNodes = certificateRequests.filter(({ signer }) => NODE_SIGNERS.has(signer));
  const others = certificateRequests.filter(({ signer }) => !NODE_SIGNERS.has(signer));
  const findings = [...pendingOfNodes(ofNodes), ...pendingOthers(others)];
  return findings.length > 0 ? findings : [asExpected(TYPE, 'No certificate request is pending')];
};

function pendingOfNodes(requests: readonly CertificateRequestFacts[]): Finding[] {
  if (requests.length === 0) return [];
  const { names, objects, count } = listed(requests);
  const message = `${count} of nodes ${isOrAre(requests.length)} pending: ${namesInWords(names)}. A node without a certificate cannot rejoin the cluster`;
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason: 'PendingNodeCertificates', message, effect: 'warn' }),
      objects,
      remediation: [
        'Check that the requests are from nodes of this cluster, then approve them',
        approveCommand(names),
      ],
    },
  ];
}

function pendingOthers(requests: readonly CertificateRequestFacts[]): Finding[] {
  if (requests.length === 0) return [];
  const { names, objects, count } = listed(requests);
  const message = `${count} of other signers ${isOrAre(requests.length)} pending: ${namesInWords(names)}`;
  return [
    {
      ...finding({ type: TYPE, status: 'True', reason: 'PendingCertificates', message, effect: 'info' }),
      objects,
    },
  ];
}

/** Names each request: approving all would also approve requests of strangers. */
export function approveCommand(names: readonly string[]): string {
  // A quoted `--all` is still an option.
  const isOption = names.some((name) => name.startsWith('-'));
  return names.length <= NAMES_IN_COMMAND && !isOption
    ? `oc adm certificate approve ${names.map(shellWord).join(' ')}`
    : 'oc get csr';
}

function listed(requests: readonly CertificateRequestFacts[]) {
  const sorted = requests.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    names: sorted.map(({ name }) => name),
    objects: sorted.map(({ name, signer, username }) => ({
      kind: 'CertificateSigningRequest',
      name,
      detail: { signer, username },
    })),
    count: countInWords(requests.length, 'certificate request'),
  };
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
