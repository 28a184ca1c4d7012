import { badInput } from '../failure.ts';
import type { Flags } from '../../command-line/flags.ts';
import type { Given } from '../../command-line/parse.ts';
import { inCluster } from './kube-api.ts';
import type { Machine } from '../machine.ts';
import type { ClusterSource } from './oc.ts';
import { OC_FLAGS, ocSource } from './documents-oc.ts';

/** Which cluster documents are read from. */
export const CLUSTER_FLAGS = {
  'in-cluster': {
    kind: 'switch',
    help: 'read the documents from the cluster that this runs in, as a pod, with its service account',
  },
  ...OC_FLAGS,
} as const satisfies Flags;

/** The cluster that was named; null when none was, and documents come from files. */
export async function openSource(given: Given, machine: Machine): Promise<ClusterSource | null> {
  const named = [
    ...(given.arguments.length > 0 ? ['files'] : []),
    ...['oc', 'in-cluster'].filter((flag) => given.isSet(flag)).map((flag) => `--${flag}`),
  ];
  if (named.length > 1) throw badInput(`${named.join(' and ')} are both given, one of them is accepted`);
  if (given.isSet('in-cluster')) return inCluster(machine);
  return given.isSet('oc') ? ocSource(given, machine) : null;
}
