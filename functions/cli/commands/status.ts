import { singleLine } from '@cairn/shared/text/quote';
import { refuseUnless } from '../../command-line/flags.ts';
import type { ParsedArgs } from '../../command-line/parse.ts';
import { badInput, EXIT, Failure } from '../../runtime/exit.ts';
import { STATUS_DETAILS, type StatusDetails } from '../../update-status/schema.ts';
import { CLUSTER_FLAGS } from '../cluster/oc.ts';
import { STATUS_QUERIES } from '../cluster/queries.ts';
import { readClusterDocuments } from '../cluster/read-documents.ts';
import {
  statusOfCluster,
  statusOfDocuments,
  statusOfFleet,
  type StatusView,
} from '../cluster/status-views.ts';
import type { Command, Host } from '../host.ts';
import { formatOf, outputFlag, printAnswer } from '../output.ts';
import { offlineService } from '../service/offline-service.ts';
import { openRemote } from '../service/open-service.ts';
import { SOURCE_FLAGS } from './common-flags.ts';

const { url, token, 'token-file': tokenFile, region } = SOURCE_FLAGS;
const SHORTEST_WATCH = 5;
const LONGEST_WATCH = 3600;

export const status: Command = {
  name: 'status',
  summary: 'show the progress of the update that a cluster performs',
  arguments: '[FILE…]',
  most: Infinity,
  about:
    'Shows the control plane, the operators, pools and nodes of a cluster during its update, and what needs attention, from what "oc get … -o json" prints of its ClusterVersion, ClusterOperators, Nodes, MachineConfigPools and MachineConfigs. It needs no network. With --cluster or --fleet it asks a Cairn about clusters that report to it. It exits with 0 if no update is in progress or it goes well, 1 if it is slow or waits for a paused pool, 2 if it is stalled or has an insight of level Error or Critical, and 3 if the cluster is silent or documents are missing. For a fleet, 2 counts before 3, and 3 before 1.',
  flags: {
    cluster: {
      kind: 'text',
      value: 'ID',
      help: 'with --url: show a cluster that reports to it, without documents',
    },
    fleet: { kind: 'switch', help: 'with --url: show all clusters that update' },
    watch: {
      kind: 'text',
      value: '[SECONDS]',
      bare: '30',
      refuse: refuseUnless(
        (value) =>
          /^\d{1,4}$/.test(value) && Number(value) >= SHORTEST_WATCH && Number(value) <= LONGEST_WATCH,
        `a whole number from ${SHORTEST_WATCH} to ${LONGEST_WATCH} is`,
      ),
      help: 'show it again every 30 seconds, or as often as you say, until the update ends: redrawn on a terminal, elsewhere a line for each change',
    },
    at: { kind: 'text', value: 'TIME', help: 'assess this moment, such as 2026-11-16T08:00:00Z (now)' },
    details: {
      kind: 'text',
      values: STATUS_DETAILS,
      help: 'add the updating operators, all nodes, or the descriptions of insights to the text (none)',
    },
    output: outputFlag(['text', 'json', 'yaml', 'markdown']),
    ...CLUSTER_FLAGS,
    url,
    token,
    'token-file': tokenFile,
    region,
  },
  examples: [
    'oc get clusterversion,clusteroperators,nodes,machineconfigpools,machineconfigs -o json | cairn status',
    'cairn status --oc --details=health',
    'cairn status --fleet --watch --url https://cairn.example.com',
    'cairn status cluster.json --at 2026-11-16T08:00:00Z -o json',
  ],
  async run(args, host) {
    const read = await openStatus(args, host);
    const seconds = args.number('watch');
    if (seconds !== undefined) return watch(read, seconds, args, host);
    const view = await read();
    printAnswer(view.body, formatOf(args), host, view.document);
    return exit(view, host);
  },
};

type ReadStatus = () => Promise<StatusView>;

async function openStatus(args: ParsedArgs, host: Host): Promise<ReadStatus> {
  const cluster = args.text('cluster');
  const isFleet = args.isSet('fleet');
  const query = args.query(['at']);
  const details = (args.text('details') as StatusDetails | undefined) ?? 'none';
  const isLive = ['oc', 'in-cluster'].some((flag) => args.isSet(flag));
  if (cluster !== undefined || isFleet) {
    const others = [isFleet && cluster !== undefined, isLive, args.arguments.length > 0];
    if (others.includes(true)) {
      throw badInput('files, --oc, --in-cluster, --cluster and --fleet: one of them is accepted');
    }
    if (isFleet && query.has('at')) throw badInput('--at is for one cluster, not for --fleet');
  }
  if (args.text('watch') !== undefined) {
    if (cluster === undefined && !isFleet && !isLive) {
      throw badInput('--watch reads again and again: give --oc, --in-cluster, --cluster or --fleet');
    }
    if (query.has('at')) throw badInput('--at is one moment, and --watch goes on: one of them is accepted');
    if (!['text', 'json'].includes(formatOf(args))) throw badInput('--watch prints text or json');
  }
  if (isFleet || cluster !== undefined) {
    const service = await openRemote(args, host);
    return () =>
      cluster === undefined ? statusOfFleet(service) : statusOfCluster(service, cluster, query, details);
  }
  const service = offlineService({ graphs: [], support: null }, host.clock);
  return async () =>
    statusOfDocuments(service, await readClusterDocuments(args, host, STATUS_QUERIES), query, details);
}

function exit({ exitCode, hints }: StatusView, { err }: Host): number {
  for (const hint of hints) err.write(`${hint}\n`);
  return exitCode;
}

/** Home, and everything below it cleared. */
const REDRAW = '\u001b[H\u001b[J';

async function watch(read: ReadStatus, seconds: number, args: ParsedArgs, host: Host): Promise<number> {
  let shown: ReadonlyMap<string, string> = new Map();
  for (let last: StatusView | null = null; ; await host.wait(seconds * 1000)) {
    const view = await read().catch((error: unknown) => {
      // The API of a cluster fails at times while its control plane updates.
      const isPassing = error instanceof Failure && error.exitCode === EXIT.unknown && last !== null;
      if (!isPassing) throw error;
      for (const line of error.lines) host.err.write(`${line}; tries again\n`);
      return null;
    });
    if (view === null) continue;
    last = view;
    if (host.out.isTerminal) {
      host.out.write(REDRAW);
      printAnswer(view.body, formatOf(args), host, view.document);
    } else {
      shown = printChanges(view, shown, args, host);
    }
    if (view.isOver) return exit(view, host);
  }
}

/** The remaining time is left out of the comparison: it changes with every minute. */
function printChanges(
  { lines, body }: StatusView,
  shown: ReadonlyMap<string, string>,
  args: ParsedArgs,
  { out, clock }: Host,
): ReadonlyMap<string, string> {
  const compared = new Map(
    Array.from(lines, ([name, line]) => [name, line.replace(/, about \d+ minutes?$/, '')]),
  );
  const changed = Array.from(lines).filter(([name]) => compared.get(name) !== shown.get(name));
  const at = new Date(clock()).toISOString().replace(/\.\d+Z$/, 'Z');
  if (formatOf(args) === 'text') out.write(changed.map(([, line]) => `${at} ${singleLine(line)}\n`).join(''));
  else if (changed.length > 0)
    out.write(`${JSON.stringify(JSON.parse(Buffer.from(body).toString('utf8')))}\n`);
  return compared;
}
