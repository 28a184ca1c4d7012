import { ClusterReader } from '@cairn/shared/cluster/kinds';
import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import { nextMinors } from '@cairn/shared/path/default-target';
import { RISK_MODES } from '@cairn/shared/path/values';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { planReport } from '@cairn/shared/plan/report';
import { planScript } from '@cairn/shared/plan/run-sheet/script';
import { selectCluster } from '@cairn/shared/plan/select-cluster';
import { UPDATE_SERVICES } from '@cairn/shared/plan/values';
import { parseChannel } from '@cairn/shared/releases/channel';
import { dayOf, DEFAULT_SUPPORT, listSupport, supportCalendar } from '@cairn/shared/releases/lifecycle';
import { EUS_TERMS } from '@cairn/shared/releases/values';
import { currentVersion } from '@cairn/shared/safety/evaluate';
import { API_REMOVALS, SKEW_POLICIES, STRATEGIES } from '@cairn/shared/safety/values';
import type { ReleaseVersion } from '@cairn/shared/version/release-version';
import type { ParsedArgs } from '../../command-line/parse.ts';
import { archOfCluster } from '../../plans/plan-upgrade.ts';
import { badInput, exitCodeOf } from '../../runtime/exit.ts';
import { CLUSTER_FLAGS } from '../cluster/oc.ts';
import { CLUSTER_QUERIES, COUNT_QUERIES, HOSTED_QUERIES, WORKLOAD_QUERIES } from '../cluster/queries.ts';
import { readClusterDocuments, sendDocuments } from '../cluster/read-documents.ts';
import type { Command, Host } from '../host.ts';
import { IMAGE_SET_FLAGS, printImageSets, refuseUnusedFlags } from '../image-set-folder.ts';
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
  target: {
    kind: 'text',
    value: 'TARGET',
    help: 'a version, a minor such as 4.16, or latest (the next supported minor, EUS to EUS)',
  },
  to: { kind: 'text', value: 'TARGET', help: 'same as --target' },
  cluster: {
    kind: 'text',
    value: 'ID',
    help: 'with --url: plan for a cluster that reports to it, without documents',
  },
  hosted: {
    kind: 'text',
    value: 'NAMESPACE/NAME',
    help: 'plan for this HostedCluster, from documents of its management cluster',
  },
  policy: {
    kind: 'text',
    values: SKEW_POLICIES,
    help: 'how far kubelets may be behind (openshift)',
  },
  strategy: {
    kind: 'text',
    values: STRATEGIES,
    help: 'workers follow every hop, or are held back as long as skew allows (rolling; control-plane-only for a default target from EUS to EUS)',
  },
  'eus-terms': {
    kind: 'text',
    value: 'NUMBER',
    values: EUS_TERMS.map(String),
    help: 'Extended Update Support terms of the cluster (2)',
  },
  'update-service': {
    kind: 'text',
    values: UPDATE_SERVICES,
    help: 'whether the cluster can ask an update service; without one it updates by digest (auto: as its ClusterVersion reports)',
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
  ...IMAGE_SET_FLAGS,
  output: outputFlag(['text', 'json', 'yaml', 'markdown', 'imageset', 'script']),
} as const satisfies Command['flags'];

const RISK_FLAG = {
  kind: 'text',
  values: RISK_MODES,
  help: 'conditional updates that may be on the way (applicable: those whose risks do not apply)',
} as const;

const PARAMETERS = [
  ...Object.keys(QUESTION_FLAGS),
  ...[
    'hosted',
    'policy',
    'strategy',
    'eus-terms',
    'update-service',
    'accept',
    'strict',
    'api-removals',
    'time-zone',
  ],
];

export const plan: Command = {
  name: 'plan',
  summary: 'whether a cluster may be updated, why not, and each step of it',
  arguments: '[FILE…]',
  most: Infinity,
  about:
    'Tells whether a cluster may be updated, why not, and what to do, from what "oc get … -o json" prints of its ClusterVersion, ClusterOperators, Nodes, MachineConfigPools, ClusterServiceVersions, APIRequestCounts and so on. It exits with 0 when it is ready, 1 when something is to be done first, 2 when it is blocked and 3 when too little is known.',
  flags: { ...OWN_FLAGS, ...CLUSTER_FLAGS, ...QUESTION_FLAGS, risk: RISK_FLAG, ...SOURCE_FLAGS },
  examples: [
    'cairn plan --oc --target 4.16 --url https://cairn.example.com',
    'oc get clusterversion,clusteroperators,nodes,mcp -o json | cairn plan --target 4.16 --graph graphs.json.gz',
    'cairn plan cluster.json --target 4.16.8 --graph graphs.json.gz -o markdown > ticket.md',
    'cairn plan --oc --target 4.16 --url https://cairn.example.com -o script > update.sh',
    'cairn plan --oc --target 4.16 --url https://cairn.example.com -o imageset --dir imagesets',
    'cairn plan --oc --hosted clusters/guest --target 4.19 --url https://cairn.example.com',
    'cairn plan --cluster prod-eu-1 --url https://cairn.example.com -o json',
    'cairn plan --oc --target 4.16 --url https://cairn.example.com --window "Sat 22:00-04:00" --time-zone Europe/Berlin',
  ],
  async run(args, host) {
    refuseUnusedFlags(args);
    const ask = await (args.text('cluster') === undefined ? ofDocuments : ofCluster)(args, host);
    const answer = await ask('json');
    const plan = jsonOf(answer) as UpgradePlan;
    const format = formatOf(args);
    if (format === 'imageset') await printImageSets(args, host, await ask('imageset'), async () => plan);
    else if (format === 'script') host.out.write(planScript(plan));
    else printAnswer(answer.body, format, host, () => planReport(plan));
    return exitCodeOf(plan.verdict);
  },
};

type Ask = (format: 'json' | 'imageset') => Promise<ServiceAnswer>;

async function ofDocuments(args: ParsedArgs, host: Host): Promise<Ask> {
  // Documents of the management cluster itself are not about the hosted cluster.
  const queries =
    args.text('hosted') !== undefined
      ? HOSTED_QUERIES
      : [...CLUSTER_QUERIES, ...COUNT_QUERIES, ...WORKLOAD_QUERIES];
  const documents = await readClusterDocuments(args, host, queries);
  const service = await openService(args, host, () => graphsToAsk(args, documents, host));
  const query = parametersOf(args);
  const question = { method: 'POST', path: '/v1/upgrade-plans', query } as const;
  return (format) => {
    setFormat(query, format, args);
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
    setFormat(query, format, args);
    return accepted(await service.ask({ method: 'GET', path, query }));
  };
}

function setFormat(query: URLSearchParams, format: 'json' | 'imageset', args: ParsedArgs): void {
  query.set('format', format);
  const file = format === 'imageset' ? args.text('file') : undefined;
  if (file === undefined) query.delete('file');
  else query.set('file', file);
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
export function graphsToAsk(args: ParsedArgs, documents: Uint8Array, host: Host): Wanted {
  const reading = splitDocuments(documents, new ClusterReader({ isRemovedApi: () => false }));
  const selection = reading.ok ? selectCluster(reading.facts, args.text('hosted')) : null;
  // The planner reports their mistakes.
  if (selection?.kind !== 'selected') return { channels: [], arch: archOfFlag(args) };
  const { facts } = selection;
  const named = args.list('channel');
  const own = facts.clusterVersion?.channel ?? null;
  const current = currentVersion(facts);
  const between = channelsBetween(current?.raw ?? '', targetOf(args) ?? likelyTarget(args, current, host));
  const found = own !== null && parseChannel(own) !== null ? [own, ...between] : between;
  return {
    channels: named.length > 0 ? named : [...new Set(found)],
    arch: args.text('arch') === undefined ? archOfCluster(facts) : archOfFlag(args),
  };
}

/** Minor of the default target if its channels have releases; undefined if there is none. */
function likelyTarget(
  args: ParsedArgs,
  current: ReleaseVersion | null,
  { clock }: Pick<Host, 'clock'>,
): string | undefined {
  if (current === null) return undefined;
  const asked = EUS_TERMS.find((terms) => terms === args.number('eus-terms'));
  const settings = { ...DEFAULT_SUPPORT, ...(asked !== undefined && { eusTerms: asked }) };
  const today = dayOf(clock());
  const known = listSupport(settings, today, []).map(({ minor }) => minor);
  return nextMinors({ current, calendar: supportCalendar(settings, today) }, known)[0]?.minor;
}
