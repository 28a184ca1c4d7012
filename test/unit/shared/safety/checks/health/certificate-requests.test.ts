import type { CertificateRequestFacts } from '@cairn/shared/cluster/workloads';
import { describe, expect, it } from 'vitest';
import { aCluster } from '../../../../../helpers/cluster/clusters.ts';
import { evaluate, evaluateHop } from '../../../../../helpers/cluster/evaluations.ts';
import { aRequest } from '../../../../../helpers/cluster/workloads.ts';

const MINOR = ['4.14.8', '4.15.3'];

function found(certificateRequests: readonly CertificateRequestFacts[] | null, path = MINOR) {
  return evaluateHop(aCluster({ certificateRequests }), path).conditions.filter(
    ({ type }) => type === 'CertificateRequestsApproved',
  );
}

describe('certificate requests', () => {
  it.each([[MINOR], [['4.14.8', '4.14.9']]])('case 42: of nodes warn before %j', (path) => {
    const requests = [aRequest('csr-b'), aRequest('csr-a', 'kubernetes.io/kube-apiserver-client-kubelet')];
    expect(found(requests, path)).toMatchObject([
      {
        reason: 'PendingNodeCertificates',
        status: 'False',
        effect: 'warn',
        message:
          '2 certificate requests of nodes are pending: csr-a and csr-b. A node without a certificate cannot rejoin the cluster',
        objects: [
          { kind: 'CertificateSigningRequest', name: 'csr-a' },
          { kind: 'CertificateSigningRequest', name: 'csr-b' },
        ],
        remediation: [
          'Check that the requests are from nodes of this cluster, then approve them',
          'oc adm certificate approve csr-a csr-b',
        ],
      },
    ]);
  });

  it('case 42: of other signers are a note', () => {
    expect(found([aRequest('csr-a', 'example.com/own')])).toMatchObject([
      { reason: 'PendingCertificates', effect: 'info' },
    ]);
  });

  it('that are many are listed first, and hostile names are quoted', () => {
    const many = Array.from({ length: 21 }, (_, number) => aRequest(`csr-${number}`));
    expect(found(many)[0]!.remediation!.at(-1)).toBe('oc get csr');
    expect(found([aRequest('a; reboot')])[0]!.remediation!.at(-1)).toBe(
      "oc adm certificate approve 'a; reboot'",
    );
    // Approves the requests of strangers too.
    expect(found([aRequest('--all')])[0]!.remediation!.at(-1)).toBe('oc get csr');
  });

  it('that are none are as expected, and not checked if they were not sent', () => {
    expect(found([])).toMatchObject([{ reason: 'AsExpected', effect: 'ok' }]);
    expect(found(null)).toMatchObject([
      {
        reason: 'NotChecked',
        effect: 'info',
        remediation: ['oc get certificatesigningrequests -o json'],
      },
    ]);
    const hops = evaluate(aCluster({ certificateRequests: null }), ['4.14.8', '4.15.3', '4.16.1']);
    expect(hops[0]!.verdict).toBe('allowed');
    expect(hops[1]!.conditions.filter(({ reason }) => reason === 'NotChecked')).toEqual([]);
  });
});
