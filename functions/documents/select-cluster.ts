import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { selectCluster } from '@cairn/shared/plan/select-cluster';
import { listInWords } from '@cairn/shared/text/words';
import { ExpectedError } from '../runtime/errors.ts';

const MICROSHIFT =
  'MicroShift has no ClusterVersion: update its packages or its ostree image and reboot the host; from 4.14 on it may skip one minor, such as 4.14 to 4.16';

/** Facts of the cluster that is meant: the one that the documents are of, or one that it hosts. */
export function clusterIn(facts: ClusterFacts, hosted: string | undefined): ClusterFacts {
  const selection = selectCluster(facts, hosted);
  if (selection.kind === 'selected') return selection.facts;
  if (selection.kind === 'microshift') {
    throw new ExpectedError(
      'not-an-openshift-cluster',
      `the documents are of MicroShift ${selection.version}. ${MICROSHIFT}`,
    );
  }
  const known =
    selection.hosted.length === 0
      ? 'there is no HostedCluster'
      : `there are ${listInWords(selection.hosted)}`;
  const isNamed = selection.kind === 'unknown';
  const detail = `${isNamed ? `${hosted} is not in the documents` : 'name the HostedCluster'}; ${known}`;
  throw new ExpectedError(isNamed ? 'invalid-parameter' : 'missing-parameter', `hosted: ${detail}`, {
    errors: [
      {
        parameter: 'hosted',
        ...(isNamed && { value: hosted }),
        detail,
        nearest: selection.hosted.slice(0, MOST_LISTED),
      },
    ],
  });
}

const MOST_LISTED = 100;
