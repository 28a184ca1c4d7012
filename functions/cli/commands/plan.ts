import { ClusterReader } from '@cairn/shared/cluster/kinds';
import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { planReport } from '@cairn/shared/plan/report';
import { planScript } from '@cairn/shared/plan/run-sheet/script';
import { parseChannel } from '@cairn/shared/releases/channel';
import { currentVersion } from '@cairn/shared/safety/evaluate';
import { API_REMOVALS, SKEW_POLICIES, STRATEGIES } from '@cairn/shared/safety/values';
import type { ParsedArgs } from '../../command-line/parse.ts';
import { archOfNodes } from '../../plans/plan-upgrade.ts';
import { badInput, exitCodeOf } from '../../runtime/exit.ts';
import { CLUSTER_FLAGS } from '../cluster/oc.ts';
import { CLUSTER_QUERIES } from '../cluster/queries.ts';
import { readClusterDocuments, sendDocuments } from '../cluster/read-documents.ts';
import type { Command, Host } from '../host.ts';
import { formatOf, outputFlag, printAnswer } from '../output.ts';
import {
  archOfFlag,
  channelsBetween,
  openRemote,
  openService,
  type Wanted,
} from '../service/open-service.ts';
import { accepted, jsonOf, type ServiceAnswer } from '../service/service.ts';
import { QUESTION_FLAGS, SOURCE_FLAGS } from './common-flags.ts';

const OWN_FLAGS = {
  target: { kind: 'text', value: 'TARGET', help: 'a version, a minor such as 4.16, or latest (latest)' },
  to: { kind: 'text', value: 'TARGET', help: 'same as --target' },
  cluster: {
    kind: 'text',
    value: 'ID',
    help: 'with --url: plan for a cluster that reports to it, without documents',
  },
  policy: {
    kind: 'text',
    values: SKEW_POLICIES,
    help: 'how far kubelets may be behind (openshift)',
  },
  strategy: {
    kind: 'text',
    values: STRATEGIES,
    help: 'workers follow every hop, or are held back as long as skew allows (rolling)',
  },
  accept: { kind: 'list', value: 'REASON', help: 'a finding that is accepted: it stays listed' },
  strict: { kind: 'switch', help: 'what was not supplied stands in the way' },
  'api-removals': {
    kind: 'text',
    values: API_REMOVALS,
    help: 'whether an API in use that goes away holds the hop, or only warns once it is acknowledged (block)',
  },
  window: {
    kind: 'list',
    value: 'WINDOW',
    help: 'when the cluster may be worked on every week, such as "Sat 22:00-04:00" or "Mon-Fri 01:00-03:30": tells which hop fits in which window',
  },
  'time-zone': {
    kind: 'text',
    value: 'ZONE',
    help: 'of the windows, such as Europe/Berlin (UTC)',
  },
  output: outputFlag(['text', 'json', 'yaml', 'markdown', 'imageset', 'script']),
} as const satisfies Command['flags'];

const PARAMETERS = [
  ...Object.keys(QUESTION_FLAGS),
  ...['policy', 'strategy', 'accept', 'strict', 'api-removals', 'time-zone'],
];

export const plan: Command = {
  name: 'plan',
  summary: 'whether a cluster may be updated, why not, and each step of it',
  arguments: '[FILE…]',
  most: Infinity,
  about:
    'Tells whether a cluster may be updated, why not, and what to do, from what "oc get … -o json" prints of its ClusterVersion, ClusterOperators, Nodes, MachineConfigPools, ClusterServiceVersions, APIRequestCounts and so on. It exits with 0 when it is ready, 1 when something is to be done first, 2 when it is blocked and 3 when too little is known.',
  flags: { ...OWN_FLAGS, ...CLUSTER_FLAGS, ...QUESTION_FLAGS, ...SOURCE_FLAGS },
  examples: [
    'cairn plan --oc --target 4.16 --url https://cairn.example.com',
    'oc get clusterversion,clusteroperators,nodes,mcp -o json | cairn plan --target 4.16 --graph graphs.json.gz',
    'cairn plan cluster.json --target 4.16.8 --graph graphs.json.gz -o markdown > ticket.md',
    'cairn plan --oc --target 4.16 --url https://cairn.example.com -o script > update.sh',
    'cairn plan --cluster prod-eu-1 --url https://cairn.example.com -o json',
    'cairn plan --oc --target 4.16 --url https://cairn.example.com --window "Sat 22:00-04:00" --time-zone Europe/Berlin',
  ],
  async run(args, host) {
    const ask = await (args.text('cluster') === undefined ? ofDocuments : ofCluster)(args, host);
    const answer = await ask('json');
    const plan = jsonOf(answer) as UpgradePlan;
    const format = formatOf(args);
    if (format === 'imageset') host.out.write((await ask('imageset')).body);
    else if (format === 'script') host.out.write(planScript(plan));
    else printAnswer(answer.body, format, host, () => planReport(plan));
    return exitCodeOf(plan.verdict);
  },
};

type Ask = (format: 'json' | 'imageset') => Promise<ServiceAnswer>;

async function ofDocuments(args: ParsedArgs, host: Host): Promise<Ask> {
  const documents = await readClusterDocuments(args, host, CLUSTER_QUERIES);
  const service = await openService(args, host, () => graphsToAsk(args, documents));
  const query = parametersOf(args);
  const question = { method: 'POST', path: '/v1/upgrade-plans', query } as const;
  return (format) => {
    query.set('format', format);
    return sendDocuments(service, documents, question);
  };
}

async function ofCluster(args: ParsedArgs, host: Host): Promise<Ask> {
  if (args.arguments.length > 0 || args.isSet('oc') || args.isSet('in-cluster')) {
    throw badInput('documents and --cluster are both given, one of them is accepted');
  }
  const service = await openRemote(args, host);
  const query = parametersOf(args);
  const path = `/v1/clusters/${encodeURIComponent(args.text('cluster')!)}/upgrade-plan`;
  return async (format) => {
    query.set('format', format);
    return accepted(await service.ask({ method: 'GET', path, query }));
  };
}

function parametersOf(args: ParsedArgs): URLSearchParams {
  const query = args.query(PARAMETERS);
  const [target, windows] = [targetOf(args), args.list('window')];
  if (target !== undefined) query.set('target', target);
  if (windows.length > 0) query.set('windows', windows.join(','));
  return query;
}

function targetOf(args: ParsedArgs): string | undefined {
  const [target, to] = [args.text('target'), args.text('to')];
  if (target !== undefined && to !== undefined && target !== to) {
    throw badInput('--to is the same flag as --target, but their values differ; give one of them');
  }
  return target ?? to;
}

/** An update service is queried by channel and architecture; version, channel and nodes of the cluster select them. */
function graphsToAsk(args: ParsedArgs, documents: Uint8Array): Wanted {
  const reading = splitDocuments(documents, new ClusterReader({ isRemovedApi: () => false }));
  // The planner reports their mistakes.
  if (!reading.ok) return { channels: [], arch: archOfFlag(args) };
  const { facts } = reading;
  const named = args.list('channel');
  const own = facts.clusterVersion?.channel ?? null;
  const between = channelsBetween(currentVersion(facts)?.raw ?? '', targetOf(args));
  const found = own !== null && parseChannel(own) !== null ? [own, ...between] : between;
  return {
    channels: named.length > 0 ? named : [...new Set(found)],
    arch: args.text('arch') === undefined ? archOfNodes(facts) : archOfFlag(args),
  };
}
