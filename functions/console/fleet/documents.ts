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
