import { ClusterReader } from '@cairn/shared/cluster/kinds';
import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import { joinInWords } from '@cairn/shared/text/words';
import type { UpdateStatus } from '@cairn/shared/update-status/answer';
import { statusInput } from '@cairn/shared/update-status/input';
import { EXIT, notKnown } from '../../runtime/exit.ts';
import { statusReport } from '../../update-status/report.ts';
import { STATUS_DETAILS, type StatusDetails } from '../../update-status/schema.ts';
import { CLUSTER_FLAGS } from '../cluster/oc.ts';
import { STATUS_QUERIES } from '../cluster/queries.ts';
import { readClusterDocuments, sendDocuments } from '../cluster/read-documents.ts';
import type { Command, Host } from '../host.ts';
import { formatOf, outputFlag, printAnswer } from '../output.ts';
import { offlineService } from '../service/offline-service.ts';
import { accepted, jsonOf } from '../service/service.ts';

export const status: Command = {
  name: 'status',
  summary: 'show the progress of the update that a cluster performs',
  arguments: '[FILE…]',
  most: Infinity,
  about:
    'Shows the control plane, the operators, pools and nodes of a cluster during its update, and what needs attention, from what "oc get … -o json" prints of its ClusterVersion, ClusterOperators, Nodes, MachineConfigPools and MachineConfigs. It needs no network. It exits with 0 if no update is in progress or it goes well, 1 if it is slow or waits for a paused pool, 2 if it is stalled or has an insight of level Error or Critical, and 3 if documents are missing.',
  flags: {
    at: { kind: 'text', value: 'TIME', help: 'assess this moment, such as 2026-11-16T08:00:00Z (now)' },
    details: {
      kind: 'text',
      values: STATUS_DETAILS,
      help: 'add the updating operators, all nodes, or the descriptions of insights to the text (none)',
    },
    output: outputFlag(['text', 'json', 'yaml', 'markdown']),
    ...CLUSTER_FLAGS,
  },
  examples: [
    'oc get clusterversion,clusteroperators,nodes,machineconfigpools,machineconfigs -o json | cairn status',
    'cairn status --oc --details=health',
    'cairn status cluster.json --at 2026-11-16T08:00:00Z -o json',
  ],
  async run(args, host) {
    const documents = await readClusterDocuments(args, host, STATUS_QUERIES);
    const service = offlineService({ graphs: [], support: null }, host.clock);
    const answer = await sendDocuments(
      service,
      documents,
      { method: 'POST', path: '/v1/update-status', query: args.query(['at']) },
      [400],
    );
    if (answer.status === 400) refuseMissing(documents);
    const found = jsonOf(accepted(answer)) as UpdateStatus;
    const details = (args.text('details') as StatusDetails | undefined) ?? 'none';
    printAnswer(answer.body, formatOf(args), host, () => statusReport(found, details));
    return exitCodeOf(found, host);
  },
};

/** Readable documents of which some are missing have their own exit code. */
function refuseMissing(documents: Uint8Array): void {
  const reading = splitDocuments(
    documents,
    new ClusterReader({ isOneCluster: true, isRemovedApi: () => false }),
  );
  const input = reading.ok ? statusInput(reading.facts) : null;
  if (input?.ok === false) throw notKnown(input.problem);
}

function exitCodeOf(found: UpdateStatus, { err }: Pick<Host, 'err'>): number {
  const { state, insights, missing, pools } = found;
  if (state === 'stalled' || insights.some(({ level }) => level === 'Error' || level === 'Critical')) {
    return EXIT.blocked;
  }
  // Without MachineConfigs, updated nodes of a pool look like outdated ones. Hosted clusters have no pools.
  const lacking = missing.filter(
    (resource) => resource === 'nodes' || (resource === 'machineconfigs' && pools.length > 0),
  );
  if (lacking.length > 0) {
    const commands = lacking.map((resource) => `oc get ${resource} -o json`);
    err.write(
      `${joinInWords(lacking)} are missing, so the state of the nodes is unknown. Send the output of:\n`,
    );
    err.write(commands.map((command) => `  ${command}\n`).join(''));
    return EXIT.unknown;
  }
  return state === 'slow' || state === 'held' ? EXIT.actionRequired : EXIT.ready;
}
